/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_events_status and user_events_profile.
 */
#ifndef USER_EVENTS_TRACEFS_STATUS_H
#define USER_EVENTS_TRACEFS_STATUS_H

#include <linux/types.h>

/* Both files show a user only its own events. */
extern bool ue_status_own;

#endif /* USER_EVENTS_TRACEFS_STATUS_H */
