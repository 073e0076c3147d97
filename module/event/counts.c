// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocates the counters of several events together: memory of the CPUs takes
 * about as long to allocate as the rest of an event to register.
 */
#include "event/counts.h"

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

/* Events with counters in one block; at most the bits of a long. */
#define BLOCK_EVENTS 16
#define BLOCK_FULL GENMASK(BLOCK_EVENTS - 1, 0)

/**
 * struct counts_block - counters of several events
 * @list: entry in blocks_with_room, or empty
 * @used: a bit for each event that has counters; never zero
 * @counts: the counters; those without an event are zero
 */
struct counts_block {
	struct list_head list;
	unsigned long used;
	struct user_event_counts __percpu *counts;
};

/* Protects the list, and @list and @used of all blocks. */
static DEFINE_SPINLOCK(blocks_lock);
static LIST_HEAD(blocks_with_room);

/* Charged to the memory cgroup of the process with the first of the events. */
static struct counts_block *block_alloc(void)
{
	struct counts_block *block =
		kmalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);

	if (!block)
		return NULL;

	block->used = 0;
	block->counts = __alloc_percpu_gfp(
		BLOCK_EVENTS * sizeof(*block->counts),
		__alignof__(*block->counts), GFP_KERNEL_ACCOUNT);
	if (!block->counts) {
		kfree(block);
		return NULL;
	}

	return block;
}

static void block_free(struct counts_block *block)
{
	free_percpu(block->counts);
	kfree(block);
}

/*
 * Takes counters of a new block, or of one with room if it is NULL. Returns NULL
 * if no block has room.
 */
static struct user_event_counts __percpu *take(struct counts_block *block,
					       struct counts_block **from)
{
	unsigned int slot = 0;

	spin_lock(&blocks_lock);
	if (block)
		list_add(&block->list, &blocks_with_room);
	block = list_first_entry_or_null(&blocks_with_room, struct counts_block,
					 list);
	if (block) {
		slot = ffz(block->used);
		block->used |= BIT(slot);
		if (block->used == BLOCK_FULL)
			list_del_init(&block->list);
	}
	spin_unlock(&blocks_lock);

	*from = block;
	return block ? block->counts + slot : NULL;
}

/**
 * ue_counts_get - Provides the counters of an event
 * @from: set to the block with the counters
 *
 * Context: May sleep. Charged to the caller's memory cgroup.
 * Return: counters, all zero, to be released with ue_counts_put(), or NULL if
 *	   out of memory.
 */
struct user_event_counts __percpu *ue_counts_get(struct counts_block **from)
{
	struct user_event_counts __percpu *counts = take(NULL, from);
	struct counts_block *block;

	if (counts)
		return counts;

	block = block_alloc();
	return block ? take(block, from) : NULL;
}

/**
 * ue_counts_put - Releases the counters of an event
 * @block: the block with the counters, or NULL
 * @counts: the counters, which no CPU changes any more
 *
 * Context: Does not sleep. The cost grows with the number of CPUs.
 */
void ue_counts_put(struct counts_block *block,
		   struct user_event_counts __percpu *counts)
{
	bool is_unused;
	int cpu;

	if (!block)
		return;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(counts, cpu) = (struct user_event_counts){};

	spin_lock(&blocks_lock);
	block->used &= ~BIT(counts - block->counts);
	is_unused = !block->used;
	if (is_unused)
		list_del(&block->list);
	else if (list_empty(&block->list))
		list_add(&block->list, &blocks_with_room);
	spin_unlock(&blocks_lock);

	if (is_unused)
		block_free(block);
}

/**
 * ue_counts_sum - Sums the hits of all CPUs
 * @counts: the counters
 *
 * Return: the sum.
 */
u64 ue_counts_sum(const struct user_event_counts __percpu *counts)
{
	u64 hits = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		hits += READ_ONCE(per_cpu_ptr(counts, cpu)->hits);

	return hits;
}

/**
 * ue_losses_sum - Sums the losses of all CPUs
 * @losses: the counters, or NULL
 *
 * Return: the sums.
 */
struct user_event_losses
ue_losses_sum(const struct user_event_losses __percpu *losses)
{
	struct user_event_losses sum = {};
	const struct user_event_losses *of_cpu;
	int cpu, i;

	if (!losses)
		return sum;

	for_each_possible_cpu(cpu) {
		of_cpu = per_cpu_ptr(losses, cpu);
		for (i = 0; i < LOSS_COUNT; i++)
			sum.count[i] += READ_ONCE(of_cpu->count[i]);
	}

	return sum;
}
