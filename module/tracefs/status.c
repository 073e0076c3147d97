// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_status: the events and their tracers, as text and as a mapping.
 */
#include "tracefs/status.h"

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "event/group.h"
#include "event/user_event.h"
#include "internals/call.h"
#include "tracefs/status_page.h"

static void show_event(struct seq_file *m, const struct user_event *event)
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

static int status_file_show(struct seq_file *m, void *unused)
{
	struct user_event_group *group = m->private;
	struct user_event *event;
	u32 busy = 0;
	int bucket;

	event_mutex_lock();
	group_for_each_event(group, bucket, event) {
		show_event(m, event);
		if (event->status)
			busy++;
	}

	seq_puts(m, "\n");
	seq_printf(m, "Active: %u\n", group->nr_events);
	seq_printf(m, "Busy: %u\n", busy);
	seq_printf(m, "Max: %u\n", group->max_events);
	event_mutex_unlock();

	return 0;
}

static int status_file_open(struct inode *inode, struct file *file)
{
	return single_open(file, status_file_show, inode->i_private);
}

static int status_file_mmap(struct file *file, struct vm_area_struct *vma)
{
	return ue_status_page_mmap(file_inode(file)->i_private, vma);
}

const struct file_operations status_file_fops = {
	.owner = THIS_MODULE,
	.open = status_file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.mmap = status_file_mmap,
	.release = single_release,
};
