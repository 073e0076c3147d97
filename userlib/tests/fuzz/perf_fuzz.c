// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "perf_fuzz.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <userevents/session.h>

#include "lib/work.h"
#include "perf/format.h"
#include "util/common.h"

/* Capacity of a pipe without a reader. */
#define PIPE_MAX 65536

/* Limit of basic blocks of the library. */
#define WORK_PER_BYTE 2000

#define MUST(condition)                                              \
	do {                                                         \
		if (!(condition)) {                                  \
			fprintf(stderr, "not so: %s\n", #condition); \
			abort();                                     \
		}                                                    \
	} while (0)

static int as_pipe(const uint8_t *bytes, size_t size)
{
	int fds[2];

	MUST(!pipe(fds));
	MUST(write(fds[1], bytes, size) == (ssize_t)size);
	close(fds[1]);

	return fds[0];
}

static int as_file(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("perf.data", 0);

	MUST(fd >= 0);
	MUST(pwrite(fd, bytes, size, 0) == (ssize_t)size);

	return fd;
}

static void count_problem(void *data, uint64_t offset, const char *reason)
{
	unsigned long *problems = data;

	(void)offset;
	MUST(*reason);
	++*problems;
}

/* Every byte that is promised can be looked at. */
static unsigned int check_sample(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	unsigned int sum = 0;

	while (size--)
		sum += *at++;

	return sum;
}

static void check_source(const struct uev_perf_reader *reader,
			 const struct uev_source *source)
{
	MUST(source == uev_perf_reader_source(reader, source->index));
	check_sample(source->name, strlen(source->name));
	if (source->system)
		check_sample(source->system, strlen(source->system));
	if (source->format)
		MUST(!source->format[source->format_size]);
}

static void check_info(const struct uev_perf_info *info)
{
	const char *const texts[] = { info->hostname, info->osrelease,
				      info->arch };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i])
			check_sample(texts[i], strlen(texts[i]));
}

/* Tests for a record whose content is not in the file. */
static bool is_compressed(const uint8_t *bytes, size_t size)
{
	uint32_t type;

	if (size < sizeof(type))
		return false;
	memcpy(&type, bytes, sizeof(type));
	if (type > UINT16_MAX)
		type = __builtin_bswap32(type);

	return type == UEV_PERF_RECORD_COMPRESSED ||
	       type == UEV_PERF_RECORD_COMPRESSED2;
}

/* Checks the mappings of all addresses. */
static void check_stack(const struct uev_perf_reader *reader,
			const struct uev_sample *record)
{
	const struct uev_mapping *mapping;
	uint32_t i;

	MUST(!record->stack == !record->stack_size);
	for (i = 0; i < record->stack_size; i++) {
		mapping = uev_perf_reader_mapping(reader, record->pid,
						  record->stack[i]);
		if (!mapping)
			continue;
		MUST(mapping->start <= record->stack[i]);
		MUST(mapping->end > record->stack[i]);
		check_sample(mapping->path, strlen(mapping->path));
	}
}

/*
 * Checks that members of a record are within the file, and not beyond it in
 * memory.
 */
static void check_record(const struct uev_perf_reader *reader,
			 const struct uev_sample *record, const uint8_t *bytes,
			 size_t size)
{
	const char *name = uev_perf_reader_comm(reader, record->tid);
	uint64_t offset = uev_perf_reader_record_offset(reader);

	check_source(reader, record->source);
	check_sample(record->raw, record->raw_size);
	check_stack(reader, record);
	if (name)
		check_sample(name, strlen(name));
	MUST(offset <= size);
	if (is_compressed(bytes + offset, size - offset))
		return;
	/* With its header. */
	MUST(8 + record->raw_size <= size - offset);
	if (record->raw_size)
		MUST(memmem(bytes + offset, size - offset, record->raw,
			    record->raw_size));
}

/* Return: the sum of those that ended until a time */
static uint64_t check_losses(struct uev_perf_reader *reader, uint64_t until)
{
	struct uev_loss loss;
	uint64_t sum = 0;

	while (uev_perf_reader_next_loss(reader, until, &loss)) {
		if (loss.source)
			check_source(reader, loss.source);
		MUST(loss.count && loss.to <= until);
		MUST(strlen(loss.reason) < sizeof(loss.reason));
		sum += loss.count;
	}

	return sum;
}

static void read_all(struct uev_perf_reader *reader,
		     const unsigned long *problems, const uint8_t *bytes,
		     size_t size)
{
	struct uev_trace_stats counts;
	const struct uev_sample *record;
	uint64_t records = 0;
	uint64_t newest = 0;
	uint64_t unordered_count = 0;
	uint64_t lost = 0;
	int ret;

	while ((ret = uev_perf_reader_next(reader, &record)) > 0) {
		check_record(reader, record, bytes, size);
		lost += check_losses(reader, record->time);
		records++;
		if (record->time < newest)
			unordered_count++;
		else
			newest = record->time;
	}
	MUST(!ret);
	uev_perf_reader_stats(reader, &counts, sizeof(counts));
	MUST(counts.records == records);
	lost += check_losses(reader, UINT64_MAX);
	MUST(lost <= counts.lost);
	MUST(counts.unordered >= unordered_count);
	MUST(!counts.corrupt || *problems);
	check_info(uev_perf_reader_info(reader));
}

void perf_fuzz_one(const uint8_t *input, size_t size)
{
	unsigned long problems = 0;
	struct uev_perf_reader_options options = {
		.size = sizeof(options),
		.problem = count_problem,
		.data = &problems,
	};
	struct uev_perf_reader *reader;
	uint64_t before = work_count();
	bool from_pipe;
	int fd;
	int ret;

	if (!size)
		return;
	if (*input & PERF_FUZZ_IMPATIENT)
		options.queue_size = 1;
	from_pipe = *input & PERF_FUZZ_PIPE && size <= PIPE_MAX;
	fd = from_pipe ? as_pipe(input + 1, size - 1)
		       : as_file(input + 1, size - 1);

	ret = uev_perf_reader_open_fd(&reader, fd, &options);
	if (ret) {
		MUST(ret == -EBADMSG || (ret == -ESPIPE && from_pipe));
	} else {
		read_all(reader, &problems, input + 1, size - 1);
		uev_perf_reader_close(reader);
	}
	close(fd);
	MUST(work_is_bounded(before, size, WORK_PER_BYTE));
}
