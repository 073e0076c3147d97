/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_COMPAT_LAYOUT_H
#define USER_EVENTS_COMPAT_LAYOUT_H

int layout_check(void);

#endif /* USER_EVENTS_COMPAT_LAYOUT_H */
