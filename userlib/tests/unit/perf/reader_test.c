// SPDX-License-Identifier: MIT
/* Reading of perf.data: output of perf, truncated files, and other files. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <userevents/session.h>

#include "perf/reader_state.h"
#include "util/common.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys_perf.h"
#include "util/bytes.h"
#include "lib/perf_image.h"
#include "lib/runner.h"

#define PROBLEMS_MAX 64

static struct image image;

/* Problems that the reader has reported. */
static struct {
	int count;
	uint64_t offsets[PROBLEMS_MAX];
	char reasons[PROBLEMS_MAX][128];
} problems;

static void take_problem(void *data, uint64_t offset, const char *reason)
{
	int i = problems.count++;

	(void)data;
	if (i >= PROBLEMS_MAX)
		return;
	problems.offsets[i] = offset;
	snprintf(problems.reasons[i], sizeof(problems.reasons[i]), "%s",
		 reason);
}

static struct uev_perf_reader_options options_of(size_t queue_size)
{
	problems.count = 0;

	return (struct uev_perf_reader_options){
		.size = sizeof(struct uev_perf_reader_options),
		.queue_size = queue_size,
		.problem = take_problem,
	};
}

static int file_fd = -1;

/* The image as a file. Return: its descriptor, which stays this file's */
static int as_file(size_t size)
{
	if (file_fd < 0)
		file_fd = memfd_create("perf.data", 0);
	if (ftruncate(file_fd, 0) ||
	    pwrite(file_fd, image.bytes, size, 0) != (ssize_t)size)
		ck_abort_msg("the image is not written");

	return file_fd;
}

/*
 * Writes the image to a pipe.
 * Return: descriptor to read from, for the caller to close
 */
static int as_pipe(size_t size)
{
	int fds[2];

	if (pipe(fds) || write(fds[1], image.bytes, size) != (ssize_t)size ||
	    close(fds[1]))
		ck_abort_msg("the image does not fit into a pipe");

	return fds[0];
}

static struct uev_perf_reader *open_image(size_t queue_size)
{
	struct uev_perf_reader_options options = options_of(queue_size);
	struct uev_perf_reader *reader;

	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, as_file(image.size),
						 &options),
			 0);

	return reader;
}

static void expect(struct uev_perf_reader *reader, uint64_t time)
{
	const struct uev_sample *record;

	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, time);
}

static void expect_end(struct uev_perf_reader *reader)
{
	const struct uev_sample *record;

	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 0);
	ck_assert_ptr_null(record);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 0);
}

static struct uev_trace_stats counts_of(const struct uev_perf_reader *reader)
{
	struct uev_trace_stats counts;

	uev_perf_reader_stats(reader, &counts, sizeof(counts));

	return counts;
}

static void round_of(struct image *to)
{
	image_header(to, 68, 8);
}

/* Three processors, disorder within rounds, and other kinds of records. */
static void usual_records(struct image *to)
{
	image_header(to, PERF_RECORD_MMAP, 16);
	image_zeros(to, 8);
	image_sample(to, IMAGE_FIRST_ID, 300, 2, "abcdefgh");
	image_sample(to, IMAGE_SECOND_ID, 100, 0, "");
	round_of(to);
	image_sample(to, IMAGE_FIRST_ID + 1, 200, 1, "x");
	image_header(to, PERF_RECORD_LOST, 24);
	image_u64(to, IMAGE_FIRST_ID);
	image_u64(to, 11);
	image_sample(to, IMAGE_FIRST_ID, 500, 1, "y");
	round_of(to);
	image_header(to, PERF_RECORD_THROTTLE, 32);
	image_zeros(to, 24);
	image_header(to, PERF_RECORD_LOST_SAMPLES, 16);
	image_u64(to, 3);
	image_sample(to, IMAGE_SECOND_ID, 400, 0, "z");
	image_header(to, 82, 8);
	image_sample(to, IMAGE_SECOND_ID, 600, 0, "z");
}

static void check_source(const struct uev_source *source, const char *system,
			 const char *name, uint32_t id)
{
	ck_assert_str_eq(source->system, system);
	ck_assert_str_eq(source->name, name);
	ck_assert_uint_eq(source->id, id);
}

/* Checks the records of usual_records(), in any kind of image. */
static void check_usual(struct uev_perf_reader *reader, bool big)
{
	bool foreign = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint32_t flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID |
			 (foreign ? UEV_IS_FOREIGN : 0);
	const struct uev_perf_info *info = uev_perf_reader_info(reader);
	const struct uev_sample *record;
	struct uev_trace_stats counts;

	expect(reader, 100);
	expect(reader, 200);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, 300);
	ck_assert_uint_eq(record->cpu, 2);
	ck_assert_uint_eq(record->pid, 7);
	ck_assert_uint_eq(record->tid, 8);
	ck_assert_uint_eq(record->id, IMAGE_FIRST_ID);
	ck_assert_uint_eq(record->flags, flags);
	ck_assert_uint_eq(record->raw_size, 12);
	ck_assert_mem_eq(record->raw, "abcdefgh\0\0\0\0", 12);
	ck_assert_ptr_eq(record->source,
			 uev_perf_reader_source(reader, record->source->index));
	check_source(record->source, "user_events", "first", IMAGE_FIRST);
	ck_assert_str_eq(record->source->format,
			 "name: first\nID: 41\nformat:\n");
	ck_assert_uint_eq(record->source->format_size,
			  strlen(record->source->format));
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, 400);
	check_source(record->source, "user_events", "second", IMAGE_SECOND);
	ck_assert_ptr_null(record->source->format);
	expect(reader, 500);
	expect(reader, 600);
	expect_end(reader);

	ck_assert_str_eq(info->hostname, "a-host");
	ck_assert_str_eq(info->osrelease, "6.1.0");
	ck_assert_str_eq(info->arch, "s390x");
	ck_assert_uint_eq(info->cpus_present, 16);
	ck_assert_uint_eq(info->cpus_online, 12);
	ck_assert_uint_eq(info->first_time, 100);
	ck_assert_uint_eq(info->last_time, 900);
	ck_assert_uint_eq(info->is_foreign, foreign);
	ck_assert_uint_eq(info->long_size, 8);
	ck_assert(info->has_clock);
	ck_assert_int_eq(info->clock.clockid, 4);
	ck_assert_uint_eq(uev_clock_wall(&info->clock, 1100), 5000000100ULL);

	counts = counts_of(reader);
	ck_assert_uint_eq(counts.records, 6);
	ck_assert_uint_eq(counts.lost, 11);
	ck_assert_uint_eq(counts.throttled, 1);
	ck_assert_uint_eq(counts.corrupt, 0);
	ck_assert_uint_eq(counts.unordered, 0);
	ck_assert_uint_eq(counts.bytes, 6 * 48 + 8);
	ck_assert_int_eq(problems.count, 0);
}

/* Little-endian, big-endian, and big-endian with 4-byte longs. */
static const struct {
	bool big;
	unsigned int word_size;
} orders[] = { { false, 8 }, { true, 8 }, { true, 4 } };

TEST_FIXTURE(fake_perf_begin, fake_perf_end);

TEST_LOOP(a_file, ARRAY_SIZE(orders))
{
	struct uev_perf_reader *reader;
	uint64_t size;

	image_file(&image, orders[_i].big, orders[_i].word_size, usual_records);
	reader = open_image(0);
	ck_assert(!uev_perf_reader_info(reader)->is_pipe);
	ck_assert_uint_eq(uev_perf_reader_offset(reader, &size),
			  image_data_offset);
	ck_assert_uint_eq(size, image.size);
	check_usual(reader, orders[_i].big);
	ck_assert_uint_eq(uev_perf_reader_offset(reader, &size),
			  image_data_offset + image_data_size);
	uev_perf_reader_close(reader);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

/* Reads of this size. */
static const size_t pieces[] = { 0, 1, 7, 4096 };

TEST_LOOP(a_pipe, 2 * ARRAY_SIZE(pieces))
{
	struct uev_perf_reader_options options = options_of(0);
	struct uev_perf_reader *reader;
	bool big = _i & 1;
	uint64_t size;
	int fd;

	fake_perf.at_most = pieces[_i / 2];
	image_pipe(&image, big, usual_records);
	fd = as_pipe(image.size);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, fd, &options), 0);
	ck_assert(uev_perf_reader_info(reader)->is_pipe);
	check_usual(reader, big);
	ck_assert_uint_eq(uev_perf_reader_offset(reader, &size), image.size);
	ck_assert_uint_eq(size, 0);
	uev_perf_reader_close(reader);
	close(fd);
}

/* perf record -o - >FILE */
TEST_LOOP(reads_pipe_output_from_a_file, 2)
{
	struct uev_perf_reader *reader;

	fake_perf.at_most = 100;
	image_pipe(&image, _i, usual_records);
	reader = open_image(0);
	check_usual(reader, _i);
	uev_perf_reader_close(reader);
}

TEST(opens_a_path)
{
	struct uev_perf_reader *reader;
	char path[64];

	image_file(&image, false, 8, usual_records);
	snprintf(path, sizeof(path), "/dev/fd/%d", as_file(image.size));
	ck_assert_int_eq(uev_perf_reader_open(&reader, path, NULL), 0);
	problems.count = 0;
	check_usual(reader, false);
	uev_perf_reader_close(reader);
	ck_assert_int_eq(fake_perf.open_fds, 0);
	ck_assert_int_eq(uev_perf_reader_open(&reader, "/nowhere", NULL),
			 -ENOENT);
}

TEST(rejects_a_file_in_a_pipe)
{
	struct uev_perf_reader *reader;
	int fd;

	image_file(&image, false, 8, usual_records);
	fd = as_pipe(image.size);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, fd, NULL), -ESPIPE);
	close(fd);
}

/* @problem: part of the reason that is reported, or NULL */
static const struct {
	const char *bytes;
	size_t size;
	const char *problem;
} others[] = {
	{ "", 0, NULL },
	{ "PERFILE2", 8, NULL },
	{ "PERFILE2\x10\0\0\0\0\0\0", 15, NULL },
	{ "PERFFILE\x10\0\0\0\0\0\0\0", 16, "before Linux 3.4" },
	{ "#!/bin/sh\n# something else", 26, NULL },
	{ "PERFILE2\x11\0\0\0\0\0\0\0", 16, NULL },
	{ "PERFILE2\x68\0\0\0\0\0\0\0", 16, NULL },
	{ "2ELIFREP\x10\0\0\0\0\0\0\0", 16, NULL },
	{ "ELIFFREP\0\0\0\0\0\0\0\x68", 16, "before Linux 3.4" },
	{ "\x1f\x8b\x08\x08\x5d\x1c\x27\x6a\0\x03perf.", 16, "gzip -d" },
	{ "\xfd\x37zXZ\0\0\x04\xe6\xd6\xb4\x46\x02\0\x21\x01", 16, "xz -d" },
	{ "\x28\xb5\x2f\xfd\x64\xb4\x16\xa5\x1a\0\0\0\0\0\0\0", 16, "zstd -d" },
	{ "\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0\0\0\0\0\0", 16, "lz4 -d" },
	{ "BZh91AY&SY\0\0\0\0\0\0", 16, "bzip2 -d" },
};

TEST_LOOP(rejects_other_files, ARRAY_SIZE(others))
{
	struct uev_perf_reader_options options = options_of(0);
	const char *problem = others[_i].problem;
	struct uev_perf_reader *reader;
	int fd;

	image.size = 0;
	image_bytes(&image, others[_i].bytes, others[_i].size);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, as_file(image.size),
						 &options),
			 -EBADMSG);
	ck_assert_int_eq(problems.count, problem ? 1 : 0);
	if (!problem)
		return;
	ck_assert_ptr_nonnull(strstr(problems.reasons[0], problem));
	fd = as_pipe(image.size);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, fd, &options),
			 -EBADMSG);
	ck_assert_int_eq(problems.count, 2);
	close(fd);
}

/* A thread, and its process, are called so. */
static void comm(struct image *to, uint32_t tid, const char *name)
{
	char text[8] = "";

	memcpy(text, name, strnlen(name, sizeof(text)));
	image_header(to, PERF_RECORD_COMM, 24);
	image_u32(to, 7);
	image_u32(to, tid);
	image_bytes(to, text, sizeof(text));
}

static void threads(struct image *to)
{
	comm(to, 8, "first");
	comm(to, 8, "second");
	/* Without a terminator, which no kernel writes. */
	comm(to, 9, "12345678");
	image_header(to, PERF_RECORD_FORK, 32);
	image_u32(to, 7);
	image_u32(to, 7);
	image_u32(to, 10);
	image_u32(to, 8);
	image_u64(to, 0);
	comm(to, 8, "third");
	image_sample(to, IMAGE_FIRST_ID, 1000, 0, "raw");
}

/* The trailer of records with times. */
static void trailer(struct image *to, uint64_t time, uint64_t id)
{
	image_u32(to, 7);
	image_u32(to, 8);
	image_u64(to, time);
	image_u64(to, 0);
	image_u64(to, id);
}

static void comm_at(struct image *to, uint32_t tid, const char *name,
		    uint64_t time, uint64_t id)
{
	char text[16] = "";

	memcpy(text, name, strlen(name));
	image_header(to, PERF_RECORD_COMM, 64);
	image_u32(to, 7);
	image_u32(to, tid);
	image_bytes(to, text, sizeof(text));
	trailer(to, time, id);
}

/* Out of order, as records of several processors are. */
static void names_with_times(struct image *to)
{
	/* Written by perf at its start, without time and event. */
	comm_at(to, 8, "first", 0, 0);
	image_sample(to, IMAGE_FIRST_ID, 400, 0, "raw");
	image_sample(to, IMAGE_FIRST_ID, 100, 0, "raw");
	comm_at(to, 8, "third", 300, IMAGE_SECOND_ID);
	comm_at(to, 8, "second", 200, IMAGE_FIRST_ID);
	image_header(to, PERF_RECORD_FORK, 64);
	image_u32(to, 7);
	image_u32(to, 7);
	image_u32(to, 9);
	image_u32(to, 8);
	image_u64(to, 250);
	trailer(to, 250, IMAGE_FIRST_ID);
	image_sample(to, IMAGE_SECOND_ID, 200, 0, "raw");
	round_of(to);
	image_sample(to, IMAGE_SECOND_ID, 350, 0, "raw");
	comm_at(to, 9, "last", 401, IMAGE_SECOND_ID);
}

TEST_LOOP(names_are_those_of_the_time, 2)
{
	struct uev_perf_reader *reader;

	image_file(&image, _i, 8, names_with_times);
	reader = open_image(0);
	expect(reader, 100);
	ck_assert_str_eq(uev_perf_reader_comm(reader, 8), "first");
	expect(reader, 200);
	ck_assert_str_eq(uev_perf_reader_comm(reader, 8), "second");
	ck_assert_ptr_null(uev_perf_reader_comm(reader, 9));
	expect(reader, 350);
	ck_assert_str_eq(uev_perf_reader_comm(reader, 8), "third");
	ck_assert_str_eq(uev_perf_reader_comm(reader, 9), "second");
	expect(reader, 400);
	ck_assert_str_eq(uev_perf_reader_comm(reader, 9), "second");
	expect_end(reader);
	ck_assert_uint_eq(counts_of(reader).other, 5);
	uev_perf_reader_close(reader);
}

/* Wherever a record has been put, it can be found. */
TEST_LOOP(returns_record_offsets, 4)
{
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	uint64_t offset;
	int count = 0;
	int fd = -1;

	if (_i & 2)
		image_pipe(&image, _i & 1, usual_records);
	else
		image_file(&image, _i & 1, 8, usual_records);
	if (_i & 2)
		fd = as_pipe(image.size);
	ck_assert_int_eq(uev_perf_reader_open_fd(
				 &reader, fd < 0 ? as_file(image.size) : fd,
				 NULL),
			 0);
	while (uev_perf_reader_next(reader, &record) > 0) {
		offset = uev_perf_reader_record_offset(reader);
		ck_assert_uint_lt(offset, image.size - 44);
		/* Header, number, thread, time, processor, size, bytes. */
		ck_assert_uint_eq(uev_get32(image.bytes + offset, _i & 1),
				  PERF_RECORD_SAMPLE);
		ck_assert_uint_eq(uev_get64(image.bytes + offset + 24, _i & 1),
				  record->time);
		ck_assert_mem_eq(image.bytes + offset + 44, record->raw,
				 record->raw_size);
		count++;
	}
	ck_assert_int_eq(count, 6);
	uev_perf_reader_close(reader);
	if (fd >= 0)
		close(fd);
}

/* Threads have their last name, or that of their creator. */
TEST_LOOP(names_of_threads, 2)
{
	const struct uev_sample *record;
	struct uev_perf_reader *reader;

	image_file(&image, _i, 8, threads);
	ck_assert(!uev_perf_reader_open_fd(&reader, as_file(image.size), NULL));
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_str_eq(uev_perf_reader_comm(reader, 8), "third");
	ck_assert_str_eq(uev_perf_reader_comm(reader, 9), "12345678");
	ck_assert_str_eq(uev_perf_reader_comm(reader, 10), "second");
	ck_assert_ptr_null(uev_perf_reader_comm(reader, 7));
	uev_perf_reader_close(reader);
}

/* Reads everything. Return: number of records, which are ordered */
static int read_all(int fd)
{
	struct uev_perf_reader_options options = options_of(0);
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	int count = 0;
	uint64_t size;
	int ret;

	ret = uev_perf_reader_open_fd(&reader, fd, &options);
	if (ret) {
		ck_assert_int_eq(ret, -EBADMSG);
		return 0;
	}
	while ((ret = uev_perf_reader_next(reader, &record)) > 0) {
		/* Checks that every byte is readable. */
		if (record->raw_size)
			ck_assert_mem_eq(record->raw, record->raw,
					 record->raw_size);
		ck_assert_ptr_nonnull(record->source->name);
		count++;
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(counts_of(reader).records, (unsigned int)count);
	ck_assert_uint_le(uev_perf_reader_offset(reader, &size),
			  size ? size : UINT64_MAX);
	uev_perf_reader_close(reader);

	return count;
}

/* A truncated file has no additional records, and the loss is reported. */
TEST_LOOP(accepts_truncation_anywhere, ARRAY_SIZE(orders))
{
	size_t size;
	int before = 0;
	int count;

	image_file(&image, orders[_i].big, orders[_i].word_size, usual_records);
	for (size = 0; size < image.size; size++) {
		count = read_all(as_file(size));
		ck_assert_int_ge(count, before);
		ck_assert(size < 16 || size < image_data_offset ||
			  problems.count);
		before = count;
	}
	ck_assert_int_eq(read_all(as_file(size)), 6);
	ck_assert_int_eq(problems.count, 0);
}

TEST_LOOP(accepts_a_broken_pipe_anywhere, 2)
{
	size_t size;
	int count;
	int fd;

	image_pipe(&image, _i, usual_records);
	for (size = 0; size <= image.size; size++) {
		fd = as_pipe(size);
		count = read_all(fd);
		close(fd);
	}
	ck_assert_int_eq(count, 6);
}

/* No changed byte causes a crash or an endless loop. */
TEST_LOOP(accepts_any_changed_byte, 4)
{
	static const uint8_t masks[] = { 0xff, 0x01, 0x80 };
	size_t i;

	if (_i & 2)
		image_pipe(&image, _i & 1, usual_records);
	else
		image_file(&image, _i & 1, 8, usual_records);
	for (i = 0; i < image.size; i++) {
		image.bytes[i] ^= masks[i % 3];
		read_all(as_file(image.size));
		image.bytes[i] ^= masks[i % 3];
	}
	ck_assert_int_eq(read_all(as_file(image.size)), 6);
}

static uint16_t bad_size;

static void a_bad_record(struct image *to)
{
	image_sample(to, IMAGE_FIRST_ID, 100, 0, "before");
	image_header(to, PERF_RECORD_SAMPLE, bad_size);
	image_bytes(to, "no record at all", 16);
	image_sample(to, IMAGE_FIRST_ID, 200, 0, "after");
	round_of(to);
	image_sample(to, IMAGE_FIRST_ID, 300, 0, "after");
}

/* Invalid sizes and their errors. */
static const struct {
	uint16_t size;
	const char *reason;
} bad_sizes[] = {
	{ 0, "record too short" },
	{ 7, "record too short" },
	{ 65535, "record exceeds the data" },
};

TEST_LOOP(continues_after_a_bad_record, ARRAY_SIZE(bad_sizes))
{
	struct uev_perf_reader *reader;

	bad_size = bad_sizes[_i].size;
	image_file(&image, false, 8, a_bad_record);
	reader = open_image(0);
	expect(reader, 100);
	expect(reader, 200);
	expect(reader, 300);
	expect_end(reader);
	ck_assert_int_eq(problems.count, 2);
	ck_assert_uint_eq(problems.offsets[0], image_data_offset + 56);
	ck_assert_str_eq(problems.reasons[0], bad_sizes[_i].reason);
	ck_assert_uint_eq(problems.offsets[1], image_data_offset + 56);
	ck_assert_str_eq(problems.reasons[1], "skipped 24 bytes");
	ck_assert_uint_eq(counts_of(reader).corrupt, 1);
	uev_perf_reader_close(reader);
}

/* As written by perf record, which counts the same losses for each event. */
static void lost_records(struct image *to)
{
	static const uint32_t samples[] = { 4, 9 };
	size_t i;

	image_sample(to, IMAGE_FIRST_ID, 100, 0, "");
	for (i = 0; i < 2; i++) {
		image_header(to, PERF_RECORD_LOST, 24);
		image_u64(to, IMAGE_FIRST_ID);
		image_u64(to, 5);
	}
	for (i = 0; i < 2; i++) {
		image_header(to, PERF_RECORD_LOST_SAMPLES, 16);
		image_u64(to, samples[i]);
	}
	/* Samples that a BPF filter has dropped. */
	image_u32(to, PERF_RECORD_LOST_SAMPLES);
	image_u16(to, 1 << 15);
	image_u16(to, 16);
	image_u64(to, 1000);
}

TEST_LOOP(counts_losses_once, 2)
{
	struct uev_perf_reader *reader;

	image_file(&image, _i, 8, lost_records);
	reader = open_image(0);
	expect(reader, 100);
	expect_end(reader);
	ck_assert_uint_eq(counts_of(reader).lost, 13);
	uev_perf_reader_close(reader);
}

/* Short records; the following ones are read. */
static void short_records(struct image *to)
{
	image_header(to, PERF_RECORD_LOST, 16);
	image_u64(to, 0);
	image_header(to, PERF_RECORD_LOST_SAMPLES, 8);
	image_header(to, 64, 16);
	image_u64(to, 0);
	image_header(to, 66, 8);
	image_header(to, 71, 8);
	image_header(to, 78, 8);
	image_header(to, 80, 8);
	image_header(to, PERF_RECORD_SAMPLE, 16);
	image_u64(to, IMAGE_FIRST_ID);
	image_header(to, PERF_RECORD_SAMPLE, 16);
	image_u64(to, 12345);
	/* An attribute that says it is longer than it is. */
	image_header(to, 64, 8 + 64);
	image_u32(to, 0);
	image_u32(to, 65);
	image_zeros(to, 56);
	/* An update without an event. */
	image_header(to, 78, 24);
	image_u64(to, 2);
	image_u64(to, 12345);
	/* A text that is longer than its part. */
	image_header(to, 80, 24);
	image_u64(to, 3);
	image_u32(to, 50);
	image_u32(to, 0);
	/* One that is longer than any. */
	image_header(to, 80, 24);
	image_u64(to, 3);
	image_u32(to, 5000);
	image_u32(to, 0);
	/* The PID of a namespace, and a loss with a part of its reason. */
	image_header(to, 65, 16);
	image_bytes(to, "UEVVPID1", 8);
	image_header(to, 65, 80);
	image_bytes(to, "UEVLOSS1", 8);
	image_u64(to, 0);
	image_u64(to, 1);
	image_zeros(to, 24);
	image_bytes(to, "reason", 7);
	image_zeros(to, 17);
	/* A loss of no records. */
	image_header(to, 65, 88);
	image_bytes(to, "UEVLOSS1", 8);
	image_zeros(to, 40);
	image_bytes(to, "reason", 7);
	image_zeros(to, 25);
	image_sample(to, IMAGE_FIRST_ID, 100, 0, "after");
}

TEST_LOOP(rejects_short_records, 2)
{
	struct uev_perf_reader *reader;
	int i;

	image_file(&image, _i, 8, short_records);
	reader = open_image(0);
	expect(reader, 100);
	expect_end(reader);
	ck_assert_uint_eq(counts_of(reader).corrupt, 16);
	/* The record of a feature section is also read as another kind. */
	ck_assert_int_eq(problems.count, 16 + 1);
	for (i = 1; i < problems.count; i++)
		ck_assert_uint_ge(problems.offsets[i], problems.offsets[i - 1]);
	uev_perf_reader_close(reader);
}

/* Bytes that belong to a record, but are not counted in its size. */
static void records_with_more(struct image *to)
{
	image_header(to, 71, 48);
	image_u64(to, 70000);
	image_zeros(to, 32);
	image_zeros(to, 70000);
	image_sample(to, IMAGE_FIRST_ID, 100, 0, "");
	image_header(to, 78, 32);
	image_u64(to, 2);
	image_u64(to, IMAGE_SECOND_ID);
	image_bytes(to, "renamed\0", 8);
	image_header(to, 78, 32);
	image_u64(to, 1);
	image_u64(to, IMAGE_SECOND_ID);
	image_bytes(to, "a scale\0", 8);
	/* More than the data has. */
	image_header(to, 71, 48);
	image_u64(to, UINT64_MAX);
	image_zeros(to, 32);
	image_sample(to, IMAGE_FIRST_ID, 200, 0, "");
}

TEST_LOOP(skips_record_payloads, 2)
{
	struct uev_perf_reader *reader;

	image_file(&image, _i, 8, records_with_more);
	reader = open_image(0);
	expect(reader, 100);
	expect(reader, 200);
	expect_end(reader);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_str_eq(problems.reasons[0], "truncated record payload");
	uev_perf_reader_close(reader);
}

static void no_rounds(struct image *to)
{
	uint64_t time;

	for (time = 100; time > 0; time--)
		image_sample(to, IMAGE_FIRST_ID, time, 0, "");
}

TEST(limits_the_queue)
{
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	uint64_t newest = 0;
	uint64_t late = 0;

	image_file(&image, false, 8, no_rounds);
	reader = open_image(0);
	expect(reader, 1);
	uev_perf_reader_close(reader);

	/* With so little everything is given as it comes. */
	reader = open_image(1);
	expect(reader, 100);
	newest = 100;
	while (uev_perf_reader_next(reader, &record) > 0) {
		late += record->time < newest;
		newest = record->time > newest ? record->time : newest;
	}
	ck_assert_uint_eq(late, 99);
	ck_assert_uint_eq(counts_of(reader).unordered, 99);
	ck_assert_uint_eq(counts_of(reader).records, 100);
	uev_perf_reader_close(reader);
}

TEST(reads_an_unfinished_file)
{
	struct uev_perf_reader *reader;

	image_file(&image, false, 8, usual_records);
	image_set64(&image, 48, 0);
	memset(image.bytes + IMAGE_FEATURES, 0, 32);
	image.size = image_data_offset + image_data_size;
	reader = open_image(0);
	ck_assert_int_eq(problems.count, 1);
	expect(reader, 100);
	expect(reader, 200);
	expect(reader, 300);
	expect(reader, 400);
	expect(reader, 500);
	expect(reader, 600);
	expect_end(reader);
	uev_perf_reader_close(reader);
}

/* Without the attributes, the descriptions of the events will do. */
TEST_LOOP(reports_missing_attributes, 2)
{
	struct uev_perf_reader *reader;
	const struct uev_sample *record;

	image_file(&image, _i, 8, usual_records);
	image_set64(&image, 16, 5);
	reader = open_image(0);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_uint_eq(problems.offsets[0], 16);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, 100);
	check_source(record->source, "user_events", "second", IMAGE_SECOND);
	uev_perf_reader_close(reader);
}

/*
 * One event without IDs in its records, which is no tracepoint. perf writes
 * the IDs of its attribute nevertheless.
 */
TEST_LOOP(reads_one_event_without_ids, 2)
{
	struct uev_perf_reader_options options = options_of(0);
	const struct uev_sample *record;
	struct uev_perf_reader *reader;

	image.size = 0;
	image.big = false;
	image_bytes(&image, "PERFILE2", 8);
	image_u64(&image, 16);
	image_header(&image, 64, _i ? 128 : 120);
	image_attr(&image, PERF_TYPE_SOFTWARE, 1, PERF_SAMPLE_TID);
	if (_i)
		image_u64(&image, IMAGE_FIRST_ID);
	image_header(&image, PERF_RECORD_SAMPLE, 16);
	image_u32(&image, 5);
	image_u32(&image, 6);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, as_file(image.size),
						 &options),
			 0);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->flags, UEV_HAS_TID);
	ck_assert_uint_eq(record->pid, 5);
	ck_assert_uint_eq(record->raw_size, 0);
	ck_assert_ptr_null(record->source->system);
	ck_assert_str_eq(record->source->name, "");
	ck_assert_uint_eq(record->source->id, 0);
	expect_end(reader);
	uev_perf_reader_close(reader);
}

/*
 * perf 4.14 writes attributes without IDs to a pipe, although samples
 * have them: one event, two events, and one of two.
 */
static const struct {
	bool has_second;
	bool has_second_ids;
	int corrupt;
} without_ids[] = {
	{ false, false, 0 },
	{ true, false, 1 },
	{ true, true, 1 },
};

static void attr_without_ids(uint64_t tracepoint, bool has_id, uint64_t id)
{
	image_header(&image, 64, has_id ? 128 : 120);
	image_attr(&image, PERF_TYPE_TRACEPOINT, tracepoint, IMAGE_SAMPLE_TYPE);
	if (has_id)
		image_u64(&image, id);
}

static void pipe_without_ids(bool big, bool has_second, bool has_second_ids)
{
	image.size = 0;
	image.big = big;
	image_bytes(&image, big ? "2ELIFREP" : "PERFILE2", 8);
	image_u64(&image, 16);
	attr_without_ids(IMAGE_FIRST, false, 0);
	if (has_second)
		attr_without_ids(IMAGE_SECOND, has_second_ids, IMAGE_SECOND_ID);
	image_sample(&image, IMAGE_FIRST_ID, 100, 0, "");
	image_set16(&image, image.size - 4, IMAGE_FIRST);
	image_sample(&image, IMAGE_SECOND_ID, 200, 0, "");
	image_set16(&image, image.size - 4, IMAGE_SECOND);
	/* A tracepoint of neither. */
	image_sample(&image, 999, 300, 0, "");
	image_set16(&image, image.size - 4, 999);
}

TEST_LOOP(reads_pipes_without_ids, 2 * ARRAY_SIZE(without_ids))
{
	struct uev_perf_reader_options options = options_of(0);
	bool has_second = without_ids[_i / 2].has_second;
	struct uev_perf_reader *reader;
	const struct uev_sample *record;

	pipe_without_ids(_i % 2, has_second,
			 without_ids[_i / 2].has_second_ids);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, as_file(image.size),
						 &options),
			 0);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, 100);
	ck_assert_uint_eq(record->source->id, IMAGE_FIRST);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, 200);
	ck_assert_uint_eq(record->source->id,
			  has_second ? IMAGE_SECOND : IMAGE_FIRST);
	if (!has_second)
		expect(reader, 300);
	expect_end(reader);
	ck_assert_uint_eq(counts_of(reader).corrupt,
			  without_ids[_i / 2].corrupt);
	uev_perf_reader_close(reader);
}

/* A pipe can describe the same ID again. */
TEST(an_id_is_of_the_last_attribute_that_has_it)
{
	struct uev_perf_reader_options options = options_of(0);
	struct uev_perf_reader *reader;
	const struct uev_sample *record;

	image.size = 0;
	image.big = false;
	image_bytes(&image, "PERFILE2", 8);
	image_u64(&image, 16);
	attr_without_ids(IMAGE_FIRST, true, IMAGE_FIRST_ID);
	image_sample(&image, IMAGE_FIRST_ID, 100, 0, "");
	attr_without_ids(IMAGE_SECOND, true, IMAGE_FIRST_ID);
	image_sample(&image, IMAGE_FIRST_ID, 200, 0, "");
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, as_file(image.size),
						 &options),
			 0);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->source->id, IMAGE_FIRST);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->source->id, IMAGE_SECOND);
	expect_end(reader);
	uev_perf_reader_close(reader);
}

/* ---- Directories ---- */

static char directory[96];
/* Bytes before the end of the records of all of its files. */
static uint64_t directory_size;

/* Writes a file of the directory from @from to the end of the image. */
static void part_file(const char *name, size_t from)
{
	char path[160];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(image.bytes + from, 1, image.size - from,
				 file),
			  image.size - from);
	ck_assert_int_eq(fclose(file), 0);
}

static void part_comm(struct image *to, uint32_t tid, uint64_t time,
		      const char *name)
{
	image_header(to, PERF_RECORD_COMM, 56);
	image_u32(to, 7);
	image_u32(to, tid);
	image_bytes(to, name, 8);
	image_u32(to, 7);
	image_u32(to, tid);
	image_u64(to, time);
	image_u64(to, 0);
	image_u64(to, IMAGE_FIRST_ID);
}

/* A record of perf, and a round that the other files are not part of. */
static void records_of_perf(struct image *to)
{
	round_of(to);
	image_sample(to, IMAGE_FIRST_ID, 250, 0, "");
	round_of(to);
}

/* The files of three threads, one of them empty. @first: the first file */
static void make_directory(bool big, const char *first)
{
	size_t from = 0;

	snprintf(directory, sizeof(directory), "%s/perf.data", fake_perf.root);
	ck_assert(!mkdir(directory, 0700) || errno == EEXIST);
	image_file(&image, big, 8, records_of_perf);
	part_file(first, from);
	from = image.size;
	directory_size = image_data_offset + image_data_size - from;
	/* The kernel's buffers are not in order. */
	image_sample(&image, IMAGE_FIRST_ID, 200, 0, "");
	image_sample(&image, IMAGE_FIRST_ID, 100, 1, "");
	image_sample(&image, IMAGE_SECOND_ID, 400, 0, "");
	part_file("data.0", from);
	from = image.size;
	part_comm(&image, 8, 150, "later\0\0");
	image_sample(&image, IMAGE_SECOND_ID, 300, 2, "");
	part_file("data.10", from);
	from = image.size;
	part_file("data.2", from);
	directory_size += image.size;
	part_file("data.x", 0);
	part_file("other", 0);
}

static void remove_directory(void)
{
	static const char *const names[] = { "data",   "header", "data.0",
					     "data.2", "data.4", "data.10",
					     "data.x", "other" };
	char path[160];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	ck_assert_int_eq(rmdir(directory), 0);
}

/* Files that have been read to their end take no memory. */
static void expect_ended_files_are_freed(const struct uev_perf_reader *reader)
{
	const struct uev_perf_part *part;
	size_t i;

	ck_assert_uint_gt(reader->part_count, 2);
	for (i = 0; i < reader->part_count; i++) {
		part = &reader->parts[i];
		if (part == reader->part)
			continue;
		ck_assert(part->at_end);
		ck_assert_ptr_null(part->input.buffer);
		ck_assert_ptr_null(part->decompressed.buffer);
		ck_assert_ptr_null(part->decompressor.stream);
	}
}

TEST_LOOP(reads_a_directory, 4)
{
	struct uev_perf_reader_options options = options_of(0);
	struct uev_perf_reader *reader;
	uint64_t size;

	make_directory(_i & 1, _i & 2 ? "header" : "data");
	ck_assert_int_eq(uev_perf_reader_open(&reader, directory, &options), 0);
	expect(reader, 100);
	ck_assert_ptr_null(uev_perf_reader_comm(reader, 8));
	expect(reader, 200);
	/* From another file than the record. */
	ck_assert_str_eq(uev_perf_reader_comm(reader, 8), "later");
	expect(reader, 250);
	expect(reader, 300);
	expect(reader, 400);
	expect_end(reader);
	ck_assert_uint_eq(uev_perf_reader_offset(reader, &size),
			  directory_size);
	ck_assert_uint_eq(problems.count, 0);
	expect_ended_files_are_freed(reader);
	uev_perf_reader_close(reader);
	ck_assert_int_eq(fake_perf.open_fds, 0);
	remove_directory();
}

/* More records than the queue has room for, in files that end in each other. */
TEST(reads_files_side_by_side)
{
	struct uev_perf_reader_options options = options_of(1);
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	uint64_t last = 0;
	unsigned int i, count = 0;

	make_directory(false, "data");
	for (i = 0; i < 3; i++) {
		char name[8];
		uint64_t time;

		image.size = 0;
		for (time = 1; time < 1000; time++)
			image_sample(&image, IMAGE_FIRST_ID,
				     1000 + time * 3 + i, i, "");
		snprintf(name, sizeof(name), "data.%u", i * 2);
		part_file(name, 0);
	}
	ck_assert_int_eq(uev_perf_reader_open(&reader, directory, &options), 0);
	while (uev_perf_reader_next(reader, &record) == 1) {
		ck_assert_uint_ge(record->time, last);
		last = record->time;
		count++;
	}
	ck_assert_uint_eq(count, 3 * 999 + 2);
	ck_assert_uint_eq(counts_of(reader).unordered, 0);
	uev_perf_reader_close(reader);
	remove_directory();
}

/* As of perf record without --threads */
TEST(reads_a_directory_with_one_file)
{
	struct uev_perf_reader_options options = options_of(0);
	struct uev_perf_reader *reader;

	make_directory(false, "data");
	fake_perf_remove("/perf.data/data.0");
	fake_perf_remove("/perf.data/data.10");
	fake_perf_remove("/perf.data/data.2");
	ck_assert_int_eq(uev_perf_reader_open(&reader, directory, &options), 0);
	expect(reader, 250);
	expect_end(reader);
	ck_assert_int_eq(problems.count, 0);
	uev_perf_reader_close(reader);
	remove_directory();
}

TEST(names_the_file_of_a_problem)
{
	struct uev_perf_reader_options options = options_of(0);
	const struct uev_sample *record;
	struct uev_perf_reader *reader;

	make_directory(false, "data");
	image.size = 0;
	image_header(&image, PERF_RECORD_SAMPLE, 4);
	part_file("data.2", 0);
	ck_assert_int_eq(uev_perf_reader_open(&reader, directory, &options), 0);
	while (uev_perf_reader_next(reader, &record) == 1)
		continue;
	ck_assert_int_eq(problems.count, 2);
	ck_assert_str_eq(problems.reasons[0], "data.2: record too short");
	uev_perf_reader_close(reader);
	remove_directory();
}

TEST(rejects_other_directories)
{
	struct uev_perf_reader *reader;

	ck_assert_int_eq(uev_perf_reader_open(&reader, fake_perf.root, NULL),
			 -EISDIR);
	ck_assert_ptr_null(reader);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

/* Return: whether it noticed */
static bool read_directory(void)
{
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	int ret;

	if (uev_perf_reader_open(&reader, directory, NULL))
		return true;
	while ((ret = uev_perf_reader_next(reader, &record)) > 0)
		;
	uev_perf_reader_close(reader);

	return ret;
}

TEST(survives_any_failure_in_a_directory)
{
	unsigned int calls, at;
	bool noticed, failed;

	make_directory(false, "data");
	/* Without a name, which can be lost. */
	image.size = 0;
	image_sample(&image, IMAGE_SECOND_ID, 300, 2, "");
	part_file("data.10", 0);
	fake_perf.calls = 0;
	ck_assert(!read_directory());
	calls = fake_perf.calls;
	for (at = 1; at <= calls; at++) {
		fake_perf.calls = 0;
		fake_perf.fail_at = at;
		fake_perf.fail_with = -EIO;
		ck_assert(read_directory());
		ck_assert_int_eq(fake_perf.open_fds, 0);
	}
	fake_perf.fail_at = 0;
	at = 0;
	do {
		fake_alloc_fail(at++);
		noticed = read_directory();
		failed = fake_alloc_end();
		ck_assert_int_eq(noticed, failed);
		ck_assert_int_eq(fake_perf.open_fds, 0);
	} while (failed);
	remove_directory();
}

/* Return: whether it noticed */
static bool do_everything(int fd, bool by_path)
{
	struct uev_perf_reader_options options = options_of(0);
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	char path[64];
	int ret;

	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	ret = by_path ? uev_perf_reader_open(&reader, path, &options)
		      : uev_perf_reader_open_fd(&reader, fd, &options);
	if (ret)
		return true;
	while ((ret = uev_perf_reader_next(reader, &record)) > 0)
		;
	uev_perf_reader_close(reader);

	return ret;
}

TEST(survives_any_failed_call)
{
	unsigned int calls;
	unsigned int at;

	fake_perf.at_most = 200;
	image_file(&image, false, 8, usual_records);
	ck_assert(!do_everything(as_file(image.size), true));
	calls = fake_perf.calls;
	ck_assert_uint_gt(calls, 10);
	for (at = 1; at <= calls; at++) {
		fake_perf.calls = 0;
		fake_perf.fail_at = at;
		fake_perf.fail_with = -EIO;
		ck_assert(do_everything(as_file(image.size), true));
		/* The file itself is not malformed. */
		ck_assert_int_eq(problems.count, 0);
		ck_assert_int_eq(fake_perf.open_fds, 0);
	}
}

TEST_LOOP(survives_any_failed_allocation, 2)
{
	unsigned int after = 0;
	bool failed;
	bool noticed;
	int fd;

	if (_i)
		image_pipe(&image, false, usual_records);
	else
		image_file(&image, false, 8, usual_records);
	do {
		fd = as_file(image.size);
		fake_alloc_fail(after++);
		noticed = do_everything(fd, false);
		failed = fake_alloc_end();
		ck_assert_int_eq(noticed, failed);
	} while (failed);
	ck_assert_uint_gt(after, 20);
}
