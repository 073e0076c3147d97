// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_profile: a line for every event with the number of records that
 * were offered to readers, and the number of times a reader could not be given
 * one because it was too large. Columns as in kprobe_profile.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "compat/call.h"
#include "files.h"
#include "group.h"
#include "user_event.h"

static int profile_file_show(struct seq_file *m, void *unused)
{
	struct user_event_group *group = m->private;
	struct user_event_counts sum;
	struct user_event *event;
	int bucket;

	tracing_lock();
	group_for_each_event(group, bucket, event) {
		sum = user_event_sum(event);
		seq_printf(m, "  %-44s %15llu %15llu\n", user_event_name(event),
			   sum.hits, sum.lost);
	}
	tracing_unlock();

	return 0;
}

static int profile_file_open(struct inode *inode, struct file *file)
{
	return single_open(file, profile_file_show, inode->i_private);
}

const struct file_operations profile_file_fops = {
	.owner = THIS_MODULE,
	.open = profile_file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};
