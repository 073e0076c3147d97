/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The enablers of a process. A child shares the set of its parent until one of
 * the two changes its own enablers.
 */
#ifndef USER_EVENTS_ENABLER_SET_H
#define USER_EVENTS_ENABLER_SET_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "enabler/word.h"

struct user_event;
struct user_quota;

/**
 * struct enabler - a bit that shows whether an event is enabled
 * @event_node: entry in the list of enablers of @event, under event_mutex
 * @set_node: entry in @set, see struct enabler_set
 * @set: the set of the enabler, or NULL
 * @event: the event, with a reference
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
 * struct enabler_set - the enablers of one or more processes
 * @enablers: the enablers by address and bit. Written under event_mutex,
 *	      mms_lock and the change lock of the only process that has the set;
 *	      read under any one of these
 * @count: number of enablers
 * @quota: that of the user who created the set, which has them
 * @users: length of @processes. 0 before a copy is published and after the last
 *	   process has left. Read without a lock as a hint
 * @processes: the struct user_event_mm of the processes that have the set; a
 *	       fork adds under mms_lock; removed under event_mutex and mms_lock
 * @is_dead: no process uses the set any more; under event_mutex
 */
struct enabler_set {
	struct rb_root enablers;
	u32 count;
	struct user_quota *quota;
	u32 users;
	struct list_head processes;
	bool is_dead;
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
bool ue_enabler_set_has_room(const struct enabler_set *set);
int ue_enabler_set_add(struct enabler_set *set, struct enabler *enabler);
void ue_enabler_set_remove(struct enabler *enabler);

#endif /* USER_EVENTS_ENABLER_SET_H */
