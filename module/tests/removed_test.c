// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mutex.h>
#include <linux/percpu.h>

#include "event/group.h"
#include "event/removed.h"
#include "limits.h"
#include "objects.h"

/**
 * struct fixture - a registry, locked
 * @lock: its mutex
 * @map: its status bits
 * @group: the registry
 */
struct fixture {
	struct mutex lock;
	u8 map[8];
	struct user_event_group group;
};

static struct user_event_group *open_group(struct kunit *test)
{
	struct fixture *fixture =
		kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fixture);
	mutex_init(&fixture->lock);
	ue_group_init(&fixture->group, &fixture->lock);
	fixture->group.map = fixture->map;
	fixture->group.nr_bits = 8 * sizeof(fixture->map);
	fixture->group.max_events = fixture->group.nr_bits;
	mutex_lock(&fixture->lock);

	return &fixture->group;
}

static void close_group(struct kunit *test, struct user_event_group *group)
{
	ue_group_exit(group);
	KUNIT_EXPECT_EQ(test, group->removed.nr_names, 0);
	mutex_unlock(group->lock);
}

/* An event with hits and, if it has any, records that were not valid. */
static void add_and_remove(struct kunit *test, struct user_event_group *group,
			   const char *name, u64 hits, u64 invalid)
{
	struct user_event *event = new_event(test, name);
	int cpu = raw_smp_processor_id();

	per_cpu_ptr(event->counts, cpu)->hits = hits;
	if (invalid) {
		event->losses = alloc_percpu(struct user_event_losses);
		KUNIT_ASSERT_TRUE(test, event->losses);
		per_cpu_ptr(event->losses, cpu)->count[LOSS_INVALID] = invalid;
	}
	KUNIT_ASSERT_EQ(test, 0, ue_group_add(group, event));
	ue_removed_add(&event->group->removed, event);
	ue_group_remove(event);
	user_event_free(event);
}

static const struct removed_name *find(const struct user_event_group *group,
				       const char *text)
{
	const struct removed_name *name;

	list_for_each_entry(name, &group->removed.names, node)
		if (!strcmp(name->name, text))
			return name;

	return NULL;
}

static void expect_counts(struct kunit *test,
			  const struct removed_counts *counts, u64 events,
			  u64 hits, u64 invalid)
{
	KUNIT_EXPECT_EQ(test, counts->events, events);
	KUNIT_EXPECT_EQ(test, counts->hits, hits);
	KUNIT_EXPECT_EQ(test, losses_total(&counts->losses), invalid);
	KUNIT_EXPECT_EQ(test, counts->losses.count[LOSS_INVALID], invalid);
}

static void adds_counters_by_name(struct kunit *test)
{
	struct user_event_group *group = open_group(test);

	expect_counts(test, &group->removed.all, 0, 0, 0);
	add_and_remove(test, group, "a", 1ULL << 40, 0);
	add_and_remove(test, group, "b", 2, 3);
	add_and_remove(test, group, "a", 5, 7);

	KUNIT_ASSERT_NOT_NULL(test, find(group, "a"));
	KUNIT_ASSERT_NOT_NULL(test, find(group, "b"));
	expect_counts(test, &find(group, "a")->counts, 2, (1ULL << 40) + 5, 7);
	expect_counts(test, &find(group, "b")->counts, 1, 2, 3);
	expect_counts(test, &group->removed.all, 3, (1ULL << 40) + 7, 10);
	KUNIT_EXPECT_EQ(test, group->removed.nr_names, 2);
	close_group(test, group);
}

/* The name removed longest ago is forgotten, but not its counters. */
static void bounds_names(struct kunit *test)
{
	struct user_event_group *group = open_group(test);
	char name[16];
	u32 i;

	for (i = 0; i < USER_EVENT_REMOVED_NAMES; i++) {
		snprintf(name, sizeof(name), "event_%u", i);
		add_and_remove(test, group, name, 1, 0);
	}
	KUNIT_EXPECT_EQ(test, group->removed.nr_names,
			USER_EVENT_REMOVED_NAMES);
	add_and_remove(test, group, "event_0", 1, 0);
	add_and_remove(test, group, "another", 1, 0);

	KUNIT_EXPECT_EQ(test, group->removed.nr_names,
			USER_EVENT_REMOVED_NAMES);
	KUNIT_EXPECT_NOT_NULL(test, find(group, "event_0"));
	KUNIT_EXPECT_NOT_NULL(test, find(group, "event_2"));
	KUNIT_EXPECT_NOT_NULL(test, find(group, "another"));
	KUNIT_EXPECT_NULL(test, find(group, "event_1"));
	expect_counts(test, &group->removed.all, USER_EVENT_REMOVED_NAMES + 2,
		      USER_EVENT_REMOVED_NAMES + 2, 0);
	close_group(test, group);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(adds_counters_by_name),
	KUNIT_CASE(bounds_names),
	{},
};

static struct kunit_suite removed_suite = {
	.name = "user_events_removed",
	.test_cases = cases,
};

kunit_test_suite(removed_suite);
