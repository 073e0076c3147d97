// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_data: registers events and writes records.
 */
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "common.h"
#include "event/refs.h"
#include "event/register.h"
#include "event/user_event.h"
#include "limits.h"
#include "tracefs/files.h"
#include "tracefs/ioctl.h"
#include "tracefs/user_struct.h"
#include "tracefs/write.h"

static int data_file_open(struct inode *inode, struct file *file)
{
	struct event_refs *refs = kmalloc(sizeof(*refs), GFP_KERNEL_ACCOUNT);

	if (!refs)
		return -ENOMEM;

	ue_refs_init(refs);
	refs->cookie = get_random_u64() ?: 1;
	refs->prefix = NULL;
	file->private_data = refs;

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
	struct event_refs *refs = file->private_data;

	ue_refs_destroy(refs, release_event);
	kfree(refs->prefix);
	kfree(refs);

	return 0;
}

static ssize_t data_file_write(struct file *file, const char __user *buf,
			       size_t count, loff_t *pos)
{
	if (unlikely(*pos || count < sizeof(s32)))
		return -EFAULT;

	return ue_write(file->private_data, buf, count);
}

static ssize_t data_file_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	return ue_write_iter(iocb->ki_filp->private_data, from);
}

/* The events of the file in /proc/PID/fdinfo, for a process that may trace it. */
static void data_file_show_fdinfo(struct seq_file *m, struct file *file)
{
	struct event_refs *refs = file->private_data;
	struct user_event *event;
	u32 index;

	/* A file can have events for megabytes of lines. */
	for (index = 0;
	     !seq_has_overflowed(m) && !fatal_signal_pending(current) &&
	     (event = ue_refs_find(refs, index));
	     index++) {
		seq_printf(m, "event:\t%s:%s\n", user_event_system(event),
			   user_event_name(event));
		cond_resched();
	}
}

/*
 * Writes records in order, up to the first that fails. Not inlined, so that the
 * other ioctls need no stack for it.
 *
 * Return: as ue_write_records(); or -EFAULT, -E2BIG or -EINVAL if the structure
 *	   cannot be copied.
 */
static noinline long write_batch(const struct event_refs *refs,
				 const struct user_batch __user *argument)
{
	struct user_batch batch;
	int ret = user_struct_copy(&batch, sizeof(batch), argument);

	if (ret)
		return ret;

	return ue_write_records(refs, user_pointer(batch.records), batch.count);
}

/* First number of the ioctls that only the module has */
#define OWN_IOCTLS 0x80

static __always_inline long data_file_own_ioctl(struct file *file,
						unsigned int command,
						void __user *argument)
{
	struct event_refs *refs = file->private_data;
	const bool is_writable = file->f_mode & FMODE_WRITE;

	/* First, since most calls are records. */
	if (likely(command == DIAG_IOCSWRITE))
		return likely(is_writable) ? ue_write_record(refs, argument)
					   : -EBADF;

	switch (command) {
	case DIAG_IOCSBATCH:
		return is_writable ? write_batch(refs, argument) : -EBADF;
	case DIAG_IOCGCOOKIE:
		return put_user(refs->cookie, (u64 __user *)argument);
	case DIAG_IOCQHEADER:
		return USER_EVENT_HEADER_SIZE;
	case DIAG_IOCSREGLIST:
		return ue_ioctl_list(file_inode(file)->i_private, refs,
				     argument);
	case DIAG_IOCSPREFIX:
		return ue_set_prefix(refs, argument);
	default:
		return -ENOTTY;
	}
}

static long data_file_ioctl(struct file *file, unsigned int command,
			    unsigned long argument)
{
	if (likely(_IOC_NR(command) >= OWN_IOCTLS))
		return data_file_own_ioctl(file, command,
					   (void __user *)argument);

	return ue_ioctl(file_inode(file)->i_private, file->private_data,
			command, argument);
}

#ifdef CONFIG_COMPAT
/*
 * The number of other ioctls includes the size of a pointer, so the numbers of
 * 32-bit programs differ. The arguments have the same layout.
 */
static long data_file_compat_ioctl(struct file *file, unsigned int command,
				   unsigned long argument)
{
	if (_IOC_NR(command) >= OWN_IOCTLS)
		return data_file_own_ioctl(file, command, compat_ptr(argument));

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

/* Rejects splice(2), which Linux 5.4 would turn into calls of write(). */
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
