// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_data: registers events and writes records.
 */
#include "tracefs/data.h"

#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

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
 * Copies and validates a record and passes it to all tracers. @entry has room
 * for @len + RECORD_SLACK bytes.
 */
static int record_payload(struct user_event *event, struct iov_iter *from,
			  u8 *entry, size_t len)
{
	size_t payload = len - USER_EVENT_HEADER_SIZE;
	struct event_record record = { .entry = entry };
	int missing;

	memset(entry, 0, USER_EVENT_HEADER_SIZE);
	memset(entry + len, 0, RECORD_SLACK);

	if (copy_from_iter(entry + USER_EVENT_HEADER_SIZE, payload, from) !=
	    payload)
		return -EFAULT;

	missing = ue_record_validate(event->desc, entry, len);
	if (missing < 0)
		return missing;

	record.len = len + missing;
	user_event_emit(event, &record);

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

/*
 * The path of a record takes no lock. It reads the memory of the process once,
 * before it enters the section that must not sleep.
 */
static ssize_t data_file_record(struct data_file *data, struct iov_iter *from)
{
	size_t total = iov_iter_count(from);
	struct user_event *event;
	s32 index;
	int ret;

	if (copy_from_iter(&index, sizeof(index), from) != sizeof(index))
		return -EFAULT;

	if (index < 0)
		return -EINVAL;

	event = ue_refs_find(&data->refs, index);
	if (!event)
		return -ENOENT;

	if (iov_iter_count(from) + USER_EVENT_HEADER_SIZE <
	    event->desc->fixed_size)
		return -EINVAL;

	if (!READ_ONCE(event->status))
		return -EBADF;

	ret = write_record(event, from);
	return ret ?: total;
}

static ssize_t data_file_write(struct file *file, const char __user *buf,
			       size_t count, loff_t *pos)
{
	struct user_source from;

	if (*pos)
		return -EFAULT;

	if (user_source_init(&from, buf, count))
		return -EFAULT;

	return data_file_record(file->private_data, &from.iter);
}

static ssize_t data_file_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	return data_file_record(iocb->ki_filp->private_data, from);
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

const struct file_operations data_file_fops = {
	.owner = THIS_MODULE,
	.open = data_file_open,
	.write = data_file_write,
	.write_iter = data_file_write_iter,
	.unlocked_ioctl = data_file_ioctl,
	.compat_ioctl = data_file_compat_ioctl,
	.release = data_file_release,
};
