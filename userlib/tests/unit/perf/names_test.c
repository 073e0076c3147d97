// SPDX-License-Identifier: MIT
/* Names of threads: limits of remembered names, and the time of changes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>

#include "lib/fake_alloc.h"
#include "util/bytes.h"
#include "perf/names.h"
#include "lib/runner.h"

static struct uev_comms comms;
static struct uev_names names;

static void teardown(void)
{
	uev_comms_free(&comms);
	uev_names_free(&names);
}

TEST_FIXTURE(NULL, teardown);

static void set(uint32_t tid, const char *name)
{
	ck_assert_int_eq(uev_comms_set(&comms, tid, name, strlen(name)), 0);
}

TEST(sets_and_forgets_names)
{
	char longest[100];

	ck_assert_ptr_null(uev_comms_get(&comms, 1));
	uev_comms_remove(&comms, 1);
	uev_comms_touch(&comms, 1);
	set(1, "one");
	set(2, "two");
	set(3, "three");
	set(1, "");
	ck_assert_str_eq(uev_comms_get(&comms, 1), "");
	/* A name of its own, and of another one. */
	set(2, uev_comms_get(&comms, 2));
	set(1, uev_comms_get(&comms, 3));
	ck_assert_str_eq(uev_comms_get(&comms, 2), "two");
	ck_assert_str_eq(uev_comms_get(&comms, 1), "three");
	uev_comms_remove(&comms, 2);
	ck_assert_ptr_null(uev_comms_get(&comms, 2));
	ck_assert_str_eq(uev_comms_get(&comms, 3), "three");

	memset(longest, 'x', sizeof(longest));
	ck_assert_int_eq(uev_comms_set(&comms, 4, longest, sizeof(longest)), 0);
	ck_assert_uint_eq(strlen(uev_comms_get(&comms, 4)), 63);
	ck_assert_int_eq(uev_comms_set(&comms, 4, "a\0b", 3), 0);
	ck_assert_str_eq(uev_comms_get(&comms, 4), "a");
}

/* The number of names is limited, and threads in use are not forgotten. */
TEST(limits_threads)
{
	uint32_t tid;

	for (tid = 0; tid < UEV_COMMS_MAX; tid++)
		set(tid, "before");
	ck_assert_ptr_nonnull(uev_comms_get(&comms, 0));
	uev_comms_touch(&comms, 0);
	set(1, "again");
	for (; tid < 2 * UEV_COMMS_MAX - 2; tid++)
		set(tid, "after");
	ck_assert_uint_eq(comms.by_tid.count, UEV_COMMS_MAX);
	ck_assert_str_eq(uev_comms_get(&comms, 0), "before");
	ck_assert_str_eq(uev_comms_get(&comms, 1), "again");
	for (tid = 2; tid < UEV_COMMS_MAX; tid++)
		ck_assert_ptr_null(uev_comms_get(&comms, tid));
	for (; tid < 2 * UEV_COMMS_MAX - 2; tid++)
		ck_assert_str_eq(uev_comms_get(&comms, tid), "after");
	/* Of the very oldest a new one can still have the name. */
	set(tid, uev_comms_get(&comms, 0));
	ck_assert_str_eq(uev_comms_get(&comms, tid), "before");
	ck_assert_ptr_null(uev_comms_get(&comms, 0));
}

TEST(names_without_memory)
{
	unsigned int after;
	int ret;

	set(1, "one");
	for (after = 0;; after++) {
		fake_alloc_fail(after);
		if (!uev_comms_set(&comms, 2, "two", 3))
			break;
		ck_assert(fake_alloc_end());
		ck_assert_ptr_null(uev_comms_get(&comms, 2));
		ck_assert_str_eq(uev_comms_get(&comms, 1), "one");
	}
	ck_assert(!fake_alloc_end());
	ck_assert_uint_gt(after, 0);
	/* A known name takes no memory. */
	fake_alloc_fail(0);
	ret = uev_comms_set(&comms, 1, "other", 5);
	ck_assert(!fake_alloc_end());
	ck_assert_int_eq(ret, 0);
}

/* Time and processor, and everything that can be. */
static const uint64_t sample_types[] = {
	0,
	PERF_SAMPLE_TIME,
	PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
		PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_RAW,
	PERF_SAMPLE_TID | PERF_SAMPLE_CPU,
};

static const size_t trailers[] = { 0, 8, 48, 16 };
static const size_t times[] = { 0, 0, 8, 0 };

/* A COMM with a trailer. */
static const char *add_name(size_t kind, uint32_t tid, uint64_t time,
			    const char *name)
{
	struct uev_attr attr = {
		.sample_type = sample_types[kind],
		.sample_id_all = true,
	};
	uint64_t record[9] = { 0 };
	const struct perf_event_header header = {
		.type = PERF_RECORD_COMM,
		.size = (uint16_t)(24 + trailers[kind]),
	};
	uint32_t ids[2] = { 7, tid };
	const char *reason;

	memcpy(&record[0], &header, sizeof(header));
	memcpy(&record[1], ids, sizeof(ids));
	memcpy(&record[2], name, strnlen(name, 8));
	memset(&record[3], 0xee, trailers[kind]);
	memcpy((char *)&record[3] + times[kind], &time, sizeof(time));
	ck_assert_int_eq(uev_names_read(&names, &attr, (uint8_t *)record,
					header.size, uev_host_is_big(),
					&reason),
			 0);

	return reason;
}

/*
 * A change with a time waits for it; a change without one is applied at once.
 */
TEST_LOOP(applies_changes_by_time, 4)
{
	bool has_time = sample_types[_i] & PERF_SAMPLE_TIME;

	ck_assert_ptr_null(add_name((size_t)_i, 8, 20, "full-len"));
	if (has_time)
		ck_assert_ptr_null(uev_comms_get(&names.comms, 8));
	uev_names_advance(&names, 19, 8);
	if (has_time)
		ck_assert_ptr_null(uev_comms_get(&names.comms, 8));
	uev_names_advance(&names, 20, 8);
	ck_assert_str_eq(uev_comms_get(&names.comms, 8), "full-len");
}

TEST(applies_changes_without_a_time_at_once)
{
	ck_assert_int_eq(uev_names_add(&names, 8, "first", 5), 0);
	ck_assert_str_eq(uev_comms_get(&names.comms, 8), "first");
	add_name(1, 8, 20, "second");
	add_name(1, 9, 10, "other");
	ck_assert_int_eq(uev_names_add(&names, 8, "third", 5), 0);
	uev_names_advance(&names, 19, 8);
	ck_assert_str_eq(uev_comms_get(&names.comms, 8), "first");
	uev_names_advance(&names, 20, 8);
	ck_assert_str_eq(uev_comms_get(&names.comms, 8), "third");
}

TEST(limits_queued_changes)
{
	uint32_t i;

	for (i = 0; i < 3 * UEV_NAMES_PENDING_MAX; i++) {
		add_name(1, i % 1000, 1000 + i, "name");
		ck_assert_uint_le(names.changes.count, UEV_NAMES_PENDING_MAX);
	}
	/* The oldest of them have been applied. */
	ck_assert_str_eq(uev_comms_get(&names.comms, 999), "name");
	ck_assert_uint_eq(names.changes.count, UEV_NAMES_PENDING_MAX);
}

TEST(changes_without_memory)
{
	const struct uev_attr attr = { 0 };
	uint64_t fork[4] = { 0 };
	const struct perf_event_header header = {
		.type = PERF_RECORD_FORK,
		.size = sizeof(fork),
	};
	uint32_t tids[2] = { 9, 8 };
	const char *reason;
	int ret;

	/* No name is better than that of a previous thread with the same ID. */
	ck_assert_int_eq(uev_names_add(&names, 9, "before", 6), 0);
	memcpy(&fork[0], &header, sizeof(header));
	memcpy(&fork[2], tids, sizeof(tids));
	ck_assert_int_eq(uev_names_read(&names, &attr, (uint8_t *)fork,
					sizeof(fork), uev_host_is_big(),
					&reason),
			 0);
	ck_assert_ptr_null(reason);
	ck_assert_ptr_null(uev_comms_get(&names.comms, 9));

	/* A change that could not be queued can be repeated. */
	fake_alloc_fail(0);
	ret = uev_names_add(&names, 9, "first", 5);
	ck_assert(fake_alloc_end());
	ck_assert_int_eq(ret, 0);
	ck_assert_ptr_null(uev_comms_get(&names.comms, 9));
	names.newest = 1;
	fake_alloc_fail(0);
	ret = uev_names_add(&names, 9, "first", 5);
	ck_assert(fake_alloc_end());
	ck_assert_int_eq(ret, -ENOMEM);
}

/* Too short for a name, and too short for both numbers of threads. */
TEST_LOOP(rejects_malformed_changes, 2)
{
	const struct uev_attr attr = { 0 };
	uint64_t record[4] = { 0 };
	struct perf_event_header header = {
		.type = _i ? PERF_RECORD_FORK : PERF_RECORD_COMM,
		.size = _i ? 24 : 8,
	};
	const char *reason = NULL;

	memcpy(&record[0], &header, sizeof(header));
	ck_assert_int_eq(uev_names_read(&names, &attr, (uint8_t *)record,
					header.size, uev_host_is_big(),
					&reason),
			 0);
	ck_assert_ptr_nonnull(
		strstr(reason, _i ? "fork record" : "comm record"));
	ck_assert_uint_eq(names.changes.count + names.comms.by_tid.count, 0);
}

/* A name as it is in a file, with as many bytes as a record can have. */
static void read_long_name(uint64_t time)
{
	static uint64_t record[65528 / sizeof(uint64_t)];
	const struct perf_event_header header = {
		.type = PERF_RECORD_COMM,
		.size = sizeof(record),
	};
	const struct perf_event_attr raw_attr = {
		.size = sizeof(raw_attr),
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
	};
	const char *reason;
	struct uev_attr attr;

	uev_attr_read(&attr, &raw_attr, sizeof(raw_attr), uev_host_is_big());
	memcpy(&record[0], &header, sizeof(header));
	memcpy((uint8_t *)record + sizeof(record) - sizeof(time), &time,
	       sizeof(time));
	ck_assert_int_eq(uev_names_read(&names, &attr, (uint8_t *)record,
					header.size, uev_host_is_big(),
					&reason),
			 0);
	ck_assert_ptr_null(reason);
}

/* Only the used part of very long names is queued. */
TEST(truncates_long_names)
{
	uint64_t time;

	for (time = 1; time <= 2000; time++)
		read_long_name(time);
	ck_assert_uint_eq(names.changes.count, 2000);
	ck_assert_uint_lt(uev_queue_memory(&names.changes), 1 << 20);
}

/* One that waits for long keeps the memory of those that came beside it. */
TEST(keeps_changes_of_a_distant_future)
{
	const uint64_t future = 1000000;
	uint64_t time;
	int i;

	for (time = 1; time <= 600; time++) {
		read_long_name(future + time);
		for (i = 0; i < 600; i++)
			read_long_name(time);
		uev_names_advance(&names, time, 0);
		ck_assert_uint_le(uev_queue_memory(&names.changes),
				  UEV_NAMES_MEMORY_MAX);
	}
}
