/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User events in dynamic_events: lines that begin with "u:".
 */
#ifndef USER_EVENTS_DYNEVENT_H
#define USER_EVENTS_DYNEVENT_H

struct user_event_group;

void dynevent_init(struct user_event_group *group);
void dynevent_exit(void);

#endif /* USER_EVENTS_DYNEVENT_H */
