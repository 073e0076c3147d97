/* SPDX-License-Identifier: GPL-2.0-only */
/* Nothing that is tested here says anything. */
