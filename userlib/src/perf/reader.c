// SPDX-License-Identifier: MIT
/* Reads perf.data: opens it, and returns its records. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "perf/features.h"
#include "perf/file_header.h"
#include "perf/format.h"
#include "perf/parts.h"
#include "perf/reader_state.h"
#include "perf/records.h"
#include "util/common.h"
#include "util/counts.h"
#include "util/options.h"
#include "util/sys_perf.h"

#define DEFAULT_QUEUE_SIZE (64 * 1024 * 1024)

static const char too_old[] =
	"perf.data of perf before Linux 3.4, which is not supported";

/* Files that users take for perf.data, and what to do with them. */
static const struct {
	const char *magic;
	size_t size;
	const char *reason;
} other_files[] = {
	{ UEV_PERF_MAGIC_OLD, 8, too_old },
	{ UEV_PERF_MAGIC_OLD_FOREIGN, 8, too_old },
	{ "\037\213", 2, "compressed with gzip; decompress it with gzip -d" },
	{ "\3757zXZ", 5, "compressed with xz; decompress it with xz -d" },
	{ "\050\265\057\375", 4,
	  "compressed with zstd; decompress it with zstd -d" },
	{ "\004\042\115\030", 4,
	  "compressed with lz4; decompress it with lz4 -d" },
	{ "BZh", 3, "compressed with bzip2; decompress it with bzip2 -d" },
};

static int reject(struct uev_perf_reader *reader, const uint8_t *bytes)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(other_files); i++)
		if (!memcmp(bytes, other_files[i].magic, other_files[i].size))
			uev_perf_reader_problem(reader, 0, "%s",
						other_files[i].reason);

	return -EBADMSG;
}

/* The magic tells the kind of perf.data and its byte order. */
static int read_magic(struct uev_perf_reader *reader)
{
	struct uev_input *input = &reader->input;
	const uint8_t *bytes = uev_input_peek(input, UEV_PERF_PIPE_HEADER_SIZE);
	bool foreign;

	if (input->error)
		return input->error;
	if (!bytes)
		return -EBADMSG;

	/*
	 * PERFILE2 is a number, whose bytes are swapped in the other byte
	 * order.
	 */
	foreign = !memcmp(bytes, UEV_PERF_MAGIC_FOREIGN, 8);
	if (!foreign && memcmp(bytes, UEV_PERF_MAGIC, 8))
		return reject(reader, bytes);
	input->big = foreign;
	reader->info.is_foreign = input->big != uev_host_is_big();

	if (uev_get64(bytes + 8, input->big) != UEV_PERF_PIPE_HEADER_SIZE)
		return input->at_offsets ? uev_perf_file_header_read(reader)
					 : -ESPIPE;
	reader->info.is_pipe = 1;
	uev_input_take(input, UEV_PERF_PIPE_HEADER_SIZE);

	return 0;
}

static int init_reader(struct uev_perf_reader *reader, int fd,
		       const struct uev_perf_reader_options *options)
{
	int64_t size;
	int ret;

	ret = uev_options_copy(&reader->options, sizeof(reader->options),
			       options);
	if (ret)
		return ret;
	if (!reader->options.queue_size)
		reader->options.queue_size = DEFAULT_QUEUE_SIZE;

	size = uev_sys_perf_size(fd);
	if (size < 0 && size != -ESPIPE)
		return (int)size;
	if (size > 0)
		reader->file_size = (uint64_t)size;
	reader->unused = reader->file_size;

	ret = uev_input_init(&reader->input, fd, size >= 0);
	if (ret)
		return ret;
	/* Seeking beyond the end of a file succeeds. */
	if (size >= 0)
		reader->input.limit = reader->file_size;
	reader->info.clock.clockid = UEV_CLOCK_PERF;

	return read_magic(reader);
}

static int open_reader(struct uev_perf_reader **reader, int fd, int owned_fd,
		       const struct uev_perf_reader_options *options)
{
	struct uev_perf_reader *opened = calloc(1, sizeof(*opened));
	int ret;

	*reader = NULL;
	if (!opened)
		return -ENOMEM;
	opened->owned_fd = -1;

	ret = init_reader(opened, fd, options);
	if (ret) {
		uev_perf_reader_close(opened);
		return ret;
	}
	opened->owned_fd = owned_fd;
	*reader = opened;

	return 0;
}

int uev_perf_reader_open_fd(struct uev_perf_reader **reader, int fd,
			    const struct uev_perf_reader_options *options)
{
	return open_reader(reader, fd, -1, options);
}

static int open_owned(struct uev_perf_reader **reader, int fd,
		      const struct uev_perf_reader_options *options)
{
	int ret;

	*reader = NULL;
	if (fd < 0)
		return fd;
	ret = open_reader(reader, fd, fd, options);
	if (ret)
		uev_sys_perf_close(fd);

	return ret;
}

static int open_directory(struct uev_perf_reader **reader, const char *path,
			  const struct uev_perf_reader_options *options)
{
	int ret = open_owned(reader, uev_perf_parts_open_first(path), options);

	if (!ret)
		ret = uev_perf_parts_add(*reader, path);
	if (ret) {
		uev_perf_reader_close(*reader);
		*reader = NULL;
	}

	return ret;
}

int uev_perf_reader_open(struct uev_perf_reader **reader, const char *path,
			 const struct uev_perf_reader_options *options)
{
	int ret =
		open_owned(reader, uev_sys_perf_open(path, O_RDONLY), options);

	return ret == -EISDIR ? open_directory(reader, path, options) : ret;
}

void uev_perf_reader_close(struct uev_perf_reader *reader)
{
	if (!reader)
		return;
	if (reader->owned_fd >= 0)
		uev_sys_perf_close(reader->owned_fd);
	uev_perf_parts_free(reader);
	uev_queue_free(&reader->queue);
	uev_perf_events_free(&reader->events);
	uev_names_free(&reader->names);
	uev_mappings_free(&reader->mappings);
	uev_deferred_free(&reader->deferred);
	uev_losses_free(&reader->losses);
	uev_features_free(&reader->info);
	uev_input_free(&reader->input);
	uev_input_free(&reader->decompressed);
	uev_decompressor_free(&reader->decompressor);
	free(reader);
}

/*
 * A thread can sleep long before it returns to user space. The reader of a pipe
 * expects records as they come.
 */
static bool waits_for_stack(const struct uev_perf_reader *reader)
{
	const struct uev_sample *first = uev_queue_first(&reader->queue);

	return first && !reader->at_end && !reader->info.is_pipe &&
	       uev_deferred_is_missing(&reader->deferred, first);
}

/*
 * Returns ordered records, and the oldest one if the queue is full. Records of
 * a directory wait until all of its files were read up to their time.
 */
static const struct uev_sample *pop(struct uev_perf_reader *reader)
{
	bool is_full = uev_queue_memory(&reader->queue) >
		       reader->options.queue_size;
	uint64_t until = reader->until;

	if (is_full && until != UINT64_MAX)
		until = reader->part_count ? uev_perf_parts_newest(reader)
					   : UINT64_MAX;
	if (!is_full && waits_for_stack(reader))
		return NULL;

	return uev_queue_pop(&reader->queue, until);
}

int uev_perf_reader_next(struct uev_perf_reader *reader,
			 const struct uev_sample **record)
{
	for (;;) {
		*record = pop(reader);
		if (*record) {
			uev_names_advance(&reader->names, (*record)->time,
					  (*record)->tid);
			uev_mappings_advance(&reader->mappings, (*record)->time,
					     (*record)->pid);
			*record = uev_deferred_join(&reader->deferred, *record);
			return *record ? 1 : -ENOMEM;
		}
		if (reader->at_end)
			return reader->input.error;
		uev_perf_parts_select(reader);
		uev_perf_record_read(reader);
		if (reader->at_end)
			reader->at_end = !uev_perf_parts_end(reader);
		if (reader->at_end || reader->input.error) {
			reader->at_end = true;
			reader->until = UINT64_MAX;
		}
	}
}

int uev_perf_reader_next_loss(struct uev_perf_reader *reader, uint64_t until,
			      struct uev_loss *loss)
{
	return uev_losses_take(&reader->losses, until, loss);
}

const struct uev_perf_info *
uev_perf_reader_info(const struct uev_perf_reader *reader)
{
	return &reader->info;
}

const struct uev_source *
uev_perf_reader_source(const struct uev_perf_reader *reader, uint32_t index)
{
	return uev_source_table_at(&reader->events.sources, index);
}

const char *uev_perf_reader_comm(const struct uev_perf_reader *reader,
				 uint32_t tid)
{
	return uev_comms_get(&reader->names.comms, tid);
}

const struct uev_mapping *
uev_perf_reader_mapping(const struct uev_perf_reader *reader, uint32_t pid,
			uint64_t address)
{
	return uev_mappings_find(&reader->mappings, pid, address);
}

uint64_t uev_perf_reader_record_offset(const struct uev_perf_reader *reader)
{
	return reader->queue.popped_offset;
}

void uev_perf_reader_stats(const struct uev_perf_reader *reader,
			   struct uev_trace_stats *counts, size_t size)
{
	uev_counts_copy(counts, size, &reader->counts);
}

uint64_t uev_perf_reader_offset(const struct uev_perf_reader *reader,
				uint64_t *size)
{
	*size = reader->file_size;

	return uev_perf_parts_offset(reader);
}
