// SPDX-License-Identifier: GPL-2.0-only
#include "event/refs.h"

#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/rcu.h"
#include "event/user_event.h"

/* Most files register few events. */
#define FIRST_CAPACITY 6

static struct event_table *table_of(struct event_refs *refs)
{
	return rcu_dereference_protected(refs->table,
					 lockdep_is_held(&refs->lock));
}

/* Returns a table with a free slot, or NULL if out of memory. */
static struct event_table *table_reserve(struct event_refs *refs)
{
	struct event_table *old = table_of(refs);
	struct event_table *table;
	u32 count = old ? old->count : 0;
	u32 capacity = old ? old->capacity : 0;

	if (count < capacity)
		return old;

	capacity = capacity ? capacity * 2 : FIRST_CAPACITY;
	table = kvzalloc(struct_size(table, events, capacity),
			 GFP_KERNEL_ACCOUNT);
	if (!table)
		return NULL;

	table->capacity = capacity;
	table->count = count;
	if (old)
		memcpy(table->events, old->events,
		       count * sizeof(*table->events));

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
	xa_init_flags(&refs->indices, XA_FLAGS_ACCOUNT);
}

static int refs_append(struct event_refs *refs, struct user_event *event)
{
	struct event_table *table = table_reserve(refs);
	int ret;

	if (!table)
		return -ENOMEM;

	ret = xa_err(xa_store(&refs->indices, event->bit,
			      xa_mk_value(table->count), GFP_KERNEL));
	if (ret)
		return ret;

	table->events[table->count] = user_event_get(event);
	/* Pairs with ue_refs_find(): store the event before the count. */
	smp_store_release(&table->count, table->count + 1);

	return table->count - 1;
}

/**
 * ue_refs_add - Makes an event writable through a file
 * @refs: the events of the file
 * @event: an event with a reference; gets another
 *
 * Return: the write index, which is the old one if the event was added before,
 *	   or -ENOMEM.
 */
int ue_refs_add(struct event_refs *refs, struct user_event *event)
{
	void *known;
	int ret;

	mutex_lock(&refs->lock);
	known = xa_load(&refs->indices, event->bit);
	ret = known ? (int)xa_to_value(known) : refs_append(refs, event);
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
	xa_destroy(&refs->indices);
}
