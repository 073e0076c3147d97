// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls of user_events_data that register, unregister and delete. */
#include "tracefs/ioctl.h"

#include <linux/err.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "common.h"
#include "compat/compiler.h"
#include "enabler/change.h"
#include "enabler/mm.h"
#include "enabler/task.h"
#include "enabler/word.h"
#include "event/refs.h"
#include "event/register.h"
#include "event/user_event.h"
#include "format/parse.h"
#include "internals/call.h"
#include "limits.h"
#include "tracefs/user_struct.h"

/* Size of struct user_reg in Linux 5.18 to 6.0, which is not supported. */
#define BYTE_STATUS_REG_SIZE 24

/*
 * A command or a name. It is copied to the stack: memory for it would cost more
 * than the search for an event.
 */
struct command_text {
	char text[USER_EVENT_COMMAND_SIZE];
};

static int copy_text(struct command_text *copy, const char __user *from)
{
	long len = strncpy_from_user(copy->text, from, sizeof(copy->text));

	if (len < 0)
		return len;

	return len < sizeof(copy->text) ? 0 : -EINVAL;
}

/*
 * Copies a command or a name that the file can use. A prefix is a valid name, so
 * it ends before the name does if the text starts with it.
 */
static int copy_permitted(struct command_text *copy,
			  const struct event_refs *refs,
			  const char __user *from)
{
	const char *prefix = READ_ONCE(refs->prefix);
	int ret = copy_text(copy, from);

	if (!ret && prefix && strncmp(copy->text, prefix, strlen(prefix)))
		return -EPERM;

	return ret;
}

/* Finds or creates the event of a command. */
static struct user_event *register_text(struct user_event_group *group,
					const struct event_refs *refs,
					u64 name_args, unsigned int flags,
					bool *persist)
{
	struct command_text copy __uninitialized;
	int ret = copy_permitted(&copy, refs, user_pointer(name_args));

	if (ret)
		return ERR_PTR(ret);

	return user_event_register(group, copy.text, flags, persist);
}

static long reg_status(struct user_event_group *group, struct event_refs *refs,
		       struct user_reg_status __user *argument, u32 size)
{
	struct user_reg_status reg;
	struct user_event *event;
	bool persist;
	u32 bit;
	int ret;

	if (size < sizeof(reg) || size == BYTE_STATUS_REG_SIZE)
		return -EINVAL;

	ret = copy_struct_from_user(&reg, sizeof(reg), argument, size);
	if (ret)
		return ret;

	event = register_text(group, refs, reg.name_args, REGISTER_STATUS_ABI,
			      &persist);
	if (IS_ERR(event))
		return PTR_ERR(event);

	bit = event->bit;
	ret = ue_refs_add(refs, event);
	user_event_register_commit(event, persist && ret >= 0);
	if (ret < 0)
		return ret;

	/*
	 * The event is registered. If the result cannot be written, the program
	 * has passed an invalid structure.
	 */
	put_user(ret, &argument->write_index);
	put_user(bit, &argument->status_bit);

	return 0;
}

static int check_enabler(const struct user_reg_enabler *reg)
{
	if (reg->flags & ~(USER_EVENT_REG_MAX - 1) & ~USER_EVENT_REG_REPORT)
		return -EINVAL;

	if (reg->enable_size != sizeof(u32) &&
	    (reg->enable_size != sizeof(u64) || !IS_ENABLED(CONFIG_64BIT)))
		return -EINVAL;

	if (reg->enable_addr & (reg->enable_size - 1) ||
	    reg->enable_bit >= reg->enable_size * BITS_PER_BYTE)
		return -EINVAL;

	if (!access_ok((void __user *)user_address(reg->enable_addr),
		       reg->enable_size))
		return -EFAULT;

	return 0;
}

static unsigned int register_flags(u16 flags)
{
	return REGISTER_ENABLER_ABI |
	       (flags & USER_EVENT_REG_PERSIST ? REGISTER_PERSIST : 0) |
	       (flags & USER_EVENT_REG_MULTI_FORMAT ? REGISTER_MULTI : 0);
}

/* Returns the write index, or an error. */
static int register_bit(struct user_event_group *group, struct event_refs *refs,
			struct user_event_mm *mm, const struct enabler_bit *bit,
			const struct user_reg_enabler *reg)
{
	struct user_event *event;
	bool persist;
	int index;
	int ret;

	event = register_text(group, refs, reg->name_args,
			      register_flags(reg->flags), &persist);
	if (IS_ERR(event))
		return PTR_ERR(event);

	/* First the step that is easier to undo. */
	ret = ue_tasks_attach_hooks() ?: ue_mm_add_enabler(mm, event, bit);
	index = ret ?: ue_refs_add(refs, event);
	if (!ret && index < 0)
		ue_mm_remove_enabler(bit->address, bit->bit, true);

	user_event_register_commit(event, persist && index >= 0);
	if (index >= 0 && reg->flags & USER_EVENT_REG_REPORT)
		index |= USER_EVENT_INDEX_REPORT;

	return index;
}

/* Returns the write index, or an error. */
static int register_enabler(struct user_event_group *group,
			    struct event_refs *refs,
			    const struct user_reg_enabler *reg)
{
	struct user_event_mm *mm;
	struct enabler_bit bit;
	int ret;

	ret = check_enabler(reg);
	if (ret)
		return ret;

	bit.address = user_address(reg->enable_addr);
	bit.bit = reg->enable_bit;
	bit.size = reg->enable_size;
	mm = ue_mm_get_without(bit.address, bit.bit);
	if (IS_ERR(mm))
		return PTR_ERR(mm);

	ret = register_bit(group, refs, mm, &bit, reg);
	if (mm)
		ue_mm_put(mm);
	return ret;
}

static long reg_enabler(struct user_event_group *group, struct event_refs *refs,
			struct user_reg_enabler __user *argument, u32 size)
{
	struct user_reg_enabler reg;
	int ret;

	ret = copy_struct_from_user(&reg, sizeof(reg), argument, size)
		      ?: register_enabler(group, refs, &reg);
	if (ret < 0)
		return ret;

	put_user(ret, &argument->write_index);
	return 0;
}

static long ioctl_reg(struct user_event_group *group, struct event_refs *refs,
		      void __user *argument)
{
	u32 size;
	int ret = user_struct_size(&size, argument);

	if (ret)
		return ret;

	/* The size also tells the generation of the interface. */
	if (size >= sizeof(struct user_reg_enabler))
		return reg_enabler(group, refs, argument, size);

	return reg_status(group, refs, argument, size);
}

static long ioctl_unreg(const struct user_unreg __user *argument)
{
	struct user_unreg unreg;
	int ret = user_struct_copy(&unreg, sizeof(unreg), argument);

	if (ret)
		return ret;

	if (unreg.__reserved || unreg.__reserved2)
		return -EINVAL;

	return ue_mm_remove_enabler(user_address(unreg.disable_addr),
				    unreg.disable_bit, false);
}

static int register_entry(struct user_event_group *group,
			  struct event_refs *refs,
			  const struct user_reg_entry *entry)
{
	const struct user_reg_enabler reg = {
		.enable_bit = entry->enable_bit,
		.enable_size = entry->enable_size,
		.flags = entry->flags,
		.enable_addr = entry->enable_addr,
		.name_args = entry->name_args,
	};

	return register_enabler(group, refs, &reg);
}

static int unregister_entry(const struct user_reg_entry *entry)
{
	if (entry->name_args || entry->flags || entry->enable_size)
		return -EINVAL;

	return ue_mm_remove_enabler(user_address(entry->enable_addr),
				    entry->enable_bit, false);
}

/*
 * Handles an entry of a list.
 *
 * @result: set to that of the entry
 *
 * Return: 0, or -EFAULT.
 */
static int change_entry(struct user_event_group *group, struct event_refs *refs,
			struct user_reg_entry __user *at, u32 flags,
			int *result)
{
	struct user_reg_entry entry;

	if (copy_from_user(&entry, at, sizeof(entry)))
		return -EFAULT;

	*result = flags & USER_REG_LIST_REMOVE
			  ? unregister_entry(&entry)
			  : register_entry(group, refs, &entry);

	return put_user(*result, &at->result);
}

/* Returns the index of the first entry that has failed, or the number of entries. */
static long change_entries(struct user_event_group *group,
			   struct event_refs *refs,
			   const struct user_reg_list *list)
{
	struct user_reg_entry __user *entries = user_pointer(list->entries);
	long failed = -1;
	int result;
	long i;

	for (i = 0; i < list->count && !fatal_signal_pending(current); i++) {
		if (change_entry(group, refs, entries + i, list->flags,
				 &result)) {
			if (!i)
				return -EFAULT;
			break;
		}

		if (result < 0 && failed < 0)
			failed = i;
		cond_resched();
	}

	return failed < 0 ? i : failed;
}

/**
 * ue_ioctl_list - Registers or unregisters a list of enablers
 * @group: the registry
 * @refs: the events of the open user_events_data
 * @argument: the list
 *
 * Entries after one that fails are still handled.
 *
 * Context: Sleeps. No lock is held from one entry to the next, where the task can
 *	    be rescheduled or killed.
 * Return: index of the first entry that has failed, or the number of entries; or
 *	   -EFAULT: the list or its first entry cannot be read or written;
 *	   -E2BIG: the structure is larger than a page, or unknown members are
 *		   not zero;
 *	   -EINVAL: the structure is too small, or its members are not valid.
 */
long ue_ioctl_list(struct user_event_group *group, struct event_refs *refs,
		   const struct user_reg_list __user *argument)
{
	struct user_reg_list list;
	int ret = user_struct_copy(&list, sizeof(list), argument);

	if (ret)
		return ret;

	if (list.flags & ~(USER_REG_LIST_FLAG_MAX - 1) || list.__reserved ||
	    list.count > USER_REG_LIST_MAX)
		return -EINVAL;

	return change_entries(group, refs, &list);
}

static long ioctl_del(struct user_event_group *group,
		      const struct event_refs *refs,
		      const char __user *argument)
{
	struct command_text name __uninitialized;
	int ret = copy_permitted(&name, refs, argument);

	return ret ?: user_event_delete_by_name(group, name.text);
}

/* Splits @text in place. */
static int check_prefix(char *text)
{
	struct event_command command;
	int ret = ue_command_split(text, &command);

	return ret ?: (command.flags || command.args ? -EINVAL : 0);
}

/* Takes a copy that is charged to the process, since the file keeps it. */
static int keep_prefix(struct event_refs *refs, char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL_ACCOUNT);
	int ret;

	if (!copy)
		return -ENOMEM;

	ret = check_prefix(text);
	/* Pairs with READ_ONCE() in copy_permitted(). */
	if (!ret && cmpxchg(&refs->prefix, NULL, copy))
		ret = -EBUSY;
	if (ret)
		kfree(copy);

	return ret;
}

/**
 * ue_set_prefix - Restricts an open file to names with a prefix, for ever
 * @refs: the events of the open user_events_data, which then owns the prefix
 * @argument: the prefix
 *
 * Context: Sleeps. Takes no lock.
 * Return: 0, or
 *	   -EBUSY: the file has a prefix;
 *	   -EFAULT: user memory cannot be read;
 *	   -E2BIG: the structure is larger than a page, or unknown members are
 *		   not zero;
 *	   -EINVAL: the structure is too small, its members are not valid, or the
 *		    prefix is not a valid name of an event;
 *	   -ENOMEM.
 */
long ue_set_prefix(struct event_refs *refs,
		   const struct user_prefix __user *argument)
{
	struct command_text copy __uninitialized;
	struct user_prefix prefix;
	int ret = user_struct_copy(&prefix, sizeof(prefix), argument);

	if (ret)
		return ret;

	if (prefix.__reserved)
		return -EINVAL;

	ret = copy_text(&copy, user_pointer(prefix.prefix));
	return ret ?: keep_prefix(refs, copy.text);
}

/**
 * ue_ioctl - Registers, unregisters and deletes events
 * @group: the registry
 * @refs: the events of the open user_events_data
 * @command: DIAG_IOCSREG, DIAG_IOCSUNREG or DIAG_IOCSDEL
 * @argument: user pointer to a struct user_reg_status or struct
 *	      user_reg_enabler, distinguished by size; to a struct user_unreg;
 *	      or to the name
 *
 * Context: Sleeps. No lock is held while user memory is accessed.
 * Return: 0, an error of user_event_register() or user_event_delete_by_name(),
 *	   or
 *	   -ENOTTY: unknown command;
 *	   -EFAULT: user memory cannot be read;
 *	   -E2BIG: the structure is larger than a page, or unknown members are
 *		   not zero;
 *	   -EINVAL: the structure is too small or of an unsupported generation,
 *		    its members are not valid, or the text is too long;
 *	   -EADDRINUSE: the process has registered this bit;
 *	   -EMFILE: the process has USER_EVENT_ENABLERS_MAX enablers, or the user
 *		    has the limit;
 *	   -ENOENT: the process has not registered this bit;
 *	   -EPERM: also if the file has a prefix, and the name another one;
 *	   -ENOMEM: also if the process cannot write to the address of the bit.
 */
long ue_ioctl(struct user_event_group *group, struct event_refs *refs,
	      unsigned int command, unsigned long argument)
{
	switch (command) {
	case DIAG_IOCSREG:
		return ioctl_reg(group, refs, (void __user *)argument);
	case DIAG_IOCSUNREG:
		return ioctl_unreg((void __user *)argument);
	case DIAG_IOCSDEL:
		return ioctl_del(group, refs, (void __user *)argument);
	default:
		return -ENOTTY;
	}
}
