// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which processes have which enablers.
 *
 * A process is told by its struct mm_struct: whoever shares it shares the
 * enablers, whichever thread registered them, and they are of no use to anybody
 * once nobody uses the memory.
 *
 * The enablers of a process are a set that its children share until either
 * changes its own, so a fork takes the same time however many there are.
 */
#include "mm.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "common.h"
#include "compat/call.h"
#include "enabler.h"
#include "register.h"
#include "user_event.h"

/* 1 << this lists of processes. */
#define MM_HASH_BITS 10

/* Enablers of a new set; most processes have a handful. */
#define FIRST_CAPACITY 4

/*
 * What one change of an event may cost all of tracing, which waits meanwhile:
 * so many moments of waiting for processes that keep their memory locked, and
 * so many pages copied or made for each. What is left goes to the background,
 * where so many bits are written at a time.
 */
#define PATIENCE 50
#define COPIES 32
#define BATCH 64

/* Kept ready for forks that cannot get memory, see mm_alloc_atomic(). */
#define SPARES (IS_ENABLED(CONFIG_PREEMPT_RT) ? 256 : 32)
#define SPARES_MAX 256

/*
 * When processes end, their memory does so a little later, and how much later
 * nobody tells. It is looked at after so many jiffies, twice as many then, and
 * so on; after that only now and then.
 */
#define SWEEP_FIRST 1
#define SWEEP_ROUNDS 8
#define SWEEP_LATER (5 * HZ)

/**
 * struct enabler_set - enablers, of one process or more
 * @users: processes that have this set
 * @capacity: room in @enablers
 * @count: how many there are
 * @enablers: each holds a user of its event
 *
 * Changed under the tracing mutex and mms_lock while there is one user.
 */
struct enabler_set {
	refcount_t users;
	u32 capacity;
	u32 count;
	struct enabler enablers[];
};

/**
 * struct user_event_mm - a process that has enablers
 * @node: entry in the table
 * @mm: its memory: the structure stays, what it describes may be gone
 * @users: the table, and @sync while it is queued
 * @set: its enablers; replaced under the tracing mutex and mms_lock; NULL when
 *	 it is no longer in the table
 * @sync: brings pages in and writes all bits
 * @rcu: to release it where memory cannot be
 */
struct user_event_mm {
	struct hlist_node node;
	struct mm_struct *mm;
	refcount_t users;
	struct enabler_set *set;
	struct work_struct sync;
	struct rcu_head rcu;
};

/*
 * Processes come in by fork, which cannot wait for the tracing mutex, and go
 * under that mutex. The spinlock is for what the two have in common: the lists,
 * @mms_count, the spares, and which set a process has and how many have it. It
 * is taken inside the mutex, and nothing is taken inside it.
 */
static DEFINE_RAW_SPINLOCK(mms_lock);
static DEFINE_HASHTABLE(mms, MM_HASH_BITS);
static unsigned int mms_count;
static struct user_event_mm *spares[SPARES_MAX];
static unsigned int spares_count;

/*
 * A process can make whoever brings its pages in wait. So those who wait have a
 * queue of their own, and nobody stands behind them who has to come to an end.
 */
static struct workqueue_struct *sync_queue;
static struct workqueue_struct *sweep_queue;

/* Under the tracing mutex, which keeps processes from going. */
#define for_each_mm(bucket, pos)                                  \
	for ((bucket) = 0; (bucket) < HASH_SIZE(mms); (bucket)++) \
		hlist_for_each_entry_rcu(pos, &mms[bucket], node, \
					 true /* not gone by RCU */)

/* --- sets --------------------------------------------------------------- */

static struct enabler_set *set_alloc(u32 capacity)
{
	struct enabler_set *set;

	set = kvzalloc(struct_size(set, enablers, capacity),
		       GFP_KERNEL_ACCOUNT);
	if (!set)
		return NULL;

	refcount_set(&set->users, 1);
	set->capacity = capacity;
	return set;
}

static void set_put(struct enabler_set *set)
{
	u32 i;

	tracing_assert_held();

	if (!set || !refcount_dec_and_test(&set->users))
		return;

	for (i = 0; i < set->count; i++)
		user_event_release(set->enablers[i].event);

	kvfree(set);
}

/* A set of its own with the same enablers. */
static struct enabler_set *set_copy(const struct enabler_set *from,
				    u32 capacity)
{
	struct enabler_set *set = set_alloc(capacity);
	u32 i;

	if (!set)
		return set;

	memcpy(set->enablers, from->enablers,
	       from->count * sizeof(*from->enablers));
	set->count = from->count;
	for (i = 0; i < set->count; i++)
		user_event_get(set->enablers[i].event);

	return set;
}

static const struct enabler *set_find(const struct enabler_set *set,
				      unsigned long address, u8 bit)
{
	u32 i;

	for (i = 0; set && i < set->count; i++)
		if (set->enablers[i].address == address &&
		    set->enablers[i].bit == bit)
			return &set->enablers[i];

	return NULL;
}

/* --- processes ---------------------------------------------------------- */

/* Under the tracing mutex or mms_lock. */
static struct user_event_mm *mm_find(struct mm_struct *mm)
{
	unsigned int bucket = hash_min((unsigned long)mm, MM_HASH_BITS);
	struct user_event_mm *pos;

	hlist_for_each_entry_rcu(pos, &mms[bucket], node, true /* locked */)
		if (pos->mm == mm)
			return pos;

	return NULL;
}

static void mm_sync(struct work_struct *work);

static struct user_event_mm *mm_init(struct user_event_mm *entry)
{
	if (entry) {
		refcount_set(&entry->users, 1);
		INIT_WORK(&entry->sync, mm_sync);
	}

	return entry;
}

static void mm_publish(struct user_event_mm *entry, struct mm_struct *mm,
		       struct enabler_set *set)
{
	lockdep_assert_held(&mms_lock);

	mmgrab(mm);
	entry->mm = mm;
	entry->set = set;
	hash_add_rcu(mms, &entry->node, (unsigned long)mm);
	WRITE_ONCE(mms_count, mms_count + 1);
}

static void mm_put(struct user_event_mm *entry)
{
	if (!refcount_dec_and_test(&entry->users))
		return;

	mmdrop(entry->mm);
	kfree(entry);
}

/* Ends what a process has here. */
static void mm_drop(struct user_event_mm *entry)
{
	struct enabler_set *set = entry->set;
	unsigned long flags;

	tracing_assert_held();

	raw_spin_lock_irqsave(&mms_lock, flags);
	hlist_del_init_rcu(&entry->node);
	entry->set = NULL;
	WRITE_ONCE(mms_count, mms_count - 1);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	set_put(set);
	mm_put(entry);
}

static void mm_queue_sync(struct user_event_mm *entry)
{
	refcount_inc(&entry->users);
	if (!queue_work(sync_queue, &entry->sync))
		mm_put(entry);
}

/* Replaces the set of a process. */
static void mm_set_set(struct user_event_mm *entry, struct enabler_set *set)
{
	struct enabler_set *old = entry->set;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry->set = set;
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	set_put(old);
}

/* Makes the set of a process its own, with room for @count enablers. */
static int mm_own_set(struct user_event_mm *entry, u32 count)
{
	struct enabler_set *set = entry->set;
	u32 capacity = set->capacity;

	/*
	 * Only a fork of this process, which takes the lock, can share it from
	 * now on; mm_append() and mm_cut() look again.
	 */
	if (refcount_read(&set->users) == 1 && count <= capacity)
		return 0;

	set = set_copy(set, count <= capacity ? capacity : 2 * capacity);
	if (!set)
		return -ENOMEM;

	mm_set_set(entry, set);
	return 0;
}

static bool mm_append(struct user_event_mm *entry,
		      const struct enabler *enabler)
{
	struct enabler_set *set = entry->set;
	unsigned long flags;
	bool own;

	raw_spin_lock_irqsave(&mms_lock, flags);
	own = refcount_read(&set->users) == 1;
	if (own)
		set->enablers[set->count++] = *enabler;
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return own;
}

/* Takes one out by its place; the last one comes to be there. */
static bool mm_cut(struct user_event_mm *entry, u32 place)
{
	struct enabler_set *set = entry->set;
	unsigned long flags;
	bool own;

	raw_spin_lock_irqsave(&mms_lock, flags);
	own = refcount_read(&set->users) == 1;
	if (own)
		set->enablers[place] = set->enablers[--set->count];
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return own;
}

/* The calling process, if need be as a new one. */
static struct user_event_mm *mm_current(void)
{
	struct user_event_mm *entry = mm_find(current->mm);
	struct enabler_set *set;
	unsigned long flags;

	if (entry)
		return entry;

	entry = mm_init(kzalloc(sizeof(*entry), GFP_KERNEL_ACCOUNT));
	set = set_alloc(FIRST_CAPACITY);
	if (!entry || !set) {
		kvfree(set);
		kfree(entry);
		return ERR_PTR(-ENOMEM);
	}

	raw_spin_lock_irqsave(&mms_lock, flags);
	mm_publish(entry, current->mm, set);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return entry;
}

static int add_locked(const struct enabler *enabler)
{
	struct user_event_mm *entry;
	int ret;

	entry = mm_current();
	if (IS_ERR(entry))
		return PTR_ERR(entry);

	if (set_find(entry->set, enabler->address, enabler->bit))
		return -EADDRINUSE;

	do {
		ret = mm_own_set(entry, entry->set->count + 1);
		if (ret)
			break;
	} while (!mm_append(entry, enabler));

	if (!entry->set->count)
		mm_drop(entry);
	else if (!ret)
		user_event_get(enabler->event);

	return ret;
}

/* --- spares ------------------------------------------------------------- */

static struct user_event_mm *spare_take(void)
{
	unsigned long flags;
	struct user_event_mm *entry = NULL;

	raw_spin_lock_irqsave(&mms_lock, flags);
	if (spares_count)
		entry = spares[--spares_count];
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return entry;
}

static bool spare_give(struct user_event_mm *entry)
{
	unsigned long flags;
	bool taken;

	raw_spin_lock_irqsave(&mms_lock, flags);
	taken = spares_count < SPARES;
	if (taken)
		spares[spares_count++] = entry;
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return taken;
}

static void spares_fill(void)
{
	struct user_event_mm *entry;

	while (READ_ONCE(spares_count) < SPARES) {
		entry = kzalloc(sizeof(*entry), GFP_KERNEL);
		if (!entry)
			return;

		if (!spare_give(entry)) {
			kfree(entry);
			return;
		}
	}
}

/* --- registering -------------------------------------------------------- */

/* Looks an enabler of the calling process up. */
static bool find_own(unsigned long address, u8 bit, struct enabler *enabler)
{
	const struct enabler *found = NULL;
	struct user_event_mm *entry;

	if (!READ_ONCE(mms_count))
		return false;

	tracing_lock();
	entry = mm_find(current->mm);
	if (entry)
		found = set_find(entry->set, address, bit);
	if (found)
		*enabler = *found;
	tracing_unlock();

	return found;
}

/**
 * mm_has_enabler - Does the calling process have this one?
 * @address: address of the value
 * @bit: number of the bit
 */
bool mm_has_enabler(unsigned long address, u8 bit)
{
	struct enabler enabler;

	return find_own(address, bit, &enabler);
}

/**
 * mm_add_enabler - Lets a bit of the calling process follow an event
 * @enabler: the enabler; its event has a user of the caller's, and gets another
 *
 * The bit is right when it returns.
 *
 * Return: 0; -EADDRINUSE if the process has this one; -ENOMEM, also if the
 *	   process may not write at the address.
 */
int mm_add_enabler(const struct enabler *enabler)
{
	struct enabler_word word = enabler_word(enabler);
	struct page *page;
	int ret;

	/* May take as long as the process likes, so nothing is locked. */
	page = enabler_word_pin(&word);
	if (IS_ERR(page))
		return -ENOMEM;

	spares_fill();

	tracing_lock();
	ret = add_locked(enabler);
	if (!ret)
		enabler_word_write(&word, page, enabler->event->listeners);
	tracing_unlock();

	enabler_word_unpin(page);
	return ret;
}

static int remove_locked(unsigned long address, u8 bit, struct enabler *removed)
{
	struct user_event_mm *entry = mm_find(current->mm);
	const struct enabler *found;
	int ret;

	do {
		found = entry ? set_find(entry->set, address, bit) : NULL;
		if (!found)
			return -ENOENT;

		ret = mm_own_set(entry, entry->set->count);
		if (ret)
			return ret;

		found = set_find(entry->set, address, bit);
		*removed = *found;
	} while (!mm_cut(entry, found - entry->set->enablers));

	if (!entry->set->count)
		mm_drop(entry);
	else if (work_busy(&entry->sync))
		mm_queue_sync(entry); /* may have passed the one that moved */

	return 0;
}

/**
 * mm_remove_enabler - Ends that a bit of the calling process follows an event
 * @address: address of the value
 * @bit: number of the bit, which is cleared
 * @anyway: even if there is no memory to clear the bit
 *
 * Return: 0; -ENOENT if the process has no such enabler; -ENOMEM, and nothing
 *	   has changed; -EFAULT if there is none any more, but the bit could not
 *	   be cleared.
 */
int mm_remove_enabler(unsigned long address, u8 bit, bool anyway)
{
	struct enabler_word word;
	struct enabler enabler;
	struct page *page;
	int ret;

	/* Its size says where the bit is. */
	if (!find_own(address, bit, &enabler))
		return -ENOENT;

	word = enabler_word(&enabler);
	page = enabler_word_pin(&word);
	if (page == ERR_PTR(-ENOMEM) && !anyway)
		return -ENOMEM;

	tracing_lock();
	ret = remove_locked(address, bit, &enabler);
	if (!ret) {
		if (!IS_ERR(page))
			enabler_word_write(&word, page, false);
		user_event_release(enabler.event);
	}
	tracing_unlock();

	if (!IS_ERR(page))
		enabler_word_unpin(page);

	return ret ?: PTR_ERR_OR_ZERO(page);
}

/* --- keeping the bits true ---------------------------------------------- */

static bool is_on(const struct user_event *event)
{
	return event->listeners;
}

/*
 * Writes bits from @place on, as many as there are or as a batch has.
 *
 * Return: 0; -EFAULT if the enabler at @place must be brought in, which is then
 *	   in @late.
 */
static int sync_batch(struct user_event_mm *entry, u32 *place,
		      struct enabler *late)
{
	u32 end = min(entry->set->count, *place + BATCH);
	unsigned int no_patience = 0, no_copies = 0;
	const struct enabler *enabler;
	struct enabler_word word;
	int ret = -EFAULT;
	bool locked;

	locked = enabler_lock_memory(entry->mm, &no_patience);
	for (; *place < end; (*place)++) {
		enabler = &entry->set->enablers[*place];
		word = enabler_word(enabler);
		if (locked)
			ret = enabler_word_update(&word, entry->mm,
						  is_on(enabler->event),
						  &no_copies);
		if (ret) {
			*late = *enabler;
			break;
		}
	}
	if (locked)
		enabler_unlock_memory(entry->mm);

	return ret;
}

/*
 * Waits for one that is late, with nothing locked. It may have been ended or
 * begun anew meanwhile.
 *
 * A process may take as long as it likes. That the module is in use all the
 * while is better than to have rmmod wait.
 */
static void sync_late(struct user_event_mm *entry, const struct enabler *late)
{
	struct enabler_word word = enabler_word(late);
	const struct enabler *found;
	struct page *page;

	if (!try_module_get(THIS_MODULE))
		return;

	page = enabler_word_bring_in(&word, entry->mm);
	if (page) {
		tracing_lock();
		found = set_find(entry->set, late->address, late->bit);
		if (found && found->size == late->size)
			enabler_word_write(&word, page, is_on(found->event));
		tracing_unlock();
		enabler_word_unpin(page);
	}

	module_put(THIS_MODULE);
}

/* Writes all bits of a process, however long that takes. */
static void sync_all(struct user_event_mm *entry)
{
	struct enabler late;
	bool is_left = true;
	u32 place = 0;
	int ret = 0;

	/* Nobody will look any more when this is the only user. */
	while (is_left && atomic_read(&entry->mm->mm_users) > 1) {
		tracing_lock();
		is_left = entry->set && place < entry->set->count;
		if (is_left)
			ret = sync_batch(entry, &place, &late);
		tracing_unlock();

		if (is_left && ret) {
			sync_late(entry, &late);
			place++;
		}
		cond_resched();
	}
}

static void mm_sync(struct work_struct *work)
{
	struct user_event_mm *entry =
		container_of(work, struct user_event_mm, sync);

	if (mmget_not_zero(entry->mm)) {
		sync_all(entry);
		mmput(entry->mm);
	}

	spares_fill();
	mm_put(entry);
}

/* Returns false if something is left to be done. */
static bool update_now(struct user_event_mm *entry,
		       const struct user_event *event, unsigned int *patience)
{
	unsigned int copies = COPIES;
	struct enabler_word word;
	bool is_done = true;
	u32 i;

	if (!enabler_lock_memory(entry->mm, patience))
		return false;

	/* One that is late does not keep the others waiting. */
	for (i = 0; i < entry->set->count; i++) {
		if (entry->set->enablers[i].event != event)
			continue;

		word = enabler_word(&entry->set->enablers[i]);
		if (enabler_word_update(&word, entry->mm, is_on(event),
					&copies))
			is_done = false;
	}
	enabler_unlock_memory(entry->mm);

	return is_done;
}

static void update_mm(struct user_event_mm *entry,
		      const struct user_event *event, unsigned int *patience)
{
	if (!mmget_not_zero(entry->mm))
		return;

	if (!update_now(entry, event, patience))
		mm_queue_sync(entry);

	/* The last user's memory goes somewhere else than under the mutex. */
	mmput_async(entry->mm);
}

static bool mm_follows(const struct user_event_mm *entry,
		       const struct user_event *event)
{
	u32 i;

	for (i = 0; i < entry->set->count; i++)
		if (entry->set->enablers[i].event == event)
			return true;

	return false;
}

/**
 * mms_update - Tells every process whether anybody listens to an event
 * @event: the event, whose listeners have changed
 *
 * Done when it returns, but for pages that are not there or memory that a
 * process keeps locked: these follow in the background.
 */
void mms_update(struct user_event *event)
{
	unsigned int patience = PATIENCE;
	struct user_event_mm *entry;
	unsigned int bucket;

	tracing_assert_held();

	if (!READ_ONCE(mms_count))
		return;

	for_each_mm(bucket, entry)
		if (mm_follows(entry, event))
			update_mm(entry, event, &patience);
}

/* --- processes that come and go ----------------------------------------- */

/*
 * Where processes come in, preemption is off. That a kernel for real time gives
 * out no memory there is what the spares are for.
 */
static struct user_event_mm *mm_alloc_atomic(void)
{
	struct user_event_mm *entry = NULL;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		entry = kzalloc(sizeof(*entry),
				GFP_NOWAIT | __GFP_NOWARN | __GFP_ACCOUNT);

	return mm_init(entry ?: spare_take());
}

/*
 * The process whose enablers a child is to have. While the first one is being
 * added, or the last one taken away, there is a process without any; a child
 * must not become another one, for nothing would take it out again.
 */
static struct user_event_mm *mm_find_parent(struct mm_struct *mm)
{
	struct user_event_mm *entry = mm_find(mm);

	lockdep_assert_held(&mms_lock);

	return entry && entry->set->count ? entry : NULL;
}

/**
 * mm_fork - A process has got a child with memory of its own
 * @parent: memory of the process
 * @child: memory of the child, which has not run yet
 *
 * The child has the same enablers from here on. Its bits are those that its
 * parent had while the memory was copied, which may be true no longer, so they
 * are looked at in the background.
 */
void mm_fork(struct mm_struct *parent, struct mm_struct *child)
{
	struct user_event_mm *entry, *from;
	unsigned long flags;

	if (!READ_ONCE(mms_count))
		return;

	raw_spin_lock_irqsave(&mms_lock, flags);
	from = mm_find_parent(parent);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
	if (!from)
		return;

	entry = mm_alloc_atomic();
	if (!entry) {
		pr_warn_ratelimited(
			"no memory to follow a child, which will not see its events enabled\n");
		return;
	}

	raw_spin_lock_irqsave(&mms_lock, flags);
	from = mm_find_parent(parent);
	if (from) {
		refcount_inc(&from->set->users);
		mm_publish(entry, child, from->set);
	}
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	/* A child that has not run keeps its memory, and that the entry. */
	if (from)
		mm_queue_sync(entry);
	else if (!spare_give(entry))
		kfree_rcu(entry, rcu);
}

static struct delayed_work sweep_work;
static unsigned int sweep_round;
static int sweep_is_soon;

/**
 * mms_sweep - Takes out the processes that are no more
 *
 * Under the tracing mutex. Events may go with them.
 */
void mms_sweep(void)
{
	struct user_event_mm *entry;
	struct hlist_node *next;
	unsigned int bucket;

	tracing_assert_held();

	if (!READ_ONCE(mms_count))
		return;

	hash_for_each_safe(mms, bucket, next, entry, node)
		if (!atomic_read(&entry->mm->mm_users))
			mm_drop(entry);
}

/* And looks again for those who are about to go. */
static void sweep(struct work_struct *work)
{
	unsigned int round;

	xchg(&sweep_is_soon, 0);

	tracing_lock();
	mms_sweep();
	tracing_unlock();

	if (!READ_ONCE(mms_count))
		return;

	round = READ_ONCE(sweep_round);
	WRITE_ONCE(sweep_round, round + 1);
	queue_delayed_work(sweep_queue, &sweep_work,
			   round < SWEEP_ROUNDS ? SWEEP_FIRST << round
						: SWEEP_LATER);
}

/**
 * mms_sweep_soon - Some process has ended, or begun another program
 */
void mms_sweep_soon(void)
{
	if (!READ_ONCE(mms_count))
		return;

	WRITE_ONCE(sweep_round, 0);
	/* However many end, what is to come soon is not put off by it. */
	if (!xchg(&sweep_is_soon, 1))
		mod_delayed_work(sweep_queue, &sweep_work, SWEEP_FIRST);
}

/**
 * mms_init - Prepares the table
 *
 * Return: 0 or -ENOMEM. mms_exit() undoes it.
 */
int mms_init(void)
{
	INIT_DELAYED_WORK(&sweep_work, sweep);
	sync_queue = alloc_workqueue("user_events_sync", WQ_UNBOUND, 0);
	sweep_queue = alloc_workqueue("user_events", WQ_UNBOUND, 1);
	if (sync_queue && sweep_queue)
		return 0;

	mms_exit();
	return -ENOMEM;
}

/**
 * mms_exit - Undoes mms_init()
 *
 * No process is left: each would have an event, and that the module.
 */
void mms_exit(void)
{
	WARN_ON_ONCE(READ_ONCE(mms_count));
	cancel_delayed_work_sync(&sweep_work);
	if (sweep_queue)
		destroy_workqueue(sweep_queue);
	if (sync_queue)
		destroy_workqueue(sync_queue);
	while (spares_count)
		kfree(spares[--spares_count]);
}
