// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event/group.h"
#include "objects.h"

#define MANY 768

/**
 * struct registry - a registry, locked
 * @lock: its mutex
 * @group: the registry
 */
struct registry {
	struct mutex lock;
	struct user_event_group group;
};

static struct user_event_group *group_open(struct kunit *test, u32 bits,
					   u32 max_events)
{
	struct registry *registry =
		kunit_kzalloc(test, sizeof(*registry), GFP_KERNEL);
	u8 *map = kunit_kzalloc(test, bits / 8, GFP_KERNEL);
	struct user_event_group *group;

	KUNIT_ASSERT_NOT_NULL(test, registry);
	KUNIT_ASSERT_NOT_NULL(test, map);

	group = &registry->group;
	mutex_init(&registry->lock);
	ue_group_init(group, &registry->lock);
	group->map = map;
	group->nr_bits = bits;
	group->max_events = max_events;
	mutex_lock(group->lock);

	return group;
}

/* All events must have been removed. */
static void group_close(struct kunit *test, struct user_event_group *group)
{
	KUNIT_EXPECT_EQ(test, group->nr_events, 0);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&group->names));
	KUNIT_EXPECT_TRUE(test, xa_empty(&group->events));
	KUNIT_EXPECT_NULL(test, memchr_inv(group->map, 0, group->nr_bits / 8));
	mutex_unlock(group->lock);
}

static struct user_event *find(struct user_event_group *group, const char *name)
{
	return ue_group_find(group, name, ue_name_key(name, strlen(name)),
			     false);
}

static struct user_event *find_multi(struct user_event_group *group,
				     const char *name)
{
	return ue_group_find(group, name, ue_name_key(name, strlen(name)),
			     true);
}

static struct user_event *find_format(struct user_event_group *group,
				      const char *name, u32 fields_key)
{
	return ue_group_find_format(
		group, name, ue_name_key(name, strlen(name)), fields_key);
}

static struct user_event *
add(struct kunit *test, struct user_event_group *group, const char *command)
{
	struct user_event *event = new_event(test, command);

	KUNIT_ASSERT_EQ(test, 0, ue_group_add(group, event));
	KUNIT_EXPECT_PTR_EQ(test, event->group, group);

	return event;
}

static void drop(struct user_event *event)
{
	ue_group_remove(event);
	user_event_free(event);
}

static void finds_event_by_name(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 64, 64);
	struct user_event *a = add(test, group, "name u32 a");
	struct user_event *b = add(test, group, "other");

	KUNIT_EXPECT_EQ(test, group->nr_events, 2);
	KUNIT_EXPECT_PTR_EQ(test, find(group, "name"), a);
	KUNIT_EXPECT_PTR_EQ(test, find(group, "other"), b);
	KUNIT_EXPECT_NULL(test, find(group, "nam"));
	KUNIT_EXPECT_NULL(test, find(group, "names"));
	KUNIT_EXPECT_NULL(test, find(group, "Name"));
	KUNIT_EXPECT_NULL(test, find(group, "name u32 a"));
	KUNIT_EXPECT_NULL(test, find(group, ""));

	drop(a);
	KUNIT_EXPECT_EQ(test, group->nr_events, 1);
	KUNIT_EXPECT_NULL(test, find(group, "name"));
	KUNIT_EXPECT_PTR_EQ(test, find(group, "other"), b);

	a = add(test, group, "name");
	KUNIT_EXPECT_PTR_EQ(test, find(group, "name"), a);

	drop(a);
	drop(b);
	group_close(test, group);
}

static void allocates_and_frees_bits(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 64, 64);
	struct user_event *a = add(test, group, "a");
	struct user_event *b = add(test, group, "b");
	struct user_event *c = add(test, group, "c");

	KUNIT_EXPECT_EQ(test, a->bit, 1);
	KUNIT_EXPECT_EQ(test, b->bit, 2);
	KUNIT_EXPECT_EQ(test, c->bit, 3);

	drop(b);
	b = add(test, group, "d");
	KUNIT_EXPECT_EQ(test, b->bit, 2);

	drop(a);
	drop(b);
	drop(c);
	group_close(test, group);
}

static void status_bit_follows_tracers(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 64, 64);
	struct user_event *a = add(test, group, "a");
	struct user_event *b = add(test, group, "b");
	u8 *map = group->map;

	KUNIT_EXPECT_EQ(test, map[0], 0);

	a->status = EVENT_STATUS_FTRACE;
	KUNIT_EXPECT_EQ(test, map[0], 0);
	ue_group_update_status(a);
	KUNIT_EXPECT_EQ(test, map[0], 0x02);

	b->status = EVENT_STATUS_PERF;
	ue_group_update_status(b);
	KUNIT_EXPECT_EQ(test, map[0], 0x06);

	a->status |= EVENT_STATUS_PERF;
	ue_group_update_status(a);
	KUNIT_EXPECT_EQ(test, map[0], 0x06);

	a->status &= ~EVENT_STATUS_FTRACE;
	ue_group_update_status(a);
	KUNIT_EXPECT_EQ(test, map[0], 0x06);

	a->status = 0;
	ue_group_update_status(a);
	KUNIT_EXPECT_EQ(test, map[0], 0x04);

	/* It must be clear when the number is allocated again. */
	drop(b);
	KUNIT_EXPECT_EQ(test, map[0], 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(map, 0, 8));

	drop(a);
	group_close(test, group);
}

/**
 * struct room_row - limits of a registry
 * @bits: number of status bits
 * @max_events: limit
 * @room: number of events that fit
 */
struct room_row {
	u32 bits;
	u32 max_events;
	u32 room;
};

/* Bit 0 is never allocated. */
static const struct room_row rooms[] = {
	{ 8, 0, 0 },	{ 8, 1, 1 },	    { 8, 6, 6 },
	{ 8, 7, 7 },	{ 8, 8, 7 },	    { 8, 1000, 7 },
	{ 64, 63, 63 }, { 64, 64, 63 },	    { 72, 64, 64 },
	{ 1024, 5, 5 }, { 1024, 500, 500 }, { 1024, 4294967295U, 1023 },
};

static void room_name(const struct room_row *row, char *name)
{
	sprintf(name, "%u bits, %u events", row->bits, row->max_events);
}

KUNIT_ARRAY_PARAM(room, rooms, room_name);

static struct user_event *numbered(struct user_event_group *group, u32 n)
{
	char name[24];

	snprintf(name, sizeof(name), "event_%u", n);
	return find(group, name);
}

static void enforces_limits(struct kunit *test)
{
	const struct room_row *row = test->param_value;
	struct user_event_group *group =
		group_open(test, row->bits, row->max_events);
	struct user_event *event;
	u32 n;

	for (n = 0; n < row->room; n++) {
		KUNIT_EXPECT_FALSE(test, ue_group_is_full(group));
		event = new_numbered_event(test, n);
		KUNIT_ASSERT_EQ(test, 0, ue_group_add(group, event));
	}

	/* A failed addition changes nothing. An event must not be added twice. */
	KUNIT_EXPECT_TRUE(test, ue_group_is_full(group));
	event = new_numbered_event(test, n);
	KUNIT_ASSERT_EQ(test, ue_group_add(group, event), -EMFILE);
	KUNIT_EXPECT_EQ(test, group->nr_events, row->room);
	KUNIT_EXPECT_NULL(test, numbered(group, n));

	if (row->room) {
		drop(numbered(group, row->room / 2));
		KUNIT_EXPECT_FALSE(test, ue_group_is_full(group));
		KUNIT_EXPECT_EQ(test, ue_group_add(group, event), 0);
		KUNIT_EXPECT_EQ(test, event->bit, row->room / 2 + 1);
		KUNIT_EXPECT_TRUE(test, ue_group_is_full(group));
		ue_group_remove(event);
	}

	user_event_free(event);
	for (n = 0; n < row->room; n++)
		if (numbered(group, n))
			drop(numbered(group, n));
	group_close(test, group);
}

/**
 * struct half_row - what a user can have by default
 * @bits: number of status bits
 * @max_events: limit
 * @half: half of the events
 */
struct half_row {
	u32 bits;
	u32 max_events;
	u32 half;
};

/* With more bits than types of events, one user would take all types. */
static const struct half_row halves[] = {
	{ 8, 0, 0 },
	{ 8, 1, 1 },
	{ 8, 6, 3 },
	{ 8, 1000, 4 },
	{ 32768, 9, 5 },
	{ 32768, 32768, 16384 },
	{ 65536, 65536, 32768 },
	{ 131072, 131072, 32768 },
	{ 524288, 524288, 32768 },
};

static void user_gets_half(struct kunit *test)
{
	struct user_event_group group = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(halves); i++) {
		group.nr_bits = halves[i].bits;
		group.max_events = halves[i].max_events;
		KUNIT_EXPECT_EQ_MSG(test, ue_group_half(&group), halves[i].half,
				    "%u bits, %u events", halves[i].bits,
				    halves[i].max_events);
	}
}

static u32 count_all(struct user_event_group *group)
{
	struct user_event *event;
	unsigned long bit;
	u32 count = 0;

	xa_for_each(&group->events, bit, event)
	{
		if (event->bit != bit)
			return U32_MAX;
		count++;
	}

	return count;
}

static void add_many(struct kunit *test, struct user_event_group *group)
{
	u32 n;

	for (n = 0; n < MANY; n++)
		KUNIT_ASSERT_EQ(test, 0,
				ue_group_add(group,
					     new_numbered_event(test, n)));
}

static void drop_all(struct user_event_group *group)
{
	struct user_event *event;
	unsigned long bit;

	xa_for_each(&group->events, bit, event) drop(event);
}

static void finds_each_of_many_events(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 4096, 4096);
	struct user_event *event;
	u32 n;

	add_many(test, group);
	KUNIT_EXPECT_EQ(test, count_all(group), MANY);

	for (n = 0; n < MANY; n += 2)
		drop(numbered(group, n));
	KUNIT_EXPECT_EQ(test, count_all(group), MANY / 2);

	for (n = 0; n < MANY; n++) {
		event = numbered(group, n);
		KUNIT_ASSERT_EQ_MSG(test, !!event, n % 2, "event %u", n);
		if (!event)
			continue;

		KUNIT_EXPECT_EQ_MSG(test, event->bit, n + 1, "event %u", n);
		drop(event);
	}

	KUNIT_EXPECT_EQ(test, count_all(group), 0);
	group_close(test, group);
}

static void lowest_free_bit_is_allocated(struct kunit *test)
{
	static const u32 freed[] = { MANY, 5, 3, 64, 63, 65 };
	static const u32 expected[] = { 3, 5, 63, 64, 65, MANY, MANY + 1 };
	struct user_event_group *group = group_open(test, 4096, 4096);
	struct user_event *event;
	u32 i;

	add_many(test, group);
	for (i = 0; i < ARRAY_SIZE(freed); i++)
		drop(numbered(group, freed[i] - 1));
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		event = new_numbered_event(test, MANY + i);
		KUNIT_ASSERT_EQ(test, 0, ue_group_add(group, event));
		KUNIT_EXPECT_EQ(test, event->bit, expected[i]);
	}

	drop_all(group);
	group_close(test, group);
}

/* Tells whether bit @n of the map is set, and no other. */
static bool only_bit_is_set(const struct user_event_group *group, u32 n)
{
	u32 i;

	for (i = 0; i < group->nr_bits / 8; i++)
		if (group->map[i] != (i == n / 8 ? 1 << n % 8 : 0))
			return false;

	return true;
}

static void status_bit_has_its_place(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 1024, 1024);
	struct user_event *event;
	unsigned long bit;

	add_many(test, group);
	xa_for_each(&group->events, bit, event)
	{
		event->status = EVENT_STATUS_PERF;
		ue_group_update_status(event);
		KUNIT_EXPECT_TRUE_MSG(test, only_bit_is_set(group, bit),
				      "bit %lu", bit);
		event->status = 0;
		ue_group_update_status(event);
	}
	KUNIT_EXPECT_NULL(test, memchr_inv(group->map, 0, 1024 / 8));

	/* Only its own bit is cleared. */
	memset(group->map, 0xff, 1024 / 8);
	drop(numbered(group, 100));
	KUNIT_EXPECT_EQ(test, group->map[101 / 8], 0xff & ~(1 << 101 % 8));
	group->map[101 / 8] = 0xff;
	KUNIT_EXPECT_NULL(test, memchr_inv(group->map, 0xff, 1024 / 8));

	drop_all(group);
	memset(group->map, 0, 1024 / 8);
	group_close(test, group);
}

/* Names of one of 256 lists of the hash table of the in-kernel user_events. */
static struct user_event *new_colliding_event(struct kunit *test, u32 *n)
{
	char name[24];

	do {
		snprintf(name, sizeof(name), "pf%x", (*n)++);
	} while (hash_32(jhash(name, strlen(name), 0), 8) != 7);

	return new_event(test, name);
}

static u32 depth_of(const struct rb_node *node)
{
	u32 depth = 0;

	for (; node; node = rb_parent(node))
		depth++;

	return depth;
}

/* The steps to find an event are limited for names that an attacker chooses. */
static void search_path_is_short(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 4096, 4096);
	u32 max = 2 * (ilog2(MANY + 1) + 1), n, name = 0;
	struct user_event *event;
	unsigned long bit;

	for (n = 0; n < MANY; n++)
		KUNIT_ASSERT_EQ(test, 0,
				ue_group_add(group,
					     new_colliding_event(test, &name)));
	xa_for_each(&group->events, bit, event)
	{
		KUNIT_EXPECT_LE(test, depth_of(&event->node), max);
		KUNIT_EXPECT_PTR_EQ(
			test, find(group, user_event_reg_name(event)), event);
	}

	drop_all(group);
	group_close(test, group);
}

static void names_with_one_hash_are_different(struct kunit *test)
{
	static const char *const names[] = { "nebd9", "n17cef" };
	struct user_event_group *group = group_open(test, 64, 64);
	struct user_event *first;

	KUNIT_ASSERT_EQ(test, jhash(names[0], strlen(names[0]), 0),
			jhash(names[1], strlen(names[1]), 0));
	first = add(test, group, names[0]);
	KUNIT_EXPECT_NULL(test, find(group, names[1]));
	KUNIT_EXPECT_PTR_EQ(test, find(group, names[0]), first);

	add(test, group, names[1]);
	KUNIT_EXPECT_PTR_EQ(test, find(group, names[0]), first);
	KUNIT_EXPECT_NULL(test, ue_group_next_format(first));
	KUNIT_ASSERT_TRUE(test, find(group, names[1]));
	KUNIT_EXPECT_NULL(test, ue_group_next_format(find(group, names[1])));

	drop_all(group);
	group_close(test, group);
}

static struct user_event *add_format(struct kunit *test,
				     struct user_event_group *group,
				     const char *command, u32 fields_key)
{
	struct user_event *event = new_event(test, command);

	event->fields_key = fields_key;
	event->multi = true;
	event->tracepoint.name = kstrdup("name.1", GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, event->tracepoint.name);
	KUNIT_ASSERT_EQ(test, 0, ue_group_add(group, event));

	return event;
}

static void finds_formats_of_a_name(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 64, 64);
	struct user_event *a = add_format(test, group, "name u32 a", 0);
	struct user_event *b = add_format(test, group, "name u32 b", 0);
	struct user_event *other = add_format(test, group, "names u32 a", 0);
	struct user_event *one, *c;

	KUNIT_EXPECT_NULL(test, find(group, "name"));
	one = add(test, group, "name u32 c");
	c = add_format(test, group, "name u32 c", 0);
	KUNIT_EXPECT_PTR_EQ(test, find(group, "name"), one);

	KUNIT_EXPECT_PTR_EQ(test, find_multi(group, "name"), a);
	KUNIT_EXPECT_PTR_EQ(test, ue_group_next_format(a), b);
	KUNIT_EXPECT_PTR_EQ(test, ue_group_next_format(b), c);
	KUNIT_EXPECT_NULL(test, ue_group_next_format(c));
	KUNIT_EXPECT_PTR_EQ(test, find_multi(group, "names"), other);
	KUNIT_EXPECT_NULL(test, ue_group_next_format(other));
	KUNIT_EXPECT_NULL(test, find_multi(group, "nam"));
	drop_all(group);
	KUNIT_EXPECT_NULL(test, find_multi(group, "name"));
	group_close(test, group);
}

static void finds_formats_by_key(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 64, 64);
	struct user_event *a = add_format(test, group, "name u32 a", 9);
	struct user_event *b = add_format(test, group, "name u32 b", 7);
	struct user_event *c = add_format(test, group, "name u32 c", U32_MAX);
	struct user_event *d = add_format(test, group, "name u32 d", 7);

	add_format(test, group, "names u32 a", 8);
	KUNIT_EXPECT_PTR_EQ(test, find_format(group, "name", 9), a);
	KUNIT_EXPECT_NULL(test, ue_group_next_format(a));
	KUNIT_EXPECT_PTR_EQ(test, find_format(group, "name", 7), b);
	KUNIT_EXPECT_PTR_EQ(test, ue_group_next_format(b), d);
	KUNIT_EXPECT_NULL(test, ue_group_next_format(d));
	KUNIT_EXPECT_PTR_EQ(test, find_format(group, "name", U32_MAX), c);
	KUNIT_EXPECT_NULL(test, find_format(group, "name", 8));
	KUNIT_EXPECT_PTR_EQ(test, find_multi(group, "name"), b);

	drop_all(group);
	group_close(test, group);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(finds_event_by_name),
	KUNIT_CASE(allocates_and_frees_bits),
	KUNIT_CASE(status_bit_follows_tracers),
	KUNIT_CASE_PARAM(enforces_limits, room_gen_params),
	KUNIT_CASE(user_gets_half),
	KUNIT_CASE(finds_each_of_many_events),
	KUNIT_CASE(lowest_free_bit_is_allocated),
	KUNIT_CASE(status_bit_has_its_place),
	KUNIT_CASE(search_path_is_short),
	KUNIT_CASE(names_with_one_hash_are_different),
	KUNIT_CASE(finds_formats_of_a_name),
	KUNIT_CASE(finds_formats_by_key),
	{},
};

static struct kunit_suite group_suite = {
	.name = "user_events_group",
	.test_cases = cases,
};

kunit_test_suite(group_suite);
