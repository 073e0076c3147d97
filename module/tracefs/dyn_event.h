/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User events in dynamic_events: lines that start with "u:".
 */
#ifndef USER_EVENTS_TRACEFS_DYN_EVENT_H
#define USER_EVENTS_TRACEFS_DYN_EVENT_H

struct user_event_group;

void ue_dyn_event_init(struct user_event_group *group);
int ue_dyn_event_create(const char *command);

#endif /* USER_EVENTS_TRACEFS_DYN_EVENT_H */
