// SPDX-License-Identifier: GPL-2.0-only
#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "event/refs.h"
#include "objects.h"

/* Enough for the table to be replaced many times. */
#define MANY 1500

/* Threads that add at the same time. */
#define ADDERS 2

/* As a registry would have made them: with numbers of their own. */
static struct user_event **events_new(struct kunit *test, u32 count)
{
	struct user_event **events =
		kunit_kzalloc(test, count * sizeof(*events), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, events);
	for (i = 0; i < count; i++) {
		events[i] = new_numbered_event(test, i);
		events[i]->bit = i + 1;
	}

	return events;
}

/* Nobody but the test may have them by now. */
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

static void empty_file_has_no_events(struct kunit *test)
{
	struct event_refs refs;

	ue_refs_init(&refs);
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, 0));
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, 1));
	KUNIT_EXPECT_NULL(test, ue_refs_find(&refs, U32_MAX));
	ue_refs_destroy(&refs, user_event_put);
}

static void indices_count_from_zero(struct kunit *test)
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

static void same_event_has_the_same_index(struct kunit *test)
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

	/* However often it was added, it is held once. */
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, users_of(events[i]), 2);

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, events, 3);
}

static void files_know_nothing_of_each_other(struct kunit *test)
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

/* The numbers of the bits are as large as there are pages for them. */
static void numbers_may_be_far_apart(struct kunit *test)
{
	static const u32 bits[] = { 524287, 1, 32767, 64, 63, 4095, 4096 };
	struct user_event **events = events_new(test, ARRAY_SIZE(bits));
	struct event_refs refs;
	u32 i;

	ue_refs_init(&refs);
	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		events[i]->bit = bits[i];
		KUNIT_EXPECT_EQ(test, ue_refs_add(&refs, events[i]), i);
	}
	for (i = 0; i < ARRAY_SIZE(bits); i++)
		KUNIT_EXPECT_EQ(test, ue_refs_add(&refs, events[i]), i);

	ue_refs_destroy(&refs, user_event_put);
	events_free(test, events, ARRAY_SIZE(bits));
}

static void table_grows(struct kunit *test)
{
	struct user_event **events = events_new(test, MANY);
	struct event_refs refs;
	u32 i, j;

	ue_refs_init(&refs);
	for (i = 0; i < MANY; i++) {
		KUNIT_ASSERT_EQ(test, ue_refs_add(&refs, events[i]), i);
		/* All that were there still are, whatever had to move. */
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
 * struct race - what the threads of a test share
 * @refs: the table
 * @events: the events that get into it, all of them known beforehand
 * @added: how many have got in, so many at least are found
 * @steps: additions that threads are about to make, or have made
 * @indices: what such a thread was told
 * @ready: a thread that looks up has begun, one that adds has finished; one that
 *	   is stopped earlier may never have run
 */
struct race {
	struct event_refs *refs;
	struct user_event **events;
	u32 added;
	atomic_t *steps;
	int *indices;
	struct completion ready;
};

/* Returns what went wrong: how often, as far as an int can say. */
static int look_up(void *data)
{
	struct race *race = data;
	struct user_event *event;
	int wrong = 0;
	u32 i, added;

	complete(&race->ready);
	while (!kthread_should_stop()) {
		/* Pairs with lookups_do_not_wait(): added before it is told. */
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

static void lookups_do_not_wait(struct kunit *test)
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
		/* Nobody begins before the others have got that far. */
		atomic_inc(race->steps);
		while (atomic_read(race->steps) < ADDERS * (i + 1))
			cond_resched();
		race->indices[i] = ue_refs_add(race->refs, race->events[i]);
	}

	complete(&race->ready);
	/* kthread_stop() must find it. */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);

	return 0;
}

/* Every event is added by all threads at the same time. */
static void additions_agree(struct kunit *test)
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
	KUNIT_CASE(empty_file_has_no_events),
	KUNIT_CASE(indices_count_from_zero),
	KUNIT_CASE(same_event_has_the_same_index),
	KUNIT_CASE(files_know_nothing_of_each_other),
	KUNIT_CASE(numbers_may_be_far_apart),
	KUNIT_CASE(table_grows),
	KUNIT_CASE(lookups_do_not_wait),
	KUNIT_CASE(additions_agree),
	{},
};

static struct kunit_suite refs_suite = {
	.name = "user_events_refs",
	.test_cases = cases,
};

kunit_test_suite(refs_suite);
