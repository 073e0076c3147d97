// SPDX-License-Identifier: MIT
/* Stacks that are recorded after their samples (--call-graph fp,defer). */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <userevents/session.h>

#include "lib/fake_alloc.h"
#include "lib/fake_sys_perf.h"
#include "lib/perf_image.h"
#include "lib/runner.h"
#include "util/common.h"

#define DEFERRED 22
#define MARK ((uint64_t)-640)
#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER ((uint64_t)PERF_CONTEXT_USER)

static struct image image;
static int problems;

static void take_problem(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	(void)offset;
	(void)reason;
	problems++;
}

/* A sample of thread 8, whose stack in the kernel is one address. */
static void sample(struct image *to, uint64_t time, uint64_t cookie)
{
	image_header(to, PERF_RECORD_SAMPLE, 88);
	image_u64(to, IMAGE_FIRST_ID);
	image_u32(to, 7);
	image_u32(to, 8);
	image_u64(to, time);
	image_u64(to, 0);
	image_u64(to, 4);
	image_u64(to, KERNEL);
	image_u64(to, 0xffffffff81000000);
	image_u64(to, MARK);
	image_u64(to, cookie);
	image_u32(to, 4);
	image_u32(to, 41);
}

/* @count: entries, at most two */
static void stack(struct image *to, uint64_t time, uint32_t tid,
		  uint64_t cookie, uint64_t count)
{
	image_header(to, DEFERRED, (uint16_t)(56 + count * 8));
	image_u64(to, cookie);
	image_u64(to, count);
	if (count)
		image_u64(to, USER);
	if (count > 1)
		image_u64(to, 0x401000 + cookie);
	image_u32(to, 7);
	image_u32(to, tid);
	image_u64(to, time);
	image_u64(to, 0);
	image_u64(to, IMAGE_FIRST_ID);
}

static void begin_round(struct image *to)
{
	image_header(to, 68, 8);
}

/* A complete file with one event; @is_pipe: as it comes out of a pipe */
static void make(bool big, bool is_pipe, void (*records)(struct image *to))
{
	size_t attrs, data;

	problems = 0;
	image.big = big;
	image.size = 0;
	image_bytes(&image, big ? "2ELIFREP" : "PERFILE2", 8);
	image_u64(&image, is_pipe ? 16 : 104);
	if (is_pipe)
		image_header(&image, 64, 128);
	else
		image_zeros(&image, 104 - 16);
	attrs = image.size;
	image_attr(&image, PERF_TYPE_TRACEPOINT, IMAGE_FIRST,
		   IMAGE_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN);
	if (is_pipe) {
		image_u64(&image, IMAGE_FIRST_ID);
		records(&image);
		return;
	}
	image_u64(&image, attrs + 128);
	image_u64(&image, 8);
	image_u64(&image, IMAGE_FIRST_ID);
	data = image.size;
	records(&image);
	image_set64(&image, 16, 128);
	image_set64(&image, 24, attrs);
	image_set64(&image, 32, 128);
	image_set64(&image, 40, data);
	image_set64(&image, 48, image.size - data);
}

static struct uev_perf_reader *open_image(size_t queue_size)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.queue_size = queue_size,
		.problem = take_problem,
	};
	struct uev_perf_reader *reader;
	int fd = memfd_create("perf.data", 0);

	ck_assert_int_eq(write(fd, image.bytes, image.size),
			 (ssize_t)image.size);
	lseek(fd, 0, SEEK_SET);
	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, dup(fd), &options),
			 0);
	close(fd);

	return reader;
}

/* @cookie: of the rest of the stack; 0 without it */
static void expect(struct uev_perf_reader *reader, uint64_t time,
		   uint64_t cookie)
{
	const struct uev_sample *record;

	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
	ck_assert_uint_eq(record->time, time);
	ck_assert_uint_eq(record->stack_size, cookie ? 4 : 2);
	ck_assert(record->stack[0] == KERNEL);
	ck_assert(record->stack[1] == 0xffffffff81000000);
	if (!cookie)
		return;
	ck_assert(record->stack[2] == USER);
	ck_assert(record->stack[3] == 0x401000 + cookie);
	/* The rest of the record is unchanged. */
	ck_assert_uint_eq(record->tid, 8);
	ck_assert_uint_eq(record->raw_size, 4);
}

static void end(struct uev_perf_reader *reader, uint64_t corrupt)
{
	const struct uev_sample *record;
	struct uev_trace_stats counts;

	ck_assert_int_eq(uev_perf_reader_next(reader, &record), 0);
	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	ck_assert_uint_eq(counts.corrupt, corrupt);
	ck_assert_int_eq(problems, (int)corrupt);
	uev_perf_reader_close(reader);
}

/*
 * Two samples of one system call, which sleeps for two rounds, one of another
 * thread's cookie, and one whose stack was lost.
 */
static void some(struct image *to)
{
	sample(to, 100, 1);
	sample(to, 110, 1);
	sample(to, 130, 3);
	begin_round(to);
	begin_round(to);
	begin_round(to);
	stack(to, 120, 8, 1, 2);
	stack(to, 140, 9, 3, 2);
	sample(to, 150, 4);
	stack(to, 160, 8, 4, 2);
	sample(to, 170, 5);
}

TEST_FIXTURE(fake_perf_begin, fake_perf_end);

TEST_LOOP(joins_stacks, 2)
{
	struct uev_perf_reader *reader;

	make(_i, false, some);
	reader = open_image(0);
	expect(reader, 100, 1);
	expect(reader, 110, 1);
	expect(reader, 130, 0);
	expect(reader, 150, 4);
	expect(reader, 170, 0);
	end(reader, 0);
}

/* Samples of a pipe, and of a full queue, do not wait. */
TEST_LOOP(does_not_wait_for_ever, 2)
{
	struct uev_perf_reader *reader;

	make(false, _i, some);
	reader = open_image(_i ? 0 : 1);
	expect(reader, 100, 0);
	expect(reader, 110, 0);
	expect(reader, 130, 0);
	expect(reader, 150, _i ? 4 : 0);
	expect(reader, 170, 0);
	end(reader, 0);
}

static void malformed(struct image *to)
{
	size_t at;

	sample(to, 100, 1);
	image_header(to, DEFERRED, 48);
	image_zeros(to, 40);
	at = to->size;
	stack(to, 110, 8, 1, 2);
	image_set64(to, at + 16, 3);
	at = to->size;
	stack(to, 110, 8, 1, 2);
	image_set64(to, at + 16, UINT64_MAX);
	/* An empty one is the rest of the stack. */
	stack(to, 110, 8, 1, 0);
	sample(to, 120, 2);
	stack(to, 130, 8, 2, 2);
}

TEST_LOOP(rejects_malformed_stacks, 2)
{
	struct uev_perf_reader *reader;

	make(_i, false, malformed);
	reader = open_image(0);
	expect(reader, 100, 0);
	expect(reader, 120, 2);
	end(reader, 3);
}

#define LARGE 8000
#define SAMPLES 500

static void one_for_many(struct image *to)
{
	unsigned int i;

	for (i = 0; i < SAMPLES; i++)
		sample(to, 100 + i, 1);
	image_header(to, DEFERRED, 56 + LARGE * 8);
	image_u64(to, 1);
	image_u64(to, LARGE);
	image_zeros(to, LARGE * 8);
	image_u32(to, 7);
	image_u32(to, 8);
	image_u64(to, 1000);
	image_u64(to, 0);
	image_u64(to, IMAGE_FIRST_ID);
}

/* Samples that name one large stack do not take its size each. */
TEST(limits_work)
{
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	uint64_t entries = 0;
	int count = 0;

	make(false, false, one_for_many);
	reader = open_image(0);
	while (uev_perf_reader_next(reader, &record) == 1) {
		entries += record->stack_size;
		count++;
	}
	ck_assert_int_eq(count, SAMPLES);
	ck_assert_uint_gt(entries, LARGE);
	ck_assert_uint_le(entries, image.size * 8);
	ck_assert_uint_lt(entries, (uint64_t)LARGE * SAMPLES / 2);
	uev_perf_reader_close(reader);
}

TEST(survives_any_failed_allocation)
{
	const struct uev_sample *record;
	struct uev_perf_reader *reader;
	unsigned int after = 0;
	bool failed;
	int ret, fd;

	make(false, false, some);
	fd = memfd_create("perf.data", 0);
	ck_assert_int_eq(write(fd, image.bytes, image.size),
			 (ssize_t)image.size);
	do {
		fake_alloc_fail(after++);
		ret = uev_perf_reader_open_fd(&reader, fd, NULL);
		while (!ret &&
		       (ret = uev_perf_reader_next(reader, &record)) == 1)
			ret = 0;
		uev_perf_reader_close(reader);
		failed = fake_alloc_end();
		ck_assert_int_eq(ret != 0, failed);
	} while (failed);
	close(fd);
}
