// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_status: the events and their tracers, as text and as a mapping.
 *
 * user_events_profile: a line for each event, with the number of records that
 * were offered to tracers and the number of times that a record was too large
 * for a tracer. These columns are those of kprobe_profile. The reasons why tracers
 * did not get records follow, with their numbers, and then the same for each CPU.
 * The last lines are for the events that were removed: of all, and by name.
 */
#include "tracefs/status.h"

#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <linux/vmalloc.h>

#include "compat/capability.h"
#include "compat/vm_flags.h"
#include "event/counts.h"
#include "event/group.h"
#include "event/removed.h"
#include "event/user_event.h"
#include "internals/call.h"
#include "tracefs/files.h"

/*
 * Numbers of status bits whose events are shown per hold of event_mutex. The
 * profile sums the counters of all possible CPUs for each event.
 */
#define BITS_PER_HOLD 16

bool ue_status_own;

/* --- the events that the process which opened the file may see ------------- */

/*
 * The administrator of a user namespace sees the events of its users, and that of
 * the initial one, which has all users, sees all events.
 */
static bool is_administrator(const struct file *file)
{
	struct user_namespace *ns = file->f_cred->user_ns;

	return file_ns_capable(file, ns, CAP_PERFMON) ||
	       file_ns_capable(file, ns, CAP_SYS_ADMIN);
}

static bool is_visible(const struct user_event *event, const struct cred *cred,
		       bool is_admin)
{
	kuid_t owner = event->rights.uid;

	return uid_eq(owner, cred->euid) ||
	       (is_admin && kuid_has_mapping(cred->user_ns, owner));
}

/* Names of removed events have no owner any more. */
static bool sees_all(const struct seq_file *m)
{
	return !READ_ONCE(ue_status_own) ||
	       (m->file->f_cred->user_ns == &init_user_ns &&
		is_administrator(m->file));
}

/* --- the events in the order of their status bits ------------------------- */

/*
 * A position is the number of a status bit. The iterator is the number of the
 * next event, or of no event, nr_bits, for the line behind all events. Events do
 * not change their numbers, so none is omitted or repeated, whatever is added or
 * removed in between.
 */
static void *list_start(struct seq_file *m, loff_t *pos)
{
	struct user_event_group *group = m->private;
	unsigned long bit = *pos;

	if (*pos > group->nr_bits)
		return NULL;

	/* Only the number is used, which needs no lock. */
	if (!xa_find(&group->events, &bit, ULONG_MAX, XA_PRESENT))
		bit = group->nr_bits;

	*pos = bit;
	return (void *)bit;
}

static void *list_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct user_event_group *group = m->private;

	if ((unsigned long)v == group->nr_bits) {
		++*pos;
		return NULL;
	}

	/* The kernel complains in its log about a position that stays. */
	*pos = min_t(loff_t, *pos + BITS_PER_HOLD, group->nr_bits);
	/* Without events that the reader may see, no byte ends the call. */
	if (fatal_signal_pending(current))
		return ERR_PTR(-EINTR);

	ue_reader_pause();

	return list_start(m, pos);
}

static void list_stop(struct seq_file *m, void *v)
{
}

/* Inlined, so that @show is called directly. */
static __always_inline void
show_events(struct seq_file *m, unsigned long bit,
	    void (*show)(struct seq_file *m, const struct user_event *event))
{
	struct user_event_group *group = m->private;
	unsigned long last = bit + BITS_PER_HOLD - 1;
	const bool all = !READ_ONCE(ue_status_own);
	const bool is_admin = all || is_administrator(m->file);
	const struct user_event *event;

	event_mutex_lock();
	for (; !seq_has_overflowed(m); bit++) {
		event = xa_find(&group->events, &bit, last, XA_PRESENT);
		if (!event)
			break;
		if (all || is_visible(event, m->file->f_cred, is_admin))
			show(m, event);
	}
	event_mutex_unlock();
}

static int list_open(struct inode *inode, struct file *file,
		     const struct seq_operations *ops)
{
	int ret = seq_open(file, ops);

	if (!ret)
		((struct seq_file *)file->private_data)->private =
			inode->i_private;
	return ret;
}

/* --- user_events_status --------------------------------------------------- */

/**
 * ue_status_page_init - Allocates the status bits of a registry
 * @group: the registry
 * @pages: number of pages
 *
 * Return: 0 or -ENOMEM. ue_status_page_exit() undoes it.
 */
int ue_status_page_init(struct user_event_group *group, unsigned int pages)
{
	size_t size = pages * PAGE_SIZE;

	group->map = vmalloc_user(size);
	if (!group->map)
		return -ENOMEM;

	group->nr_bits = size * BITS_PER_BYTE;
	return 0;
}

/**
 * ue_status_page_exit - Undoes ue_status_page_init()
 * @group: the registry, empty and no longer mapped
 */
void ue_status_page_exit(struct user_event_group *group)
{
	vfree(group->map);
}

static void show_tracers(struct seq_file *m, const struct user_event *event)
{
	seq_printf(m, "%u:%s", event->bit, user_event_name(event));

	if (event->status) {
		seq_puts(m, " # Used by");
		if (event->status & EVENT_STATUS_FTRACE)
			seq_puts(m, " ftrace");
		if (event->status & EVENT_STATUS_PERF)
			seq_puts(m, " perf");
	}

	seq_putc(m, '\n');
}

static void show_totals(struct seq_file *m)
{
	const struct user_event_group *group = m->private;
	unsigned int active, busy;

	event_mutex_lock();
	active = group->nr_events;
	busy = bitmap_weight((unsigned long *)group->map, group->nr_bits);
	event_mutex_unlock();

	seq_printf(m, "\nActive: %u\nBusy: %u\nMax: %u\n", active, busy,
		   READ_ONCE(group->max_events));
}

static int status_show(struct seq_file *m, void *v)
{
	const struct user_event_group *group = m->private;

	if ((unsigned long)v == group->nr_bits)
		show_totals(m);
	else
		show_events(m, (unsigned long)v, show_tracers);

	return 0;
}

static const struct seq_operations status_ops = {
	.start = list_start,
	.next = list_next,
	.stop = list_stop,
	.show = status_show,
};

static int status_file_open(struct inode *inode, struct file *file)
{
	return list_open(inode, file, &status_ops);
}

/*
 * Maps the status bits into a process, read-only. The mapping must have the size
 * of all pages, and its offset is ignored.
 */
static int status_file_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct user_event_group *group = file_inode(file)->i_private;
	unsigned long size = group->nr_bits / BITS_PER_BYTE;

	if (vma->vm_end - vma->vm_start != size)
		return -EINVAL;

	if (vma->vm_flags & VM_WRITE)
		return -EACCES;

	/* Neither mprotect() nor a debugger can make the mapping writable. */
	vm_flags_clear(vma, VM_MAYWRITE);

	return remap_vmalloc_range(vma, group->map, 0);
}

const struct file_operations status_file_fops = {
	.owner = THIS_MODULE,
	.open = status_file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.mmap = status_file_mmap,
	.release = seq_release,
};

/* --- user_events_profile -------------------------------------------------- */

static const char *const loss_names[LOSS_COUNT] = {
	[LOSS_DISABLED] = "disabled",
	[LOSS_FAULT] = "fault",
	[LOSS_INVALID] = "invalid",
	[LOSS_NOMEM] = "nomem",
	[LOSS_FTRACE_TOO_LARGE] = "ftrace_too_large",
	[LOSS_FTRACE_BUFFER] = "ftrace_buffer",
	[LOSS_FTRACE_FILTERED] = "ftrace_filtered",
	[LOSS_FTRACE_SOFT_DISABLED] = "ftrace_soft_disabled",
	[LOSS_FTRACE_DETACHED] = "ftrace_detached",
	[LOSS_PERF_TOO_LARGE] = "perf_too_large",
	[LOSS_PERF_ABSENT] = "perf_absent",
};

/* Shows the losses of each CPU as REASON@CPU=NUMBER, unlike the sums. */
static void show_losses_of_cpus(struct seq_file *m,
				const struct user_event *event)
{
	int cpu, i;
	u64 count;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < LOSS_COUNT; i++) {
			count = user_event_losses_of(event, cpu, i);
			if (count)
				seq_printf(m, " %s@%d=%llu", loss_names[i], cpu,
					   count);
		}
	}
}

static void show_name(struct seq_file *m, const char *prefix, const char *name,
		      u64 hits, const struct user_event_losses *losses)
{
	const int width = 44 - (int)strlen(prefix);

	seq_printf(m, "  %s%-*s %15llu %15llu", prefix, width, name, hits,
		   losses->count[LOSS_FTRACE_TOO_LARGE] +
			   losses->count[LOSS_PERF_TOO_LARGE]);
}

static void show_losses(struct seq_file *m,
			const struct user_event_losses *losses)
{
	int i;

	for (i = 0; i < LOSS_COUNT; i++)
		if (losses->count[i])
			seq_printf(m, " %s=%llu", loss_names[i],
				   losses->count[i]);
}

static void show_counts(struct seq_file *m, const struct user_event *event)
{
	const struct user_event_losses sum = ue_losses_sum(event->losses);

	show_name(m, "", user_event_name(event), ue_counts_sum(event->counts),
		  &sum);
	show_losses(m, &sum);
	if (event->losses)
		show_losses_of_cpus(m, event);
	seq_putc(m, '\n');
}

/* No event has a name with a slash. */
static void show_removed_counts(struct seq_file *m, const char *name,
				const struct removed_counts *counts)
{
	show_name(m, "/", name, counts->hits, &counts->losses);
	seq_printf(m, " removed=%llu", counts->events);
	show_losses(m, &counts->losses);
	seq_putc(m, '\n');
}

static void show_removed(struct seq_file *m)
{
	const struct user_event_group *group = m->private;
	const struct removed_name *name;

	event_mutex_lock();
	if (group->removed.all.events)
		show_removed_counts(m, "", &group->removed.all);
	list_for_each_entry(name, &group->removed.names, node) {
		if (seq_has_overflowed(m))
			break;
		show_removed_counts(m, name->name, &name->counts);
	}
	event_mutex_unlock();
}

static int profile_show(struct seq_file *m, void *v)
{
	const struct user_event_group *group = m->private;

	if ((unsigned long)v != group->nr_bits)
		show_events(m, (unsigned long)v, show_counts);
	else if (sees_all(m))
		show_removed(m);

	return 0;
}

static const struct seq_operations profile_ops = {
	.start = list_start,
	.next = list_next,
	.stop = list_stop,
	.show = profile_show,
};

static int profile_file_open(struct inode *inode, struct file *file)
{
	return list_open(inode, file, &profile_ops);
}

const struct file_operations profile_file_fops = {
	.owner = THIS_MODULE,
	.open = profile_file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};
