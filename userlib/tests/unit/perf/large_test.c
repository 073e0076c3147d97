// SPDX-License-Identifier: MIT
/*
 * Reading of 1 GiB of perf.data, as a file and from a pipe: only queued records
 * take memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <userevents/session.h>

#include "lib/fake_sys_perf.h"
#include "lib/peak_memory.h"
#include "lib/perf_image.h"
#include "lib/runner.h"
#include "lib/vectors.h"

#define LARGE (UINT64_C(1) << 30)

/* As large as records are; nearly all of one is zeros. */
#define RECORD_SIZE 65528
#define RECORDS (LARGE / RECORD_SIZE)

/* Number of records per round; or no rounds. */
static const uint64_t rounds[] = { 16, UINT64_MAX };
static uint64_t round_size;

#define QUEUE_SIZE (4 << 20)

/* Memory limit: twice the queue, and the overhead of a sanitizer. */
#define MEMORY_MAX (64 << 20)

static struct image image;

static void no_records(struct image *to)
{
	(void)to;
}

/* Writes the header of record @number. */
static void begin_record(struct image *record, uint64_t number)
{
	record->size = 0;
	record->big = VECTOR_IS_BIG;
	image_header(record, PERF_RECORD_SAMPLE, RECORD_SIZE);
	image_u64(record, IMAGE_FIRST_ID);
	image_u32(record, 7);
	image_u32(record, 8);
	image_u64(record, number);
	image_u32(record, 0);
	image_u32(record, 0);
	image_u32(record, RECORD_SIZE - 44);
}

static void end_round(struct image *record)
{
	record->size = 0;
	image_header(record, 68, 8);
}

static void put(int fd, const void *bytes, size_t size, uint64_t at)
{
	if (pwrite(fd, bytes, size, (off_t)at) != (ssize_t)size)
		ck_abort_msg("%s", strerror(errno));
}

/* A file that is mostly holes. */
static int large_file(void)
{
	static struct image record;
	int fd = memfd_create("perf.data", 0);
	uint64_t at, number;

	image_file(&image, VECTOR_IS_BIG, 8, no_records);
	at = image_data_offset;
	for (number = 1; number <= RECORDS; number++) {
		begin_record(&record, number);
		put(fd, record.bytes, record.size, at);
		at += RECORD_SIZE;
		if (number % round_size)
			continue;
		end_round(&record);
		put(fd, record.bytes, record.size, at);
		at += record.size;
	}
	image_set64(&image, 48, at - image_data_offset);
	/* The feature sections follow the data, and are empty. */
	memset(image.bytes + IMAGE_FEATURES, 0, 32);
	put(fd, image.bytes, image_data_offset, 0);
	if (ftruncate(fd, (off_t)at))
		ck_abort_msg("%s", strerror(errno));
	return fd;
}

static void send(int fd, const uint8_t *bytes, size_t size)
{
	ssize_t sent;

	for (; size; size -= (size_t)sent, bytes += sent) {
		sent = write(fd, bytes, size);
		if (sent < 0)
			_exit(1);
	}
}

static void send_large(int fd)
{
	static struct image record;
	uint64_t number;

	image_pipe(&image, VECTOR_IS_BIG, no_records);
	send(fd, image.bytes, image.size);
	for (number = 1; number <= RECORDS; number++) {
		begin_record(&record, number);
		send(fd, record.bytes, RECORD_SIZE);
		if (number % round_size)
			continue;
		end_round(&record);
		send(fd, record.bytes, record.size);
	}
}

/* Return: descriptor to read from. */
static int large_pipe(pid_t *child)
{
	int ends[2];

	ck_assert(!pipe(ends));
	*child = fork();
	ck_assert_int_ge(*child, 0);
	if (!*child) {
		close(ends[0]);
		send_large(ends[1]);
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

static void read_all(int fd)
{
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.queue_size = QUEUE_SIZE,
	};
	struct uev_trace_stats counts;
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	size_t before = peak_memory();
	uint64_t number = 0;

	ck_assert_int_eq(uev_perf_reader_open_fd(&reader, fd, &options), 0);
	while (uev_perf_reader_next(reader, &record) == 1) {
		/* Without the many assertions that libcheck would count. */
		if (record->time != ++number ||
		    record->raw_size != RECORD_SIZE - 44)
			ck_abort_msg("record %llu is another",
				     (unsigned long long)number);
	}
	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	uev_perf_reader_close(reader);
	ck_assert_uint_eq(number, RECORDS);
	ck_assert_uint_eq(counts.corrupt, 0);
	ck_assert_uint_eq(counts.unordered, 0);
	ck_assert_uint_lt(peak_memory() - before, MEMORY_MAX);
}

TEST_FIXTURE(fake_perf_begin, fake_perf_end);

TEST_LOOP(a_file, 2)
{
	int fd;

	round_size = rounds[_i];
	fd = large_file();
	read_all(fd);
	close(fd);
}

TEST_LOOP(a_pipe, 2)
{
	int status = 1;
	pid_t child;
	int fd;

	round_size = rounds[_i];
	fd = large_pipe(&child);
	read_all(fd);
	close(fd);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
