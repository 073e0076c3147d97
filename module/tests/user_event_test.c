// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/percpu.h>

#include "event/user_event.h"
#include "limits.h"
#include "objects.h"

static void create_sets_members(struct kunit *test)
{
	struct event_desc *desc = parse(test, "e u32 a; char[4] b");
	struct user_event *event = user_event_create(desc, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	KUNIT_EXPECT_PTR_EQ(test, event->desc, desc);
	KUNIT_EXPECT_STREQ(test, user_event_name(event), "e");
	KUNIT_EXPECT_EQ(test, event->name_key, ue_name_key("e", 1));
	KUNIT_EXPECT_TRUE(test, uid_eq(event->rights.uid, current_euid()));
	KUNIT_EXPECT_EQ(test, event->status, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&event->files));
	KUNIT_EXPECT_FALSE(test, event->is_visible);
	KUNIT_EXPECT_EQ(test, users_of(event), 1);

	user_event_free(event);
}

static void holds_module_reference(struct kunit *test)
{
	int before = module_refcount(THIS_MODULE);
	struct user_event *first = new_event(test, "first");
	struct user_event *second = new_event(test, "second");

	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), before + 2);
	user_event_free(first);
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), before + 1);
	user_event_free(second);
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), before);
}

static void references_make_busy(struct kunit *test)
{
	struct user_event *event = new_event(test, "e");

	KUNIT_EXPECT_FALSE(test, user_event_is_busy(event));
	KUNIT_EXPECT_PTR_EQ(test, user_event_get(event), event);
	KUNIT_EXPECT_TRUE(test, user_event_is_busy(event));
	KUNIT_EXPECT_EQ(test, users_of(event), 2);
	user_event_get(event);
	KUNIT_EXPECT_EQ(test, users_of(event), 3);
	user_event_put(event);
	KUNIT_EXPECT_TRUE(test, user_event_is_busy(event));
	user_event_put(event);
	KUNIT_EXPECT_FALSE(test, user_event_is_busy(event));
	KUNIT_EXPECT_EQ(test, users_of(event), 1);

	user_event_free(event);
}

#ifdef HAVE_EVENT_REFS
/* The kernel counts a reference without an attached tracer, if it counts. */
static void kernel_reference_makes_busy(struct kunit *test)
{
	struct user_event *event = new_event(test, "e");

	atomic_inc(&event->call.refcnt);
	KUNIT_EXPECT_TRUE(test, user_event_is_busy(event));
	atomic_dec(&event->call.refcnt);
	KUNIT_EXPECT_FALSE(test, user_event_is_busy(event));

	user_event_free(event);
}
#endif

/* The kernel takes the head of an empty list of fields for a field. */
static void size_without_fields_is_header(struct kunit *test)
{
	struct user_event *event = new_event(test, "e");
	size_t i;

	for (i = 0; i + 1 < ARRAY_SIZE(event->no_field); i++)
		KUNIT_EXPECT_EQ(test,
				event->no_field[i] + event->no_field[i + 1],
				USER_EVENT_HEADER_SIZE);

	user_event_free(event);
}

static void sums_counters_of_all_cpus(struct kunit *test)
{
	struct user_event *event = new_event(test, "e");
	u64 hits = 0;
	int cpu;

	KUNIT_EXPECT_EQ(test, ue_counts_sum(event->counts), 0ULL);

	for_each_possible_cpu(cpu) {
		per_cpu_ptr(event->counts, cpu)->hits = (1ULL << 40) + cpu;
		hits += (1ULL << 40) + cpu;
	}
	KUNIT_EXPECT_EQ(test, ue_counts_sum(event->counts), hits);

	user_event_free(event);
}

/* An event to which no tracer was ever attached has no counters of losses. */
static void sums_losses_of_all_cpus(struct kunit *test)
{
	struct user_event *event = new_event(test, "e");
	struct user_event_losses sum = ue_losses_sum(event->losses);
	u64 expected[LOSS_COUNT] = {};
	int cpu, i;

	user_event_count_loss(event, LOSS_FAULT);
	for (i = 0; i < LOSS_COUNT; i++)
		KUNIT_EXPECT_EQ(test, sum.count[i], 0ULL);
	cpu = cpumask_first(cpu_possible_mask);
	KUNIT_EXPECT_EQ(test, user_event_losses_of(event, cpu, LOSS_FAULT), 0);

	event->losses = alloc_percpu(struct user_event_losses);
	KUNIT_ASSERT_TRUE(test, event->losses);
	for_each_possible_cpu(cpu)
		for (i = 0; i < LOSS_COUNT; i++) {
			per_cpu_ptr(event->losses, cpu)->count[i] =
				(1ULL << 40) + cpu + i;
			KUNIT_EXPECT_EQ(test,
					user_event_losses_of(event, cpu, i),
					(1ULL << 40) + cpu + i);
			expected[i] += (1ULL << 40) + cpu + i;
		}
	user_event_count_loss(event, LOSS_PERF_ABSENT);
	expected[LOSS_PERF_ABSENT]++;
	sum = ue_losses_sum(event->losses);
	for (i = 0; i < LOSS_COUNT; i++)
		KUNIT_EXPECT_EQ(test, sum.count[i], expected[i]);

	user_event_free(event);
}

/* More than have their counters in one block. */
#define COUNTED_EVENTS 40

static void set_hits(struct user_event *event, u64 hits)
{
	per_cpu_ptr(event->counts, raw_smp_processor_id())->hits = hits;
}

static u64 hits_of(const struct user_event *event)
{
	return ue_counts_sum(event->counts);
}

/* Counters are used again after an event is freed. */
static void counters_are_separate_and_zero_at_first(struct kunit *test)
{
	struct user_event *events[COUNTED_EVENTS];
	size_t i, round;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		events[i] = new_event(test, "e");
		KUNIT_EXPECT_EQ(test, hits_of(events[i]), 0ULL);
		set_hits(events[i], i + 1);
	}
	KUNIT_EXPECT_PTR_NE(test, events[0]->counts_block,
			    events[COUNTED_EVENTS - 1]->counts_block);
	for (round = 0; round < 3; round++)
		for (i = round; i < ARRAY_SIZE(events); i += 2) {
			user_event_free(events[i]);
			events[i] = new_event(test, "e");
			KUNIT_EXPECT_EQ(test, hits_of(events[i]), 0ULL);
			set_hits(events[i], i + 1);
		}
	for (i = 0; i < ARRAY_SIZE(events); i++)
		KUNIT_EXPECT_EQ(test, hits_of(events[i]), i + 1ULL);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		user_event_free(events[i]);
}

/**
 * struct deleter_row - a process that deletes an event
 * @who: name of the case
 * @creator: user that created the event
 * @euid: user of the process
 * @capability: capability of the process, or -1
 * @may: expected result
 */
struct deleter_row {
	const char *who;
	u32 creator;
	u32 euid;
	int capability;
	bool may;
};

static const struct deleter_row deleters[] = {
	{ "its creator", 1000, 1000, -1, true },
	{ "another user", 1000, 1001, -1, false },
	{ "root without capabilities", 1000, 0, -1, false },
	{ "root as its creator", 0, 0, -1, true },
	{ "another user, created by root", 0, 1000, -1, false },
	{ "another user with CAP_PERFMON", 1000, 1001, CAP_PERFMON, true },
	{ "another user with CAP_SYS_ADMIN", 1000, 1001, CAP_SYS_ADMIN, true },
	{ "another user with CAP_BPF", 1000, 1001, CAP_BPF, false },
	{ "another user with CAP_DAC_OVERRIDE", 1000, 1001, CAP_DAC_OVERRIDE,
	  false },
};

static void deleter_name(const struct deleter_row *row, char *name)
{
	strcpy(name, row->who);
}

KUNIT_ARRAY_PARAM(deleter, deleters, deleter_name);

static void checks_permission_to_delete(struct kunit *test)
{
	const struct deleter_row *row = test->param_value;
	struct user_event *event = new_event(test, "e");
	const struct cred *was;
	struct cred *cred;
	bool may;

	event->rights.uid = KUIDT_INIT(row->creator);
	cred = prepare_creds();
	KUNIT_ASSERT_NOT_NULL(test, cred);
	/* The other ids do not count. */
	cred->uid = KUIDT_INIT(row->creator);
	cred->fsuid = KUIDT_INIT(row->creator);
	cred->euid = KUIDT_INIT(row->euid);
	cap_clear(cred->cap_effective);
	if (row->capability >= 0)
		cap_raise(cred->cap_effective, row->capability);

	was = override_creds(cred);
	may = user_event_may_delete(event);
	revert_creds(was);
	put_cred(cred);

	KUNIT_EXPECT_EQ(test, may, row->may);
	user_event_free(event);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(create_sets_members),
	KUNIT_CASE(holds_module_reference),
	KUNIT_CASE(references_make_busy),
#ifdef HAVE_EVENT_REFS
	KUNIT_CASE(kernel_reference_makes_busy),
#endif
	KUNIT_CASE(size_without_fields_is_header),
	KUNIT_CASE(sums_counters_of_all_cpus),
	KUNIT_CASE(sums_losses_of_all_cpus),
	KUNIT_CASE(counters_are_separate_and_zero_at_first),
	KUNIT_CASE_PARAM(checks_permission_to_delete, deleter_gen_params),
	{},
};

static struct kunit_suite user_event_suite = {
	.name = "user_events_user_event",
	.test_cases = cases,
};

kunit_test_suite(user_event_suite);
