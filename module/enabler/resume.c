// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words that cannot be written at once are written by the process itself.
 *
 * A word is read by tasks of the process in user space. So a task work is queued
 * on each of them, and the first one that is about to return to user space
 * checks all words of the process. A running task is interrupted for that, and
 * nothing waits for one that sleeps, is stopped or is frozen. The check takes
 * the time, the memory and the page faults of the process.
 *
 * A task work needs memory, and a process can have many tasks. So a work item
 * queues the task works of a process if there is no memory, or if it has more
 * than a few tasks. The work item never waits for a process.
 *
 * Processes can share memory without being threads. The kernel has no list of
 * these, but the number of users of the memory tells that there may be some.
 * Another work item then walks all tasks, once for all such processes.
 */
#include "enabler/resume.h"

#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

#include "compat/task_work.h"
#include "compat/thread.h"
#include "enabler/check.h"
#include "enabler/mm.h"
#include "internals/call.h"

/* Tasks of a process whose task works are queued without the work item. */
#define MAX_TASKS_NOW 4

/*
 * Time after which a process is asked again to check words whose page was not
 * available: it is to be provided through a userfaultfd, or there was no memory.
 */
#define RETRY_JIFFIES HZ

/*
 * Time between two walks over all tasks as a multiple of the duration of one, and
 * its maximum
 */
#define WALK_PAUSE_FACTOR 8
#define WALK_PAUSE_MAX (10 * HZ)

/*
 * Task works of a part, which makes 2 KiB. A task that runs one, for any time, keeps
 * the memory of its part only.
 */
#define PART_WORKS 62

/**
 * struct notice_work - a task work
 * @head: entry in the list of @task
 * @part: the part that it is in, with a reference while @head is queued
 * @task: the task, with a reference
 */
struct notice_work {
	struct callback_head head;
	struct notice_part *part;
	struct task_struct *task;
};

/**
 * struct notice_part - task works on some tasks of a process
 * @next: the next part of the notice
 * @entry: the process, with a reference
 * @users: references: one of the notice, and one for each task work that is queued
 * @capacity: number of elements of @works
 * @count: number of elements that have been used
 * @works: the task works
 */
struct notice_part {
	struct notice_part *next;
	struct user_event_mm *entry;
	refcount_t users;
	unsigned int capacity;
	unsigned int count;
	struct notice_work works[];
};

/* Which tasks a notice has; each has those of the scopes before it, too. */
enum notice_scope {
	NOTICE_NOW, /* threads, by the holder of event_mutex */
	NOTICE_THREADS, /* by notify_work */
	NOTICE_ALL, /* by walk_work */
};

/**
 * struct mm_notice - task works on all tasks of a process
 * @next: the next one of the notices of @entry; before that, of a walk
 * @entry: the process; the parts have references
 * @number: number of the notice, in the order in which they are begun
 * @scope: which tasks it has
 * @begun: time before the users of the memory were counted; 0 if they were not
 * @found: tasks that were found, except workers that were not counted
 * @is_full: it had no room for a task
 * @parts: the task works
 * @filled: the part of the next one, or NULL
 */
struct mm_notice {
	struct mm_notice *next;
	struct user_event_mm *entry;
	unsigned long number;
	enum notice_scope scope;
	u64 begun;
	unsigned int found;
	bool is_full;
	struct notice_part *parts;
	struct notice_part *filled;
};

static void notify_stale(struct work_struct *work);
static DECLARE_WORK(notify_work, notify_stale);

static void retry_stale(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry_stale);

static void walk_tasks(struct work_struct *work);
static DECLARE_DELAYED_WORK(walk_work, walk_tasks);

/* Time until the next walk; written by walk_work. */
static unsigned long walk_pause;

/*
 * Processes whose threads are to be notified by notify_work, those that may
 * share their memory with others, which walk_work notifies, and those that
 * retry_work moves to stale_mms; all under mms_lock.
 */
static LIST_HEAD(stale_mms);
static LIST_HEAD(shared_mms);
static LIST_HEAD(retried_mms);

/*
 * Number of updates of words, from 2 on: odd while one has not ended; written
 * under event_mutex.
 */
static unsigned long updates = 2;

/* Number of notices that were begun. */
static atomic_long_t notices_begun;

/* --- notices -------------------------------------------------------------- */

static void part_put(struct notice_part *part)
{
	unsigned int i;

	if (!refcount_dec_and_test(&part->users))
		return;

	for (i = 0; i < part->count; i++)
		put_task_struct(part->works[i].task);
	ue_mm_put(part->entry);
	kfree(part);
}

/*
 * Runs in a task of the process, or in a task that had its memory until it
 * exited or called exec. Before Linux 5.13, the task that withdraws a task work
 * of an exiting one can run it.
 */
static void run_work(struct callback_head *head)
{
	struct notice_work *work = container_of(head, struct notice_work, head);
	struct notice_part *part = work->part;

	if (current == work->task && current->mm == part->entry->mm)
		ue_mm_check(part->entry);

	part_put(part);
	/* ue_files_remove() waits until this function has returned. */
	module_put(THIS_MODULE);
}

#ifdef HAVE_TASK_WORK_CANCEL_MATCH
static bool withdraw(struct task_struct *task, struct callback_head *head)
{
	return task_work_withdraw(task, head);
}
#else
/*
 * Those that were queued after a task work are removed and queued again, under the
 * lock of the task, so that a concurrent withdraw() finds them. If the task
 * returns to user space at that moment, it runs them after that.
 */
static raw_spinlock_t withdraw_locks[] = {
	[0 ... 15] = __RAW_SPIN_LOCK_UNLOCKED(withdraw_locks),
};

static bool withdraw(struct task_struct *task, struct callback_head *head)
{
	raw_spinlock_t *lock = &withdraw_locks[hash_ptr(task, 4)];
	struct callback_head *popped, *later = NULL, *unused = NULL, *next;
	unsigned long flags;

	raw_spin_lock_irqsave(lock, flags);
	while ((popped = task_work_pop(task, run_work)) && popped != head) {
		popped->next = later;
		later = popped;
	}
	for (; later; later = next) {
		next = later->next;
		/* The task is exiting. */
		if (task_work_queue(task, later)) {
			later->next = unused;
			unused = later;
		}
	}
	raw_spin_unlock_irqrestore(lock, flags);

	for (; unused; unused = next) {
		next = unused->next;
		run_work(unused);
	}

	return popped == head;
}
#endif

/* Removes the task works that have not started to run. */
static void part_withdraw(struct notice_part *part)
{
	struct notice_work *work;

	for (work = part->works; work < part->works + part->count; work++)
		if (withdraw(work->task, &work->head)) {
			part_put(part);
			module_put(THIS_MODULE);
		}
}

static void notice_cancel(struct mm_notice *notice)
{
	struct notice_part *part, *next;

	for (part = notice->parts; part; part = next) {
		next = part->next;
		part_withdraw(part);
		part_put(part);
	}
	kfree(notice);
}

/* Cancels a notice and the next ones. */
static void notices_cancel(struct mm_notice *notice)
{
	struct mm_notice *next;

	for (; notice; notice = next) {
		next = notice->next;
		notice_cancel(notice);
	}
}

static struct notice_part *part_alloc(struct user_event_mm *entry,
				      unsigned int capacity, gfp_t gfp)
{
	struct notice_part *part =
		kmalloc(struct_size(part, works, capacity), gfp);

	if (!part)
		return NULL;

	refcount_inc(&entry->users);
	part->entry = entry;
	refcount_set(&part->users, 1);
	part->capacity = capacity;
	part->count = 0;
	return part;
}

/* Has room for tasks that are added meanwhile. */
static struct mm_notice *notice_alloc(struct user_event_mm *entry,
				      unsigned int users,
				      enum notice_scope scope)
{
	gfp_t gfp = scope == NOTICE_NOW ? GFP_NOWAIT | __GFP_NOWARN
					: GFP_KERNEL;
	struct mm_notice *notice = kzalloc(sizeof(*notice), gfp);
	struct notice_part *part;
	unsigned int left;

	if (!notice)
		return NULL;

	notice->entry = entry;
	notice->number = atomic_long_inc_return(&notices_begun);
	notice->scope = scope;
	for (left = users + users / 4 + 1; left; left -= part->capacity) {
		part = part_alloc(entry, min_t(unsigned int, left, PART_WORKS),
				  gfp);
		if (!part) {
			notice_cancel(notice);
			return NULL;
		}

		part->next = notice->parts;
		notice->parts = part;
	}
	notice->filled = notice->parts;
	return notice;
}

static void notice_add(struct mm_notice *notice, struct task_struct *task)
{
	struct notice_part *part = notice->filled;
	struct notice_work *work;

	if (!part) {
		notice->is_full = true;
		return;
	}

	work = &part->works[part->count++];
	if (part->count == part->capacity)
		notice->filled = part->next;
	work->part = part;
	work->task = task;
	get_task_struct(task);
	refcount_inc(&part->users);
	__module_get(THIS_MODULE);
	init_task_work(&work->head, run_work);
	if (!task_work_queue(task, &work->head))
		return;

	/* The task is exiting. */
	refcount_dec(&part->users);
	module_put(THIS_MODULE);
}

/*
 * Adds threads. A worker of the kernel does not return to user space, and its start
 * calls no hook: a new one must not be taken for a user that was counted.
 */
static void notice_add_threads(struct mm_notice *notice,
			       struct task_struct *process)
{
	struct task_struct *task;
	bool is_worker;

	for_each_thread(process, task) {
		if (READ_ONCE(task->mm) != notice->entry->mm)
			continue;

		is_worker = task->flags & PF_KERNEL_WORKER;
		if (!is_worker || task->start_time < notice->begun)
			notice->found++;
		if (!is_worker && !(task->flags & PF_EXITING))
			notice_add(notice, task);
		if (notice->is_full && notice->scope == NOTICE_NOW)
			break;
	}
}

/*
 * Returns whether a notice that is published makes another one superfluous, which
 * was begun before it, and so for words that were stale already. If a task has run
 * its task work of this one, it has checked the words, or another task has. If they
 * became stale since, the process was notified again. The holder of event_mutex
 * leaves the removal of task works to others.
 */
static bool notice_replaces(const struct mm_notice *notice,
			    const struct mm_notice *other)
{
	return notice->scope != NOTICE_NOW && notice->scope >= other->scope &&
	       (!notice->is_full || other->is_full) &&
	       (long)(notice->number - other->number) > 0;
}

/* Returns those that it replaces. */
static struct mm_notice *notice_insert(struct mm_notice *notice)
{
	struct user_event_mm *entry = notice->entry;
	struct mm_notice **link = &entry->notice;
	struct mm_notice *replaced = NULL, *other;

	lockdep_assert_held(&mms_lock);

	while ((other = *link)) {
		if (notice_replaces(notice, other)) {
			*link = other->next;
			other->next = replaced;
			replaced = other;
		} else {
			link = &other->next;
		}
	}
	notice->next = entry->notice;
	entry->notice = notice;

	return replaced;
}

/*
 * Keeps the notice as long as the words are stale. A task can have run its task
 * work of this notice already, when the words were stale before, so one that was
 * begun later is kept, too. These are a few, since each work item and the holder of
 * event_mutex begin one at a time.
 */
static void notice_publish(struct mm_notice *notice)
{
	struct user_event_mm *entry = notice->entry;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	/* A dead process has no set, and ue_mm_forget_notices() follows that. */
	if (entry->set && entry->is_stale && !entry->is_checking)
		notice = notice_insert(notice);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	notices_cancel(notice);
}

static bool has_few_threads(struct user_event_mm *entry)
{
	struct task_struct *leader;
	bool is_few;

	rcu_read_lock();
	leader = pid_task(entry->pid, PIDTYPE_TGID);
	/* Those that have exited and were not waited for count, too. */
	is_few = !leader || get_nr_threads(leader) <= MAX_TASKS_NOW;
	rcu_read_unlock();

	return is_few;
}

/*
 * Queues a task work on the threads of a process. A task that starts to share
 * the memory meanwhile is either found or calls ue_mm_task_added_locked().
 *
 * Returns 0; -ENOMEM if a thread may be missing; -ECHILD if other processes may
 * share the memory.
 */
static int notify(struct user_event_mm *entry, enum notice_scope scope)
{
	u64 begun = ktime_get_ns();
	unsigned int users = atomic_read(&entry->mm->mm_users);
	struct mm_notice *notice;
	struct task_struct *leader;
	int ret = 0;

	if (!users)
		return 0;

	if (scope == NOTICE_NOW && users > MAX_TASKS_NOW)
		return -ENOMEM;

	notice = notice_alloc(entry, users, scope);
	if (!notice)
		return -ENOMEM;

	notice->begun = begun;
	rcu_read_lock();
	leader = pid_task(entry->pid, PIDTYPE_TGID);
	if (leader)
		notice_add_threads(notice, leader);
	rcu_read_unlock();

	if (notice->is_full)
		ret = -ENOMEM;
	else if (notice->found < users)
		ret = -ECHILD;
	notice_publish(notice);

	return ret;
}

/* --- requests ------------------------------------------------------------- */

/*
 * Returns whether the tasks must be notified: they are already, or the thread
 * that checks the words does it again.
 */
static bool mark_stale(struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	entry->settled = 0;
	if (entry->is_stale)
		return false;

	entry->is_stale = true;
	return !entry->is_checking;
}

/* The list has a reference to the process. */
static void enqueue(struct user_event_mm *entry, struct list_head *list)
{
	lockdep_assert_held(&mms_lock);

	if (list_empty(&entry->stale_node))
		refcount_inc(&entry->users);
	list_move_tail(&entry->stale_node, list);
	entry->queue = list;
	entry->is_added = false;
	if (list == &stale_mms)
		queue_work(ue_mms_queue, &notify_work);
	else if (list == &shared_mms)
		queue_delayed_work(ue_mms_queue, &walk_work,
				   READ_ONCE(walk_pause));
	else
		queue_delayed_work(ue_mms_queue, &retry_work, RETRY_JIFFIES);
}

/* The reference of the list passes to the caller. */
static struct user_event_mm *dequeue(struct list_head *list)
{
	struct user_event_mm *entry;

	lockdep_assert_held(&mms_lock);

	entry = list_first_entry_or_null(list, struct user_event_mm,
					 stale_node);
	if (entry)
		list_del_init(&entry->stale_node);

	return entry;
}

/*
 * The words are to be tried again, or a task may have checked them since the process
 * was queued. Returns whether they are stale.
 */
static bool update_stale(struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	entry->is_stale |= entry->must_retry;
	entry->must_retry = false;
	return entry->is_stale;
}

/*
 * Takes a process out of a list, with the reference of the list, unless a task
 * has checked its words.
 */
static struct user_event_mm *dequeue_unchecked(struct list_head *list)
{
	struct user_event_mm *entry;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	while ((entry = dequeue(list)) && !update_stale(entry)) {
		raw_spin_unlock_irqrestore(&mms_lock, flags);
		ue_mm_put(entry);
		cond_resched();
		raw_spin_lock_irqsave(&mms_lock, flags);
	}
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return entry;
}

/*
 * What has put the process into a list meanwhile is served sooner or at the same
 * time. But a walk finds a task that was added, and a process that adds tasks all
 * the time would never get to it.
 */
static void enqueue_again(struct user_event_mm *entry, struct list_head *list)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	if (list_empty(&entry->stale_node) ||
	    (list == &shared_mms && entry->is_added))
		enqueue(entry, list);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/* The cost grows with the threads of these processes. */
static void notify_stale(struct work_struct *work)
{
	struct user_event_mm *entry;
	int ret;

	/* Without an event, there are no words. */
	if (!try_module_get(THIS_MODULE))
		return;

	while ((entry = dequeue_unchecked(&stale_mms))) {
		ret = notify(entry, NOTICE_THREADS);
		if (ret)
			enqueue_again(entry, ret == -ECHILD ? &shared_mms
							    : &retried_mms);
		ue_mm_put(entry);
		cond_resched();
	}
	module_put(THIS_MODULE);
}

static void retry_stale(struct work_struct *work)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	list_splice_tail_init(&retried_mms, &stale_mms);
	queue_work(ue_mms_queue, &notify_work);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/* --- processes that share memory ------------------------------------------ */

static void set_walk_notice(struct user_event_mm *entry,
			    struct mm_notice *notice)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry->walk_notice = notice;
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/* Returns the notices of all processes that are waiting for a walk. */
static struct mm_notice *prepare_walk(void)
{
	struct mm_notice *notices = NULL, *notice;
	struct user_event_mm *entry;
	unsigned long flags;
	LIST_HEAD(mms);

	/* Those that are added meanwhile are for the next walk. */
	raw_spin_lock_irqsave(&mms_lock, flags);
	list_splice_init(&shared_mms, &mms);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	while ((entry = dequeue_unchecked(&mms))) {
		notice = notice_alloc(entry, atomic_read(&entry->mm->mm_users),
				      NOTICE_ALL);
		if (notice) {
			set_walk_notice(entry, notice);
			notice->next = notices;
			notices = notice;
		} else {
			enqueue_again(entry, &retried_mms);
		}
		ue_mm_put(entry);
		cond_resched();
	}

	return notices;
}

/* All threads of a process have the same memory until they exit. */
static struct mm_notice *find_walk_notice(struct task_struct *process)
{
	struct mm_struct *mm = NULL;
	struct user_event_mm *entry;
	struct mm_notice *notice;
	struct task_struct *task;
	unsigned long flags;

	for_each_thread(process, task) {
		mm = READ_ONCE(task->mm);
		if (mm)
			break;
	}
	if (!mm)
		return NULL;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry = ue_mm_find(mm);
	notice = entry ? entry->walk_notice : NULL;
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return notice;
}

static void finish_walk(struct mm_notice *notices)
{
	struct mm_notice *notice, *next;

	for (notice = notices; notice; notice = next) {
		next = notice->next;
		notice->next = NULL;
		set_walk_notice(notice->entry, NULL);
		if (notice->is_full)
			enqueue_again(notice->entry, &retried_mms);
		notice_publish(notice);
		cond_resched();
	}
}

/*
 * A process can have its words checked again and again. So the walks take a
 * limited share of the time, whatever the number of such processes is.
 */
static void walk_tasks(struct work_struct *work)
{
	struct task_struct *process;
	struct mm_notice *notices, *notice;
	unsigned long start, pause;

	/* Without an event, there are no words. */
	if (!try_module_get(THIS_MODULE))
		return;

	notices = prepare_walk();
	start = jiffies;
	if (notices) {
		rcu_read_lock();
		for_each_process(process) {
			notice = find_walk_notice(process);
			if (notice)
				notice_add_threads(notice, process);
		}
		rcu_read_unlock();
	}
	finish_walk(notices);
	pause = WALK_PAUSE_FACTOR * (jiffies - start);
	WRITE_ONCE(walk_pause, min_t(unsigned long, pause, WALK_PAUSE_MAX));
	module_put(THIS_MODULE);
}

/* --- requests of the module ----------------------------------------------- */

/**
 * ue_mm_request_check_locked - Lets a process check its words
 * @entry: the process
 *
 * Context: Under mms_lock.
 */
void ue_mm_request_check_locked(struct user_event_mm *entry)
{
	if (mark_stale(entry))
		enqueue(entry, &stale_mms);
}

/**
 * ue_mm_request_check - Lets a process check its words
 * @entry: the process, which has enablers
 *
 * On return, a process of a few threads checks its words before one of them
 * returns to user space. Other processes do it soon.
 *
 * Context: Under event_mutex. Does not wait.
 */
void ue_mm_request_check(struct user_event_mm *entry)
{
	unsigned long flags;
	bool must_notify;
	int ret = -ENOMEM;

	event_mutex_assert_held();

	raw_spin_lock_irqsave(&mms_lock, flags);
	must_notify = mark_stale(entry);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	if (!must_notify)
		return;

	if (has_few_threads(entry))
		ret = notify(entry, NOTICE_NOW);
	if (!ret)
		return;

	raw_spin_lock_irqsave(&mms_lock, flags);
	if (entry->is_stale)
		enqueue(entry, ret == -ECHILD ? &shared_mms : &stale_mms);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/**
 * ue_mm_task_added_locked - Handles a task that starts to share the memory
 * @entry: the process
 *
 * Context: Under mms_lock. The task has not run.
 */
void ue_mm_task_added_locked(struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	if (!entry->is_stale || entry->is_checking)
		return;

	/* The next notice of a process that is in a list finds this task, too. */
	if (list_empty(&entry->stale_node) || entry->queue == &retried_mms) {
		enqueue(entry, &stale_mms);
		entry->is_added = true;
	}
}

/* --- the process ---------------------------------------------------------- */

/* Returns false if no word is stale, or if another thread checks them. */
static bool check_start(struct user_event_mm *entry)
{
	struct mm_notice *notice = NULL;
	unsigned long flags;
	bool must_check;

	raw_spin_lock_irqsave(&mms_lock, flags);
	must_check = entry->is_stale && !entry->is_checking;
	if (must_check) {
		entry->is_stale = false;
		entry->must_retry = false;
		entry->is_checking = true;
		swap(entry->notice, notice);
	}
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	notices_cancel(notice);
	return must_check;
}

/*
 * The task returns to user space even if a word has become stale again: it would
 * never do so if the event was switched all the time.
 */
static void check_finish(struct user_event_mm *entry, int ret)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry->is_checking = false;
	/* The process may make them writable later, before a fork. */
	entry->has_wrong = ret;
	entry->must_retry = ret == -EAGAIN;
	if (ret == -EINTR)
		entry->is_stale = true;
	if (entry->is_stale)
		enqueue(entry, &stale_mms);
	else if (entry->must_retry)
		enqueue(entry, &retried_mms);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/*
 * Lets children inherit the words without a check, if they are right. A fork of
 * another task that uses the memory may have copied them before.
 */
static void settle(struct user_event_mm *entry)
{
	/* Before @is_stale: pairs with ue_mms_update_end(). */
	unsigned long number = smp_load_acquire(&updates);
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	if (!(number & 1) && !entry->is_stale && !entry->is_checking &&
	    !entry->has_wrong && list_empty(&entry->stale_node) &&
	    atomic_read(&entry->mm->mm_users) == 1)
		entry->settled = number;
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/**
 * ue_mm_check - Checks the words of the calling process if they are stale
 * @entry: the process; this task does not fork
 *
 * Only one thread at a time does it. So a page that never comes blocks no other
 * thread. If no word is stale afterwards and no other task uses the memory, the
 * next children need not check theirs.
 *
 * Context: Sleeps, possibly for as long as the process chooses. The caller holds
 *	    no lock.
 */
void ue_mm_check(struct user_event_mm *entry)
{
	if (check_start(entry))
		check_finish(entry, ue_mm_check_words(entry));
	settle(entry);
}

/**
 * ue_mm_check_now - Checks the words of the calling process
 * @entry: the process
 *
 * Context: As ue_mm_check().
 */
void ue_mm_check_now(struct user_event_mm *entry)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	mark_stale(entry);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	ue_mm_check(entry);
}

/**
 * ue_mm_is_settled_locked - Tells whether a fork has copied words that are right
 * @entry: the process that forks
 *
 * Context: Under mms_lock. The child is published.
 */
bool ue_mm_is_settled_locked(const struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	/*
	 * Either an update finds the child, or its start is seen here. Pairs with
	 * ue_mms_update_start().
	 */
	smp_mb();
	return entry->settled == READ_ONCE(updates);
}

/**
 * ue_mms_update_start - Starts an update of words
 *
 * The events have their new states. Another update may not have ended.
 *
 * Context: Under event_mutex. A full memory barrier.
 */
void ue_mms_update_start(void)
{
	event_mutex_assert_held();

	WRITE_ONCE(updates, (updates + 1) | 1);
	/* Pairs with ue_mm_is_settled_locked() and write_word() of check.c. */
	smp_mb();
}

/**
 * ue_mms_update_end - Ends all updates that were started
 *
 * Processes with words that were not written were asked to check them.
 *
 * Context: Under event_mutex.
 */
void ue_mms_update_end(void)
{
	event_mutex_assert_held();

	/* Pairs with settle(). No process is settled since update 0. */
	smp_store_release(&updates, updates + 1 ?: 2);
}

/**
 * ue_mm_forget_notices - Releases the notices of a process that is dead
 * @entry: the process
 */
void ue_mm_forget_notices(struct user_event_mm *entry)
{
	struct mm_notice *notice = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	swap(entry->notice, notice);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	notices_cancel(notice);
}

/**
 * ue_mm_resume_exit - Ends the work items
 *
 * No enabler exists any more, and no task work: each has a reference to the
 * module.
 */
void ue_mm_resume_exit(void)
{
	struct user_event_mm *entry;

	cancel_delayed_work_sync(&retry_work);
	cancel_delayed_work_sync(&walk_work);
	cancel_work_sync(&notify_work);
	list_splice_tail_init(&retried_mms, &stale_mms);
	list_splice_tail_init(&shared_mms, &stale_mms);
	while ((entry = dequeue_unchecked(&stale_mms)))
		ue_mm_put(entry);
}
