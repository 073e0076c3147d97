// SPDX-License-Identifier: GPL-2.0-only
#include "event/refs.h"

#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "compat/rcu.h"
#include "event/user_event.h"

/* Most files register few events. */
#define FIRST_CAPACITY 4

/*
 * The indices of the events of a table by address, under the lock of its struct
 * event_refs. A slot has an index plus 1, or 0 if it is free. At least half of
 * the slots are free, so a search looks at two on average. Programs know the
 * numbers of events, but not the addresses, so they cannot choose events that
 * collide.
 */
static u32 *slots_of(struct event_table *table)
{
	return (u32 *)&table->events[table->capacity];
}

static u32 slot_count(u32 capacity)
{
	return 2 * capacity;
}

/* Returns the slot of an event, which is free if the table does not have it. */
static u32 *find_slot(struct event_table *table, const struct user_event *event)
{
	u32 count = slot_count(table->capacity);
	u32 i = hash_ptr(event, ilog2(count));
	u32 *slots = slots_of(table);

	while (slots[i] && table->events[slots[i] - 1] != event)
		i = (i + 1) & (count - 1);

	return &slots[i];
}

static struct event_table *table_of(struct event_refs *refs)
{
	return rcu_dereference_protected(refs->table,
					 lockdep_is_held(&refs->lock));
}

static struct event_table *table_alloc(u32 capacity)
{
	struct event_table *table;

	table = kvzalloc(struct_size(table, events, capacity) +
				 slot_count(capacity) * sizeof(u32),
			 GFP_KERNEL_ACCOUNT);
	if (table)
		table->capacity = capacity;

	return table;
}

/* Returns a table with room for another event, or NULL if out of memory. */
static struct event_table *table_reserve(struct event_refs *refs)
{
	struct event_table *old = table_of(refs);
	struct event_table *table;
	u32 i;

	if (old && old->count < old->capacity)
		return old;

	table = table_alloc(old ? old->capacity * 2 : FIRST_CAPACITY);
	if (!table)
		return NULL;

	for (i = 0; old && i < old->count; i++) {
		table->events[i] = old->events[i];
		*find_slot(table, old->events[i]) = i + 1;
	}
	table->count = i;

	rcu_assign_pointer(refs->table, table);
	if (old)
		kvfree_rcu(old, rcu);

	return table;
}

/**
 * ue_refs_init - Initializes an empty table
 * @refs: the table
 */
void ue_refs_init(struct event_refs *refs)
{
	mutex_init(&refs->lock);
	RCU_INIT_POINTER(refs->table, NULL);
}

static int refs_append(struct event_refs *refs, struct user_event *event)
{
	struct event_table *table = table_reserve(refs);

	if (!table)
		return -ENOMEM;

	*find_slot(table, event) = table->count + 1;
	table->events[table->count] = user_event_get(event);
	/* Pairs with ue_refs_find_sched(): store the event before the count. */
	smp_store_release(&table->count, table->count + 1);

	return table->count - 1;
}

/**
 * ue_refs_add - Makes an event writable through a file
 * @refs: the events of the file
 * @event: an event with a reference; gets another
 *
 * The cost does not grow with the number of events, except that a full table is
 * copied to one of twice the size.
 *
 * Return: the write index, which is the old one if the event was added before,
 *	   or -ENOMEM.
 */
int ue_refs_add(struct event_refs *refs, struct user_event *event)
{
	struct event_table *table;
	u32 known;
	int ret;

	mutex_lock(&refs->lock);
	table = table_of(refs);
	known = table ? *find_slot(table, event) : 0;
	ret = known ? (int)known - 1 : refs_append(refs, event);
	mutex_unlock(&refs->lock);

	return ret;
}

/**
 * ue_refs_destroy - Releases the table and its references to events
 * @refs: the table, no longer used by other threads
 * @put: drops the reference to one event; the newest ones come first, which the
 *	 kernel finds first when it removes them
 */
void ue_refs_destroy(struct event_refs *refs,
		     void (*put)(struct user_event *event))
{
	struct event_table *table =
		rcu_dereference_protected(refs->table, true);
	u32 i;

	if (table)
		for (i = table->count; i > 0; i--)
			put(table->events[i - 1]);

	kvfree(table);
}
