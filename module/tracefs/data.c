// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_data: registers events and writes records.
 */
#include "tracefs/data.h"

#include <linux/compat.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "compat/emit_section.h"
#include "compat/uio.h"
#include "emit/emit.h"
#include "event/refs.h"
#include "event/register.h"
#include "event/user_event.h"
#include "format/validator.h"
#include "internals/call.h"
#include "limits.h"
#include "tracefs/ioctl.h"

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

/**
 * struct data_file - an open user_events_data
 * @group: the registry
 * @refs: the events that can be written through this file
 */
struct data_file {
	struct user_event_group *group;
	struct event_refs refs;
};

static int data_file_open(struct inode *inode, struct file *file)
{
	struct data_file *data = kzalloc(sizeof(*data), GFP_KERNEL_ACCOUNT);

	if (!data)
		return -ENOMEM;

	data->group = inode->i_private;
	ue_refs_init(&data->refs);
	file->private_data = data;

	/*
	 * The position is not used, so threads that write through one file need
	 * not be serialized by its lock.
	 */
	file->f_mode &= ~FMODE_ATOMIC_POS;

	return 0;
}

/* Removing an event takes long, so event_mutex is released after each. */
static void release_event(struct user_event *event)
{
	user_event_release_unlocked(event);
	cond_resched();
}

static int data_file_release(struct inode *inode, struct file *file)
{
	struct data_file *data = file->private_data;

	ue_refs_destroy(&data->refs, release_event);
	kfree(data);

	return 0;
}

/*
 * Validates a record, whose payload has been copied to @entry. @entry has room
 * for @len + RECORD_SLACK bytes.
 */
static inline int record_finish(const struct user_event *event, u8 *entry,
				size_t len, struct event_record *record)
{
	int missing = 0;

	memset(entry + len, 0, RECORD_SLACK);

	if (event->desc->nr_locs)
		missing = ue_record_validate(event->desc, entry, len);
	if (missing < 0)
		return missing;

	record->entry = entry;
	record->len = len + missing;
	return 0;
}

/*
 * Copies and validates a record and passes it to all tracers. @entry has room
 * for @len + RECORD_SLACK bytes.
 */
static int record_payload(struct user_event *event, struct iov_iter *from,
			  u8 *entry, size_t len)
{
	size_t payload = len - USER_EVENT_HEADER_SIZE;
	struct event_record record;
	emit_section_t section;
	int ret;

	memset(entry, 0, USER_EVENT_HEADER_SIZE);

	if (copy_from_iter(entry + USER_EVENT_HEADER_SIZE, payload, from) !=
	    payload)
		return -EFAULT;

	ret = record_finish(event, entry, len, &record);
	if (ret)
		return ret;

	section = emit_section_enter();
	user_event_emit(event, &record);
	emit_section_exit(section);

	return 0;
}

/* The record is dropped, but an invalid address must be reported. */
static int record_too_large(struct user_event *event, struct iov_iter *from,
			    size_t payload)
{
	if (fault_in_iov_iter_readable(from, payload))
		return -EFAULT;

	user_event_count_lost(event);
	return 0;
}

static int record_large(struct user_event *event, struct iov_iter *from,
			size_t len)
{
	u8 *entry = kvmalloc(len + RECORD_SLACK, GFP_KERNEL_ACCOUNT);
	int ret;

	if (!entry)
		return -ENOMEM;

	ret = record_payload(event, from, entry, len);
	kvfree(entry);

	return ret;
}

static int record_small(struct user_event *event, struct iov_iter *from,
			size_t len)
{
	u8 entry[USER_EVENT_RECORD_ONSTACK + RECORD_SLACK] __aligned(8);

	return record_payload(event, from, entry, len);
}

static int write_record(struct user_event *event, struct iov_iter *from)
{
	size_t payload = iov_iter_count(from);
	size_t len = payload + USER_EVENT_HEADER_SIZE;

	if (payload > USER_EVENT_RECORD_MAX - USER_EVENT_HEADER_SIZE)
		return record_too_large(event, from, payload);

	if (len > USER_EVENT_RECORD_ONSTACK)
		return record_large(event, from, len);

	return record_small(event, from, len);
}

/* Returns an event for which a record can be written, or an error. */
static struct user_event *find_event(struct data_file *data, s32 index,
				     size_t payload)
{
	struct user_event *event;

	if (index < 0)
		return ERR_PTR(-EINVAL);

	event = ue_refs_find(&data->refs, index);
	if (!event)
		return ERR_PTR(-ENOENT);

	if (payload + USER_EVENT_HEADER_SIZE < event->desc->fixed_size)
		return ERR_PTR(-EINVAL);

	if (!READ_ONCE(event->status))
		return ERR_PTR(-EBADF);

	return event;
}

/* Works for all records and all sources. May sleep. */
static ssize_t data_file_record(struct data_file *data, struct iov_iter *from)
{
	size_t total = iov_iter_count(from);
	struct user_event *event;
	s32 index;
	int ret;

	if (copy_from_iter(&index, sizeof(index), from) != sizeof(index))
		return -EFAULT;

	event = find_event(data, index, iov_iter_count(from));
	if (IS_ERR(event))
		return PTR_ERR(event);

	ret = write_record(event, from);
	return ret ?: total;
}

/* Copies @payload bytes, or returns false if that would fault. */
static bool copy_parts(u8 *to, const struct iovec *part, size_t payload)
{
	size_t size;

	for (; payload; payload -= size, to += size, part++) {
		size = min(part->iov_len, payload);
		if (!copy_from_user_present(to, part->iov_base, size))
			return false;
	}

	return true;
}

/*
 * Assembles a record in memory of the CPU and passes it to all tracers.
 *
 * Return: 0; an error; or -EAGAIN if that is not possible without sleeping, and
 *	   nothing was recorded.
 */
static int record_on_cpu(struct user_event *event, const struct iovec *parts,
			 size_t payload)
{
	size_t len = payload + USER_EVENT_HEADER_SIZE;
	struct event_record record;
	emit_section_t section;
	u8 *entry;
	int ret = -EAGAIN;

	if (payload > USER_EVENT_RECORD_PERCPU - USER_EVENT_HEADER_SIZE ||
	    len * event->desc->nr_locs > USER_EVENT_VALIDATE_MAX)
		return -EAGAIN;

	section = emit_section_enter();
	entry = this_cpu_ptr(cpu_records)->entry;
	if (copy_parts(entry + USER_EVENT_HEADER_SIZE, parts, payload)) {
		ret = record_finish(event, entry, len, &record);
		if (!ret)
			user_event_emit(event, &record);
	}
	emit_section_exit(section);

	return ret;
}

/* An index can have any alignment. */
static int get_index(s32 *index, const void __user *at)
{
#ifdef CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS
	return get_user(*index, (const s32 __user *)at);
#else
	return copy_from_user(index, at, sizeof(*index)) ? -EFAULT : 0;
#endif
}

/*
 * The path of most records. It takes no lock, and reads the memory of the
 * process once.
 *
 * Return: bytes of index and payload; an error; or -EAGAIN as record_on_cpu().
 */
static ssize_t data_file_record_fast(struct data_file *data,
				     const void __user *index_at,
				     const struct iovec *parts, size_t payload)
{
	struct user_event *event;
	s32 index;
	int ret;

	if (get_index(&index, index_at))
		return -EFAULT;

	event = find_event(data, index, payload);
	if (IS_ERR(event))
		return PTR_ERR(event);

	ret = record_on_cpu(event, parts, payload);
	return ret ?: sizeof(index) + payload;
}

/* Its variables are cleared by some kernels, so it is a function of its own. */
static noinline ssize_t data_file_write_slow(struct data_file *data,
					     const char __user *buf,
					     size_t count)
{
	struct user_source from;

	if (user_source_init(&from, buf, count))
		return -EFAULT;

	return data_file_record(data, &from.iter);
}

static ssize_t data_file_write(struct file *file, const char __user *buf,
			       size_t count, loff_t *pos)
{
	struct data_file *data = file->private_data;
	const size_t payload = count - sizeof(s32);
	const struct iovec part = {
		.iov_base = (char __user *)buf + sizeof(s32),
		.iov_len = payload,
	};
	ssize_t ret;

	if (*pos || count < sizeof(s32))
		return -EFAULT;

	ret = data_file_record_fast(data, buf, &part, payload);
	if (ret != -EAGAIN)
		return ret;

	return data_file_write_slow(data, buf, count);
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

/* Callers look at the result, not at how far @from was advanced. */
static ssize_t data_file_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	struct data_file *data = iocb->ki_filp->private_data;
	const struct iovec *parts;
	ssize_t ret;

	if (starts_with_index(from)) {
		parts = iter_iov(from);
		ret = data_file_record_fast(data, parts->iov_base, parts + 1,
					    iov_iter_count(from) -
						    parts->iov_len);
		if (ret != -EAGAIN)
			return ret;
	}

	return data_file_record(data, from);
}

/* The events of the file in /proc/PID/fdinfo, for a process that may trace it. */
static void data_file_show_fdinfo(struct seq_file *m, struct file *file)
{
	struct data_file *data = file->private_data;
	struct user_event *event;
	u32 index;

	/* A file can have events for megabytes of lines. */
	for (index = 0;
	     !seq_has_overflowed(m) && !fatal_signal_pending(current) &&
	     (event = ue_refs_find(&data->refs, index));
	     index++) {
		seq_printf(m, "event:\t%s:%s\n", user_event_system(event),
			   user_event_name(event));
		cond_resched();
	}
}

static long data_file_ioctl(struct file *file, unsigned int command,
			    unsigned long argument)
{
	struct data_file *data = file->private_data;

	return ue_ioctl(data->group, &data->refs, command, argument);
}

#ifdef CONFIG_COMPAT
/*
 * The number of an ioctl includes the size of a pointer, so the numbers of
 * 32-bit programs differ. The arguments have the same layout.
 */
static long data_file_compat_ioctl(struct file *file, unsigned int command,
				   unsigned long argument)
{
	if (_IOC_SIZE(command) != sizeof(compat_uptr_t))
		return -ENOTTY;

	command &= ~IOCSIZE_MASK;
	command |= sizeof(void *) << IOCSIZE_SHIFT;

	return data_file_ioctl(file, command,
			       (unsigned long)compat_ptr(argument));
}
#else
#define data_file_compat_ioctl NULL
#endif

/* As without this function, which Linux 5.4 replaces by calls of write(). */
static ssize_t data_file_splice_write(struct pipe_inode_info *pipe,
				      struct file *file, loff_t *pos,
				      size_t count, unsigned int flags)
{
	return -EINVAL;
}

const struct file_operations data_file_fops = {
	.owner = THIS_MODULE,
	.open = data_file_open,
	.write = data_file_write,
	.write_iter = data_file_write_iter,
	.splice_write = data_file_splice_write,
	.unlocked_ioctl = data_file_ioctl,
	.compat_ioctl = data_file_compat_ioctl,
	.show_fdinfo = data_file_show_fdinfo,
	.release = data_file_release,
};

/**
 * ue_data_init - Allocates memory of the CPUs for records
 *
 * Return: 0 or -ENOMEM. ue_data_exit() undoes it.
 */
int ue_data_init(void)
{
	cpu_records = alloc_percpu(struct cpu_record);
	return cpu_records ? 0 : -ENOMEM;
}

/**
 * ue_data_exit - Frees memory of the CPUs
 *
 * Context: No user_events_data is open or can be opened.
 */
void ue_data_exit(void)
{
	free_percpu(cpu_records);
}
