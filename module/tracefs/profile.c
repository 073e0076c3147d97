// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_profile: a line for each event, with the number of records that
 * were offered to tracers and the number of times that a record was too large
 * for a tracer. The columns are those of kprobe_profile.
 */
#include "tracefs/profile.h"

#include <linux/build_bug.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "event/counts.h"
#include "event/group.h"
#include "event/user_event.h"
#include "internals/call.h"

/*
 * Hash lists of the registry that are shown per hold of event_mutex, since the
 * counters of all possible CPUs are summed for each event.
 */
#define LISTS_PER_HOLD 1

static_assert(USER_EVENT_HASH_SIZE % LISTS_PER_HOLD == 0);

/* The iterator at a position is the position plus one. */
static void *profile_start(struct seq_file *m, loff_t *pos)
{
	return *pos < USER_EVENT_HASH_SIZE / LISTS_PER_HOLD
		       ? (void *)(long)(*pos + 1)
		       : NULL;
}

static void *profile_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return profile_start(m, pos);
}

static void profile_stop(struct seq_file *m, void *v)
{
}

static int profile_show(struct seq_file *m, void *v)
{
	long list = ((long)v - 1) * LISTS_PER_HOLD, end = list + LISTS_PER_HOLD;
	struct user_event_group *group = m->private;
	struct user_event_counts sum;
	struct user_event *event;

	event_mutex_lock();
	for (; list < end && !seq_has_overflowed(m); list++)
		group_for_each_in_list(group, list, event) {
			sum = ue_counts_sum(event->counts);
			seq_printf(m, "  %-44s %15llu %15llu\n",
				   user_event_name(event), sum.hits, sum.lost);
		}
	event_mutex_unlock();

	return 0;
}

static const struct seq_operations profile_seq_ops = {
	.start = profile_start,
	.next = profile_next,
	.stop = profile_stop,
	.show = profile_show,
};

static int profile_file_open(struct inode *inode, struct file *file)
{
	int ret = seq_open(file, &profile_seq_ops);

	if (!ret)
		((struct seq_file *)file->private_data)->private =
			inode->i_private;
	return ret;
}

const struct file_operations profile_file_fops = {
	.owner = THIS_MODULE,
	.open = profile_file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};
