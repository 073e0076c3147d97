// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies records from the process, validates and emits them.
 */
#include "tracefs/write.h"

#include <linux/err.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "common.h"
#include "compat/emit_section.h"
#include "compat/uio.h"
#include "emit/emit.h"
#include "event/refs.h"
#include "event/user_event.h"
#include "format/validator.h"
#include "limits.h"
#include "tracefs/user_struct.h"

/*
 * Zero bytes behind a record: up to 7 for padding to 8 bytes, and 8 for a
 * tracer that adds a length, or for a missing NUL.
 */
#define RECORD_SLACK 15

/**
 * struct cpu_record - memory for the record that a CPU assembles
 * @entry: the record; its header is always zero
 *
 * Used in an emit section, with preemption disabled, and never in an interrupt.
 * So one record is assembled at a time.
 */
struct cpu_record {
	u8 entry[USER_EVENT_RECORD_PERCPU + RECORD_SLACK] __aligned(8);
};

static struct cpu_record __percpu *cpu_records;

/* Finds an event for which a record can be written; preemption is disabled. */
static __always_inline int find_event(const struct event_refs *refs, s32 index,
				      size_t payload, struct user_event **found)
{
	struct user_event *event;

	if (unlikely(index < 0))
		return -EINVAL;

	event = ue_refs_find_sched(refs, index);
	if (unlikely(!event))
		return -ENOENT;

	if (unlikely(payload <
		     event->desc->fixed_size - USER_EVENT_HEADER_SIZE))
		return -EINVAL;

	if (!READ_ONCE(event->status))
		return -EBADF;

	*found = event;
	return 0;
}

/*
 * Validates a record, whose payload has been copied to @entry. @entry has room
 * for @len + RECORD_SLACK bytes.
 *
 * Return: number of zero bytes behind the record that belong to it, or an error.
 */
static __always_inline int finish_record(const struct user_event *event,
					 u8 *entry, size_t len)
{
	memset(entry + len, 0, RECORD_SLACK);

	if (!event->desc->nr_locs)
		return 0;

	return ue_record_validate(event->desc, entry, len);
}

static __always_inline void emit_record(struct user_event *event,
					const u8 *entry, size_t len)
{
	const struct event_record record = { .entry = entry, .len = len };

	user_event_emit(event, record);
}

/*
 * Copies and validates a record and passes it to all tracers. @entry has room
 * for @len + RECORD_SLACK bytes.
 */
static int write_payload(struct user_event *event, struct iov_iter *from,
			 u8 *entry, size_t len)
{
	size_t payload = len - USER_EVENT_HEADER_SIZE;
	emit_section_t section;
	int missing;

	memset(entry, 0, USER_EVENT_HEADER_SIZE);

	if (copy_from_iter(entry + USER_EVENT_HEADER_SIZE, payload, from) !=
	    payload)
		return -EFAULT;

	missing = finish_record(event, entry, len);
	if (missing < 0)
		return missing;

	section = emit_section_enter();
	emit_record(event, entry, len + missing);
	emit_section_exit(section);

	return 0;
}

/* The record is dropped, but an invalid address must be reported. */
static int write_too_large(struct user_event *event, struct iov_iter *from,
			   size_t payload)
{
	if (fault_in_iov_iter_readable(from, payload))
		return -EFAULT;

	user_event_count_lost(event);
	return 0;
}

static int write_large(struct user_event *event, struct iov_iter *from,
		       size_t len)
{
	u8 *entry = kvmalloc(len + RECORD_SLACK, GFP_KERNEL_ACCOUNT);
	int ret;

	if (!entry)
		return -ENOMEM;

	ret = write_payload(event, from, entry, len);
	kvfree(entry);

	return ret;
}

static int write_small(struct user_event *event, struct iov_iter *from,
		       size_t len)
{
	u8 entry[USER_EVENT_RECORD_ONSTACK + RECORD_SLACK] __aligned(8);

	return write_payload(event, from, entry, len);
}

/*
 * Works for all records and all sources. May sleep. Its variables are cleared
 * by some kernels, so it is not part of its callers.
 */
static noinline int write_slow(const struct event_refs *refs, s32 index,
			       struct iov_iter *from)
{
	size_t payload = iov_iter_count(from);
	size_t len = payload + USER_EVENT_HEADER_SIZE;
	struct user_event *event;
	int ret;

	preempt_disable_notrace();
	ret = find_event(refs, index, payload, &event);
	preempt_enable_notrace();
	if (ret)
		return ret;

	if (payload > USER_EVENT_RECORD_MAX - USER_EVENT_HEADER_SIZE)
		return write_too_large(event, from, payload);

	if (len > USER_EVENT_RECORD_ONSTACK)
		return write_large(event, from, len);

	return write_small(event, from, len);
}

/* write_slow() of a record whose first bytes are the index. */
static ssize_t write_slow_iter(const struct event_refs *refs,
			       struct iov_iter *from)
{
	size_t total = iov_iter_count(from);
	s32 index;

	if (copy_from_iter(&index, sizeof(index), from) != sizeof(index))
		return -EFAULT;

	return write_slow(refs, index, from) ?: total;
}

static noinline ssize_t write_slow_buffer(const struct event_refs *refs,
					  const char __user *buf, size_t count)
{
	struct user_source from;

	if (user_source_init(&from, buf, count))
		return -EFAULT;

	return write_slow_iter(refs, &from.iter);
}

/* Copies @payload bytes, or returns false if that would fault. */
static __always_inline bool copy_parts(u8 *to, const struct iovec *part,
				       size_t payload)
{
	size_t size;

	for (; payload; payload -= size, to += size, part++) {
		size = min(part->iov_len, payload);
		if (!copy_from_user_present(to, part->iov_base, size))
			return false;
	}

	return true;
}

/**
 * struct source - a record in the memory of the process
 * @index: its write index
 * @buffer: its payload, if @parts is NULL
 * @parts: else its payload; the last part can have more bytes
 * @payload: bytes of the payload
 */
struct source {
	s32 index;
	const void __user *buffer;
	const struct iovec *parts;
	size_t payload;
};

/* Completes @from with memory of the process, if that does not fault. */
typedef bool (*source_reader)(struct source *from, const void __user *at);

static __always_inline bool read_index(struct source *from,
				       const void __user *at)
{
	return copy_from_user_present(&from->index, at, sizeof(from->index));
}

static __always_inline bool read_description(struct source *from,
					     const void __user *at)
{
	struct user_record record;

	if (!copy_from_user_present(&record, at, sizeof(record)))
		return false;

	from->index = record.write_index;
	from->buffer = (void __user *)user_address(record.payload);
	from->payload = record.size;
	return true;
}

/*
 * Copies the payload of a record to @entry. Page faults are disabled.
 *
 * Return: 0; an error; or -EAGAIN if that is not possible without sleeping.
 */
static __always_inline int copy_record(const struct event_refs *refs,
				       const struct source *from, u8 *entry,
				       struct user_event **event)
{
	size_t payload = from->payload;
	int ret;

	ret = find_event(refs, from->index, payload, event);
	if (ret)
		return ret;

	if (payload > USER_EVENT_RECORD_PERCPU - USER_EVENT_HEADER_SIZE ||
	    (payload + USER_EVENT_HEADER_SIZE) * (*event)->desc->nr_locs >
		    USER_EVENT_VALIDATE_MAX)
		return -EAGAIN;

	entry += USER_EVENT_HEADER_SIZE;
	if (from->parts ? !copy_parts(entry, from->parts, payload)
			: !copy_from_user_present(entry, from->buffer, payload))
		return -EAGAIN;

	return 0;
}

/*
 * The path of most records: assembles a record in memory of the CPU and passes
 * it to all tracers. It takes no lock, does not sleep, and reads the memory of
 * the process once.
 *
 * @read: completes @from with what is at @at
 *
 * Return: bytes of index and payload; an error; or -EAGAIN if that is not
 *	   possible without sleeping, and nothing was recorded.
 */
static __always_inline ssize_t write_fast(const struct event_refs *refs,
					  struct source *from,
					  source_reader read,
					  const void __user *at)
{
	emit_section_t section = emit_section_enter();
	u8 *entry = this_cpu_ptr(cpu_records)->entry;
	struct user_event *event = NULL;
	int ret = -EAGAIN;
	size_t len;

	pagefault_disable();
	if (read(from, at))
		ret = copy_record(refs, from, entry, &event);
	pagefault_enable();

	len = from->payload + USER_EVENT_HEADER_SIZE;
	if (likely(!ret))
		ret = finish_record(event, entry, len);
	if (likely(ret >= 0))
		emit_record(event, entry, len + ret);
	emit_section_exit(section);

	return ret < 0 ? ret : sizeof(s32) + from->payload;
}

/**
 * ue_write - Writes a record that is in one buffer of the process
 * @refs: the events of the open user_events_data
 * @buf: the record: write index and payload
 * @count: its size, at least that of the index
 *
 * Return: @count, or
 *	   -EFAULT: user memory cannot be read;
 *	   -EINVAL: the index is negative, the fields do not fit, or a string or
 *		    an offset is not valid;
 *	   -ENOENT: no event has this index;
 *	   -EBADF: the event is disabled;
 *	   -ENOMEM.
 */
ssize_t ue_write(const struct event_refs *refs, const char __user *buf,
		 size_t count)
{
	struct source from = {
		.buffer = buf + sizeof(s32),
		.payload = count - sizeof(s32),
	};
	ssize_t ret;

	ret = write_fast(refs, &from, read_index, buf);
	if (likely(ret != -EAGAIN))
		return ret;

	return write_slow_buffer(refs, buf, count);
}

/*
 * Tells whether the first part of a vector is the index, and few follow: they
 * are copied while preemption is disabled.
 */
static bool starts_with_index(const struct iov_iter *from)
{
	return iter_is_iovec(from) && !from->iov_offset &&
	       from->nr_segs <= USER_EVENT_PARTS_MAX &&
	       iov_iter_count(from) >= sizeof(s32) &&
	       iter_iov(from)->iov_len == sizeof(s32);
}

/**
 * ue_write_iter - Writes a record from any source
 * @refs: the events of the open user_events_data
 * @from: the record; callers do not look at how far it was advanced
 *
 * Return: the size of the record, or an error of ue_write().
 */
ssize_t ue_write_iter(const struct event_refs *refs, struct iov_iter *from)
{
	struct source source;
	ssize_t ret;

	if (starts_with_index(from)) {
		source.parts = iter_iov(from) + 1;
		source.payload = iov_iter_count(from) - sizeof(s32);
		ret = write_fast(refs, &source, read_index,
				 iter_iov(from)->iov_base);
		if (likely(ret != -EAGAIN))
			return ret;
	}

	return write_slow_iter(refs, from);
}

static noinline int write_slow_record(const struct event_refs *refs,
				      const struct user_record __user *at)
{
	struct user_record record;
	struct user_source from;

	if (copy_from_user(&record, at, sizeof(record)) ||
	    user_source_init(&from, (void __user *)user_address(record.payload),
			     record.size))
		return -EFAULT;

	return write_slow(refs, record.write_index, &from.iter);
}

/**
 * ue_write_record - Writes a record of a batch
 * @refs: the events of the open user_events_data
 * @at: the description of the record
 *
 * Return: 0, or an error of ue_write().
 */
int ue_write_record(const struct event_refs *refs,
		    const struct user_record __user *at)
{
	struct source from = {};
	ssize_t ret;

	ret = write_fast(refs, &from, read_description, at);
	if (unlikely(ret < 0))
		return ret == -EAGAIN ? write_slow_record(refs, at) : ret;

	return 0;
}

/**
 * ue_write_init - Allocates memory of the CPUs for records
 *
 * Return: 0 or -ENOMEM. ue_write_exit() undoes it.
 */
int ue_write_init(void)
{
	cpu_records = alloc_percpu(struct cpu_record);
	return cpu_records ? 0 : -ENOMEM;
}

/**
 * ue_write_exit - Frees memory of the CPUs
 *
 * Context: No user_events_data is open or can be opened.
 */
void ue_write_exit(void)
{
	free_percpu(cpu_records);
}
