// SPDX-License-Identifier: MIT
/* Recordings in several files, and triggers. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/rotation.h"
#include "capture/trigger.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

static const struct {
	const char *text;
	bool is_valid;
	uint64_t size;
	uint64_t interval;
} parsed[] = {
	{ "signal", true, 0, 0 },
	{ "64M", true, 64 << 20, 0 },
	{ "4K", true, 4 << 10, 0 },
	{ "1G", true, 1 << 30, 0 },
	{ "30s", true, 0, 30000 },
	{ "1.5h", true, 0, 5400000 },
	{ "100ms", true, 0, 100 },
	{ "5m", true, 0, 300000 },
	{ "2d", true, 0, 172800000 },
	/* Bytes or seconds? */
	{ "5", false, 0, 0 },
	{ "1.", false, 0, 0 },
	{ "", false, 0, 0 },
	{ "0M", false, 0, 0 },
	{ "0s", false, 0, 0 },
	{ "64MB", false, 0, 0 },
	{ "signals", false, 0, 0 },
	{ "-1s", false, 0, 0 },
};

TEST_LOOP(parses_when, ARRAY_SIZE(parsed))
{
	struct capture_rotation rotation = { 0 };

	ck_assert(capture_rotation_parse(&rotation, parsed[_i].text) ==
		  parsed[_i].is_valid);
	if (!parsed[_i].is_valid)
		return;
	ck_assert(rotation.is_on);
	ck_assert_uint_eq(rotation.size, parsed[_i].size);
	ck_assert_uint_eq(rotation.interval, parsed[_i].interval);
}

TEST(due_at_a_size)
{
	struct capture_rotation rotation = { .is_on = true, .size = 4096 };

	capture_rotation_begin(&rotation, 100);
	ck_assert(!capture_rotation_is_due(&rotation, 4095, UINT64_MAX));
	ck_assert(capture_rotation_is_due(&rotation, 4096, 0));
}

TEST(due_at_a_time)
{
	struct capture_rotation rotation = { .is_on = true, .interval = 50 };

	capture_rotation_begin(&rotation, 100);
	ck_assert(!capture_rotation_is_due(&rotation, UINT64_MAX, 149));
	ck_assert(capture_rotation_is_due(&rotation, 0, 150));
}

TEST(due_at_signals_only)
{
	struct capture_rotation rotation = { .is_on = true };

	capture_rotation_begin(&rotation, 100);
	ck_assert(!capture_rotation_is_due(&rotation, UINT64_MAX, UINT64_MAX));
}

/* Creates a file. Returns its path, for free(). */
static char *make_file(unsigned int number)
{
	char *name = tool_print("/a.%u", number);
	char *path = tool_print("%s%s", file_tree_root(), name);

	file_tree_file(name, "");
	free(name);

	return path;
}

static unsigned int count_files(unsigned int first, unsigned int last)
{
	unsigned int count = 0;
	char *path;

	for (; first <= last; first++) {
		path = tool_print("%s/a.%u", file_tree_root(), first);
		count += access(path, F_OK) == 0;
		free(path);
	}

	return count;
}

TEST(keeps_the_newest_files)
{
	struct capture_rotation rotation = { .files_max = 3 };
	unsigned int i;

	file_tree_begin();
	for (i = 0; i < 10; i++)
		capture_rotation_add(&rotation, make_file(i));
	ck_assert_uint_eq(count_files(0, 6), 0);
	ck_assert_uint_eq(count_files(7, 9), 3);
	ck_assert_uint_eq(rotation.file_count, 10);
	capture_rotation_release(&rotation);
	file_tree_end();
}

TEST(removes_files_of_earlier_recordings)
{
	static const struct {
		const char *name;
		bool is_kept;
	} files[] = {
		{ "/sub/a.2026010100000000", false },
		{ "/sub/a.2026010100000001.tmp-5-0", false },
		{ "/sub/a.2026010100000002", true },
		{ "/sub/a.202601010000000", true },
		{ "/sub/a.2026010100000000.txt", true },
		{ "/sub/a", true },
		{ "/sub/b.2026010100000000", true },
		{ "/sub/ab2026010100000000", true },
	};
	struct capture_rotation rotation = { .files_max = 1 };
	char *path;
	size_t i;

	file_tree_begin();
	for (i = 0; i < ARRAY_SIZE(files); i++)
		file_tree_file(files[i].name, "");
	path = tool_print("%s/sub/a", file_tree_root());
	capture_rotation_adopt(&rotation, path);
	free(path);
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		path = tool_print("%s%s", file_tree_root(), files[i].name);
		ck_assert_msg((access(path, F_OK) == 0) == files[i].is_kept,
			      "%s", files[i].name);
		free(path);
	}
	ck_assert_uint_eq(rotation.file_count, 0);
	capture_rotation_release(&rotation);
	file_tree_end();
}

TEST(keeps_all_files_without_a_limit)
{
	struct capture_rotation rotation = { 0 };
	unsigned int i;

	file_tree_begin();
	for (i = 0; i < 5; i++)
		capture_rotation_add(&rotation, make_file(i));
	ck_assert_uint_eq(count_files(0, 4), 5);
	capture_rotation_release(&rotation);
	file_tree_end();
}

/* A file, or a link without a target, which cannot be replaced */
TEST_LOOP(makes_unused_names, 2)
{
	char *path, *first, *second;

	file_tree_begin();
	path = tool_print("%s/a", file_tree_root());
	first = capture_rotation_name(path);
	if (_i)
		ck_assert_int_eq(symlink("missing", first), 0);
	else
		ck_assert_int_ge(close(open(first, O_CREAT | O_WRONLY, 0600)),
				 0);
	second = capture_rotation_name(path);
	ck_assert_str_ne(first, second);
	ck_assert_int_eq(access(second, F_OK), -1);
	free(second);
	free(first);
	free(path);
	file_tree_end();
}

/* ---- Triggers ---- */

static const struct {
	const char *text;
	const char *event;
	const char *filter;
} triggers[] = {
	{ "request", "request", NULL },
	{ "sched:sched_*", "sched:sched_*", NULL },
	{ "request if status >= 500", "request", "status >= 500" },
	{ "a if b if c", "a", "b if c" },
	{ "", NULL, NULL },
	{ " if status", NULL, NULL },
	{ "request if ", NULL, NULL },
	{ "user_events:", NULL, NULL },
};

TEST_LOOP(parses_triggers, ARRAY_SIZE(triggers))
{
	struct capture_trigger trigger = { 0 };
	const char *event = triggers[_i].event;
	const char *filter = triggers[_i].filter;

	ck_assert(capture_trigger_parse(&trigger, triggers[_i].text) ==
		  (event != NULL));
	if (event)
		ck_assert_str_eq(trigger.event, event);
	if (event && filter)
		ck_assert_str_eq(trigger.filter, filter);
	else if (event)
		ck_assert_ptr_null(trigger.filter);
	capture_trigger_close(&trigger);
}

/* The last one counts. */
TEST(replaces_a_trigger)
{
	struct capture_trigger trigger = { 0 };

	ck_assert(capture_trigger_parse(&trigger, "one if a"));
	ck_assert(capture_trigger_parse(&trigger, "two"));
	ck_assert_str_eq(trigger.event, "two");
	ck_assert_ptr_null(trigger.filter);
	capture_trigger_close(&trigger);
}

TEST(each_event_is_a_trigger)
{
	struct capture_trigger trigger = { 0 };

	ck_assert(!capture_trigger_count(&trigger, 0, 1000));
	ck_assert(capture_trigger_count(&trigger, 1, 1001));
	ck_assert(!capture_trigger_count(&trigger, 1, 1002));
	ck_assert(!capture_trigger_count(&trigger, 1, 9000));
	ck_assert(capture_trigger_count(&trigger, 2, 9000));
}

TEST(rate_within_a_second)
{
	struct capture_trigger trigger = { .rate = 100 };
	uint64_t now, events = 0;

	/* 90 in a second, for ten seconds */
	for (now = 0; now < 10000; now += 100) {
		events += 9;
		ck_assert(!capture_trigger_count(&trigger, events, now));
	}
	/* 120 in a second */
	for (; now < 12000; now += 100) {
		events += 12;
		if (capture_trigger_count(&trigger, events, now))
			break;
	}
	ck_assert_uint_lt(now, 11200);
	/* Those do not count again. */
	ck_assert(!capture_trigger_count(&trigger, events, now + 1));
	ck_assert(!capture_trigger_count(&trigger, events + 99, now + 2));
	ck_assert(capture_trigger_count(&trigger, events + 100, now + 3));
}
