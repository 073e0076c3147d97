// SPDX-License-Identifier: MIT
/* Writes perf.data. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include <userevents/session.h>

#include "perf/comms.h"
#include "perf/format.h"
#include "perf/losses.h"
#include "perf/mappings.h"
#include "perf/output.h"
#include "perf/trailer.h"
#include "perf/vpids.h"
#include "util/id_table.h"
#include "util/options.h"
#include "util/sys_perf.h"
#include "util/temporary.h"
#include "util/tracefs.h"

/* The start of a sample. With stacks, the address is behind it. */
struct sample {
	struct perf_event_header header;
	uint64_t id;
} __attribute__((packed));

/* The members between this and the stack or the raw bytes. */
struct origin {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t reserved;
} __attribute__((packed));

struct lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t reserved;
	uint64_t sample_id;
} __attribute__((packed));

#define KNOWN_FLAGS UEV_PERF_WRITER_STACKS

/* Size of the kernel's names with a NUL. */
#define COMM_SIZE 16

struct comm {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	char comm[COMM_SIZE];
	uint32_t sample_pid;
	uint32_t sample_tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t reserved;
	uint64_t sample_id;
} __attribute__((packed));

/* The start of a mapping, up to its path. */
struct map {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t size;
	uint64_t offset;
	uint32_t major;
	uint32_t minor;
	uint64_t inode;
	uint64_t generation;
	uint32_t protection;
	uint32_t flags;
} __attribute__((packed));

/* The end of records that are not samples. */
struct sample_id {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint32_t cpu;
	uint32_t reserved;
	uint64_t id;
} __attribute__((packed));

/*
 * @path: path of the complete file; @temporary: its current path
 * @trailer: description of the file, with copies of the sources
 * @tracepoints: map of IDs to these copies
 * @comms: names of threads that the file has
 * @mappings: mappings that the file has
 * @vpids: those that readers of the file have
 */
struct uev_perf_writer {
	char *path;
	char *temporary;
	int fd;
	struct uev_perf_output output;
	struct uev_perf_trailer trailer;
	struct uev_id_table tracepoints;
	struct uev_comms comms;
	struct uev_mappings mappings;
	struct uev_vpids vpids;
	bool has_times;
};

static void free_writer(struct uev_perf_writer *writer)
{
	uev_perf_output_free(&writer->output);
	uev_perf_trailer_free(&writer->trailer);
	uev_id_table_free(&writer->tracepoints);
	uev_comms_free(&writer->comms);
	uev_mappings_free(&writer->mappings);
	free(writer->temporary);
	free(writer->path);
	free(writer);
}

const char *uev_perf_writer_path(const struct uev_perf_writer *writer)
{
	return writer->temporary;
}

void uev_perf_writer_discard(struct uev_perf_writer *writer)
{
	if (!writer)
		return;
	if (writer->fd >= 0) {
		uev_sys_perf_close(writer->fd);
		uev_sys_perf_unlink(writer->temporary);
	}
	free_writer(writer);
}

static int create_file(const char *name)
{
	return uev_sys_perf_open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
}

static int open_temporary(struct uev_perf_writer *writer)
{
	writer->fd = uev_temporary_create(writer->path, create_file,
					  &writer->temporary);

	return writer->fd < 0 ? writer->fd : 0;
}

/* If it is not readable, readers use their defaults. */
static void read_tracefs(struct uev_perf_writer *writer, const char *tracefs)
{
	struct uev_perf_trailer *trailer = &writer->trailer;
	char *directory;

	if (uev_tracefs_directory(tracefs, &directory))
		return;
	uev_tracefs_text(directory, "", "", "header_page",
			 &trailer->header_page, &trailer->header_page_size);
	uev_tracefs_text(directory, "", "", "header_event",
			 &trailer->header_event, &trailer->header_event_size);
	free(directory);
}

/* The machine of the records: the given one, or this one. */
static int describe(struct uev_perf_writer *writer,
		    const struct uev_perf_info *given)
{
	struct uev_perf_info *info = &writer->trailer.info;
	struct uev_perf_info own = { 0 };
	struct utsname machine;
	int ret;

	if (!given) {
		ret = uev_sys_perf_machine(&machine);
		if (ret)
			return ret;
		own.hostname = machine.nodename;
		own.osrelease = machine.release;
		own.arch = machine.machine;
		own.cpus_online = uev_sys_perf_cpus(true);
		own.cpus_present = uev_sys_perf_cpus(false);
		given = &own;
	}
	if (!uev_is_zero(given->reserved, sizeof(given->reserved)) ||
	    !uev_is_zero(given->reserved_words, sizeof(given->reserved_words)))
		return -EINVAL;

	info->hostname = strdup(given->hostname ? given->hostname : "");
	info->osrelease = strdup(given->osrelease ? given->osrelease : "");
	info->arch = strdup(given->arch ? given->arch : "");
	info->cpus_online = given->cpus_online;
	info->cpus_present = given->cpus_present;

	return info->hostname && info->osrelease && info->arch ? 0 : -ENOMEM;
}

static bool clock_is_known(const struct uev_clock *clock)
{
	return !clock->reserved && uev_is_zero(clock->reserved_times,
					       sizeof(clock->reserved_times));
}

static int init_writer(struct uev_perf_writer *writer, const char *path,
		       const struct uev_perf_writer_options *given)
{
	struct uev_perf_writer_options options = { 0 };
	int ret;

	ret = uev_options_copy(&options, sizeof(options), given);
	if (!ret && (options.flags & ~KNOWN_FLAGS || options.reserved))
		ret = -EINVAL;
	if (!ret)
		ret = uev_sys_perf_target(path, &writer->path);
	if (!ret)
		ret = describe(writer, options.machine);
	if (ret)
		return ret;

	writer->trailer.info.clock.clockid = UEV_CLOCK_PERF;
	if (options.clock && !clock_is_known(options.clock))
		return -EINVAL;
	if (options.clock && options.clock->clockid != UEV_CLOCK_PERF) {
		writer->trailer.info.clock = *options.clock;
		writer->trailer.info.has_clock = 1;
	}
	writer->trailer.has_stacks = options.flags & UEV_PERF_WRITER_STACKS;
	read_tracefs(writer, options.tracefs);

	ret = open_temporary(writer);
	if (!ret)
		ret = uev_perf_output_init(&writer->output, writer->fd);
	if (!ret)
		ret = uev_perf_trailer_begin(&writer->trailer, &writer->output);

	return ret;
}

int uev_perf_writer_open(struct uev_perf_writer **writer, const char *path,
			 const struct uev_perf_writer_options *options)
{
	struct uev_perf_writer *opened = calloc(1, sizeof(*opened));
	int ret;

	*writer = NULL;
	if (!opened)
		return -ENOMEM;
	opened->fd = -1;

	ret = init_writer(opened, path, options);
	if (ret) {
		uev_perf_writer_discard(opened);
		return ret;
	}
	*writer = opened;

	return 0;
}

static int copy_source(struct uev_source *to, const struct uev_source *from)
{
	int ret;

	ret = uev_source_set_system(to, from->system, strlen(from->system));
	if (!ret)
		ret = uev_source_set_name(to, from->name, strlen(from->name));
	if (!ret && from->format)
		ret = uev_source_set_format(to, from->format,
					    from->format_size);

	return ret;
}

static int add_source(struct uev_perf_writer *writer,
		      const struct uev_source *source, struct uev_source **own)
{
	int ret;

	*own = uev_source_table_add(&writer->trailer.sources, source->id);
	if (!*own)
		return -ENOMEM;
	ret = copy_source(*own, source);
	if (ret)
		return ret;

	ret = uev_id_table_set(&writer->tracepoints, source->id, *own);
	if (ret)
		return ret;

	return uev_perf_trailer_describe(&writer->trailer, &writer->output,
					 (*own)->index);
}

/* An event without a format is known by its name only. */
static bool is_same(const struct uev_source *a, const struct uev_source *b)
{
	return strcmp(a->system, b->system) == 0 &&
	       strcmp(a->name, b->name) == 0 &&
	       (!a->format || !b->format ||
		(a->format_size == b->format_size &&
		 memcmp(a->format, b->format, a->format_size) == 0));
}

/* Returns the writer's copy of @source. */
static int find_source(struct uev_perf_writer *writer,
		       const struct uev_source *source, struct uev_source **own)
{
	int ret;

	if (!source || !source->system || !source->id ||
	    !uev_is_zero(source->reserved, sizeof(source->reserved)))
		return -EINVAL;

	*own = uev_id_table_get(&writer->tracepoints, source->id);
	if (!*own) {
		ret = add_source(writer, source, own);
		if (ret) {
			writer->output.error = ret;
			return ret;
		}
	}
	/* A file has one event per ID; the kernel could have reused it. */
	return is_same(*own, source) ? 0 : -EEXIST;
}

int uev_perf_writer_add(struct uev_perf_writer *writer,
			const struct uev_source *source)
{
	struct uev_source *own;

	return find_source(writer, source, &own);
}

static void put_time(struct uev_perf_writer *writer, uint64_t time)
{
	struct uev_perf_info *info = &writer->trailer.info;

	if (!writer->has_times || time < info->first_time)
		info->first_time = time;
	if (!writer->has_times || time > info->last_time)
		info->last_time = time;
	writer->has_times = true;
}

/* Returns the processor mode of the innermost call. */
static uint16_t mode_of(const struct uev_sample *record)
{
	return record->stack_size &&
			       record->stack[0] == (uint64_t)PERF_CONTEXT_KERNEL
		       ? PERF_RECORD_MISC_KERNEL
		       : PERF_RECORD_MISC_USER;
}

/* Returns the innermost address of a stack, or 0. */
static uint64_t first_address(const struct uev_sample *record)
{
	uint32_t i;

	for (i = 0; i < record->stack_size; i++)
		if (!uev_stack_is_mark(record->stack[i]))
			return record->stack[i];

	return 0;
}

/* Return: bytes of all members before the raw bytes */
static size_t head_size(const struct uev_perf_writer *writer,
			const struct uev_sample *record)
{
	size_t size = sizeof(struct sample) + sizeof(struct origin) +
		      sizeof(record->raw_size);

	if (writer->trailer.has_stacks)
		size += (2 + (size_t)record->stack_size) * sizeof(uint64_t);

	return size;
}

/* Writes the members before the size of the raw bytes. */
static void put_head(struct uev_perf_writer *writer,
		     const struct sample *sample,
		     const struct uev_sample *record)
{
	struct uev_perf_output *output = &writer->output;
	bool has_stacks = writer->trailer.has_stacks;
	struct origin origin = {
		.pid = record->pid,
		.tid = record->tid,
		.time = record->time,
		.cpu = record->cpu,
	};

	uev_perf_output_put(output, sample, sizeof(*sample));
	if (has_stacks)
		uev_perf_output_u64(output, first_address(record));
	uev_perf_output_put(output, &origin, sizeof(origin));
	if (!has_stacks)
		return;
	uev_perf_output_u64(output, record->stack_size);
	uev_perf_output_put(output, record->stack,
			    record->stack_size * sizeof(*record->stack));
}

/*
 * Nothing is written about processes without one, as long as the reader has none,
 * too.
 */
static void put_vpid(struct uev_perf_writer *writer,
		     const struct uev_sample *record)
{
	uint32_t vpid = record->flags & UEV_HAS_VPID ? record->vpid : 0;
	struct uev_vpid *known = uev_vpids_at(&writer->vpids, record->pid);
	struct perf_event_header header = {
		.type = UEV_PERF_RECORD_HEADER_EVENT_TYPE,
		.size = UEV_PERF_VPID_SIZE,
	};

	if (vpid == (known->pid == record->pid ? known->vpid : 0))
		return;
	known->pid = record->pid;
	known->vpid = vpid;
	uev_perf_output_put(&writer->output, &header, sizeof(header));
	uev_perf_output_put(&writer->output, UEV_PERF_VPID_MAGIC,
			    sizeof(UEV_PERF_VPID_MAGIC) - 1);
	uev_perf_output_u32(&writer->output, record->pid);
	uev_perf_output_u32(&writer->output, vpid);
}

int uev_perf_writer_record(struct uev_perf_writer *writer,
			   const struct uev_sample *record)
{
	struct sample sample = { .header.type = PERF_RECORD_SAMPLE };
	size_t size = head_size(writer, record) + (size_t)record->raw_size;
	size_t padding = -size % sizeof(uint64_t);
	struct uev_source *source;
	int ret;

	if (writer->output.error)
		return writer->output.error;
	if (!(record->flags & UEV_HAS_TIME) || record->reserved)
		return -EINVAL;
	if (record->flags & UEV_IS_FOREIGN)
		return -EOPNOTSUPP;
	/* The sum can overflow size_t. */
	if (record->raw_size > UINT16_MAX || record->stack_size > UINT16_MAX ||
	    size + padding > UINT16_MAX)
		return -E2BIG;
	ret = find_source(writer, record->source, &source);
	if (ret)
		return ret;

	if (writer->trailer.has_stacks)
		sample.header.misc = mode_of(record);
	sample.header.size = (uint16_t)(size + padding);
	sample.id = (uint64_t)source->index + 1;
	put_vpid(writer, record);
	put_head(writer, &sample, record);
	uev_perf_output_u32(&writer->output,
			    record->raw_size + (uint32_t)padding);
	uev_perf_output_put(&writer->output, record->raw, record->raw_size);
	uev_perf_output_zeros(&writer->output, padding);
	put_time(writer, record->time);

	return writer->output.error;
}

static bool same_mapping(const struct uev_mapping *one,
			 const struct uev_mapping *other)
{
	return one->start == other->start && one->end == other->end &&
	       one->offset == other->offset && one->inode == other->inode &&
	       one->generation == other->generation &&
	       one->major == other->major && one->minor == other->minor &&
	       strcmp(one->path, other->path) == 0;
}

static void put_mapping(struct uev_perf_writer *writer, uint32_t pid,
			uint64_t time, const struct uev_mapping *mapping)
{
	size_t length = strlen(mapping->path);
	/* At least one NUL. */
	size_t zeros = sizeof(uint64_t) - length % sizeof(uint64_t);
	struct sample_id end = { .pid = pid, .tid = pid, .time = time, .id = 1 };
	struct map map = {
		.header.type = PERF_RECORD_MMAP2,
		.header.misc = pid == UEV_KERNEL_PID ? PERF_RECORD_MISC_KERNEL
						     : PERF_RECORD_MISC_USER,
		.header.size =
			(uint16_t)(sizeof(map) + length + zeros + sizeof(end)),
		.pid = pid,
		.tid = pid,
		.start = mapping->start,
		.size = mapping->end - mapping->start,
		.offset = mapping->offset,
		.major = mapping->major,
		.minor = mapping->minor,
		.inode = mapping->inode,
		.generation = mapping->generation,
		.protection = mapping->protection,
		.flags = mapping->flags,
	};

	uev_perf_output_put(&writer->output, &map, sizeof(map));
	uev_perf_output_put(&writer->output, mapping->path, length);
	uev_perf_output_zeros(&writer->output, zeros);
	uev_perf_output_put(&writer->output, &end, sizeof(end));
}

int uev_perf_writer_mapping(struct uev_perf_writer *writer, uint32_t pid,
			    uint64_t time, const struct uev_mapping *mapping)
{
	const struct uev_mapping *known;

	if (writer->output.error)
		return writer->output.error;
	if (!uev_is_zero(mapping->reserved, sizeof(mapping->reserved)) ||
	    strlen(mapping->path) >= UEV_MAPPING_PATH_MAX)
		return -EINVAL;
	known = uev_mappings_find(&writer->mappings, pid, mapping->start);
	if (known && same_mapping(known, mapping))
		return 0;
	/* A forgotten mapping is written again. */
	(void)uev_mappings_add(&writer->mappings, pid, mapping);
	put_mapping(writer, pid, time, mapping);

	return writer->output.error;
}

int uev_perf_writer_comm(struct uev_perf_writer *writer, uint32_t pid,
			 uint32_t tid, uint64_t time, const char *name)
{
	const char *known = uev_comms_get(&writer->comms, tid);
	struct comm comm = {
		.header.type = PERF_RECORD_COMM,
		.header.size = sizeof(comm),
		.pid = pid,
		.tid = tid,
		.sample_pid = pid,
		.sample_tid = tid,
		.time = time,
		.sample_id = 1,
	};

	if (writer->output.error)
		return writer->output.error;
	memcpy(comm.comm, name, strnlen(name, COMM_SIZE - 1));
	uev_comms_touch(&writer->comms, tid);
	if (known && !strcmp(known, comm.comm))
		return 0;
	/* A forgotten name is written again. */
	(void)uev_comms_set(&writer->comms, tid, comm.comm, COMM_SIZE);
	uev_perf_output_put(&writer->output, &comm, sizeof(comm));

	return writer->output.error;
}

static void put_lost(struct uev_perf_writer *writer, uint64_t count,
		     uint64_t time, unsigned int cpu)
{
	struct lost lost = {
		.header.type = PERF_RECORD_LOST,
		.header.size = sizeof(lost),
		.id = 1,
		.lost = count,
		.time = time,
		.cpu = cpu,
		.sample_id = 1,
	};

	uev_perf_output_put(&writer->output, &lost, sizeof(lost));
}

int uev_perf_writer_lost(struct uev_perf_writer *writer, uint64_t count,
			 unsigned int cpu)
{
	put_lost(writer, count, writer->trailer.info.last_time, cpu);

	return writer->output.error;
}

/* @id: of its event in the file; 0: unknown */
static void put_loss(struct uev_perf_writer *writer,
		     const struct uev_loss *loss, uint64_t id)
{
	struct uev_perf_output *output = &writer->output;
	struct perf_event_header header = {
		.type = UEV_PERF_RECORD_HEADER_EVENT_TYPE,
		.size = UEV_PERF_LOSS_SIZE,
	};

	uev_perf_output_put(output, &header, sizeof(header));
	uev_perf_output_put(output, UEV_PERF_LOSS_MAGIC,
			    sizeof(UEV_PERF_LOSS_MAGIC) - 1);
	uev_perf_output_u64(output, id);
	uev_perf_output_u64(output, loss->count);
	uev_perf_output_u64(output, loss->from);
	uev_perf_output_u64(output, loss->to);
	uev_perf_output_u32(output, loss->flags);
	uev_perf_output_u32(output, loss->cpu);
	uev_perf_output_put(output, loss->reason, strlen(loss->reason));
	uev_perf_output_zeros(output,
			      UEV_LOSS_REASON_SIZE - strlen(loss->reason));
}

int uev_perf_writer_loss(struct uev_perf_writer *writer,
			 const struct uev_loss *loss)
{
	bool has_time = loss->flags & UEV_HAS_TIME;
	struct uev_source *source;
	uint64_t id = 0;
	int ret;

	if (writer->output.error)
		return writer->output.error;
	if (!loss->count || loss->flags & ~(UEV_HAS_TIME | UEV_HAS_CPU) ||
	    (has_time && loss->from > loss->to) ||
	    !uev_is_zero(loss->reserved, sizeof(loss->reserved)) ||
	    !uev_loss_reason_is_valid(loss->reason))
		return -EINVAL;
	if (loss->source) {
		ret = find_source(writer, loss->source, &source);
		if (ret)
			return ret;
		id = (uint64_t)source->index + 1;
	}
	put_loss(writer, loss, id);
	put_lost(writer, loss->count,
		 has_time ? loss->to : writer->trailer.info.last_time,
		 loss->flags & UEV_HAS_CPU ? loss->cpu : 0);

	return writer->output.error;
}

int uev_perf_writer_finished_round(struct uev_perf_writer *writer)
{
	struct perf_event_header header = {
		.type = UEV_PERF_RECORD_FINISHED_ROUND,
		.size = sizeof(header),
	};

	uev_perf_output_put(&writer->output, &header, sizeof(header));

	return uev_perf_output_flush(&writer->output);
}

/* Without records, there is nothing to keep. */
static void keep_records(struct uev_perf_writer *writer)
{
	if (!writer->has_times)
		uev_sys_perf_unlink(writer->temporary);
}

int uev_perf_writer_finish(struct uev_perf_writer *writer)
{
	int ret;

	uev_perf_trailer_write(&writer->trailer, &writer->output);
	ret = writer->output.error;
	if (!ret)
		ret = uev_sys_perf_sync(writer->fd);
	if (!ret)
		ret = uev_sys_perf_rename(writer->temporary, writer->path);
	if (ret)
		keep_records(writer);
	uev_sys_perf_close(writer->fd);
	free_writer(writer);

	return ret;
}
