/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registering and deleting events, whichever way it is asked for.
 */
#ifndef USER_EVENTS_REGISTER_H
#define USER_EVENTS_REGISTER_H

struct user_event;
struct user_event_group;

struct user_event *user_event_register(struct user_event_group *group,
				       char *text);
int user_event_delete(struct user_event *event);
int user_event_delete_by_name(struct user_event_group *group, const char *name);

#endif /* USER_EVENTS_REGISTER_H */
