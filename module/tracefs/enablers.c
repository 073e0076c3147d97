// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_enablers: a line for each enabler of each process, "PID
 * SYSTEM:EVENT". PID is the process that added the first enabler, or was forked
 * with them, as the reader knows it; 0 if the reader does not see it, or if it
 * has exited or called exec while another process shares its memory.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "compat/thread.h"
#include "enabler/mm.h"
#include "enabler/set.h"
#include "event/user_event.h"
#include "internals/call.h"
#include "tracefs/files.h"

/* Enablers that are shown per hold of event_mutex. */
#define ENABLERS_PER_HOLD 64

/*
 * If more processes start while the list is made, old ones can be missing in it.
 * It is made again then, with more room.
 */
#define COLLECT_TRIES 4

/**
 * struct enabler_position - where a batch of enablers starts
 * @process: number of the process
 * @address: lowest address of its first enabler
 * @bit: lowest bit at that address
 */
struct enabler_position {
	u32 process;
	unsigned long address;
	unsigned int bit;
};

/**
 * struct enablers_reader - an open file; the lock of the seq_file protects it
 * @pos: number of the batch that starts at @first
 * @first: start of the batch
 * @end: start of the next batch, set by a show of this one
 * @capacity: size of @processes
 * @count: number of processes
 * @is_full: whether more processes were found than @capacity
 * @processes: the processes, each with a reference
 */
struct enablers_reader {
	loff_t pos;
	struct enabler_position first;
	struct enabler_position end;
	u32 capacity;
	u32 count;
	bool is_full;
	struct user_event_mm *processes[];
};

/* --- the processes -------------------------------------------------------- */

/* The references of a process do not keep its memory. */
static void collect(struct user_event_mm *entry, void *data)
{
	struct enablers_reader *reader = data;

	if (reader->count == reader->capacity) {
		reader->is_full = true;
		return;
	}

	refcount_inc(&entry->users);
	reader->processes[reader->count++] = entry;
}

static void reader_free(struct enablers_reader *reader)
{
	u32 i;

	for (i = 0; i < reader->count; i++) {
		ue_mm_put(reader->processes[i]);
		cond_resched();
	}

	kvfree(reader);
}

static struct enablers_reader *reader_create(void)
{
	struct enablers_reader *reader;
	unsigned int try;
	u32 capacity;

	for (try = 0; try < COLLECT_TRIES; try++) {
		capacity = READ_ONCE(mms_count);
		capacity += (capacity / 4 + 16) << try;
		reader = kvzalloc(struct_size(reader, processes, capacity),
				  GFP_KERNEL_ACCOUNT);
		if (!reader)
			return ERR_PTR(-ENOMEM);

		reader->capacity = capacity;
		ue_mms_walk(collect, reader);
		if (!reader->is_full)
			return reader;

		reader_free(reader);
	}

	return ERR_PTR(-EAGAIN);
}

/* --- batches -------------------------------------------------------------- */

/* Threads of a process share its memory, and the first one can have exited. */
static bool has_memory(struct task_struct *task, const struct mm_struct *mm)
{
	struct task_struct *thread;

	for_each_thread(task, thread)
		if (READ_ONCE(thread->mm) == mm)
			return true;

	return false;
}

/*
 * The number of a process that has exited can be that of another one, and a
 * process that has called exec has other memory.
 */
static pid_t pid_of(const struct user_event_mm *entry)
{
	struct task_struct *task;
	bool exists;

	rcu_read_lock();
	task = pid_task(entry->pid, PIDTYPE_TGID);
	exists = task && has_memory(task, entry->mm);
	rcu_read_unlock();

	return exists ? pid_vnr(entry->pid) : 0;
}

/*
 * Prints enablers of one process. Batches follow the order of addresses, so a
 * change of the enablers in between does no harm.
 */
static int enablers_show(struct seq_file *m, void *v)
{
	struct enablers_reader *reader = m->private;
	struct enabler_position *at = &reader->end;
	const struct user_event_mm *entry;
	struct enabler *enabler = NULL;
	unsigned int left = ENABLERS_PER_HOLD;
	pid_t pid;

	*at = reader->first;
	entry = reader->processes[at->process];
	pid = pid_of(entry);

	event_mutex_lock();
	if (entry->set)
		enabler =
			ue_enabler_set_first(entry->set, at->address, at->bit);
	for (; enabler && left; left--) {
		seq_printf(m, "%d %s:%s\n", pid,
			   user_event_system(enabler->event),
			   user_event_name(enabler->event));
		enabler = ue_enabler_set_next(enabler);
	}
	if (enabler) {
		at->address = enabler->bit.address;
		at->bit = enabler->bit.bit;
	} else {
		at->process++;
		at->address = 0;
		at->bit = 0;
	}
	event_mutex_unlock();

	return 0;
}

static void *enablers_at(struct enablers_reader *reader)
{
	return reader->first.process < reader->count ? reader : NULL;
}

/* The positions only grow, from 0 or from the last one. */
static void *enablers_start(struct seq_file *m, loff_t *pos)
{
	struct enablers_reader *reader = m->private;

	if (!*pos) {
		reader->pos = 0;
		memset(&reader->first, 0, sizeof(reader->first));
	}

	return *pos == reader->pos ? enablers_at(reader) : NULL;
}

static void *enablers_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct enablers_reader *reader = m->private;

	reader->first = reader->end;
	reader->pos = ++*pos;
	ue_reader_pause();
	return enablers_at(reader);
}

static void enablers_stop(struct seq_file *m, void *v)
{
}

static const struct seq_operations enablers_seq_ops = {
	.start = enablers_start,
	.next = enablers_next,
	.stop = enablers_stop,
	.show = enablers_show,
};

static int enablers_file_open(struct inode *inode, struct file *file)
{
	struct enablers_reader *reader = reader_create();
	int ret;

	if (IS_ERR(reader))
		return PTR_ERR(reader);

	ret = seq_open(file, &enablers_seq_ops);
	if (ret)
		reader_free(reader);
	else
		((struct seq_file *)file->private_data)->private = reader;

	return ret;
}

static int enablers_file_release(struct inode *inode, struct file *file)
{
	reader_free(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

const struct file_operations enablers_file_fops = {
	.owner = THIS_MODULE,
	.open = enablers_file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = enablers_file_release,
};
