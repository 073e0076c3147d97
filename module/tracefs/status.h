/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_events_status and user_events_profile.
 */
#ifndef USER_EVENTS_TRACEFS_STATUS_H
#define USER_EVENTS_TRACEFS_STATUS_H

#include <linux/types.h>

struct user_event_group;

/* Both files show a user only its own events. */
extern bool ue_status_own;

int ue_status_page_init(struct user_event_group *group, unsigned int pages);
void ue_status_page_exit(struct user_event_group *group);

#endif /* USER_EVENTS_TRACEFS_STATUS_H */
