/* SPDX-License-Identifier: GPL-2.0-only */
/* The tested files do not log. */
