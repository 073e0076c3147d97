/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_LAYOUT_H
#define USER_EVENTS_INTERNALS_LAYOUT_H

int ue_layout_check(void);

#endif /* USER_EVENTS_INTERNALS_LAYOUT_H */
