// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies records from the process, validates and emits them.
 */
#include "tracefs/write.h"

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "common.h"
#include "compat/compiler.h"
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

/*
 * The record that a CPU assembles. Used in an emit section, with preemption
 * disabled, and never in an interrupt. So one record is assembled at a time.
 *
 * Memory of kmalloc(), so that debug kernels detect an access behind it.
 */
static DEFINE_PER_CPU(u8 *, cpu_record);

/* Finds an event for which a record can be written, or counts the record as lost. */
static __always_inline int find_event(const struct event_refs *refs, s32 index,
				      size_t payload, struct user_event **found)
{
	struct user_event *event;

	if (unlikely(index < 0))
		return -EINVAL;

	event = ue_refs_find(refs, index);
	if (unlikely(!event))
		return -ENOENT;

	if (unlikely(payload <
		     event->desc->fixed_size - USER_EVENT_HEADER_SIZE)) {
		user_event_count_loss(event, LOSS_INVALID);
		return -EINVAL;
	}

	if (!READ_ONCE(event->status)) {
		user_event_count_loss(event, LOSS_DISABLED);
		return -EBADF;
	}

	*found = event;
	return 0;
}

/* ue_record_validate(), which counts a record that is not valid as lost. */
static __always_inline int validate(const struct user_event *event,
				    const u8 *entry, size_t len)
{
	int missing = ue_record_validate(event->desc, entry, len);

	if (unlikely(missing < 0))
		user_event_count_loss(event, LOSS_INVALID);

	return missing;
}

/*
 * Completes and validates a record, whose payload has been copied to @entry.
 * @entry has room for @len + RECORD_SLACK bytes.
 *
 * Return: number of zero bytes behind the record that belong to it, or an error.
 */
static __always_inline int finish_record(const struct user_event *event,
					 u8 *entry, size_t len)
{
	memset(entry, 0, USER_EVENT_HEADER_SIZE);
	memset(entry + len, 0, RECORD_SLACK);

	if (!event->desc->nr_locs)
		return 0;

	return validate(event, entry, len);
}

static __always_inline void emit_record(struct user_event *event, u8 *entry,
					size_t len, u8 tracers)
{
	const struct event_record record = { .entry = entry, .len = len };

	user_event_emit(event, record, tracers);
}

/* Counts a record for which its only trace instance had no room. */
static void count_refused(struct user_event *event)
{
	this_cpu_inc(event->counts->hits);
	user_event_count_loss(event, LOSS_FTRACE_BUFFER);
}

/*
 * What is known of a record that may sleep:
 * @REFUSED: the only trace instance had no room for it, and has counted that; it
 *	     must not be offered again
 * @REPORTED: its writer asks whether a tracer takes it
 */
enum {
	REFUSED = BIT(0),
	REPORTED = BIT(1),
};

/* emit_record() for a writer that asks what comes of it. */
static int emit_reported(struct user_event *event, u8 *entry, size_t len,
			 u8 tracers)
{
	const struct event_record record = { .entry = entry, .len = len };

	return user_event_emit_reported(event, record, tracers);
}

/* Passes a record to the tracers that are attached now. */
static int emit_to_tracers(struct user_event *event, u8 *entry, size_t len,
			   unsigned int known)
{
	emit_section_t section = emit_section_enter();
	u8 tracers = user_event_tracers(event);
	int ret = -EBADF;

	if (unlikely(!tracers))
		user_event_count_loss(event, LOSS_DISABLED);
	else if (known & REPORTED)
		ret = emit_reported(event, entry, len, tracers);
	else
		emit_record(event, entry, len, tracers);
	emit_section_exit(section);

	return known & REPORTED ? ret : 0;
}

/*
 * Copies and validates a record and passes it to all tracers. @entry has room
 * for @len + RECORD_SLACK bytes.
 */
static int write_payload(struct user_event *event, struct iov_iter *from,
			 u8 *entry, size_t len, unsigned int known)
{
	size_t payload = len - USER_EVENT_HEADER_SIZE;
	int missing;

	if (copy_from_iter(entry + USER_EVENT_HEADER_SIZE, payload, from) !=
	    payload) {
		user_event_count_loss(event, LOSS_FAULT);
		return -EFAULT;
	}

	missing = finish_record(event, entry, len);
	if (missing < 0)
		return missing;

	if (!(known & REFUSED))
		return emit_to_tracers(event, entry, len + missing, known);

	count_refused(event);
	return known & REPORTED ? -ENOSPC : 0;
}

/* The record is dropped, but an invalid address must be reported. */
static int write_too_large(struct user_event *event, struct iov_iter *from,
			   size_t payload, unsigned int known)
{
	if (fault_in_iov_iter_readable(from, payload)) {
		user_event_count_loss(event, LOSS_FAULT);
		return -EFAULT;
	}

	return emit_to_tracers(event, NULL, USER_EVENT_RECORD_MAX + 1, known);
}

static int write_large(struct user_event *event, struct iov_iter *from,
		       size_t len, unsigned int known)
{
	u8 *entry = kvmalloc(len + RECORD_SLACK, GFP_KERNEL_ACCOUNT);
	int ret;

	if (!entry) {
		user_event_count_loss(event, LOSS_NOMEM);
		return -ENOMEM;
	}

	ret = write_payload(event, from, entry, len, known);
	kvfree(entry);

	return ret;
}

static int write_small(struct user_event *event, struct iov_iter *from,
		       size_t len, unsigned int known)
{
	u8 entry[USER_EVENT_RECORD_ONSTACK + RECORD_SLACK] __aligned(8);

	return write_payload(event, from, entry, len, known);
}

/* Works for all events and sources. May sleep. */
static int write_any(const struct event_refs *refs, s32 index,
		     struct iov_iter *from, unsigned int known)
{
	size_t payload = iov_iter_count(from);
	size_t len = payload + USER_EVENT_HEADER_SIZE;
	struct user_event *event;
	int ret;

	ret = find_event(refs, index, payload, &event);
	if (ret)
		return ret;

	if (payload > USER_EVENT_RECORD_MAX - USER_EVENT_HEADER_SIZE)
		return write_too_large(event, from, payload, known);

	if (len > USER_EVENT_RECORD_ONSTACK)
		return write_large(event, from, len, known);

	return write_small(event, from, len, known);
}

/*
 * write_any() for an index that can ask for a report. Its variables, and those of
 * the functions above, are cleared by some kernels, so it is not part of its
 * callers.
 *
 * @is_refused: see REFUSED
 */
static noinline int write_slow(const struct event_refs *refs, s32 index,
			       struct iov_iter *from, bool is_refused)
{
	unsigned int known = is_refused ? REFUSED : 0;
	int ret;

	if (index < 0 || likely(!(index & USER_EVENT_INDEX_REPORT)))
		return write_any(refs, index, from, known);

	ret = write_any(refs, index & ~USER_EVENT_INDEX_REPORT, from,
			known | REPORTED);

	return ret == -EBADF ? -EAGAIN : ret;
}

/* write_slow() of a record whose first bytes are the index. */
static ssize_t write_slow_iter(const struct event_refs *refs,
			       struct iov_iter *from, bool is_refused)
{
	size_t total = iov_iter_count(from);
	s32 index;

	if (copy_from_iter(&index, sizeof(index), from) != sizeof(index))
		return -EFAULT;

	return write_slow(refs, index, from, is_refused) ?: total;
}

static noinline ssize_t write_slow_buffer(const struct event_refs *refs,
					  const char __user *buf, size_t count,
					  bool is_refused)
{
	struct user_source from;

	if (user_source_init(&from, buf, count))
		return -EFAULT;

	return write_slow_iter(refs, &from.iter, is_refused);
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

/* Largest payload that is copied while page faults are disabled. */
#define PRESENT_MAX (USER_EVENT_RECORD_PERCPU - USER_EVENT_HEADER_SIZE)

/**
 * struct source - a record in the memory of the process
 * @index: its write index
 * @buffer: its payload, if @parts is NULL; access_ok() is true for it
 * @parts: else its payload; the last part can have more bytes
 * @payload: bytes of the payload
 * @cookie: that of the open file, for read_write()
 * @is_reported: the writer asks whether a tracer takes the record
 */
struct source {
	s32 index;
	const void __user *buffer;
	const struct iovec *parts;
	size_t payload;
	u64 cookie;
	bool is_reported;
};

/* Completes @from with memory of the process, if that does not fault. */
typedef bool (*source_reader)(struct source *from, const void __user *at);

/* Reads an index that is a part of its own. */
static __always_inline bool read_part(struct source *from,
				      const void __user *at)
{
	return copy_from_user_present(&from->index, at, sizeof(from->index)) &&
	       (from->parts || access_ok(from->buffer, PRESENT_MAX));
}

/* Reads an index in front of the payload. */
static __always_inline bool read_head(struct source *from,
				      const void __user *at)
{
	/* A constant upper bound compiles to one comparison. */
	return access_ok(at, sizeof(from->index) + PRESENT_MAX) &&
	       copy_from_user_checked(&from->index, at, sizeof(from->index));
}

static __always_inline bool set_source(struct source *from, s32 index,
				       u64 payload, u32 size)
{
	from->index = index;
	from->buffer = user_pointer(payload);
	from->payload = size;
	return access_ok(from->buffer, PRESENT_MAX);
}

static __always_inline bool read_description(struct source *from,
					     const void __user *at)
{
	struct user_record record;

	return copy_from_user_present(&record, at, sizeof(record)) &&
	       set_source(from, record.write_index, record.payload,
			  record.size);
}

/* Reads a record that is for this open file and not in pieces. */
static __always_inline bool read_write(struct source *from,
				       const void __user *at)
{
	struct user_write write;

	if (!copy_from_user_present(&write, at, sizeof(write)) ||
	    write.size != sizeof(write) || write.cookie != from->cookie ||
	    write.pieces || write.flags)
		return false;

	from->is_reported = write.write_index & USER_EVENT_INDEX_REPORT;
	return set_source(from, write.write_index & ~USER_EVENT_INDEX_REPORT,
			  write.payload, write.payload_size);
}

/* For a record of which only the payload has to be read */
static __always_inline bool read_nothing(struct source *from,
					 const void __user *at)
{
	return true;
}

/**
 * struct run - consecutive records of an event in one emit section
 * @event: the event, if its only tracer is a trace instance, or NULL
 * @index: its write index
 * @header: the headers of their entries in that instance
 * @buffer: the last entry; not a member, so that the compiler can keep the members
 *	    in registers
 *
 * All are for the same trace instance: what is attached to the event or detached
 * meanwhile is so after the section.
 */
struct run {
	struct user_event *event;
	s32 index;
	u8 header[sizeof(struct trace_entry)];
	struct trace_event_buffer *buffer;
};

/* Copies the payload of a record, or returns false if that would fault. */
static __always_inline bool copy_payload(const struct source *from, u8 *entry)
{
	entry += USER_EVENT_HEADER_SIZE;
	if (from->parts)
		return copy_parts(entry, from->parts, from->payload);

	return copy_from_user_checked(entry, from->buffer, from->payload);
}

/*
 * Copies the payload of a record to the entry of a tracer, and validates the
 * record. The entry has @size bytes, and those behind the record are zero.
 *
 * Return: 0; an error; or -EAGAIN if that is not possible without sleeping, or
 *	   if the entry has no room for a missing NUL.
 */
static __always_inline int fill_entry(const struct user_event *event,
				      const struct source *from, u8 *entry,
				      size_t len, size_t size)
{
	int missing;

	if (!copy_payload(from, entry))
		return -EAGAIN;

	if (!event->desc->nr_locs)
		return 0;

	missing = validate(event, entry, len);
	if (missing < 0)
		return missing;

	return missing && size == len ? -EAGAIN : 0;
}

/*
 * Assembles a record in the buffer of its only tracer, a trace instance.
 *
 * Return: as fill_entry(); -E2BIG if all tracers must be offered the complete
 *	   record; or -ENOBUFS if the trace instance has no room.
 */
static __always_inline int write_to_ftrace(struct user_event *event,
					   const struct source *from,
					   size_t len, struct run *run)
{
	struct ftrace_tracer *tracer;
	u8 *entry;
	int ret;

	if (run->event) {
		entry = ue_ftrace_reserve_next(run->buffer, run->header, len);
	} else {
		tracer = ue_ftrace_only(event);
		if (unlikely(!tracer))
			return -E2BIG;
		entry = ue_ftrace_reserve(tracer, len, run->buffer);
	}
	if (unlikely(!entry))
		return ue_ftrace_loss(run->buffer, ue_ftrace_size(len)) ==
				       LOSS_FTRACE_BUFFER
			       ? -ENOBUFS
			       : -E2BIG;

	ret = fill_entry(event, from, entry, len, ue_ftrace_size(len));
	if (unlikely(ret)) {
		ue_ftrace_discard(run->buffer, entry, len);
		return ret;
	}

	if (!run->event) {
		run->event = event;
		run->index = from->index;
		memcpy(run->header, entry, sizeof(run->header));
	}
	this_cpu_inc(event->counts->hits);
	ue_ftrace_commit(run->buffer);
	return 0;
}

/*
 * Assembles a record in memory of the CPU, and passes it to @tracers. With
 * @is_refused, counts it instead: its only trace instance had no room.
 *
 * Return: 0; an error; or -EAGAIN, or -ENOBUFS with @is_refused, if memory of the
 *	   process must be waited for.
 */
static __always_inline int write_copy(struct user_event *event,
				      const struct source *from, size_t len,
				      u8 tracers, bool is_refused)
{
	u8 *entry = __this_cpu_read(cpu_record);
	int missing;

	if (!copy_payload(from, entry))
		return is_refused ? -ENOBUFS : -EAGAIN;

	missing = finish_record(event, entry, len);
	if (missing < 0)
		return missing;

	if (is_refused) {
		count_refused(event);
		return from->is_reported ? -ENOSPC : 0;
	}
	if (from->is_reported)
		return emit_reported(event, entry, len + missing, tracers);

	emit_record(event, entry, len + missing, tracers);
	return 0;
}

/* Finds the event of a record and its tracers. Starts a run if it is another. */
static __always_inline struct user_event *
find_tracers(const struct event_refs *refs, s32 index, struct run *run,
	     u8 *tracers)
{
	struct user_event *event;

	if (run->event && run->index == index) {
		*tracers = EVENT_STATUS_FTRACE;
		return run->event;
	}

	run->event = NULL;
	event = ue_refs_find(refs, index);
	if (likely(event))
		*tracers = user_event_tracers(event);

	return event;
}

/*
 * Writes a record if no memory of the process must be waited for. Page faults
 * are disabled.
 *
 * @run: the records before it in the emit section
 */
static __always_inline int write_present(const struct event_refs *refs,
					 struct source *from,
					 source_reader read,
					 const void __user *at, struct run *run)
{
	struct user_event *event;
	u8 tracers = 0;
	size_t len;
	int ret;

	if (!read(from, at) || unlikely(from->payload > PRESENT_MAX))
		return -EAGAIN;

	len = from->payload + USER_EVENT_HEADER_SIZE;
	event = find_tracers(refs, from->index, run, &tracers);
	if (unlikely(!event || len < event->desc->fixed_size ||
		     len * event->desc->nr_locs > USER_EVENT_VALIDATE_MAX))
		return -EAGAIN;

	if (likely(tracers == EVENT_STATUS_FTRACE)) {
		ret = write_to_ftrace(event, from, len, run);
		if (unlikely(ret == -ENOBUFS))
			return write_copy(event, from, len, tracers, true);
		if (likely(ret != -E2BIG))
			return ret;
	} else if (!tracers) {
		user_event_count_loss(event, LOSS_DISABLED);
		return -EBADF;
	}

	return write_copy(event, from, len, tracers, false);
}

/*
 * The path of most records: assembles a record in the buffer of a tracer, or in
 * memory of the CPU, and passes it to all tracers. It takes no lock, does not
 * sleep, and copies the memory of the process once.
 *
 * @read: completes @from with what is at @at
 *
 * Return: 0; an error; -EAGAIN if no tracer was offered the record, and write_slow()
 *	   finds the error or writes the record; or -ENOBUFS if its only trace
 *	   instance had no room, and write_slow() finds the error or counts it.
 */
static __always_inline int write_fast(const struct event_refs *refs,
				      struct source *from, source_reader read,
				      const void __user *at)
{
	struct trace_event_buffer buffer __uninitialized;
	struct run run = { .buffer = &buffer };
	emit_section_t section = emit_section_enter();
	int ret;

	pagefault_disable();
	ret = write_present(refs, from, read, at, &run);
	pagefault_enable();
	emit_section_exit(section);

	return ret;
}

static bool is_for_slow(int ret)
{
	return ret == -EAGAIN || ret == -ENOBUFS;
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
	int ret = write_fast(refs, &from, read_head, buf);

	if (likely(!ret))
		return count;

	return is_for_slow(ret)
		       ? write_slow_buffer(refs, buf, count, ret == -ENOBUFS)
		       : ret;
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
	int ret = -EAGAIN;

	if (starts_with_index(from)) {
		source.is_reported = false;
		source.parts = iter_iov(from) + 1;
		source.buffer = NULL;
		if (from->nr_segs == 2) {
			source.buffer = source.parts->iov_base;
			source.parts = NULL;
		}
		source.payload = iov_iter_count(from) - sizeof(s32);
		ret = write_fast(refs, &source, read_part,
				 iter_iov(from)->iov_base);
		if (likely(!ret))
			return iov_iter_count(from);
		if (!is_for_slow(ret))
			return ret;
	}

	return write_slow_iter(refs, from, ret == -ENOBUFS);
}

/* Counts a record that was not looked at as lost. */
static int count_unread(const struct event_refs *refs, u32 index,
			enum event_loss loss, int err)
{
	struct user_event *event =
		ue_refs_find(refs, index & ~USER_EVENT_INDEX_REPORT);

	if (event)
		user_event_count_loss(event, loss);

	return err;
}

static int write_slow_payload(const struct event_refs *refs, s32 index,
			      u64 payload, u32 size, bool is_refused)
{
	struct user_source from;

	if (user_source_init(&from, user_pointer(payload), size))
		return count_unread(refs, index, LOSS_FAULT, -EFAULT);

	return write_slow(refs, index, &from.iter, is_refused);
}

static noinline int write_slow_record(const struct event_refs *refs,
				      const struct user_record __user *at,
				      bool is_refused)
{
	struct user_record record;

	if (copy_from_user(&record, at, sizeof(record)))
		return -EFAULT;

	return write_slow_payload(refs, record.write_index, record.payload,
				  record.size, is_refused);
}

/*
 * write_fast() of records, up to the first that fails, or until the task is to be
 * rescheduled or killed.
 *
 * @ret: set to the result of the last record
 *
 * Return: number of records written.
 */
static u32 write_run(const struct event_refs *refs,
		     const struct user_record __user *records, u32 count,
		     int *ret)
{
	struct trace_event_buffer buffer __uninitialized;
	struct run run = { .buffer = &buffer };
	emit_section_t section = emit_section_enter();
	u32 done = 0;

	pagefault_disable();
	do {
		struct source from = {};

		*ret = write_present(refs, &from, read_description,
				     records + done, &run);
		if (unlikely(*ret))
			break;
		done++;
	} while (done < count && !need_resched() &&
		 !fatal_signal_pending(current));
	pagefault_enable();
	emit_section_exit(section);

	return done;
}

/**
 * ue_write_records - Writes records in order, up to the first that fails
 * @refs: the events of the open user_events_data
 * @records: the descriptions of the records
 * @count: their number; at most USER_BATCH_MAX of them are written
 *
 * Context: Sleeps. The task can be rescheduled or killed after each record.
 * Return: number of records written; or, if the first one failed, an error of
 *	   ue_write().
 */
long ue_write_records(const struct event_refs *refs,
		      const struct user_record __user *records, u32 count)
{
	long done = 0;
	int ret = 0;

	count = min_t(u32, count, USER_BATCH_MAX);
	while (done < count) {
		done += write_run(refs, records + done, count - done, &ret);
		if (is_for_slow(ret)) {
			ret = write_slow_record(refs, records + done,
						ret == -ENOBUFS);
			done += !ret;
		}
		if (ret || fatal_signal_pending(current))
			break;

		if (need_resched())
			cond_resched();
	}

	return done ?: ret;
}

/*
 * Fills in @parts, which have room for the pieces. Kernels expect that memory of
 * an iterator is the process's: before 5.16, they read a byte of each page of a
 * record that is too large without looking.
 */
static int copy_pieces(struct iovec *parts, const struct user_write *write)
{
	const struct user_piece __user *from = user_pointer(write->payload);
	size_t left = write->payload_size;
	struct user_piece piece;
	u16 i;

	for (i = 0; i < write->pieces; i++) {
		if (copy_from_user(&piece, from + i, sizeof(piece)))
			return -EFAULT;
		if (piece.size > left)
			return -EINVAL;
		left -= piece.size;
		parts[i].iov_base = user_pointer(piece.address);
		if (!access_ok(parts[i].iov_base, piece.size))
			return -EFAULT;
		parts[i].iov_len = piece.size;
	}

	return left ? -EINVAL : 0;
}

static int write_parts(const struct event_refs *refs, const struct iovec *parts,
		       const struct user_write *write)
{
	struct source from = {
		.index = write->write_index & ~USER_EVENT_INDEX_REPORT,
		.parts = parts,
		.payload = write->payload_size,
		.is_reported = write->write_index & USER_EVENT_INDEX_REPORT,
	};
	struct iov_iter iter;
	int ret = -EAGAIN;

	if (write->pieces <= USER_EVENT_PARTS_MAX)
		ret = write_fast(refs, &from, read_nothing, NULL);
	if (!is_for_slow(ret))
		return ret;

	iov_iter_init(&iter, WRITE, parts, write->pieces, write->payload_size);
	return write_slow(refs, write->write_index, &iter, ret == -ENOBUFS);
}

static int write_pieces(const struct event_refs *refs,
			const struct user_write *write)
{
	struct iovec *parts;
	int ret;

	/* Iterators of the kernel have at most this size, too. */
	if (write->pieces > USER_PIECES_MAX ||
	    write->payload_size > MAX_RW_COUNT)
		return count_unread(refs, write->write_index, LOSS_INVALID,
				    -EINVAL);

	parts = kmalloc_array(write->pieces, sizeof(*parts),
			      GFP_KERNEL_ACCOUNT);
	if (!parts)
		return count_unread(refs, write->write_index, LOSS_NOMEM,
				    -ENOMEM);

	ret = copy_pieces(parts, write);
	if (ret)
		count_unread(refs, write->write_index,
			     ret == -EFAULT ? LOSS_FAULT : LOSS_INVALID, ret);
	else
		ret = write_parts(refs, parts, write);
	kfree(parts);

	return ret;
}

static noinline long write_slow_write(const struct event_refs *refs,
				      const struct user_write __user *at,
				      bool is_refused)
{
	struct user_write write;
	int ret = user_struct_copy(&write, sizeof(write), at);

	if (ret)
		return ret;

	if (write.cookie != refs->cookie)
		return -ESTALE;

	if (write.flags & USER_WRITE_BATCH) {
		if (write.flags != USER_WRITE_BATCH || write.pieces ||
		    write.write_index)
			return -EINVAL;
		return ue_write_records(refs, user_pointer(write.payload),
					write.payload_size);
	}

	if (write.flags)
		return -EINVAL;

	if (write.pieces)
		return write_pieces(refs, &write);

	return write_slow_payload(refs, write.write_index, write.payload,
				  write.payload_size, is_refused);
}

/**
 * ue_write_record - Writes a record, or a batch, that is for this open file only
 * @refs: the events of the open user_events_data
 * @argument: the record, with the cookie of the file
 *
 * Context: Sleeps. A batch is written as by ue_write_records().
 * Return: 0; number of records of a batch; an error of ue_write(), but -EAGAIN if
 *	   the event is disabled; or
 *	   -ESTALE: the open file has another cookie;
 *	   -E2BIG: the structure is larger than a page, or unknown members are
 *		   not zero;
 *	   -EINVAL: the structure is too small, or its members are not valid.
 */
long ue_write_record(const struct event_refs *refs,
		     const struct user_write __user *argument)
{
	struct source from = { .cookie = refs->cookie };
	long ret = write_fast(refs, &from, read_write, argument);

	if (likely(!ret))
		return 0;

	if (is_for_slow(ret))
		ret = write_slow_write(refs, argument, ret == -ENOBUFS);

	/* For the process, EBADF is a file that it has closed. */
	return ret == -EBADF ? -EAGAIN : ret;
}

/**
 * ue_write_init - Allocates memory of the CPUs for records
 *
 * Return: 0 or -ENOMEM. ue_write_exit() must be called in both cases.
 */
int ue_write_init(void)
{
	const size_t size = USER_EVENT_RECORD_PERCPU + RECORD_SLACK;
	u8 *entry;
	int cpu;

	for_each_possible_cpu(cpu) {
		entry = kmalloc_node(size, GFP_KERNEL, cpu_to_node(cpu));
		if (!entry)
			return -ENOMEM;
		per_cpu(cpu_record, cpu) = entry;
	}

	return 0;
}

/**
 * ue_write_exit - Frees memory of the CPUs
 *
 * Context: No user_events_data is open or can be opened.
 */
void ue_write_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kfree(per_cpu(cpu_record, cpu));
}
