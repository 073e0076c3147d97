// SPDX-License-Identifier: MIT
/* Writing of perf.data: output is read back, and errors keep its records. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <userevents/session.h>

#include "lib/fake_alloc.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "util/common.h"

static char path[128];

static void setup(void)
{
	fake_perf_begin();
	fake_perf_file("/out/other", "");
	fake_perf_file("/sys/kernel/tracing/events/header_page", "page");
	fake_perf_file("/sys/kernel/tracing/events/header_event", "event");
	snprintf(path, sizeof(path), "%s/out/perf.data", fake_perf.root);
}

TEST_FIXTURE(setup, fake_perf_end);

static const struct uev_source sources[] = {
	{ "user_events", "first", "name: first\nID: 7\n", 18, 7, 0, { 0 } },
	{ "other", "second", "name: second\nID: 9\n", 19, 9, 1, { 0 } },
	{ "user_events", "third", NULL, 0, 8, 2, { 0 } },
	{ "user_events", "fourth", "name: fourth\nID: 6\n", 19, 6, 3, { 0 } },
};

#define FLAGS (UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID)

/* Writes a record of one of them. */
static struct uev_sample record_of(uint32_t source, uint64_t time,
				   const char *raw)
{
	return (struct uev_sample){
		.source = &sources[source],
		.raw = raw,
		.raw_size = (uint32_t)strlen(raw),
		.flags = FLAGS,
		.time = time,
		.cpu = source,
		.pid = 10 + source,
		.tid = 20 + source,
	};
}

static const struct uev_clock clock_data = {
	.clockid = 4,
	.wall = 123456789,
	.clock = 1000,
};

static struct uev_perf_writer *
open_writer(const struct uev_perf_writer_options *options)
{
	struct uev_perf_writer *writer;

	ck_assert_int_eq(uev_perf_writer_open(&writer, path, options), 0);

	return writer;
}

static int write_one(struct uev_perf_writer *writer, uint32_t source,
		     uint64_t time, const char *raw)
{
	struct uev_sample record = record_of(source, time, raw);

	return uev_perf_writer_record(writer, &record);
}

static bool exists(const char *name)
{
	return !access(name, F_OK);
}

/* Returns the number of files besides the previous one. */
static int files(void)
{
	char directory[128];
	struct dirent *entry;
	int count = -1;
	DIR *dir;

	snprintf(directory, sizeof(directory), "%s/out", fake_perf.root);
	dir = opendir(directory);
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);

	return count;
}

static off_t size_of(const char *name)
{
	struct stat status;

	ck_assert_int_eq(stat(name, &status), 0);

	return status.st_size;
}

static void no_problem(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	ck_abort_msg("at %lu: %s", (unsigned long)offset, reason);
}

static struct uev_perf_reader *read_back(void)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = no_problem,
	};
	struct uev_perf_reader *reader;

	ck_assert_int_eq(uev_perf_reader_open(&reader, path, &options), 0);

	return reader;
}

static void killed_problem(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	(void)offset;
	ck_assert_ptr_nonnull(strstr(reason, "not finished"));
}

/* Reads a file that was not completed. */
static struct uev_perf_reader *read_killed(void)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = killed_problem,
	};
	struct uev_perf_reader *reader;

	ck_assert_int_eq(uev_perf_reader_open(&reader, path, &options), 0);

	return reader;
}

/* Bytes of a sample before its raw data. */
#define SAMPLE_FRONT 44

/*
 * The size of raw data includes the padding of the sample, as in the kernel,
 * because readers find the end of a sample by it.
 */
static const struct uev_sample *expect(struct uev_perf_reader *reader,
				       uint32_t source, uint64_t time,
				       const char *raw)
{
	static const char zeros[8];
	size_t stored = (SAMPLE_FRONT + strlen(raw) + 7) / 8 * 8 - SAMPLE_FRONT;
	const struct uev_sample *record;

	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, time);
	ck_assert_uint_eq(record->flags, FLAGS);
	ck_assert_uint_eq(record->cpu, source);
	ck_assert_uint_eq(record->pid, 10 + source);
	ck_assert_uint_eq(record->tid, 20 + source);
	ck_assert_uint_eq(record->raw_size, stored);
	ck_assert_mem_eq(record->raw, raw, strlen(raw));
	ck_assert_mem_eq((const char *)record->raw + strlen(raw), zeros,
			 stored - strlen(raw));
	ck_assert_str_eq(record->source->system, sources[source].system);
	ck_assert_str_eq(record->source->name, sources[source].name);
	ck_assert_uint_eq(record->source->id, sources[source].id);
	if (sources[source].format)
		ck_assert_str_eq(record->source->format,
				 sources[source].format);
	else
		ck_assert_ptr_nonnull(
			strstr(record->source->format, "name: third\nID: 8\n"));

	return record;
}

static void expect_end(struct uev_perf_reader *reader, uint64_t lost)
{
	struct uev_trace_stats counts;
	const struct uev_sample *record;

	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 0);
	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	ck_assert_uint_eq(counts.lost, lost);
	ck_assert_uint_eq(counts.corrupt, 0);
	ck_assert_uint_eq(counts.unordered, 0);
	uev_perf_reader_close(reader);
}

/* Two processes with one place in the table of the reader. */
static const struct {
	uint32_t pid;
	uint32_t vpid;
} vpids[] = {
	{ 10, 0 }, { 10, 7 }, { 10, 7 }, { 1034, 0 }, { 10, 7 }, { 1034, 1 },
	{ 10, 0 }, { 10, 3 }, { 10, 0 }, { 1034, 1 }, { 11, 2 }, { 1034, 1 },
};

/* In the order of the file, which is not that of time. */
TEST_LOOP(vpids_are_read_back, 2)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	struct uev_perf_reader *reader;
	const struct uev_sample *read;
	struct uev_sample record;
	size_t i, row;

	for (i = 0; i < ARRAY_SIZE(vpids); i++) {
		record = record_of(0, _i ? 100 - i : 100 + i, "x");
		record.pid = vpids[i].pid;
		record.vpid = vpids[i].vpid;
		record.flags |= record.vpid ? UEV_HAS_VPID : 0;
		ck_assert_int_eq(uev_perf_writer_record(writer, &record), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);

	reader = read_back();
	for (i = 0; i < ARRAY_SIZE(vpids); i++) {
		row = _i ? ARRAY_SIZE(vpids) - 1 - i : i;
		ck_assert_int_eq(uev_perf_reader_next(reader, &read), 1);
		ck_assert_uint_eq(read->pid, vpids[row].pid);
		ck_assert_uint_eq(read->vpid, vpids[row].vpid);
		ck_assert_int_eq(!(read->flags & UEV_HAS_VPID), !read->vpid);
	}
	expect_end(reader, 0);
}

/* Records of other processes do not make the file larger. */
TEST(processes_without_vpid_take_no_space)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	off_t before;

	ck_assert_int_eq(write_one(writer, 0, 1, "x"), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	before = size_of(uev_perf_writer_path(writer));
	ck_assert_int_eq(write_one(writer, 0, 2, "x"), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	ck_assert_int_eq(size_of(uev_perf_writer_path(writer)) - before,
			 (SAMPLE_FRONT + 1 + 7) / 8 * 8 + 8);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

TEST_LOOP(output_can_be_read_back, 4)
{
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.clock = &clock_data,
	};
	struct uev_perf_writer *writer = open_writer(&options);
	const struct uev_perf_info *info;
	struct uev_perf_reader *reader;

	/* As if the system did little at a time. */
	fake_perf.at_most = _i;
	ck_assert(!exists(path));
	ck_assert_int_eq(uev_perf_writer_add(writer, &sources[3]), 0);
	ck_assert_int_eq(write_one(writer, 0, 20, "0123"), 0);
	ck_assert_int_eq(write_one(writer, 1, 10, ""), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	ck_assert_int_eq(write_one(writer, 2, 15, "a longer one"), 0);
	ck_assert_int_eq(uev_perf_writer_lost(writer, 33, 1), 0);
	ck_assert_int_eq(write_one(writer, 0, 30, "0123456"), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	ck_assert(!exists(path));
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	ck_assert_int_eq(files(), 1);
	ck_assert_int_eq(fake_perf.open_fds, 0);

	reader = read_back();
	info = uev_perf_reader_info(reader);
	ck_assert_str_eq(info->hostname, "fake-host");
	ck_assert_str_eq(info->osrelease, "6.1.0-fake");
	ck_assert_str_eq(info->arch, "x86_64");
	ck_assert_uint_eq(info->cpus_online, 3);
	ck_assert_uint_eq(info->cpus_present, 8);
	ck_assert_uint_eq(info->first_time, 10);
	ck_assert_uint_eq(info->last_time, 30);
	ck_assert_uint_eq(info->long_size, sizeof(long));
	ck_assert(info->has_clock && !info->is_foreign && !info->is_pipe);
	ck_assert_mem_eq(&info->clock, &clock_data, sizeof(clock_data));
	expect(reader, 1, 10, "");
	expect(reader, 2, 15, "a longer one");
	expect(reader, 0, 20, "0123");
	expect(reader, 0, 30, "0123456");
	expect_end(reader, 33);
}

static struct uev_loss loss_of(const struct uev_source *source, uint64_t count,
			       uint64_t to)
{
	return (struct uev_loss){
		.source = source,
		.count = count,
		.from = to ? to - 5 : 0,
		.to = to,
		.flags = to ? UEV_HAS_TIME | UEV_HAS_CPU : 0,
		.cpu = to ? 3 : 0,
		.reason = "perf_too_large",
	};
}

static void expect_loss(struct uev_perf_reader *reader, uint64_t until,
			const char *name, const struct uev_loss *wanted)
{
	struct uev_loss loss;

	ck_assert_int_eq(uev_perf_reader_next_loss(reader, until, &loss), 1);
	if (name)
		ck_assert_str_eq(loss.source->name, name);
	else
		ck_assert_ptr_null(loss.source);
	ck_assert_uint_eq(loss.count, wanted->count);
	ck_assert_uint_eq(loss.from, wanted->from);
	ck_assert_uint_eq(loss.flags, wanted->flags);
	ck_assert_uint_eq(loss.cpu, wanted->cpu);
	ck_assert_str_eq(loss.reason, wanted->reason);
	if (wanted->flags & UEV_HAS_TIME)
		ck_assert_uint_eq(loss.to, wanted->to);
}

/* Whether the file was completed, or its writer was killed. */
TEST_LOOP(losses_have_event_processor_reason_and_time, 2)
{
	struct uev_loss late = loss_of(&sources[1], 4, 25);
	struct uev_loss early = loss_of(&sources[0], 2, 15);
	struct uev_loss unknown = loss_of(NULL, 7, 0);
	struct uev_loss plain = { .count = 33,
				  .to = 30,
				  .cpu = 1,
				  .flags = UEV_HAS_TIME | UEV_HAS_CPU,
				  .reason = UEV_LOSS_PERF_BUFFER };
	struct uev_perf_writer *writer = open_writer(NULL);
	struct uev_perf_reader *reader;
	struct uev_loss none;

	/* Only the end is unknown. */
	unknown.from = 5;
	ck_assert_int_eq(write_one(writer, 0, 10, "x"), 0);
	ck_assert_int_eq(uev_perf_writer_loss(writer, &late), 0);
	ck_assert_int_eq(uev_perf_writer_loss(writer, &early), 0);
	ck_assert_int_eq(write_one(writer, 0, 20, "y"), 0);
	ck_assert_int_eq(write_one(writer, 0, 30, "z"), 0);
	ck_assert_int_eq(uev_perf_writer_loss(writer, &unknown), 0);
	ck_assert_int_eq(uev_perf_writer_lost(writer, 33, 1), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	if (_i)
		ck_assert_int_eq(rename(uev_perf_writer_path(writer), path), 0);
	else
		ck_assert_int_eq(uev_perf_writer_finish(writer), 0);

	reader = _i ? read_killed() : read_back();
	expect(reader, 0, 10, "x");
	ck_assert_int_eq(uev_perf_reader_next_loss(reader, 10, &none), 0);
	expect(reader, 0, 20, "y");
	expect_loss(reader, 20, "first", &early);
	ck_assert_int_eq(uev_perf_reader_next_loss(reader, 20, &none), 0);
	expect(reader, 0, 30, "z");
	expect_loss(reader, 30, "second", &late);
	expect_loss(reader, UINT64_MAX, NULL, &unknown);
	expect_loss(reader, UINT64_MAX, NULL, &plain);
	ck_assert_int_eq(uev_perf_reader_next_loss(reader, UINT64_MAX, &none),
			 0);
	expect_end(reader, 2 + 4 + 7 + 33);
	if (_i)
		uev_perf_writer_discard(writer);
}

static const struct uev_loss no_losses[] = {
	{ .reason = "x" },
	{ .count = 1, .reason = "" },
	{ .count = 1, .reason = "two words" },
	{ .count = 1, .reason = "this_is_longer_than_a_reason_is_" },
	{ .count = 1, .from = 2, .to = 1, .flags = UEV_HAS_TIME, .reason = "x" },
	{ .count = 1, .flags = UEV_HAS_TID, .reason = "x" },
	{ .count = 1, .reason = "x", .reserved = { 0, 1 } },
};

TEST_LOOP(rejects_losses, ARRAY_SIZE(no_losses))
{
	struct uev_perf_writer *writer = open_writer(NULL);

	ck_assert_int_eq(uev_perf_writer_loss(writer, &no_losses[_i]), -EINVAL);
	ck_assert_int_eq(write_one(writer, 0, 1, "x"), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

/* An event without records, and a file without events. */
TEST_LOOP(writes_a_file_without_records, 2)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	const struct uev_source *source;
	struct uev_perf_reader *reader;

	if (_i)
		ck_assert_int_eq(uev_perf_writer_add(writer, &sources[0]), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	reader = read_back();
	source = uev_perf_reader_source(reader, 0);
	ck_assert_int_eq(!!source, _i);
	ck_assert(!uev_perf_reader_info(reader)->has_clock);
	expect_end(reader, 0);
}

/*
 * perf 6.1 crashes when it converts a file without one of these texts to JSON:
 * name, release, version, architecture, processors (number, name and ID).
 */
TEST(file_has_the_texts_that_perf_needs)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	const uint64_t needed = 0x3f8;
	uint64_t features = 0;
	FILE *file;

	ck_assert_int_eq(write_one(writer, 0, 1, "x"), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fseek(file, 72, SEEK_SET), 0);
	ck_assert_uint_eq(fread(&features, sizeof(features), 1, file), 1);
	fclose(file);
	ck_assert_uint_eq(features & needed, needed);
}

TEST(records_of_another_machine)
{
	struct uev_perf_info machine = {
		.hostname = "elsewhere",
		.cpus_online = 99,
	};
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.machine = &machine,
		.tracefs = "/nowhere",
	};
	struct uev_perf_writer *writer = open_writer(&options);
	struct uev_perf_reader *reader;

	ck_assert_int_eq(write_one(writer, 0, 1, "x"), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	reader = read_back();
	ck_assert_str_eq(uev_perf_reader_info(reader)->hostname, "elsewhere");
	ck_assert_str_eq(uev_perf_reader_info(reader)->arch, "");
	ck_assert_uint_eq(uev_perf_reader_info(reader)->cpus_online, 99);
	expect(reader, 0, 1, "x");
	expect_end(reader, 0);
}

#define COMM_SIZE 64

/* As written by perf, with the trailer of all records that are not samples. */
static void check_comm(const char *bytes)
{
	static const struct {
		struct perf_event_header header;
		uint32_t pid;
		uint32_t tid;
		char name[16];
		uint32_t pid_again;
		uint32_t tid_again;
		uint64_t time;
		uint64_t cpu;
		uint64_t id;
	} wanted = {
		{ PERF_RECORD_COMM, 0, COMM_SIZE },
		10,
		20,
		"-sixteen-better",
		10,
		20,
		5,
		0,
		1,
	};

	ck_assert_mem_eq(bytes, &wanted, COMM_SIZE);
}

/* Names apply from a time on, and are not repeated. */
TEST(names_of_threads)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	struct uev_trace_stats counts;
	struct uev_perf_reader *reader;
	char bytes[2048];
	uint16_t size;
	FILE *file;
	int i;

	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(uev_perf_writer_comm(writer, 10, 20, 5,
						      "-sixteen-better"),
				 0);
		ck_assert_int_eq(write_one(writer, 0, 5 + (uint64_t)i, "x"), 0);
	}
	/* Of another thread, and of the same one. */
	ck_assert_int_eq(uev_perf_writer_comm(writer, 11, 21, 8, "other"), 0);
	ck_assert_int_eq(uev_perf_writer_comm(writer, 10, 20, 8,
					      "more than fifteen"),
			 0);
	ck_assert_int_eq(uev_perf_writer_comm(writer, 10, 20, 8,
					      "more than fifteen bytes"),
			 0);
	ck_assert_int_eq(write_one(writer, 0, 8, "x"), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);

	file = fopen(path, "re");
	ck_assert_uint_gt(fread(bytes, 1, sizeof(bytes), file), 104);
	fclose(file);
	/* After the description of the machine. */
	memcpy(&size, bytes + 104 + 6, sizeof(size));
	ck_assert_uint_le(104 + size + COMM_SIZE, sizeof(bytes));
	check_comm(bytes + 104 + size);

	reader = read_back();
	expect(reader, 0, 5, "x");
	ck_assert_str_eq(uev_perf_reader_comm(reader, 20), "-sixteen-better");
	ck_assert_ptr_null(uev_perf_reader_comm(reader, 21));
	expect(reader, 0, 6, "x");
	expect(reader, 0, 7, "x");
	ck_assert_str_eq(uev_perf_reader_comm(reader, 20), "-sixteen-better");
	expect(reader, 0, 8, "x");
	ck_assert_str_eq(uev_perf_reader_comm(reader, 20), "more than fifte");
	ck_assert_str_eq(uev_perf_reader_comm(reader, 21), "other");
	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	ck_assert_uint_eq(counts.other, 3);
	expect_end(reader, 0);
}

/* ---- Stacks ---- */

static const uint64_t stack[] = { (uint64_t)-512, 0x401234, 0x7f0000001000 };

static const struct uev_perf_writer_options with_stacks = {
	.size = sizeof(with_stacks),
	.flags = UEV_PERF_WRITER_STACKS,
};

static const struct uev_mapping mapping = {
	.start = 0x400000,
	.end = 0x402000,
	.offset = 0x3000,
	.path = "/a/program",
	.inode = 7,
	.generation = 8,
	.major = 9,
	.minor = 10,
	.protection = 5,
	.flags = 2,
};

static int write_stack(struct uev_perf_writer *writer, uint64_t time,
		       uint32_t count)
{
	struct uev_sample record = record_of(0, time, "x");

	record.stack = count ? stack : NULL;
	record.stack_size = count;

	return uev_perf_writer_record(writer, &record);
}

static void expect_stack(struct uev_perf_reader *reader, uint64_t time,
			 uint32_t count)
{
	const struct uev_sample *record;
	uint32_t i;

	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, time);
	ck_assert_mem_eq(record->raw, "x", 1);
	ck_assert_uint_eq(record->stack_size, count);
	ck_assert(!record->stack == !count);
	for (i = 0; i < count && i < sizeof(stack) / sizeof(*stack); i++)
		ck_assert(record->stack[i] == stack[i]);
}

/* Returns the path at an address of the process of the records, or "". */
static const char *path_at(const struct uev_perf_reader *reader,
			   uint64_t address)
{
	const struct uev_mapping *found =
		uev_perf_reader_mapping(reader, 10, address);

	return found ? found->path : "";
}

TEST(stacks_and_mappings)
{
	struct uev_perf_writer *writer = open_writer(&with_stacks);
	struct uev_mapping other = mapping;
	const struct uev_mapping *found;
	struct uev_perf_reader *reader;
	struct uev_trace_stats counts;
	uint64_t time;

	other.path = "/another";
	for (time = 1; time < 4; time++) {
		ck_assert_int_eq(
			uev_perf_writer_mapping(writer, 10, time, &mapping), 0);
		ck_assert_int_eq(write_stack(writer, time, 3), 0);
	}
	ck_assert_int_eq(uev_perf_writer_mapping(writer, 10, 4, &other), 0);
	ck_assert_int_eq(write_stack(writer, 4, 1), 0);
	ck_assert_int_eq(write_stack(writer, 5, 0), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);

	reader = read_back();
	for (time = 1; time < 4; time++) {
		expect_stack(reader, time, 3);
		ck_assert_str_eq(path_at(reader, 0x400000), "/a/program");
		ck_assert_str_eq(path_at(reader, 0x402000), "");
	}
	found = uev_perf_reader_mapping(reader, 10, 0x401fff);
	ck_assert_uint_eq(found->start, mapping.start);
	ck_assert_uint_eq(found->end, mapping.end);
	ck_assert_uint_eq(found->offset, mapping.offset);
	ck_assert_uint_eq(found->inode, 7);
	ck_assert_uint_eq(found->generation, 8);
	ck_assert_uint_eq(found->major, 9);
	ck_assert_uint_eq(found->minor, 10);
	ck_assert_uint_eq(found->protection, 5);
	ck_assert_uint_eq(found->flags, 2);
	expect_stack(reader, 4, 1);
	ck_assert_str_eq(path_at(reader, 0x401000), "/another");
	expect_stack(reader, 5, 0);
	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	ck_assert_uint_eq(counts.other, 2);
	expect_end(reader, 0);
}

/* Finds the first record of a type. The header of the file has their offset. */
static void header_of(uint32_t type, struct perf_event_header *header)
{
	FILE *file = fopen(path, "r");
	uint64_t offset;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fseek(file, 40, SEEK_SET), 0);
	ck_assert_uint_eq(fread(&offset, sizeof(offset), 1, file), 1);
	do {
		ck_assert_int_eq(fseek(file, (long)offset, SEEK_SET), 0);
		ck_assert_uint_eq(fread(header, sizeof(*header), 1, file), 1);
		offset += header->size;
	} while (header->type != type);
	fclose(file);
}

/* perf accepts mappings of the kernel with its processor mode only. */
TEST(mappings_of_the_kernel)
{
	static const uint64_t calls[] = { (uint64_t)PERF_CONTEXT_KERNEL,
					  0xffffffff81000010 };
	const struct uev_mapping kernel = {
		.start = 0xffffffff81000000,
		.end = 0xffffffff82000000,
		.offset = 0xffffffff81000000,
		.path = "[kernel.kallsyms]_text",
	};
	struct uev_perf_writer *writer = open_writer(&with_stacks);
	struct uev_sample record = record_of(0, 1, "x");
	struct perf_event_header header;
	const struct uev_mapping *found;
	struct uev_perf_reader *reader;
	const struct uev_sample *read;

	record.stack = calls;
	record.stack_size = 2;
	ck_assert_int_eq(
		uev_perf_writer_mapping(writer, UEV_KERNEL_PID, 1, &kernel), 0);
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	header_of(PERF_RECORD_MMAP2, &header);
	ck_assert_uint_eq(header.misc, PERF_RECORD_MISC_KERNEL);
	header_of(PERF_RECORD_SAMPLE, &header);
	ck_assert_uint_eq(header.misc, PERF_RECORD_MISC_KERNEL);

	reader = read_back();
	ck_assert_int_eq(uev_perf_reader_next(reader, &read), 1);
	ck_assert_uint_eq(read->stack_size, 2);
	found = uev_perf_reader_mapping(reader, UEV_KERNEL_PID, calls[1]);
	ck_assert_str_eq(found->path, kernel.path);
	ck_assert_uint_eq(found->start, kernel.start);
	expect_end(reader, 0);
}

TEST(rejects_invalid_mappings)
{
	struct uev_perf_writer_options options = with_stacks;
	struct uev_mapping changed = mapping;
	struct uev_perf_writer *writer;
	char long_path[4097];

	options.flags = 2;
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options),
			 -EINVAL);
	options = with_stacks;
	options.reserved = 1;
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options),
			 -EINVAL);

	writer = open_writer(&with_stacks);
	memset(long_path, 'x', sizeof(long_path));
	long_path[4096] = '\0';
	changed.path = long_path;
	ck_assert_int_eq(uev_perf_writer_mapping(writer, 10, 1, &changed),
			 -EINVAL);
	changed.path = long_path + 1;
	ck_assert_int_eq(uev_perf_writer_mapping(writer, 10, 1, &changed), 0);
	changed.reserved[3] = 1;
	ck_assert_int_eq(uev_perf_writer_mapping(writer, 10, 1, &changed),
			 -EINVAL);
	uev_perf_writer_discard(writer);
}

/* A file that was not completed has the attributes behind the first mapping. */
TEST(mappings_precede_events)
{
	struct uev_perf_writer *writer = open_writer(&with_stacks);
	struct uev_perf_reader *reader;

	ck_assert_int_eq(uev_perf_writer_mapping(writer, 10, 1, &mapping), 0);
	ck_assert_int_eq(write_stack(writer, 1, 3), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	ck_assert_int_eq(uev_perf_reader_open(
				 &reader, uev_perf_writer_path(writer), NULL),
			 0);
	expect_stack(reader, 1, 3);
	ck_assert_str_eq(path_at(reader, 0x401234), "/a/program");
	uev_perf_reader_close(reader);
	uev_perf_writer_discard(writer);
}

TEST(many_records)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	struct uev_perf_reader *reader;
	char raw[1000] = { 0 };
	uint64_t i;

	for (i = 0; i < 3000; i++) {
		memset(raw, 'a' + (int)(i % 26), i % 999);
		raw[i % 999] = '\0';
		ck_assert_int_eq(write_one(writer, i % 2, i, raw), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	reader = read_back();
	for (i = 0; i < 3000; i++) {
		memset(raw, 'a' + (int)(i % 26), i % 999);
		raw[i % 999] = '\0';
		expect(reader, i % 2, i, raw);
	}
	expect_end(reader, 0);
}

TEST(rejects_invalid_records)
{
	struct uev_source impostor = sources[0];
	struct uev_source no_tracepoint = sources[0];
	struct uev_perf_writer *writer = open_writer(NULL);
	struct uev_sample record = record_of(0, 1, "x");
	static char large[65536];

	record.flags = UEV_HAS_CPU | UEV_HAS_TID;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -EINVAL);
	record.flags = FLAGS | UEV_IS_FOREIGN;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -EOPNOTSUPP);
	record.flags = FLAGS;
	record.reserved = 1;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -EINVAL);
	record.reserved = 0;
	record.source = NULL;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -EINVAL);
	no_tracepoint.system = NULL;
	record.source = &no_tracepoint;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -EINVAL);
	ck_assert_int_eq(uev_perf_writer_add(writer, &no_tracepoint), -EINVAL);
	no_tracepoint = sources[0];
	no_tracepoint.id = 0;
	ck_assert_int_eq(uev_perf_writer_add(writer, &no_tracepoint), -EINVAL);

	/* 44 bytes precede it, and the total is a multiple of 8. */
	record.source = &sources[0];
	record.raw = large;
	record.raw_size = 65528 - SAMPLE_FRONT + 1;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -E2BIG);
	record.raw_size = UINT32_MAX;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), -E2BIG);
	record.raw_size = 65528 - SAMPLE_FRONT;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), 0);

	impostor.name = "impostor";
	ck_assert_int_eq(uev_perf_writer_add(writer, &impostor), -EEXIST);
	impostor = sources[0];
	impostor.format = "name: first\nID: 7\n\n";
	ck_assert_int_eq(uev_perf_writer_add(writer, &impostor), 0);
	impostor.format_size++;
	ck_assert_int_eq(uev_perf_writer_add(writer, &impostor), -EEXIST);
	impostor.format = "name: first\nID: 8\n";
	impostor.format_size--;
	ck_assert_int_eq(uev_perf_writer_add(writer, &impostor), -EEXIST);
	impostor.format = NULL;
	ck_assert_int_eq(uev_perf_writer_add(writer, &impostor), 0);
	/* None of that did any harm. */
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	ck_assert_int_eq(files(), 1);
}

static void count_problem(void *data, uint64_t offset, const char *reason)
{
	unsigned int *problems = data;

	(void)offset;
	ck_assert_ptr_nonnull(reason);
	(*problems)++;
}

/* Returns a reader of a file that is not whole, which it reports. */
static struct uev_perf_reader *read_part(const char *name,
					 unsigned int *problems)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = count_problem,
		.data = problems,
	};
	struct uev_perf_reader *reader;

	*problems = 0;
	ck_assert_int_eq(uev_perf_reader_open(&reader, name, &options), 0);

	return reader;
}

/* A recorder that is killed leaves the file with its temporary name. */
TEST(reads_an_unfinished_file)
{
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.clock = &clock_data,
	};
	struct uev_perf_writer *writer = open_writer(&options);
	char *name = strdup(uev_perf_writer_path(writer));
	const struct uev_perf_info *info;
	struct uev_perf_reader *reader;
	unsigned int problems;

	ck_assert_int_eq(write_one(writer, 0, 1, "one"), 0);
	ck_assert_int_eq(write_one(writer, 1, 2, "two"), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	ck_assert_int_eq(write_one(writer, 2, 3, "three"), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);

	reader = read_part(name, &problems);
	expect(reader, 0, 1, "one");
	expect(reader, 1, 2, "two");
	expect(reader, 2, 3, "three");
	info = uev_perf_reader_info(reader);
	ck_assert_str_eq(info->hostname, "fake-host");
	ck_assert_uint_eq(info->has_clock, 1);
	ck_assert_uint_eq(info->clock.wall, clock_data.wall);
	expect_end(reader, 0);
	ck_assert_uint_eq(problems, 1);
	free(name);
	uev_perf_writer_discard(writer);
}

/* A copy of a complete file that was interrupted. */
TEST(reads_a_truncated_file)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	unsigned int problems;
	off_t size;
	int count, last = 3;

	ck_assert_int_eq(write_one(writer, 0, 1, "one"), 0);
	ck_assert_int_eq(write_one(writer, 1, 2, "two"), 0);
	ck_assert_int_eq(write_one(writer, 2, 3, "three"), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);

	/* The header is at the start. */
	for (size = size_of(path) - 1; size >= 104; size--) {
		ck_assert_int_eq(truncate(path, size), 0);
		reader = read_part(path, &problems);
		count = 0;
		while (uev_perf_reader_next(reader, &record) == 1)
			ck_assert_str_eq(record->source->name,
					 sources[count++].name);
		uev_perf_reader_close(reader);
		ck_assert_int_le(count, last);
		ck_assert_int_ge(count, last - 1);
		ck_assert_uint_gt(problems, 0);
		last = count;
	}
	ck_assert_int_eq(last, 0);
}

/* A format beyond the size of a record is not in an unfinished file. */
TEST(describes_large_formats_at_the_end)
{
	static char text[100 * 1024] = "name: large\nID: 5\n";
	struct uev_source source = { "user_events", "large", text,
				     sizeof(text),  5,	     0,
				     { 0 } };
	struct uev_sample record = record_of(0, 1, "raw");
	struct uev_perf_writer *writer = open_writer(NULL);
	char *name = strdup(uev_perf_writer_path(writer));
	const struct uev_sample *got;
	struct uev_perf_reader *reader;
	unsigned int problems;

	memset(text + strlen(text), ' ', sizeof(text) - strlen(text));
	record.source = &source;
	ck_assert_int_eq(uev_perf_writer_record(writer, &record), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	reader = read_part(name, &problems);
	ck_assert_int_eq(uev_perf_reader_next(reader, &got), 1);
	ck_assert_str_eq(got->source->name, "large");
	ck_assert_uint_lt(got->source->format_size, 1024);
	uev_perf_reader_close(reader);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	reader = read_back();
	ck_assert_int_eq(uev_perf_reader_next(reader, &got), 1);
	ck_assert_uint_eq(got->source->format_size, sizeof(text));
	uev_perf_reader_close(reader);
	free(name);
}

/* Without space for the end of the file, its records stay. */
TEST_LOOP(keeps_records_without_space, 2)
{
	struct uev_perf_writer *writer = open_writer(NULL);
	char *name = strdup(uev_perf_writer_path(writer));
	struct uev_perf_reader *reader;
	unsigned int problems;

	ck_assert_int_eq(write_one(writer, 0, 1, "one"), 0);
	ck_assert_int_eq(uev_perf_writer_finished_round(writer), 0);
	fake_perf.calls = 0;
	fake_perf.fail_at = (unsigned int)_i + 1;
	fake_perf.fail_with = -ENOSPC;
	ck_assert_int_eq(uev_perf_writer_finish(writer), -ENOSPC);
	fake_perf.fail_at = 0;
	ck_assert_int_eq(fake_perf.open_fds, 0);
	ck_assert_int_eq(files(), 1);
	reader = read_part(name, &problems);
	expect(reader, 0, 1, "one");
	uev_perf_reader_close(reader);
	free(name);
}

TEST(discards_an_unfinished_file)
{
	struct uev_perf_writer *writer = open_writer(NULL);

	ck_assert_int_eq(write_one(writer, 0, 1, "x"), 0);
	ck_assert_int_eq(files(), 1);
	uev_perf_writer_discard(writer);
	ck_assert_int_eq(files(), 0);
	uev_perf_writer_discard(NULL);
}

/* Two that write at once, and one that died here before. */
TEST(finds_an_unused_temporary_name)
{
	struct uev_perf_writer *writers[2];

	fake_perf_file("/out/perf.data.tmp-4321-0", "");
	writers[0] = open_writer(NULL);
	writers[1] = open_writer(NULL);
	ck_assert_int_eq(files(), 3);
	ck_assert_int_eq(uev_perf_writer_finish(writers[0]), 0);
	ck_assert_int_eq(uev_perf_writer_finish(writers[1]), 0);
	ck_assert_int_eq(files(), 2);
}

TEST(replaces_only_regular_files)
{
	struct uev_perf_writer *writer;

	ck_assert_int_eq(uev_perf_writer_open(&writer, "/dev/null", NULL),
			 -EINVAL);
	ck_assert_int_eq(uev_perf_writer_open(&writer, fake_perf.root, NULL),
			 -EINVAL);
	ck_assert_int_eq(uev_perf_writer_open(&writer, "/nowhere/x", NULL),
			 -ENOENT);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

TEST(keeps_symbolic_links)
{
	struct uev_perf_writer *writer;
	char target[16] = "";

	fake_perf_file("/out/target", "");
	ck_assert_int_eq(symlink("target", path), 0);
	ck_assert_int_eq(uev_perf_writer_finish(open_writer(NULL)), 0);
	ck_assert_int_eq(readlink(path, target, sizeof(target) - 1), 6);
	ck_assert_int_gt(size_of(path), 0);
	ck_assert_int_eq(files(), 2);
	fake_perf_remove("/out/target");
	ck_assert_int_eq(uev_perf_writer_open(&writer, path, NULL), -ENOENT);
	ck_assert_int_eq(files(), 1);
}

static bool do_everything(void)
{
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.clock = &clock_data,
	};
	struct uev_perf_writer *writer;
	bool failed = false;

	if (uev_perf_writer_open(&writer, path, &options))
		return true;
	failed |= uev_perf_writer_comm(writer, 10, 20, 1, "name") < 0;
	failed |= write_one(writer, 0, 1, "one") < 0;
	failed |= write_one(writer, 1, 2, "two") < 0;
	failed |= uev_perf_writer_lost(writer, 1, 0) < 0;
	failed |= uev_perf_writer_finished_round(writer) < 0;
	failed |= write_one(writer, 2, 3, "three") < 0;
	/* The first error persists. */
	if (uev_perf_writer_finish(writer))
		return true;
	if (failed)
		ck_abort_msg("it was forgotten that something failed");

	return false;
}

/* Removes the file that stays with its records after an error. */
static void remove_incomplete(void)
{
	char name[160];

	snprintf(name, sizeof(name), "%s.tmp-4321-0", path);
	unlink(name);
}

/* A file with its final name must be complete. */
static void check_file(bool failed)
{
	struct uev_perf_reader *reader;

	if (failed) {
		remove_incomplete();
		if (files())
			ck_abort_msg("a file stayed");
		return;
	}
	reader = read_back();
	expect(reader, 0, 1, "one");
	expect(reader, 1, 2, "two");
	expect(reader, 2, 3, "three");
	expect_end(reader, 1);
	unlink(path);
}

TEST(survives_any_failed_call)
{
	unsigned int calls;
	unsigned int at;
	int noticed = 0;
	bool failed;

	fake_perf.at_most = 500;
	check_file(do_everything());
	/* Some allocations were of the reader. */
	fake_perf.calls = 0;
	do_everything();
	unlink(path);
	calls = fake_perf.calls;
	ck_assert_uint_gt(calls, 10);
	for (at = 1; at <= calls; at++) {
		fake_perf.calls = 0;
		fake_perf.fail_at = at;
		fake_perf.fail_with = -ENOSPC;
		failed = do_everything();
		fake_perf.fail_at = 0;
		noticed += failed;
		check_file(failed);
		ck_assert_int_eq(fake_perf.open_fds, 0);
	}
	/* Everything except reads of tracefs. */
	ck_assert_int_gt(noticed, (int)calls / 2);
}

TEST(survives_any_failed_allocation)
{
	unsigned int after = 0;
	bool failed;
	bool noticed;

	do {
		fake_alloc_fail(after++);
		noticed = do_everything();
		failed = fake_alloc_end();
		check_file(noticed);
		ck_assert_int_eq(fake_perf.open_fds, 0);
	} while (failed);
	ck_assert_uint_gt(after, 20);
}
