// SPDX-License-Identifier: MIT
/* user-events flight: losses of a recorder, with files instead of the kernel. */
#include <check.h>
#include <stdlib.h>

#include "flight/losses.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define STATS "/instances/black/per_cpu/cpu1/stats"
#define PROFILE "/user_events_profile"
#define SET_EVENT "/instances/black/set_event"

static struct flight flight;
static struct flight_cpu cpus[] = { { .number = 1 } };
static struct flight_losses losses;

static const struct flight_pages pages = {
	.flight = &flight,
	.cpus = cpus,
	.cpu_count = ARRAY_SIZE(cpus),
};

static void set_up(void)
{
	file_tree_begin();
	flight_init(&flight, file_tree_root(), "black");
	flight.condition = FLIGHT_RECORDING;
	file_tree_file(SET_EVENT, "user_events:alpha\n");
	file_tree_file(PROFILE, "  alpha 9 4 ftrace_too_large=4 "
				"ftrace_too_large@1=4\n");
	file_tree_file(STATS, "entries: 1\noverrun: 0\ncommit overrun: 2\n"
			      "dropped events: 3\n");
	flight_losses_begin(&losses, &pages, true);
}

static void tear_down(void)
{
	flight_losses_release(&losses);
	flight_release(&flight);
	file_tree_end();
}

TEST_FIXTURE(set_up, tear_down);

/* @name: NULL: of no event */
static void expect_loss(const char *name, const char *reason, uint64_t count)
{
	struct uev_loss loss;

	ck_assert(loss_queue_take(&losses.found, UINT64_MAX, &loss));
	ck_assert_uint_eq(loss.count, count);
	ck_assert_uint_eq(loss.cpu, 1);
	ck_assert_str_eq(loss.reason, reason);
	ck_assert_int_eq(!loss.source, !name);
	if (name)
		ck_assert_str_eq(loss.source->name, name);
}

static void expect_none(void)
{
	struct uev_loss loss;

	ck_assert(!loss_queue_take(&losses.found, UINT64_MAX, &loss));
}

TEST(losses_are_differences)
{
	flight_losses_find(&losses);
	expect_none();
	file_tree_file(STATS, "entries: 1\noverrun: 0\ncommit overrun: 4\n"
			      "dropped events: 4\n");
	file_tree_file(PROFILE, "  alpha 9 4 ftrace_too_large=6 "
				"ftrace_too_large@1=6\n"
				"  beta 9 4 ftrace_too_large=1 "
				"ftrace_too_large@1=1\n");
	flight_losses_find(&losses);
	expect_loss(NULL, "ftrace_buffer", 3);
	expect_loss("alpha", "ftrace_too_large", 2);
	expect_none();
	flight_losses_find(&losses);
	expect_none();
	ck_assert_uint_eq(losses.sum, 5);
}

TEST(losses_of_a_new_module_are_counted)
{
	file_tree_file(PROFILE, "  alpha 9 4 ftrace_too_large=6 "
				"ftrace_too_large@1=6\n");
	flight_losses_find(&losses);
	expect_loss("alpha", "ftrace_too_large", 2);
	/* The module is replaced. */
	file_tree_file(PROFILE, "  alpha 1 0 ftrace_too_large=3 "
				"ftrace_too_large@1=3\n");
	flight_losses_find(&losses);
	expect_loss("alpha", "ftrace_too_large", 3);
	expect_none();
	ck_assert_uint_eq(losses.sum, 5);
}

/* A recorder can be full for as long as another process is attached to it. */
TEST(losses_that_were_taken_need_no_memory)
{
	char stats[100];
	int i;

	for (i = 1; i <= 100; i++) {
		snprintf(stats, sizeof(stats),
			 "entries: 1\noverrun: 0\ndropped events: %d\n", 5 + i);
		file_tree_file(STATS, stats);
		flight_losses_find(&losses);
		expect_loss(NULL, "ftrace_buffer", 1);
		expect_none();
		ck_assert_uint_eq(losses.found.end, 1);
	}
	ck_assert_uint_eq(losses.sum, 100);
}
