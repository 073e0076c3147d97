// SPDX-License-Identifier: GPL-2.0-only
#include "event/refs.h"

#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/slab.h>

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

/*
 * Returns a new table that has the events of @refs so far, or NULL. Without the
 * lock, another thread can have replaced the table by a larger one meanwhile.
 */
static struct event_table *table_copy(const struct event_refs *refs,
				      u32 capacity)
{
	struct event_table *table = table_alloc(capacity);
	const struct event_table *old = READ_ONCE(refs->table);
	u32 count, i;

	if (!table)
		return NULL;

	/* Pairs with table_append(). */
	count = old ? min(smp_load_acquire(&old->count), capacity) : 0;
	for (i = 0; i < count; i++) {
		table->events[i] = old->events[i];
		*find_slot(table, old->events[i]) = i + 1;
	}
	table->count = count;

	return table;
}

/**
 * ue_refs_init - Initializes an empty table
 * @refs: the table
 */
void ue_refs_init(struct event_refs *refs)
{
	spin_lock_init(&refs->lock);
	refs->table = NULL;
}

static int table_append(struct event_table *table, struct user_event *event)
{
	*find_slot(table, event) = table->count + 1;
	table->events[table->count] = user_event_get(event);
	/* Pairs with ue_refs_find(): store the event before the count. */
	smp_store_release(&table->count, table->count + 1);

	return table->count - 1;
}

/*
 * Adds an event to the table, or to @larger, which then replaces the table. Under
 * the lock. @larger is NULL, or has twice the capacity of a table that was full. If
 * the table is still the same, all its events have been copied.
 *
 * Return: the write index, or -ENOSPC if that takes a larger table.
 */
static int refs_append(struct event_refs *refs, struct event_table *larger,
		       struct user_event *event)
{
	struct event_table *table = refs->table;
	u32 known = table ? *find_slot(table, event) : 0;

	lockdep_assert_held(&refs->lock);

	if (known)
		return known - 1;

	if (table && table->count < table->capacity)
		return table_append(table, event);

	if (!larger || (table && larger->capacity <= table->capacity))
		return -ENOSPC;

	larger->previous = table;
	/* Pairs with ue_refs_find(): copy the events before. */
	smp_store_release(&refs->table, larger);

	return table_append(larger, event);
}

/*
 * refs_append() with the lock. Frees @larger if it is not used.
 *
 * @capacity: set to that of a larger table
 */
static int refs_try(struct event_refs *refs, struct event_table *larger,
		    struct user_event *event, u32 *capacity)
{
	bool is_used;
	int ret;

	spin_lock(&refs->lock);
	*capacity = refs->table ? 2 * refs->table->capacity : FIRST_CAPACITY;
	ret = refs_append(refs, larger, event);
	is_used = refs->table == larger;
	spin_unlock(&refs->lock);

	/* It is mostly NULL, for which kvfree() takes about 50 instructions. */
	if (larger && !is_used)
		kvfree(larger);

	return ret;
}

/**
 * ue_refs_add - Makes an event writable through a file
 * @refs: the events of the file
 * @event: an event with a reference; gets another
 *
 * The cost does not grow with the number of events, except that a full table is
 * copied to one of twice the size. It is allocated and filled without the lock.
 *
 * Return: the write index, which is the old one if the event was added before,
 *	   or -ENOMEM.
 */
int ue_refs_add(struct event_refs *refs, struct user_event *event)
{
	struct event_table *larger;
	u32 capacity;
	int ret;

	ret = refs_try(refs, NULL, event, &capacity);
	while (ret == -ENOSPC) {
		larger = table_copy(refs, capacity);
		if (!larger)
			return -ENOMEM;
		ret = refs_try(refs, larger, event, &capacity);
	}

	return ret;
}

/**
 * ue_refs_destroy - Releases the tables and its references to events
 * @refs: the table, no longer used by other threads
 * @put: drops the reference to one event; the newest ones come first, which the
 *	 kernel finds first when it removes them
 */
void ue_refs_destroy(struct event_refs *refs,
		     void (*put)(struct user_event *event))
{
	struct event_table *table = refs->table, *previous;
	u32 i;

	if (table)
		for (i = table->count; i > 0; i--)
			put(table->events[i - 1]);

	for (; table; table = previous) {
		previous = table->previous;
		kvfree(table);
	}
}
