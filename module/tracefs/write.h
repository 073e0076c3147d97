/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that a process writes.
 */
#ifndef USER_EVENTS_TRACEFS_WRITE_H
#define USER_EVENTS_TRACEFS_WRITE_H

#include <linux/types.h>

struct event_refs;
struct iov_iter;
struct user_record;
struct user_write;

int ue_write_init(void);
void ue_write_exit(void);

ssize_t ue_write(const struct event_refs *refs, const char __user *buf,
		 size_t count);
ssize_t ue_write_iter(const struct event_refs *refs, struct iov_iter *from);
long ue_write_records(const struct event_refs *refs,
		      const struct user_record __user *records, u32 count);
long ue_write_record(const struct event_refs *refs,
		     const struct user_write __user *argument);

#endif /* USER_EVENTS_TRACEFS_WRITE_H */
