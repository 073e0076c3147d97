// SPDX-License-Identifier: MIT
/* user-events decode --merge: records of several files. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <userevents/session.h>

#include "formats/trace_merge.h"
#include "lib/dat_image.h"
#include "lib/decode_formats.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "tool.h"

#define FILES_MAX 4
#define DAY UINT64_C(86400000000000)

static char *paths[FILES_MAX];
static size_t count;
static struct trace_merge *merge;
static const char *failed;

static void set_up(void)
{
	fake_perf_begin();
}

static void tear_down(void)
{
	while (count)
		free(paths[--count]);
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

static const char *new_path(void)
{
	ck_assert_uint_lt(count, FILES_MAX);
	paths[count] = tool_print("%s/%zu", fake_perf.root, count);

	return paths[count++];
}

/* A file with records at @times, up to 0, of a machine, and losses until @losses. */
static void write_losses(const struct uev_clock *clock, const char *host,
			 const uint64_t *times, const uint64_t *losses)
{
	static const char format[] =
		"name: number\nID: 77\n" COMMON_FIELDS
		"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n";
	static const struct uev_source source = {
		.system = "user_events",
		.name = "number",
		.format = format,
		.format_size = sizeof(format) - 1,
		.id = 77,
	};
	struct uev_perf_info machine = { .hostname = host };
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.clock = clock,
		.machine = &machine,
	};
	uint32_t raw[] = { 77, 7, 5 };
	struct uev_sample sample = {
		.source = &source,
		.raw = raw,
		.raw_size = sizeof(raw),
		.flags = UEV_HAS_TIME,
	};
	struct uev_loss loss = {
		.source = &source,
		.count = 1,
		.flags = UEV_HAS_TIME,
		.reason = "fault",
	};
	struct uev_perf_writer *writer;

	ck_assert_int_eq(uev_perf_writer_open(&writer, new_path(), &options),
			 0);
	for (; *times; times++) {
		sample.time = *times;
		ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	}
	for (; *losses; losses++) {
		loss.from = *losses - 1;
		loss.to = *losses;
		ck_assert_int_eq(uev_perf_writer_loss(writer, &loss), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

static void write_file(const struct uev_clock *clock, const char *host,
		       const uint64_t *times)
{
	write_losses(clock, host, times, &(uint64_t){ 0 });
}

static void no_problem(void *data, const char *name, uint64_t offset,
		       const char *reason)
{
	(void)data;
	ck_abort_msg("%s: %lu: %s", name, (unsigned long)offset, reason);
}

static int open_files(void)
{
	return trace_merge_open(&merge, (const char *const *)paths, count,
				no_problem, NULL, &failed);
}

/* Checks the times, and which file each is of, until 0; closes them. */
static void expect(const uint64_t *times, const size_t *files)
{
	struct format_record record;
	size_t i;

	for (i = 0; times[i]; i++) {
		ck_assert_int_eq(trace_merge_next(merge, &record), 1);
		ck_assert_uint_eq(record.sample->time, times[i]);
		ck_assert_str_eq(trace_merge_name(merge), paths[files[i]]);
	}
	ck_assert_int_eq(trace_merge_next(merge, &record), 0);
	ck_assert_int_eq(trace_merge_next(merge, &record), 0);
	trace_merge_close(merge);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

#define TIMES(...) ((const uint64_t[]){ __VA_ARGS__, 0 })
#define ORDER(...) ((const size_t[]){ __VA_ARGS__ })

TEST(merges_files_of_one_clock)
{
	struct uev_trace_stats counts;

	/* As of --switch-output, and in any order. */
	write_file(NULL, "a", TIMES(30, 40, 50));
	write_file(NULL, "a", TIMES(10, 20, 30));
	write_file(NULL, "a", ((const uint64_t[]){ 0 }));
	write_file(NULL, NULL, TIMES(45));
	ck_assert_int_eq(open_files(), 0);
	trace_merge_counts(merge, &counts);
	expect(TIMES(10, 20, 30, 30, 40, 45, 50), ORDER(1, 1, 0, 1, 0, 3, 0));
}

/* Returns the place after all records of the files. */
static uint64_t last_place(uint64_t *size)
{
	struct format_record record;
	uint64_t first, last;

	ck_assert_int_eq(open_files(), 0);
	first = trace_merge_offset(merge, size);
	while (trace_merge_next(merge, &record) > 0)
		;
	last = trace_merge_offset(merge, size);
	ck_assert_uint_ge(last, first);
	trace_merge_close(merge);

	return last;
}

TEST(adds_places_and_sizes)
{
	uint64_t place, size, both_sizes;
	struct stat status;

	write_file(NULL, "a", TIMES(10, 20));
	place = last_place(&size);
	ck_assert_int_eq(stat(paths[0], &status), 0);
	ck_assert_uint_eq(size, (uint64_t)status.st_size);
	ck_assert_uint_le(place, size);
	write_file(NULL, "a", TIMES(30, 40));
	ck_assert_uint_eq(last_place(&both_sizes), 2 * place);
	ck_assert_uint_eq(both_sizes, 2 * size);
}

/* The distance of two clocks is measured again for each file. */
TEST(merges_files_of_one_boot)
{
	struct uev_clock first = { .clockid = CLOCK_MONOTONIC,
				   .wall = DAY,
				   .clock = 5000000000 };
	struct uev_clock second = first;
	struct format_record record;

	second.wall += 900;
	write_file(&first, "a", TIMES(100, 300));
	write_file(&second, "a", TIMES(200));
	ck_assert_int_eq(open_files(), 0);
	ck_assert_int_eq(trace_merge_next(merge, &record), 1);
	ck_assert_uint_eq(uev_clock_wall(record.clock, record.sample->time),
			  DAY - 5000000000 + 100);
	expect(TIMES(200, 300), ORDER(1, 0));
}

/* Of another boot, another clock, and another machine. */
static const struct {
	int32_t clockid;
	uint64_t clock;
	const char *host;
} others[] = {
	{ CLOCK_MONOTONIC, 1000, "a" },
	{ CLOCK_BOOTTIME, 1000, "a" },
	{ CLOCK_MONOTONIC, 5000000000, "b" },
};

TEST_LOOP(merges_other_clocks_by_date, sizeof(others) / sizeof(*others))
{
	struct uev_clock first = { .clockid = CLOCK_MONOTONIC,
				   .wall = DAY,
				   .clock = 5000000000 };
	struct uev_clock second = { .clockid = others[_i].clockid,
				    .wall = DAY,
				    .clock = others[_i].clock };
	struct format_record record;

	write_file(&first, "a", TIMES(first.clock, first.clock + 20));
	write_file(&second, others[_i].host, TIMES(second.clock + 10));
	ck_assert_int_eq(open_files(), 0);
	ck_assert_int_eq(trace_merge_next(merge, &record), 1);
	ck_assert_uint_eq(record.sample->time, DAY);
	ck_assert_uint_eq(uev_clock_wall(record.clock, record.sample->time),
			  DAY);
	expect(TIMES(DAY + 10, DAY + 20), ORDER(1, 0));
}

/* Checks the next record, and the losses before it, up to 0. */
static void expect_losses(uint64_t time, uint64_t added, const uint64_t *losses)
{
	struct format_record record = { 0 };
	struct format_loss loss;
	uint64_t until = UINT64_MAX;

	ck_assert_int_eq(trace_merge_next(merge, &record), time != 0);
	if (time) {
		until = time + added;
		ck_assert_uint_eq(record.sample->time, until);
	}
	for (; *losses; losses++) {
		ck_assert(trace_merge_next_loss(merge, until, &loss));
		ck_assert_uint_eq(loss.loss.to, *losses + added);
		ck_assert_uint_eq(loss.loss.from, *losses + added - 1);
		ck_assert_str_eq(loss.loss.source->name, "number");
		ck_assert_ptr_eq(loss.clock, time ? record.clock : loss.clock);
	}
	ck_assert(!trace_merge_next_loss(merge, until, &loss));
}

/* Losses of all files are at their time, also by date. */
TEST_LOOP(merges_losses, 2)
{
	const struct uev_clock first = { .clockid = CLOCK_MONOTONIC,
					 .wall = DAY,
					 .clock = 100000 };
	const struct uev_clock second = { .clockid = CLOCK_BOOTTIME,
					  .wall = DAY,
					  .clock = 100000 };
	uint64_t added = _i ? DAY - 100000 : 0;

	write_losses(&first, "a", TIMES(10, 1000), TIMES(5, 900, 1000, 1900));
	write_losses(_i ? &second : &first, "a", TIMES(20, 970),
		     TIMES(7, 500, 950, 1500, 2000));
	write_losses(&first, "a", TIMES(30), TIMES(40, 1600));
	ck_assert_int_eq(open_files(), 0);
	expect_losses(10, added, TIMES(5, 7));
	expect_losses(20, added, TIMES(0));
	expect_losses(30, added, TIMES(0));
	expect_losses(970, added, TIMES(40, 500, 900, 950));
	expect_losses(1000, added, TIMES(1000));
	expect_losses(0, added, TIMES(1500, 1600, 1900, 2000));
	trace_merge_close(merge);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

/* Without dates: another machine, another clock, and one of the two. */
TEST_LOOP(rejects_clocks_that_cannot_be_compared, 3)
{
	static const struct uev_clock clock = { .clockid = CLOCK_MONOTONIC,
						.wall = DAY,
						.clock = 1 };

	write_file(_i == 2 ? &clock : NULL, "a", TIMES(10));
	write_file(_i == 0 ? NULL : &clock, _i == 2 ? "a" : "b", TIMES(20));
	if (_i == 2)
		write_file(NULL, "a", TIMES(30));
	failed = NULL;
	ck_assert_int_eq(open_files(), -EXDEV);
	ck_assert_str_eq(failed, paths[_i == 2 ? 2 : 1]);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

TEST(names_a_file_that_does_not_exist)
{
	write_file(NULL, "a", TIMES(10));
	new_path();
	ck_assert_int_eq(open_files(), -ENOENT);
	ck_assert_str_eq(failed, paths[1]);
}

static struct image image;

static void pages(struct image *to, unsigned int cpu)
{
	dat_image_page(to, 1000 + cpu);
	dat_image_entry(to, 0, 7, 1);
	dat_image_page_end(to, 0);
}

static void write_image(void)
{
	FILE *file = fopen(new_path(), "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(image.bytes, image.size, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

/* As of a flight recorder, or trace-cmd record --date, of the same clock. */
TEST_LOOP(merges_trace_dat_with_dates, 2)
{
	const struct uev_clock clock = { .clockid = CLOCK_MONOTONIC,
					 .wall = DAY,
					 .clock = 5000000000 };
	const uint64_t *times = TIMES(clock.clock + 500, clock.clock + 2000);

	if (_i)
		write_file(&clock, NULL, times);
	dat_image_dates(&image, "86400000000", "local [mono]", pages);
	write_image();
	if (!_i)
		write_file(&clock, NULL, times);
	ck_assert_int_eq(open_files(), 0);
	expect(TIMES(DAY + 500, DAY + 1000, DAY + 2000), ORDER(!_i, _i, !_i));
}

/* Clocks of perf and of ftrace, which have other names */
static const struct {
	int32_t clockid;
	const char *name;
	int error;
} named[] = {
	{ CLOCK_MONOTONIC, "local [mono]", 0 },
	{ CLOCK_MONOTONIC_RAW, "local [mono_raw]", 0 },
	{ CLOCK_BOOTTIME, "local [boot]", 0 },
	{ CLOCK_TAI, "local [tai]", 0 },
	{ CLOCK_MONOTONIC, "[local] mono", -EXDEV },
	{ CLOCK_TAI, "local [mono_raw]", -EXDEV },
	{ CLOCK_MONOTONIC_COARSE, "local []", -EXDEV },
};

TEST_LOOP(merges_trace_dat_of_one_clock, ARRAY_SIZE(named))
{
	const struct uev_clock clock = { .clockid = named[_i].clockid,
					 .wall = DAY,
					 .clock = 5000000000 };

	write_file(&clock, NULL, TIMES(500, 2000));
	dat_image_dates(&image, NULL, named[_i].name, pages);
	write_image();
	ck_assert_int_eq(open_files(), named[_i].error);
	if (!named[_i].error)
		expect(TIMES(500, 1000, 2000), ORDER(0, 1, 0));
}

/* Files of trace-cmd that do not tell their clock have the default one. */
TEST(merges_trace_dat)
{
	int i;

	for (i = 0; i < 2; i++) {
		dat_image_file7(&image, false, 1, pages);
		write_image();
	}
	ck_assert_int_eq(open_files(), 0);
	expect(TIMES(1000, 1000), ORDER(0, 1));
	write_file(NULL, "a", TIMES(10));
	ck_assert_int_eq(open_files(), -EXDEV);
}
