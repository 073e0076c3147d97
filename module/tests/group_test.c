// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/mutex.h>

#include "event/group.h"
#include "objects.h"

/* More than the number of hash lists. */
#define MANY (3 << USER_EVENT_HASH_BITS)

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
	KUNIT_ASSERT_EQ(test, 0, ue_status_bits_init(&group->bits, map, bits));
	ue_group_init(group, &registry->lock);
	group->max_events = max_events;
	mutex_lock(group->lock);

	return group;
}

/* All events must have been removed. */
static void group_close(struct kunit *test, struct user_event_group *group)
{
	KUNIT_EXPECT_EQ(test, group->nr_events, 0);
	KUNIT_EXPECT_TRUE(test, hash_empty(group->events));
	mutex_unlock(group->lock);
	ue_status_bits_destroy(&group->bits);
}

static int add_to(struct user_event_group *group, struct user_event *event)
{
	return ue_group_add(group, event,
			    ue_group_name_key(user_event_reg_name(event)));
}

static struct user_event *find(struct user_event_group *group, const char *name)
{
	return ue_group_find(group, name, ue_group_name_key(name));
}

static struct user_event *
add(struct kunit *test, struct user_event_group *group, const char *command)
{
	struct user_event *event = new_event(test, command);

	KUNIT_ASSERT_EQ(test, 0, add_to(group, event));
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
	u8 *map = group->bits.map;

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
		KUNIT_ASSERT_EQ(test, 0, add_to(group, event));
	}

	/* A failed addition changes nothing. */
	KUNIT_EXPECT_TRUE(test, ue_group_is_full(group));
	event = new_numbered_event(test, n);
	KUNIT_EXPECT_EQ(test, add_to(group, event), -EMFILE);
	KUNIT_EXPECT_EQ(test, group->nr_events, row->room);
	KUNIT_EXPECT_NULL(test, numbered(group, n));

	if (row->room) {
		drop(numbered(group, row->room / 2));
		KUNIT_EXPECT_FALSE(test, ue_group_is_full(group));
		KUNIT_EXPECT_EQ(test, add_to(group, event), 0);
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

static u32 count_all(struct user_event_group *group)
{
	struct user_event *event;
	u32 count = 0;
	int bucket;

	group_for_each_event(group, bucket, event)
		count++;

	return count;
}

static void finds_each_of_many_events(struct kunit *test)
{
	struct user_event_group *group = group_open(test, 4096, 4096);
	struct user_event *event;
	u32 n;

	for (n = 0; n < MANY; n++)
		KUNIT_ASSERT_EQ(test, 0,
				add_to(group, new_numbered_event(test, n)));
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

static struct kunit_case cases[] = {
	KUNIT_CASE(finds_event_by_name),
	KUNIT_CASE(allocates_and_frees_bits),
	KUNIT_CASE(status_bit_follows_tracers),
	KUNIT_CASE_PARAM(enforces_limits, room_gen_params),
	KUNIT_CASE(finds_each_of_many_events),
	{},
};

static struct kunit_suite group_suite = {
	.name = "user_events_group",
	.test_cases = cases,
};

kunit_test_suite(group_suite);
