// SPDX-License-Identifier: GPL-2.0-only
#include "ioctl.h"

#include <linux/compat.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "common.h"
#include "data_file.h"
#include "limits.h"
#include "register.h"
#include "user_event.h"

/* Size of the structure of Linux 5.18 to 6.0, which is not served. */
#define BYTE_STATUS_REG_SIZE 24

/* Copies a command or a name; to be released with kfree(). */
static char *copy_text(const char __user *text)
{
	return strndup_user(text, USER_EVENT_COMMAND_SIZE);
}

/*
 * Reads the structure of a registration. Its size tells for which generation
 * of the interface the program was made.
 */
static int copy_reg(struct user_reg_status *reg,
		    const struct user_reg_status __user *from)
{
	u32 size;

	if (get_user(size, &from->size))
		return -EFAULT;

	if (size > PAGE_SIZE)
		return -E2BIG;

	if (size < sizeof(*reg) || size == BYTE_STATUS_REG_SIZE ||
	    size >= sizeof(struct user_reg_enabler))
		return -EINVAL;

	return copy_struct_from_user(reg, sizeof(*reg), from, size);
}

static long ioctl_reg(struct data_file *data,
		      struct user_reg_status __user *argument)
{
	struct user_reg_status reg;
	struct user_event *event;
	u32 bit;
	char *text;
	int ret;

	ret = copy_reg(&reg, argument);
	if (ret)
		return ret;

	text = copy_text(u64_to_user_ptr(reg.name_args));
	if (IS_ERR(text))
		return PTR_ERR(text);

	event = user_event_register(data->group, text);
	kfree(text);
	if (IS_ERR(event))
		return PTR_ERR(event);

	bit = event->bit;
	ret = event_refs_add(&data->refs, event);
	user_event_put(event);
	if (ret < 0)
		return ret;

	/*
	 * The event is registered, and a program that cannot be told has only
	 * itself to ask.
	 */
	put_user(ret, &argument->write_index);
	put_user(bit, &argument->status_bit);

	return 0;
}

static long ioctl_del(struct data_file *data, const char __user *argument)
{
	char *name = copy_text(argument);
	int ret;

	if (IS_ERR(name))
		return PTR_ERR(name);

	ret = user_event_delete_by_name(data->group, name);
	kfree(name);

	return ret;
}

/**
 * data_file_ioctl - Registers and deletes events
 * @file: an open user_events_data
 * @command: DIAG_IOCSREG or DIAG_IOCSDEL
 * @argument: struct user_reg_status of the process, or the name
 *
 * Nothing is locked while the process's memory is read or written.
 *
 * Return: 0, or
 *	   -ENOTTY: another command;
 *	   -EFAULT: memory of the process that cannot be read;
 *	   -E2BIG: the structure is larger than a page, or has set members that
 *		   are not known;
 *	   -EINVAL: the structure is too small or of a generation that is not
 *		    served, or the text is too long;
 *	   and what user_event_register() and user_event_delete_by_name() say.
 */
long data_file_ioctl(struct file *file, unsigned int command,
		     unsigned long argument)
{
	struct data_file *data = file->private_data;

	switch (command) {
	case DIAG_IOCSREG:
		return ioctl_reg(data, (void __user *)argument);
	case DIAG_IOCSDEL:
		return ioctl_del(data, (void __user *)argument);
	default:
		return -ENOTTY;
	}
}

#ifdef CONFIG_COMPAT
/**
 * data_file_compat_ioctl - data_file_ioctl() for 32-bit programs
 * @file: an open user_events_data
 * @command: DIAG_IOCSREG or DIAG_IOCSDEL of a 32-bit program, whose numbers
 *	     differ: they are made with the size of a pointer
 * @argument: its argument; what it points to is the same for all programs
 *
 * Return: what data_file_ioctl() says.
 */
long data_file_compat_ioctl(struct file *file, unsigned int command,
			    unsigned long argument)
{
	if (_IOC_SIZE(command) != sizeof(compat_uptr_t))
		return -ENOTTY;

	command &= ~IOCSIZE_MASK;
	command |= sizeof(void *) << IOCSIZE_SHIFT;

	return data_file_ioctl(file, command,
			       (unsigned long)compat_ptr(argument));
}
#endif
