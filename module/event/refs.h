/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of an open file by write index.
 */
#ifndef USER_EVENTS_EVENT_REFS_H
#define USER_EVENTS_EVENT_REFS_H

#include <linux/nospec.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct user_event;

/**
 * struct event_table - events by write index
 * @rcu: delays the release of a table that was replaced
 * @capacity: size of @events, a power of 2
 * @count: number of events; only grows, and is increased after the event is
 *	   stored
 * @events: the events; behind them is a hash table of their indices, see refs.c
 */
struct event_table {
	struct rcu_head rcu;
	u32 capacity;
	u32 count;
	struct user_event *events[];
};

/**
 * struct event_refs - the events of an open file
 * @lock: serializes additions; innermost lock, under which nothing is allocated
 * @table: the events; read under RCU, replaced by a larger table under @lock
 * @cookie: tells the indices of this file from those of another; set by its owner,
 *	    who passes it to the process, and never 0
 * @prefix: start of the names of events that can be added, or NULL; set at most
 *	    once by the owner
 *
 * An event in the table keeps its index and holds a reference until the file is
 * released.
 */
struct event_refs {
	spinlock_t lock;
	struct event_table __rcu *table;
	u64 cookie;
	const char *prefix;
};

void ue_refs_init(struct event_refs *refs);
int ue_refs_add(struct event_refs *refs, struct user_event *event);
void ue_refs_destroy(struct event_refs *refs,
		     void (*put)(struct user_event *event));

/**
 * ue_refs_find_sched - Finds an event by its write index
 * @refs: the events of the file
 * @index: the write index
 *
 * Context: Preemption is disabled; writers have disabled it for the emit
 *	    section.
 * Return: the event, valid while the file is open, or NULL.
 */
static inline struct user_event *
ue_refs_find_sched(const struct event_refs *refs, u32 index)
{
	const struct event_table *table = rcu_dereference_sched(refs->table);
	u32 count;

	if (unlikely(!table))
		return NULL;

	/* Pairs with table_append(). */
	count = smp_load_acquire(&table->count);
	if (unlikely(index >= count))
		return NULL;

	return table->events[array_index_nospec(index, count)];
}

/**
 * ue_refs_find - Finds an event by its write index
 * @refs: the events of the file
 * @index: the write index
 *
 * Context: Any. Takes no lock.
 * Return: the event, valid while the file is open, or NULL.
 */
static inline struct user_event *ue_refs_find(const struct event_refs *refs,
					      u32 index)
{
	struct user_event *event;

	rcu_read_lock_sched_notrace();
	event = ue_refs_find_sched(refs, index);
	rcu_read_unlock_sched_notrace();

	return event;
}

#endif /* USER_EVENTS_EVENT_REFS_H */
