// SPDX-License-Identifier: MIT
/*
 * Reading of compressed records, as perf record -z writes them: one stream in
 * all compressed records, with a block that ends at the end of each.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>

#ifdef UEV_HAS_ZSTD
#include <zstd.h>

#include "lib/peak_memory.h"
#endif

#include <userevents/session.h>

#include "lib/fake_alloc.h"
#include "lib/fake_sys_perf.h"
#include "lib/perf_image.h"
#include "lib/runner.h"
#include "lib/work.h"
#include "util/bytes.h"
#include "util/common.h"

#define COMPRESSED 81
#define COMPRESSED2 83

static struct image image;

/* The last problem that the reader has reported. */
static struct {
	int count;
	uint64_t offset;
	char reason[128];
} problems;

static void take_problem(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	problems.count++;
	problems.offset = offset;
	snprintf(problems.reason, sizeof(problems.reason), "%s", reason);
}

static int image_fd(bool as_pipe)
{
	int fds[2] = { -1, -1 };

	if (as_pipe) {
		if (pipe(fds))
			ck_abort_msg("%s", strerror(errno));
	} else {
		fds[1] = memfd_create("perf.data", 0);
		fds[0] = fds[1];
	}
	if (write(fds[1], image.bytes, image.size) != (ssize_t)image.size)
		ck_abort_msg("the image is not written");
	if (as_pipe)
		close(fds[1]);

	return fds[0];
}

static struct uev_perf_reader *open_fd(int fd, size_t queue_size)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.queue_size = queue_size,
		.problem = take_problem,
	};
	struct uev_perf_reader *reader;

	problems.count = 0;
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, fd, &options), 0);

	return reader;
}

/*
 * Reads the image. Sets the times and offsets of the records, as far as there
 * is room.
 *
 * Return: number of records
 */
static size_t read_image(bool as_pipe, uint64_t *times, uint64_t *offsets,
			 size_t room, struct uev_trace_stats *counts)
{
	int fd = image_fd(as_pipe);
	struct uev_perf_reader *reader = open_fd(fd, 0);
	const struct uev_sample *record;
	size_t records = 0;

	while (uev_perf_reader_next(reader, &record) == 1) {
		if (records < room) {
			times[records] = record->time;
			offsets[records] =
				uev_perf_reader_record_offset(reader);
		}
		records++;
	}
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 0);
	uev_perf_reader_stats(reader, counts, sizeof(*counts));
	uev_perf_reader_close(reader);
	close(fd);
	ck_assert(!counts->corrupt || problems.count);

	return records;
}

#define TIMES_MAX 16
static uint64_t times[TIMES_MAX];
static uint64_t offsets[TIMES_MAX];
static struct uev_trace_stats counts;

/* Expects exactly these times, which end with 0. */
static void expect_times(bool as_pipe, const uint64_t *wanted)
{
	size_t records =
		read_image(as_pipe, times, offsets, TIMES_MAX, &counts);
	size_t i;

	for (i = 0; wanted[i]; i++) {
		ck_assert_uint_lt(i, records);
		ck_assert_uint_eq(times[i], wanted[i]);
	}
	ck_assert_uint_eq(records, i);
}

static void invalid_records(struct image *to)
{
	image_sample(to, IMAGE_FIRST_ID, 100, 0, "");
	image_header(to, COMPRESSED, 16);
	image_u64(to, 0);
	image_header(to, COMPRESSED2, 24);
	image_u64(to, 8);
	image_u64(to, 0);
	image_sample(to, IMAGE_FIRST_ID, 200, 0, "");
}

TEST_FIXTURE(fake_perf_begin, fake_perf_end);

TEST(reports_records_that_are_not_decompressed_once)
{
	static const uint64_t wanted[] = { 100, 200, 0 };

	image_file(&image, false, 8, invalid_records);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_uint_eq(problems.offset, image_data_offset + 48);
	ck_assert_uint_eq(counts.corrupt, 2);
#ifdef UEV_HAS_ZSTD
	ck_assert_ptr_nonnull(strstr(problems.reason, "cannot decompress"));
#else
	ck_assert_str_eq(problems.reason,
			 "compressed records (perf record -z) require a "
			 "library built with libzstd");
#endif
}

#ifdef UEV_HAS_ZSTD

static struct ZSTD_CCtx_s *stream;

/* Content of compressed records. */
static struct image plain;

static void begin_stream(int level)
{
	if (!stream)
		stream = ZSTD_createCStream();
	ck_assert_ptr_nonnull(stream);
	ck_assert(!ZSTD_isError(ZSTD_initCStream(stream, level)));
}

static void set_up(void)
{
	fake_perf_begin();
	begin_stream(1);
}

static void tear_down(void)
{
	ZSTD_freeCStream(stream);
	stream = NULL;
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

static void put_record(struct image *to, uint32_t type, const uint8_t *bytes,
		       size_t size)
{
	size_t pad = (8 - size % 8) % 8;

	if (type == COMPRESSED) {
		image_header(to, type, (uint16_t)(8 + size));
	} else {
		image_header(to, type, (uint16_t)(16 + size + pad));
		image_u64(to, size);
	}
	image_bytes(to, bytes, size);
	if (type == COMPRESSED2)
		image_zeros(to, pad);
}

/* Adds bytes to the stream, as one or more compressed records. */
static void put_compressed(struct image *to, uint32_t type, const void *bytes,
			   size_t size)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	static uint8_t room[65536 - 64];

	do {
		ZSTD_outBuffer out = { room, sizeof(room), 0 };

		ck_assert(
			!ZSTD_isError(ZSTD_compressStream(stream, &out, &in)));
		ck_assert(!ZSTD_isError(ZSTD_flushStream(stream, &out)));
		put_record(to, type, room, out.pos);
	} while (in.pos < in.size);
}

static void begin_plain(bool big)
{
	plain.big = big;
	plain.size = 0;
}

/* Compresses one sample. */
static void put_sample(struct image *to, uint32_t type, uint64_t time)
{
	begin_plain(to->big);
	image_sample(&plain, IMAGE_FIRST_ID, time, 0, "text");
	put_compressed(to, type, plain.bytes, plain.size);
}

static void put_round(struct image *to)
{
	image_header(to, 68, 8);
}

static const uint32_t types[] = { COMPRESSED, COMPRESSED2 };

/* Type of the records, and where they are split. */
static uint32_t split_type;
static size_t split_at;
static uint64_t split_offsets[2];

static void split_records(struct image *to)
{
	begin_plain(to->big);
	image_sample(&plain, IMAGE_FIRST_ID, 100, 0, "first");
	image_sample(&plain, IMAGE_SECOND_ID, 200, 0, "second");
	image_sample(&plain, IMAGE_FIRST_ID, 300, 0, "");
	split_offsets[0] = to->size;
	put_compressed(to, split_type, plain.bytes, split_at);
	split_offsets[1] = to->size;
	put_compressed(to, split_type, plain.bytes + split_at,
		       plain.size - split_at);
	put_round(to);
}

/* Any record can continue in the next compressed record. */
TEST_LOOP(reads_records_that_are_split, 8)
{
	static const uint64_t wanted[] = { 100, 200, 300, 0 };
	bool big = _i & 1, as_pipe = _i & 2;
	size_t step = _i ? 13 : 1;

	split_type = types[_i >> 2];
	split_at = 0;
	do {
		begin_stream(1);
		if (as_pipe)
			image_pipe(&image, big, split_records);
		else
			image_file(&image, big, 8, split_records);
		expect_times(as_pipe, wanted);
		ck_assert_int_eq(problems.count, 0);
		ck_assert_uint_eq(counts.records, 3);
		ck_assert_uint_eq(counts.other, 0);
		ck_assert_uint_eq(offsets[0], split_offsets[split_at < 56]);
		ck_assert_uint_eq(offsets[2],
				  split_offsets[split_at < plain.size]);
		split_at += step;
	} while (split_at <= plain.size);
}

TEST_LOOP(returns_decompressed_members, 2)
{
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	bool big = _i;
	int fd;

	split_type = COMPRESSED;
	split_at = 70;
	image_file(&image, big, 8, split_records);
	fd = image_fd(false);
	reader = open_fd(fd, 0);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_str_eq(record->source->name, "first");
	ck_assert_str_eq((const char *)record->raw, "first");
	ck_assert_uint_eq(record->tid, 8);
	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_str_eq(record->source->name, "second");
	ck_assert_str_eq((const char *)record->raw, "second");
	uev_perf_reader_close(reader);
	close(fd);
}

/* Other CPUs have older records, until the end of the round. */
static void unordered_records(struct image *to)
{
	put_sample(to, COMPRESSED, 300);
	put_sample(to, COMPRESSED, 100);
	put_round(to);
	image_sample(to, IMAGE_SECOND_ID, 200, 0, "");
	put_sample(to, COMPRESSED2, 500);
	put_round(to);
	put_sample(to, COMPRESSED, 400);
}

TEST(orders_records_by_time)
{
	static const uint64_t wanted[] = { 100, 200, 300, 400, 500, 0 };

	image_file(&image, false, 8, unordered_records);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 0);
	ck_assert_uint_eq(counts.unordered, 0);
}

static void two_streams(struct image *to)
{
	uint8_t end[64];
	ZSTD_outBuffer out = { end, sizeof(end), 0 };

	put_sample(to, COMPRESSED, 100);
	ck_assert_uint_eq(ZSTD_endStream(stream, &out), 0);
	put_record(to, COMPRESSED, end, out.pos);
	begin_stream(22);
	put_sample(to, COMPRESSED, 200);
}

TEST(reads_several_streams)
{
	static const uint64_t wanted[] = { 100, 200, 0 };

	image_file(&image, false, 8, two_streams);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 0);
}

static size_t ends[8];

static void some_records(struct image *to)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		put_sample(to, types[i % 2], 100 * (i + 1));
		ends[i] = to->size;
	}
}

/* perf was killed, or the end of the file is missing. */
TEST_LOOP(accepts_truncation_anywhere, 4)
{
	size_t whole = 0;
	size_t last;

	image_file(&image, _i & 1, 8, some_records);
	if (_i & 2)
		image_set64(&image, 48, 0);
	last = image_data_offset + image_data_size;
	for (image.size = image_data_offset; image.size <= last; image.size++) {
		whole += image.size == ends[whole];
		ck_assert_uint_eq(read_image(false, times, offsets, TIMES_MAX,
					     &counts),
				  whole);
	}
	ck_assert_uint_eq(whole, ARRAY_SIZE(ends));
}

static void unfinished_record(struct image *to)
{
	put_sample(to, COMPRESSED, 100);
	begin_plain(to->big);
	image_sample(&plain, IMAGE_FIRST_ID, 200, 0, "");
	put_compressed(to, COMPRESSED, plain.bytes, plain.size - 1);
}

TEST(reports_a_record_without_end)
{
	static const uint64_t wanted[] = { 100, 0 };

	image_file(&image, false, 8, unfinished_record);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_str_eq(problems.reason, "truncated record");
	ck_assert_uint_eq(counts.corrupt, 1);
}

/* A stream that requires 2 GiB of memory. */
static void large_window(struct image *to)
{
	static const uint8_t head[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 21 << 3 };

	put_record(to, COMPRESSED, head, sizeof(head));
	put_sample(to, COMPRESSED, 100);
}

TEST(rejects_a_large_window)
{
	static const uint64_t wanted[] = { 100, 0 };

	image_file(&image, false, 8, large_window);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_ptr_nonnull(strstr(problems.reason, "memory"));
	ck_assert_uint_eq(counts.corrupt, 1);
}

static size_t damage_begin;

static void damaged_records(struct image *to)
{
	put_sample(to, COMPRESSED, 100);
	damage_begin = to->size;
	put_sample(to, COMPRESSED, 200);
	put_sample(to, COMPRESSED, 300);
	image_sample(to, IMAGE_FIRST_ID, 400, 0, "");
	begin_stream(1);
	put_sample(to, COMPRESSED2, 500);
}

/*
 * Nothing of the stream can be decompressed after invalid data. Other records
 * are read, and a new stream.
 */
TEST(continues_after_invalid_data)
{
	static const uint64_t wanted[] = { 100, 400, 500, 0 };

	image_file(&image, false, 8, damaged_records);
	/* A kind of block that does not exist */
	image.bytes[damage_begin + 8] |= 6;
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_uint_eq(problems.offset, damage_begin);
	ck_assert_ptr_nonnull(strstr(problems.reason, "cannot decompress"));
	ck_assert_uint_eq(counts.corrupt, 2);
}

static void missing_records(struct image *to)
{
	put_sample(to, COMPRESSED, 100);
	image_header(to, PERF_RECORD_SAMPLE, 0);
	put_round(to);
	put_sample(to, COMPRESSED, 300);
	image_sample(to, IMAGE_FIRST_ID, 400, 0, "");
	begin_stream(1);
	put_sample(to, COMPRESSED, 500);
}

/* Later parts of a stream refer to those that can have been skipped. */
TEST(rejects_a_stream_after_skipped_bytes)
{
	static const uint64_t wanted[] = { 100, 400, 500, 0 };

	image_file(&image, false, 8, missing_records);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 3);
	ck_assert_ptr_nonnull(strstr(problems.reason, "cannot decompress"));
	ck_assert_uint_eq(counts.corrupt, 2);
}

TEST_LOOP(accepts_any_changed_byte, 2)
{
	size_t at;

	image_file(&image, _i, 8, some_records);
	for (at = image_data_offset; at < image_data_offset + image_data_size;
	     at++) {
		image.bytes[at] ^= 0xff;
		read_image(false, times, offsets, TIMES_MAX, &counts);
		image.bytes[at] ^= 0xfe;
		read_image(false, times, offsets, TIMES_MAX, &counts);
		image.bytes[at] ^= 0x01;
	}
}

/* Records that belong outside of compressed records: they would go on there. */
static void nested_records(struct image *to)
{
	static struct image inner;

	begin_plain(to->big);
	inner.big = to->big;
	inner.size = 0;
	put_record(&inner, COMPRESSED, plain.bytes, 8);
	put_compressed(to, COMPRESSED, inner.bytes, inner.size);
	inner.size = 0;
	image_header(&inner, 66, 12);
	image_u32(&inner, 100);
	put_compressed(to, COMPRESSED, inner.bytes, inner.size);
	inner.size = 0;
	image_header(&inner, 71, 48);
	image_u64(&inner, 100);
	image_zeros(&inner, 32);
	put_compressed(to, COMPRESSED, inner.bytes, inner.size);
	inner.size = 0;
	image_header(&inner, 80, 24);
	image_zeros(&inner, 16);
	put_compressed(to, COMPRESSED, inner.bytes, inner.size);
	put_sample(to, COMPRESSED, 100);
}

TEST(rejects_nested_records)
{
	static const uint64_t wanted[] = { 100, 0 };

	image_file(&image, false, 8, nested_records);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 4);
	ck_assert_uint_eq(counts.corrupt, 4);
}

static void bad_inner_size(struct image *to)
{
	begin_plain(to->big);
	image_header(&plain, PERF_RECORD_SAMPLE, 7);
	image_zeros(&plain, 100000);
	put_compressed(to, COMPRESSED, plain.bytes, plain.size);
	put_sample(to, COMPRESSED, 100);
}

/* The next compressed record starts with a record. */
TEST(continues_after_a_bad_size)
{
	static const uint64_t wanted[] = { 100, 0 };

	image_file(&image, false, 8, bad_inner_size);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_uint_eq(problems.offset, image_data_offset);
	ck_assert_str_eq(problems.reason, "record too short");
	ck_assert_uint_eq(counts.corrupt, 1);
}

/* Sizes of COMPRESSED2 and of its data. */
static const struct {
	uint16_t size;
	uint64_t data_size;
} bad_sizes[] = {
	{ 8, 0 },
	{ 24, 9 },
	{ 24, UINT64_MAX },
	{ 24, UINT64_C(1) << 32 | 8 },
};
static size_t bad_size;

static void bad_outer_size(struct image *to)
{
	image_header(to, COMPRESSED2, bad_sizes[bad_size].size);
	if (bad_sizes[bad_size].size > 8) {
		image_u64(to, bad_sizes[bad_size].data_size);
		image_zeros(to, bad_sizes[bad_size].size - 16);
	}
	image_sample(to, IMAGE_FIRST_ID, 100, 0, "");
	put_sample(to, COMPRESSED2, 200);
}

TEST_LOOP(rejects_bad_sizes, ARRAY_SIZE(bad_sizes))
{
	static const uint64_t wanted[] = { 100, 200, 0 };

	bad_size = (size_t)_i;
	image_file(&image, _i & 1, 8, bad_outer_size);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 1);
	ck_assert_uint_eq(counts.corrupt, 1);
}

static void bad_size_in_a_stream(struct image *to)
{
	put_sample(to, COMPRESSED2, 100);
	image_header(to, COMPRESSED2, 24);
	image_u64(to, 9);
	image_u64(to, 0);
	put_sample(to, COMPRESSED2, 200);
	begin_stream(1);
	put_sample(to, COMPRESSED2, 300);
}

TEST(rejects_a_stream_after_a_bad_size)
{
	static const uint64_t wanted[] = { 100, 300, 0 };

	image_file(&image, false, 8, bad_size_in_a_stream);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 2);
	ck_assert_uint_eq(counts.corrupt, 2);
}

static void empty_records(struct image *to)
{
	int i;

	put_sample(to, COMPRESSED, 100);
	for (i = 0; i < 100; i++) {
		image_header(to, COMPRESSED, 8);
		image_header(to, COMPRESSED2, 16);
		image_u64(to, 0);
	}
	put_sample(to, COMPRESSED, 200);
}

TEST(accepts_empty_records)
{
	static const uint64_t wanted[] = { 100, 200, 0 };

	image_file(&image, false, 8, empty_records);
	expect_times(false, wanted);
	ck_assert_int_eq(problems.count, 0);
}

/* Records that are as small as records can be, and the same. */
static void tiny_records(struct image *to)
{
	int i;

	begin_plain(to->big);
	image_header(&plain, PERF_RECORD_UNTHROTTLE, 8);
	for (; plain.size < IMAGE_MAX; plain.size += 8)
		memcpy(plain.bytes + plain.size, plain.bytes, 8);
	for (i = 0; i < 256; i++)
		put_compressed(to, COMPRESSED, plain.bytes, plain.size);
	image_sample(to, IMAGE_FIRST_ID, 100, 0, "");
}

/* Limit of basic blocks for each byte of a file. */
#define WORK_PER_BYTE 2000

TEST(limits_the_work)
{
	static const uint64_t wanted[] = { 100, 0 };
	uint64_t before = work_count();

	image_file(&image, false, 8, tiny_records);
	expect_times(false, wanted);
	ck_assert(work_is_bounded(before, image.size, WORK_PER_BYTE));
	ck_assert_int_ge(problems.count, 1);
	ck_assert_uint_ge(counts.corrupt, 1);
	/* Some were read. */
	ck_assert_uint_gt(counts.other, image_data_size);
}

/* Nearly all of a record is zeros, so that it compresses best. */
#define LARGE_SIZE 65528
#define LARGE_RECORDS 4096

static void begin_large(bool big)
{
	begin_plain(big);
	image_header(&plain, PERF_RECORD_SAMPLE, LARGE_SIZE);
	image_u64(&plain, IMAGE_FIRST_ID);
	image_u32(&plain, 7);
	image_u32(&plain, 8);
	image_u64(&plain, 0);
	image_u32(&plain, 0);
	image_u32(&plain, 0);
	image_u32(&plain, LARGE_SIZE - 44);
	memset(plain.bytes + plain.size, 0, LARGE_SIZE - plain.size);
}

static void large_records(struct image *to)
{
	uint64_t number;

	begin_large(to->big);
	for (number = 1; number <= LARGE_RECORDS; number++) {
		image_set64(&plain, 24, number);
		put_compressed(to, COMPRESSED, plain.bytes, LARGE_SIZE);
	}
}

/* All of them in one compressed record, as a large buffer of perf gives. */
static void one_large_record(struct image *to)
{
	static uint8_t room[65536 - 64];
	ZSTD_outBuffer out = { room, sizeof(room), 0 };
	uint64_t number;

	begin_large(to->big);
	for (number = 1; number <= LARGE_RECORDS; number++) {
		ZSTD_inBuffer in = { plain.bytes, LARGE_SIZE, 0 };

		image_set64(&plain, 24, number);
		if (ZSTD_isError(ZSTD_compressStream(stream, &out, &in)) ||
		    in.pos != in.size)
			ck_abort_msg("record %llu is not compressed",
				     (unsigned long long)number);
	}
	ck_assert(!ZSTD_isError(ZSTD_flushStream(stream, &out)));
	put_record(to, COMPRESSED, room, out.pos);
}

/* The queue, and the overhead of a sanitizer. The records have 256 MiB. */
#define QUEUE_SIZE (4 << 20)
#define MEMORY_MAX (64 << 20)

TEST_LOOP(needs_no_memory_for_all_records, 2)
{
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	uint64_t number = 0;
	size_t before;
	int fd;

	image_file(&image, false, 8, _i ? one_large_record : large_records);
	fd = image_fd(false);
	before = peak_memory();
	reader = open_fd(fd, QUEUE_SIZE);
	while (uev_perf_reader_next(reader, &record) == 1)
		if (record->time != ++number ||
		    record->raw_size != LARGE_SIZE - 44)
			ck_abort_msg("record %llu is another",
				     (unsigned long long)number);
	uev_perf_reader_close(reader);
	close(fd);
	ck_assert_uint_eq(number, LARGE_RECORDS);
	ck_assert_int_eq(problems.count, 0);
	ck_assert_uint_lt(peak_memory() - before, MEMORY_MAX);
}

/* libcheck would allocate memory. */
static int read_without_assertions(int fd)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = take_problem,
	};
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	int ret;

	ret = uev_perf_reader_open_fd(&reader, fd, &options);
	if (!ret) {
		do {
			ret = uev_perf_reader_next(reader, &record);
		} while (ret > 0);
		uev_perf_reader_close(reader);
	}

	return ret;
}

TEST(survives_any_failed_allocation)
{
	unsigned int after = 0;
	bool failed;
	int fd, ret;

	image_file(&image, false, 8, some_records);
	fd = image_fd(false);
	do {
		fake_alloc_fail(after++);
		ret = read_without_assertions(fd);
		failed = fake_alloc_end();
		ck_assert_int_eq(ret, failed ? -ENOMEM : 0);
	} while (failed);
	close(fd);
	ck_assert_uint_gt(after, 20);
}

#endif
