/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The enablers of a process, which its children share until either side
 * changes its own.
 */
#ifndef USER_EVENTS_ENABLER_SET_H
#define USER_EVENTS_ENABLER_SET_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "enabler/word.h"

struct user_event;

/**
 * struct enabler - a bit that follows an event
 * @event_node: in the event's list of enablers, under the tracing mutex
 * @set_node: in @set, see struct enabler_set
 * @set: the set that the enabler is in; NULL before it is added to one
 * @event: the event, of which the enabler is a user
 * @bit: the bit
 */
struct enabler {
	struct list_head event_node;
	struct rb_node set_node;
	struct enabler_set *set;
	struct user_event *event;
	struct enabler_bit bit;
};

/**
 * struct enabler_set - the enablers of one process or more
 * @enablers: the enablers by address and bit. Changed under the tracing mutex
 *	      and mms_lock while one process has the set, by that process, which
 *	      holds its change lock; so either of the three lets read
 * @count: number of them
 * @users: number of processes that have the set: a list of them is @processes.
 *	   None before a copy is published, and after the last process left
 * @processes: the struct user_event_mm of these processes; added under mms_lock
 *	       by a fork, removed under the tracing mutex and mms_lock
 * @is_dead: no process uses the set any more; under the tracing mutex
 * @written: time in jiffies when a word of these enablers was last written, in
 *	     any process; under mms_lock and written under the tracing mutex as
 *	     well, see ue_mm_child_may_be_stale()
 */
struct enabler_set {
	struct rb_root enablers;
	u32 count;
	u32 users;
	struct list_head processes;
	bool is_dead;
	unsigned long written;
};

int ue_enablers_init(void);
void ue_enablers_exit(void);

struct enabler *ue_enabler_alloc(struct user_event *event,
				 const struct enabler_bit *bit);
bool ue_enabler_free(struct enabler *enabler);
void ue_enabler_free_keep_event(struct enabler *enabler);

struct enabler_set *ue_enabler_set_alloc(void);
struct enabler_set *ue_enabler_set_copy(const struct enabler_set *from);
void ue_enabler_set_free(struct enabler_set *set);

struct enabler *ue_enabler_set_find(const struct enabler_set *set,
				    unsigned long address, u8 bit);
struct enabler *ue_enabler_set_first(const struct enabler_set *set,
				     unsigned long address, unsigned int bit);
struct enabler *ue_enabler_set_next(const struct enabler *enabler);
void ue_enabler_set_add(struct enabler_set *set, struct enabler *enabler);
void ue_enabler_set_remove(struct enabler *enabler);

#endif /* USER_EVENTS_ENABLER_SET_H */
