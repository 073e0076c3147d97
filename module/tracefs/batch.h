/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many records in one system call.
 */
#ifndef USER_EVENTS_TRACEFS_BATCH_H
#define USER_EVENTS_TRACEFS_BATCH_H

struct event_refs;
struct user_batch;

long ue_batch_write(const struct event_refs *refs,
		    const struct user_batch __user *argument);

#endif /* USER_EVENTS_TRACEFS_BATCH_H */
