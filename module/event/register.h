/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registering, deleting and releasing events.
 */
#ifndef USER_EVENTS_EVENT_REGISTER_H
#define USER_EVENTS_EVENT_REGISTER_H

#include <linux/types.h>

struct user_event;
struct user_event_group;

/**
 * enum register_flag - how an event is registered
 * @REGISTER_PERSIST: the event exists until it is deleted
 * @REGISTER_MULTI: several events of the name may exist, with different fields
 * @REGISTER_ENABLER_ABI: flags in the name are rejected, and REGISTER_PERSIST
 *			  needs a privilege
 * @REGISTER_RIGHTS: flags in the name set rights, and an event that cannot be made
 *		     to persist is an error. With REGISTER_ENABLER_ABI they do not
 *		     replace rights that were set
 * @REGISTER_STATUS_ABI: used for registrations of the ABI with a status page
 * @REGISTER_DEFINITION: used for lines of dynamic_events
 * @REGISTER_MODULE: used for definitions of other modules
 */
enum register_flag {
	REGISTER_PERSIST = 1 << 0,
	REGISTER_MULTI = 1 << 1,
	REGISTER_ENABLER_ABI = 1 << 2,
	REGISTER_RIGHTS = 1 << 3,
	REGISTER_STATUS_ABI = REGISTER_PERSIST,
	REGISTER_DEFINITION = REGISTER_PERSIST | REGISTER_RIGHTS,
	REGISTER_MODULE = REGISTER_ENABLER_ABI | REGISTER_RIGHTS,
};

void ue_register_init(void (*reap)(struct user_event *event));
void ue_register_exit(void);

struct user_event *user_event_register(struct user_event_group *group,
				       char *text, unsigned int flags,
				       bool *persist);
void user_event_register_commit(struct user_event *event, bool persist);
bool user_event_release(struct user_event *event);
void user_event_release_unlocked(struct user_event *event);
void user_event_release_later(struct user_event *event);
bool user_event_is_in_use(struct user_event *event);
int user_event_delete(struct user_event *event);
int user_event_delete_by_name(struct user_event_group *group, const char *name);

#endif /* USER_EVENTS_EVENT_REGISTER_H */
