// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf takes no record on a CPU while it handles another one of the same context
 * there. A process cannot let that happen: the module passes records to perf only
 * in its system calls, in the context of the task, and code that perf calls in that
 * context does not leave the kernel, and makes no system call. So the test takes
 * the context, as perf does.
 */
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>

#include "emit/perf.h"
#include "objects.h"

/* An event with counters of losses, and without perf events. */
static struct user_event *new_perf_event(struct kunit *test)
{
	struct user_event *event = new_event(test, "e u32 a");

	event->losses = alloc_percpu(struct user_event_losses);
	event->call.perf_events = alloc_percpu(struct hlist_head);
	KUNIT_ASSERT_TRUE(test, event->losses);
	KUNIT_ASSERT_TRUE(test, event->call.perf_events);

	return event;
}

static void free_perf_event(struct user_event *event)
{
	free_percpu(event->call.perf_events);
	user_event_free(event);
}

/* Emits a record as if a perf event existed, which must not be used. */
static void emit_during_recursion(struct user_event *event,
				  struct event_record record)
{
	struct hlist_head *head = this_cpu_ptr(event->call.perf_events);
	struct hlist_node node;

	INIT_HLIST_NODE(&node);
	hlist_add_head(&node, head);
	ue_perf_emit(event, record);
	hlist_del_init(&node);
}

static void counts_recursion(struct kunit *test)
{
	struct user_event *event = new_perf_event(test);
	u64 entry[4] = {};
	const struct event_record record = { .entry = entry, .len = 12 };
	struct hlist_head none = HLIST_HEAD_INIT;
	struct user_event_losses sum;
	struct pt_regs regs = {};
	int context;

	preempt_disable();
	context = perf_swevent_get_recursion_context();
	if (context >= 0) {
		emit_during_recursion(event, record);
		/* Returns the context. */
		perf_trace_buf_submit(entry, sizeof(entry), context, 1, 1,
				      &regs, &none, NULL);
	}
	preempt_enable();

	KUNIT_EXPECT_GE(test, context, 0);
	sum = ue_losses_sum(event->losses);
	KUNIT_EXPECT_EQ(test, sum.count[LOSS_PERF_ABSENT], 1ULL);
	KUNIT_EXPECT_EQ(test, losses_total(&sum), 1ULL);
	free_perf_event(event);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(counts_recursion),
	{},
};

static struct kunit_suite perf_suite = {
	.name = "user_events_perf",
	.test_cases = cases,
};

kunit_test_suite(perf_suite);
