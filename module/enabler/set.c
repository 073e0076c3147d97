// SPDX-License-Identifier: GPL-2.0-only
#include "enabler/set.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "event/quota.h"
#include "event/register.h"
#include "event/user_event.h"
#include "internals/call.h"
#include "limits.h"

/* Enablers that are linked or released per hold of event_mutex. */
#define BATCH_ENABLERS 16

static struct kmem_cache *enabler_cache;

/**
 * ue_enablers_init - Prepares the allocation of enablers
 *
 * Return: 0 or -ENOMEM. ue_enablers_exit() undoes it.
 */
int ue_enablers_init(void)
{
	enabler_cache = kmem_cache_create("user_event_enabler",
					  sizeof(struct enabler), 0,
					  SLAB_ACCOUNT, NULL);
	return enabler_cache ? 0 : -ENOMEM;
}

/**
 * ue_enablers_exit - Undoes ue_enablers_init(); no enabler exists any more
 */
void ue_enablers_exit(void)
{
	kmem_cache_destroy(enabler_cache);
}

/**
 * ue_enabler_alloc - Allocates an enabler
 * @event: its event, with a reference; the enabler takes another
 * @bit: its bit
 *
 * Context: May sleep. Charged to the caller's memory cgroup.
 * Return: an enabler in no set, to be freed with ue_enabler_free(), or NULL if
 *	   out of memory.
 */
struct enabler *ue_enabler_alloc(struct user_event *event,
				 const struct enabler_bit *bit)
{
	struct enabler *enabler =
		kmem_cache_alloc(enabler_cache, GFP_KERNEL_ACCOUNT);

	if (!enabler)
		return NULL;

	INIT_LIST_HEAD(&enabler->event_node);
	enabler->set = NULL;
	enabler->event = user_event_get(event);
	enabler->bit = *bit;
	return enabler;
}

/**
 * ue_enabler_free - Frees an enabler and drops its reference to the event
 * @enabler: an enabler in no set
 *
 * Context: Under event_mutex.
 * Return: whether the event was freed.
 */
bool ue_enabler_free(struct enabler *enabler)
{
	struct user_event *event = enabler->event;

	kmem_cache_free(enabler_cache, enabler);
	return user_event_release(event);
}

/**
 * ue_enabler_free_keep_event - Frees an enabler, but never its event
 * @enabler: an enabler in no set
 *
 * Context: Under event_mutex.
 */
void ue_enabler_free_keep_event(struct enabler *enabler)
{
	user_event_put(enabler->event);
	kmem_cache_free(enabler_cache, enabler);
}

/**
 * ue_enabler_set_alloc - Allocates a set without enablers
 *
 * Return: the set, to be freed with ue_enabler_set_free(), or NULL if out of
 *	   memory.
 */
struct enabler_set *ue_enabler_set_alloc(void)
{
	struct enabler_set *set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);

	if (!set)
		return NULL;

	set->quota = ue_quota_get();
	if (!set->quota) {
		kfree(set);
		return NULL;
	}

	set->enablers = RB_ROOT;
	INIT_LIST_HEAD(&set->processes);
	return set;
}

static int compare(const struct enabler *enabler, unsigned long address,
		   unsigned int bit)
{
	if (address != enabler->bit.address)
		return address < enabler->bit.address ? -1 : 1;

	return (int)bit - enabler->bit.bit;
}

/**
 * ue_enabler_set_find - Finds an enabler
 * @set: the set
 * @address: address of its value
 * @bit: number of the bit
 *
 * The cost grows with the logarithm of the number of enablers.
 *
 * Return: the enabler or NULL.
 */
struct enabler *ue_enabler_set_find(const struct enabler_set *set,
				    unsigned long address, u8 bit)
{
	struct enabler *enabler = ue_enabler_set_first(set, address, bit);

	return enabler && !compare(enabler, address, bit) ? enabler : NULL;
}

/**
 * ue_enabler_set_first - Finds the first enabler at or above an address and bit
 * @set: the set
 * @address: lowest address of its value
 * @bit: lowest number of the bit at that address
 *
 * Return: the enabler or NULL.
 */
struct enabler *ue_enabler_set_first(const struct enabler_set *set,
				     unsigned long address, unsigned int bit)
{
	struct rb_node *node = set->enablers.rb_node;
	struct enabler *enabler, *first = NULL;

	while (node) {
		enabler = rb_entry(node, struct enabler, set_node);
		if (compare(enabler, address, bit) <= 0) {
			first = enabler;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}

	return first;
}

/**
 * ue_enabler_set_next - Finds the next enabler
 * @enabler: an enabler in a set
 *
 * Return: the enabler or NULL.
 */
struct enabler *ue_enabler_set_next(const struct enabler *enabler)
{
	return rb_entry_safe(rb_next(&enabler->set_node), struct enabler,
			     set_node);
}

/* Returns false if the set has an enabler of the same bit. */
static bool insert(struct enabler_set *set, struct enabler *enabler)
{
	struct rb_node **link = &set->enablers.rb_node, *parent = NULL;
	const struct enabler_bit *bit = &enabler->bit;
	int order;

	while (*link) {
		parent = *link;
		order = compare(rb_entry(parent, struct enabler, set_node),
				bit->address, bit->bit);
		if (!order)
			return false;

		link = order < 0 ? &parent->rb_left : &parent->rb_right;
	}

	rb_link_node(&enabler->set_node, parent, link);
	rb_insert_color(&enabler->set_node, &set->enablers);
	enabler->set = set;
	set->count++;
	return true;
}

static bool quota_has_room(const struct enabler_set *set)
{
	return ue_quota_permits(set->quota->enablers,
				READ_ONCE(ue_user_limits.enablers));
}

/* Adds an enabler of a set to the list of its event. */
static void link(struct enabler *enabler)
{
	enabler->set->quota->enablers++;
	list_add_tail(&enabler->event_node, &enabler->event->enablers);
}

/**
 * ue_enabler_set_has_room - Tells whether the limits permit another enabler
 * @set: the set, under event_mutex
 */
bool ue_enabler_set_has_room(const struct enabler_set *set)
{
	return set->count < USER_EVENT_ENABLERS_MAX && quota_has_room(set);
}

/**
 * ue_enabler_set_add - Adds an enabler
 * @set: the set
 * @enabler: the enabler; owned by the set afterwards, unless this fails
 *
 * Context: Under event_mutex, and mms_lock if the set is published.
 * Return: 0, or -EADDRINUSE if the set has an enabler of the same bit.
 */
int ue_enabler_set_add(struct enabler_set *set, struct enabler *enabler)
{
	event_mutex_assert_held();

	if (!insert(set, enabler))
		return -EADDRINUSE;

	link(enabler);
	return 0;
}

/**
 * ue_enabler_set_remove - Removes an enabler from its set
 * @enabler: the enabler; owned by the caller afterwards
 *
 * Context: As ue_enabler_set_add().
 */
void ue_enabler_set_remove(struct enabler *enabler)
{
	event_mutex_assert_held();

	rb_erase(&enabler->set_node, &enabler->set->enablers);
	enabler->set->count--;
	if (!list_empty(&enabler->event_node))
		enabler->set->quota->enablers--;
	enabler->set = NULL;
	list_del_init(&enabler->event_node);
}

static int copy_all(struct enabler_set *to, const struct enabler_set *from)
{
	struct enabler *enabler = ue_enabler_set_first(from, 0, 0);
	struct enabler *copy;

	for (; enabler; enabler = ue_enabler_set_next(enabler)) {
		copy = ue_enabler_alloc(enabler->event, &enabler->bit);
		if (!copy)
			return -ENOMEM;

		insert(to, copy);
		cond_resched();
	}

	return 0;
}

/* Adds the enablers of a copy to the lists of their events, in batches. */
static int link_all(struct enabler_set *set)
{
	struct enabler *enabler = ue_enabler_set_first(set, 0, 0);
	bool has_room = true;
	unsigned int i;

	while (enabler && has_room) {
		event_mutex_lock();
		for (i = 0; enabler && i < BATCH_ENABLERS; i++) {
			has_room = quota_has_room(set);
			if (!has_room)
				break;

			link(enabler);
			enabler = ue_enabler_set_next(enabler);
		}
		event_mutex_unlock();
		cond_resched();
	}

	return has_room ? 0 : -EMFILE;
}

/**
 * ue_enabler_set_copy - Copies a set
 * @from: the set; the caller holds the change lock of a process that has it, and
 *	  a process changes only a set that no other process has, so it cannot
 *	  change
 *
 * Context: May sleep. Charged to the caller's memory cgroup. Takes event_mutex
 *	    for each batch of enablers.
 * Return: a set that no process has, to be freed with ue_enabler_set_free();
 *	   ERR_PTR(-ENOMEM); or ERR_PTR(-EMFILE) if the user has the limit.
 */
struct enabler_set *ue_enabler_set_copy(const struct enabler_set *from)
{
	struct enabler_set *set = ue_enabler_set_alloc();
	int ret;

	if (!set)
		return ERR_PTR(-ENOMEM);

	ret = copy_all(set, from) ?: link_all(set);
	if (!ret)
		return set;

	ue_enabler_set_free(set);
	return ERR_PTR(ret);
}

/*
 * Returns false if the set is empty. Starts at the end: a process usually
 * registers events in the order of their addresses, and the kernel finds the
 * newest event first when it removes one.
 */
static bool release_batch(struct enabler_set *set)
{
	struct enabler *enabler;
	unsigned int i;

	for (i = 0; i < BATCH_ENABLERS; i++) {
		enabler = rb_entry_safe(rb_last(&set->enablers), struct enabler,
					set_node);
		if (!enabler)
			return false;

		ue_enabler_set_remove(enabler);
		if (ue_enabler_free(enabler))
			break;
	}

	return true;
}

/**
 * ue_enabler_set_free - Frees a set and its enablers
 * @set: a set that no process has, or NULL
 *
 * Context: Takes event_mutex for each batch of enablers. Freeing an event ends
 *	    a batch.
 */
void ue_enabler_set_free(struct enabler_set *set)
{
	bool has_more;

	if (!set)
		return;

	do {
		event_mutex_lock();
		has_more = release_batch(set);
		event_mutex_unlock();
		cond_resched();
	} while (has_more);

	ue_quota_put(set->quota);
	kfree(set);
}
