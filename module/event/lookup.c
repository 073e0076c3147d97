// SPDX-License-Identifier: GPL-2.0-only
#include "event/lookup.h"

#include <linux/lockdep.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#ifdef __CHECKER__
/* sparse rejects that of the kernel, whose parameter lacks __rcu. */
#define rb_link_node_rcu rb_link_node
#endif
#include <linux/rbtree_latch.h>

#include "event/group.h"
#include "event/user_event.h"
#include "format/fields.h"
#include "internals/call.h"

/* Changed under event_mutex, read under RCU in any context. */
static struct latch_tree_root names;

/* Whether a reader can exist. */
static bool is_used;

static const struct user_event *event_of(struct latch_tree_node *node)
{
	return container_of(node, struct user_event, lookup);
}

/* By hash, then by name */
static bool is_less(struct latch_tree_node *a, struct latch_tree_node *b)
{
	const struct user_event *one = event_of(a), *other = event_of(b);

	if (one->name_key != other->name_key)
		return one->name_key < other->name_key;

	return strcmp(user_event_name(one), user_event_name(other)) < 0;
}

/**
 * struct lookup_name - a name that is searched for
 * @text: the name
 * @size: bytes of @text, in which it ends
 * @key: its hash, or that of a name that it had meanwhile
 */
struct lookup_name {
	const char *text;
	size_t size;
	u32 key;
};

/*
 * As strcmp(), which would read behind a name that changes meanwhile. It does not
 * read behind that of the event either, as its NUL ends the loop.
 */
static int compare(void *key, struct latch_tree_node *node)
{
	const struct user_event *event = event_of(node);
	const struct lookup_name *name = key;
	const u8 *other = (const u8 *)user_event_name(event);
	size_t i;
	u8 byte;

	if (name->key != event->name_key)
		return name->key < event->name_key ? -1 : 1;

	for (i = 0; i < name->size; i++) {
		byte = READ_ONCE(name->text[i]);
		if (byte != other[i] || !byte)
			return byte - other[i];
	}

	return -other[i];
}

static const struct latch_tree_ops by_name = { .less = is_less,
					       .comp = compare };

/**
 * ue_lookup_use - Permits ue_lookup_find()
 *
 * Until then, no removal of an event waits for readers.
 *
 * Context: Any, before the first reader exists; or by each reader under
 *	    rcu_read_lock(), until event_mutex was taken once after the first call.
 */
void ue_lookup_use(void)
{
	WRITE_ONCE(is_used, true);
	/* Pairs with ue_lookup_remove(): it waits, or readers see the removal. */
	smp_mb();
}

/**
 * ue_lookup_add - Lets an event be found
 * @event: the event; one of several formats is never found, since others can have
 *	   its name
 *
 * Context: Under event_mutex, after ue_group_add().
 */
void ue_lookup_add(struct user_event *event)
{
	event_mutex_assert_held();

	if (!event->multi)
		latch_tree_insert(&event->lookup, &names, &by_name);
}

/**
 * ue_lookup_remove - Lets an event no longer be found
 * @event: the event, after ue_lookup_add()
 *
 * Afterwards no reader has the event, nor anything that it has found through it,
 * such as a tracer.
 *
 * Context: Under event_mutex. Sleeps for a grace period after ue_lookup_use().
 */
void ue_lookup_remove(struct user_event *event)
{
	event_mutex_assert_held();

	if (event->multi)
		return;

	latch_tree_erase(&event->lookup, &names, &by_name);
	/* Pairs with ue_lookup_use(). */
	smp_mb();
	if (READ_ONCE(is_used))
		synchronize_rcu_expedited();
}

/**
 * ue_lookup_find - Finds an event by name
 * @name: the name, which can change meanwhile
 * @size: bytes of @name; it ends before, at a NUL
 *
 * Context: Any, also NMI; under rcu_read_lock(), after ue_lookup_use().
 * Return: the event, valid until rcu_read_unlock(), or NULL. The caller has no
 *	   reference, so the event can be disabled and about to be removed.
 */
struct user_event *ue_lookup_find(const char *name, size_t size)
{
	struct lookup_name key = {
		.text = name,
		.size = size,
		.key = ue_name_key(name, strnlen(name, size)),
	};
	struct latch_tree_node *node = latch_tree_find(&key, &names, &by_name);

	return node ? container_of(node, struct user_event, lookup) : NULL;
}
