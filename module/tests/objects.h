/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events for the tests of event/, which run in the kernel only.
 */
#ifndef USER_EVENTS_TESTS_OBJECTS_H
#define USER_EVENTS_TESTS_OBJECTS_H

#include "event/user_event.h"
#include "helpers.h"

/* Creates the event of a valid command. The caller frees it. */
static inline struct user_event *new_event(struct kunit *test,
					   const char *command)
{
	struct user_event *event =
		user_event_create(parse(test, command), NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	return event;
}

/* Creates an event whose name has the number n. */
static inline struct user_event *new_numbered_event(struct kunit *test, u32 n)
{
	char command[24];

	snprintf(command, sizeof(command), "event_%u u32 a", n);
	return new_event(test, command);
}

static inline unsigned int users_of(const struct user_event *event)
{
	return refcount_read(&event->users);
}

/* Returns the sum of the losses of all reasons. */
static inline u64 losses_total(const struct user_event_losses *losses)
{
	u64 total = 0;
	int i;

	for (i = 0; i < LOSS_COUNT; i++)
		total += losses->count[i];

	return total;
}

#endif /* USER_EVENTS_TESTS_OBJECTS_H */
