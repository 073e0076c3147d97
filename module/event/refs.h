/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of an open file by write index.
 */
#ifndef USER_EVENTS_EVENT_REFS_H
#define USER_EVENTS_EVENT_REFS_H

#include <linux/nospec.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct user_event;

/**
 * struct event_table - events by write index
 * @previous: the table that it has replaced, or NULL; all of these together are
 *	      about as large as this one
 * @capacity: size of @events, a power of 2
 * @count: number of events; only grows, and is increased after the event is
 *	   stored
 * @events: the events; behind them is a hash table of their indices, see refs.c
 */
struct event_table {
	struct event_table *previous;
	u32 capacity;
	u32 count;
	struct user_event *events[];
};

/**
 * struct event_refs - the events of an open file
 * @lock: serializes additions; innermost lock, under which nothing is allocated
 * @table: the events, or NULL; replaced by a larger table under @lock. Tables stay
 *	   until the file is released, so readers need no lock
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
	struct event_table *table;
	u64 cookie;
	const char *prefix;
};

void ue_refs_init(struct event_refs *refs);
int ue_refs_add(struct event_refs *refs, struct user_event *event);
void ue_refs_destroy(struct event_refs *refs,
		     void (*put)(struct user_event *event));

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
	/* Pairs with refs_append(), by an address dependency. */
	const struct event_table *table = READ_ONCE(refs->table);
	u32 count;

	if (unlikely(!table))
		return NULL;

	/* Pairs with table_append(). */
	count = smp_load_acquire(&table->count);
	if (unlikely(index >= count))
		return NULL;

	return table->events[array_index_nospec(index, count)];
}

#endif /* USER_EVENTS_EVENT_REFS_H */
