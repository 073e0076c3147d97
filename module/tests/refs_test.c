// SPDX-License-Identifier: GPL-2.0-only
#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "event/refs.h"
#include "objects.h"

/* Enough to replace the table many times. */
#define MANY 1500

/* Threads that add events in parallel. */
#define ADDERS 2

static struct user_event **events_new(struct kunit *test, u32 count)
{
	struct user_event **events =
		kunit_kzalloc(test, count * sizeof(*events), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, events);
	for (i = 0; i < count; i++)
		events[i] = new_numbered_event(test, i);

	return events;
}

/* The test must have the only reference by now. */
static void events_free(struct kunit *test, struct user_event **events,
			u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		KUNIT_EXPECT_EQ_MSG(test, users_of(events[i]), 1, "event %u",
				    i);
		user_event_free(events[i]);
	}
}

static void finds_nothing_in_empty_table(struct kunit *test)
{
	struct event_refs refs;

	ue_refs_init(&refs);
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, 0));
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, 1));
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, U32_MAX));
	ue_refs_destroy(&refs, user_event_put);
}

static void indices_start_at_zero(struct kunit *test)
{
	struct user_event **events = events_new(test, 3);
	struct event_refs refs;
	u32 i;

	ue_refs_init(&refs);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, i));
		KUNIT_EXPECT_EQ(test, ue_refs_add(&refs, events[i]), i);
		KUNIT_EXPECT_PTR_EQ(test, ue_refs_find(&refs, i), events[i]);
	}
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, 3));
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, S32_MAX));
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, (u32)S32_MIN));
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, U32_MAX));

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, events, 3);
}

static void keeps_index_of_same_event(struct kunit *test)
{
	struct user_event **events = events_new(test, 3);
	struct event_refs refs;
	u32 i;

	ue_refs_init(&refs);
	for (i = 0; i < 3; i++)
		ue_refs_add(&refs, events[i]);
	for (i = 3; i--;)
		KUNIT_EXPECT_EQ(test, ue_refs_add(&refs, events[i]), i);
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, 3));

	/* An event that was added several times has one reference. */
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, users_of(events[i]), 2);

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, events, 3);
}

/* Another thread can be reading a table while it is replaced. */
static void replaced_tables_stay(struct kunit *test)
{
	struct user_event **events = events_new(test, 17);
	const struct event_table *first, *table;
	struct event_refs refs;
	u32 i, tables = 0;

	ue_refs_init(&refs);
	ue_refs_add(&refs, events[0]);
	first = refs.table;
	for (i = 1; i < 17; i++)
		ue_refs_add(&refs, events[i]);

	/* Of 4, 8, 16 and 32 events */
	for (table = refs.table; table; table = table->previous)
		tables++;
	KUNIT_EXPECT_EQ(test, tables, 4);
	KUNIT_EXPECT_EQ(test, first->count, 4);
	KUNIT_EXPECT_PTR_EQ(test, first->events[3], events[3]);

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, events, 17);
}

static void tables_are_independent(struct kunit *test)
{
	struct user_event **events = events_new(test, 2);
	struct event_refs first, second;

	ue_refs_init(&first);
	ue_refs_init(&second);
	KUNIT_EXPECT_EQ(test, ue_refs_add(&first, events[0]), 0);
	KUNIT_EXPECT_EQ(test, ue_refs_add(&first, events[1]), 1);
	KUNIT_EXPECT_EQ(test, ue_refs_add(&second, events[1]), 0);
	KUNIT_EXPECT_NULL(test, ue_refs_find(&second, 1));
	KUNIT_EXPECT_EQ(test, users_of(events[0]), 2);
	KUNIT_EXPECT_EQ(test, users_of(events[1]), 3);

	ue_refs_destroy(&first, user_event_put);
	KUNIT_EXPECT_EQ(test, users_of(events[0]), 1);
	KUNIT_EXPECT_EQ(test, users_of(events[1]), 2);
	KUNIT_EXPECT_PTR_EQ(test, ue_refs_find(&second, 0), events[1]);

	ue_refs_destroy(&second, user_event_put);
	events_free(test, events, 2);
}

/* Small tables of many events, so that indices collide and wrap around. */
static void finds_indices_that_collide(struct kunit *test)
{
	struct user_event **events = events_new(test, MANY);
	const u32 count = 16;
	struct event_refs refs;
	u32 first, i;

	for (first = 0; first + count <= MANY; first += count) {
		ue_refs_init(&refs);
		for (i = 0; i < count; i++)
			KUNIT_EXPECT_EQ(
				test, ue_refs_add(&refs, events[first + i]), i);
		for (i = 0; i < count; i++)
			KUNIT_EXPECT_EQ(
				test, ue_refs_add(&refs, events[first + i]), i);
		ue_refs_destroy(&refs, user_event_put);
	}
	events_free(test, events, MANY);
}

static void grows_without_moving_events(struct kunit *test)
{
	struct user_event **events = events_new(test, MANY);
	struct event_refs refs;
	u32 i, j;

	ue_refs_init(&refs);
	for (i = 0; i < MANY; i++) {
		KUNIT_ASSERT_EQ(test, ue_refs_add(&refs, events[i]), i);
		/* Growing must not change earlier entries. */
		for (j = 0; j <= i; j++)
			KUNIT_ASSERT_PTR_EQ(test, ue_refs_find(&refs, j),
					    events[j]);
		KUNIT_ASSERT_NULL(test, ue_refs_find(&refs, i + 1));
	}

	for (i = 0; i < MANY; i++)
		KUNIT_EXPECT_EQ(test, users_of(events[i]), 2);

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, events, MANY);
}

/**
 * struct race - data shared by the threads of a test
 * @refs: the table
 * @events: the events to add
 * @added: number of events that were added, which lookups must find
 * @steps: number of additions started by all threads
 * @indices: results of the additions of this thread
 * @ready: completed by a reader that has started or an adder that has finished;
 *	   a thread that is stopped earlier may never have run
 */
struct race {
	struct event_refs *refs;
	struct user_event **events;
	u32 added;
	atomic_t *steps;
	int *indices;
	struct completion ready;
};

/* Returns the number of wrong lookups. */
static int look_up(void *data)
{
	struct race *race = data;
	struct user_event *event;
	int wrong = 0;
	u32 i, added;

	complete(&race->ready);
	while (!kthread_should_stop()) {
		/* Pairs with finds_events_while_adding(). */
		added = smp_load_acquire(&race->added);
		for (i = 0; i < MANY; i++) {
			event = ue_refs_find(race->refs, i);
			if (event ? event != race->events[i] : i < added)
				wrong++;
		}
		cond_resched();
	}

	return wrong;
}

static void finds_events_while_adding(struct kunit *test)
{
	struct event_refs refs;
	struct race race = {
		.refs = &refs,
		.events = events_new(test, MANY),
	};
	struct task_struct *readers[2];
	u32 i;

	ue_refs_init(&refs);
	init_completion(&race.ready);
	for (i = 0; i < ARRAY_SIZE(readers); i++) {
		readers[i] = kthread_run(look_up, &race, "refs_reader/%u", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(readers[i]));
		wait_for_completion(&race.ready);
	}

	for (i = 0; i < MANY; i++) {
		KUNIT_EXPECT_EQ(test, ue_refs_add(&refs, race.events[i]), i);
		/* Pairs with look_up(). */
		smp_store_release(&race.added, i + 1);
		if (i % 16 == 0)
			cond_resched();
	}

	for (i = 0; i < ARRAY_SIZE(readers); i++)
		KUNIT_EXPECT_EQ(test, kthread_stop(readers[i]), 0);

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, race.events, MANY);
}

static int add_all(void *data)
{
	struct race *race = data;
	u32 i;

	for (i = 0; i < MANY; i++) {
		/*
		 * Start each step when all threads have finished the previous
		 * one.
		 */
		atomic_inc(race->steps);
		while (atomic_read(race->steps) < ADDERS * (i + 1)) {
			/* An emulator may run the other processor meanwhile. */
			cpu_relax();
			cond_resched();
		}
		race->indices[i] = ue_refs_add(race->refs, race->events[i]);
	}

	complete(&race->ready);
	/* The thread must exist when kthread_stop() is called. */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);

	return 0;
}

/* All threads add the same events at the same time. */
static void concurrent_additions_agree(struct kunit *test)
{
	struct event_refs refs;
	struct race races[ADDERS] = {};
	struct task_struct *adders[ADDERS];
	struct user_event **events = events_new(test, MANY);
	atomic_t steps = ATOMIC_INIT(0);
	u32 i;

	ue_refs_init(&refs);
	for (i = 0; i < ARRAY_SIZE(races); i++) {
		races[i].refs = &refs;
		races[i].events = events;
		races[i].steps = &steps;
		races[i].indices =
			kunit_kzalloc(test, MANY * sizeof(int), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, races[i].indices);
		init_completion(&races[i].ready);
		adders[i] = kthread_run(add_all, &races[i], "refs_adder/%u", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(adders[i]));
	}

	for (i = 0; i < ARRAY_SIZE(adders); i++) {
		wait_for_completion(&races[i].ready);
		kthread_stop(adders[i]);
	}

	for (i = 0; i < MANY; i++) {
		KUNIT_EXPECT_EQ(test, races[0].indices[i], i);
		KUNIT_EXPECT_EQ(test, races[1].indices[i], i);
		KUNIT_EXPECT_PTR_EQ(test, ue_refs_find(&refs, i), events[i]);
		KUNIT_EXPECT_EQ(test, users_of(events[i]), 2);
	}
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, MANY));

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, events, MANY);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(finds_nothing_in_empty_table),
	KUNIT_CASE(indices_start_at_zero),
	KUNIT_CASE(keeps_index_of_same_event),
	KUNIT_CASE(replaced_tables_stay),
	KUNIT_CASE(tables_are_independent),
	KUNIT_CASE(finds_indices_that_collide),
	KUNIT_CASE(grows_without_moving_events),
	KUNIT_CASE(finds_events_while_adding),
	KUNIT_CASE(concurrent_additions_agree),
	{},
};

static struct kunit_suite refs_suite = {
	.name = "user_events_refs",
	.test_cases = cases,
};

kunit_test_suite(refs_suite);
