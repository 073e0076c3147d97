// SPDX-License-Identifier: GPL-2.0-only
/* Writes. */
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

static struct perf perf;
static unsigned long long hits_before;
static size_t payload;
static bool with_ftrace, with_perf;

static unsigned long long hits(void)
{
	unsigned long long count = 0, lost;

	EXPECT_TRUE(read_profile(event, &count, &lost));

	return count;
}

static void setup_write(void)
{
	event = uniq("e");
	command = text("%s u32 a", event);
	helper = data_open();
	index_of_event = must_reg(helper, command);
	payload = payload ?: 8;
	if (with_ftrace)
		enable(event, true);
	if (with_perf)
		perf_map(&perf, event_id(event), 0, -1, 3);
}

static void arrange_write(void)
{
	static struct sample sample;

	trace_clear();
	while (with_perf && perf_next(&perf, &sample))
		;
	memset(buffer, 0, sizeof(buffer));
	memcpy(buffer, &index_of_event, 4);
	buffer[4] = 42;
	hits_before = hits();
}

static int call_write(void)
{
	return write(helper, buffer, 4 + payload);
}

static int call_writev(void)
{
	struct iovec parts[] = {
		{ .iov_base = buffer, .iov_len = 4 },
		{ .iov_base = buffer + 4, .iov_len = 4 },
		{ .iov_base = buffer + 8, .iov_len = payload - 4 },
	};

	return writev(helper, parts, ARRAY_SIZE(parts));
}

/* A failed write records nothing, so there is exactly one record. */
static void check_write(void)
{
	static struct sample sample;

	EXPECT_EQ(hits() - hits_before, 1);
	if (with_ftrace)
		EXPECT_EQ(trace_count(NULL, text("%s: a=0x2a (42)", event)), 1);
	if (with_perf) {
		EXPECT_TRUE(perf_next(&perf, &sample));
		EXPECT_FALSE(perf_next(&perf, &sample));
	}
}

static void setup_write_ftrace(void)
{
	with_ftrace = true;
	setup_write();
}

TEST(write_to_ftrace_survives_faults)
{
	SWEEP(.setup = setup_write_ftrace, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

TEST(writev_to_ftrace_survives_faults)
{
	SWEEP(.setup = setup_write_ftrace, .arrange = arrange_write,
	      .call = call_writev, .check = check_write);
}

static void setup_write_perf(void)
{
	with_perf = true;
	setup_write();
}

TEST(write_to_perf_survives_faults)
{
	SWEEP(.setup = setup_write_perf, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

static void setup_write_both(void)
{
	with_ftrace = true;
	setup_write_perf();
	ASSERT_OK(tfs_write("a == 42", "events/user_events/%s/filter", event));
}

TEST(write_to_both_with_filter_survives_faults)
{
	SWEEP(.setup = setup_write_both, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

static void setup_write_large(void)
{
	payload = LARGE;
	setup_write_both();
}

TEST(write_large_survives_faults)
{
	SWEEP(.setup = setup_write_large, .arrange = arrange_write,
	      .call = call_write, .check = check_write);
}

TEST(writev_large_survives_faults)
{
	SWEEP(.setup = setup_write_large, .arrange = arrange_write,
	      .call = call_writev, .check = check_write);
}

/*
 * The record does not fit into any buffer, but needs more than a page of
 * memory.
 */
static void setup_write_huge(void)
{
	payload = 40000;
	with_ftrace = true;
	setup_write();
}

static void check_huge(void)
{
	EXPECT_EQ(hits() - hits_before, 1);
	EXPECT_EQ(trace_count(NULL, event), 0);
}

/* Writes that failed without memory */
static unsigned long long refused;

static int call_huge(void)
{
	int result = call_write();
	int error = errno;

	refused += result < 0 && error == ENOMEM;
	errno = error;

	return result;
}

/* Each failure is counted. */
TEST(write_huge_survives_faults)
{
	SWEEP(.setup = setup_write_huge, .arrange = arrange_write,
	      .call = call_huge, .check = check_huge);
	EXPECT_GT(refused, 0);
	EXPECT_EQ(read_loss(event, "nomem"), refused);
}
