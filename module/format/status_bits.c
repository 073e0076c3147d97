// SPDX-License-Identifier: GPL-2.0-only
#include "format/status_bits.h"

#include <linux/bitmap.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/slab.h>

/**
 * ue_status_bits_init - Initializes the allocation of status bits
 * @bits: the allocation
 * @map: @count bits, all clear; owned by the caller
 * @count: number of bits in @map
 *
 * Return: 0 or -ENOMEM. ue_status_bits_destroy() undoes it.
 */
int ue_status_bits_init(struct status_bits *bits, u8 *map, u32 count)
{
	bits->used = kvcalloc(BITS_TO_LONGS(count), sizeof(long), GFP_KERNEL);
	if (!bits->used)
		return -ENOMEM;

	bits->map = map;
	bits->count = count;
	/* 0 is never allocated, so that programs can use it for "no bit". */
	bits->first_free = 1;

	return 0;
}

/**
 * ue_status_bits_destroy - Undoes ue_status_bits_init()
 * @bits: the allocation; its map is not freed
 */
void ue_status_bits_destroy(struct status_bits *bits)
{
	kvfree(bits->used);
	bits->used = NULL;
}

/**
 * ue_status_bits_get - Allocates the lowest free bit
 * @bits: the allocation
 *
 * The cost does not grow with the number of bits, except that after a low bit was
 * freed, one call passes all allocated bits above it.
 *
 * Return: the number of the bit, at least 1, or -EMFILE if all are in use.
 */
int ue_status_bits_get(struct status_bits *bits)
{
	u32 bit = find_next_zero_bit(bits->used, bits->count, bits->first_free);

	bits->first_free = bit;
	if (bit >= bits->count)
		return -EMFILE;

	__set_bit(bit, bits->used);
	return bit;
}

/**
 * ue_status_bits_put - Clears and frees a bit
 * @bits: the allocation
 * @bit: the number of the bit
 */
void ue_status_bits_put(struct status_bits *bits, u32 bit)
{
	ue_status_bits_set(bits, bit, false);
	__clear_bit(bit, bits->used);
	if (bit < bits->first_free)
		bits->first_free = bit;
}

/**
 * ue_status_bits_set - Shows processes whether an event is enabled
 * @bits: the allocation
 * @bit: the number of the bit
 * @on: whether the event is enabled
 */
void ue_status_bits_set(struct status_bits *bits, u32 bit, bool on)
{
	u8 *byte = &bits->map[bit / 8];
	u8 mask = 1U << (bit % 8);

	WRITE_ONCE(*byte, on ? *byte | mask : *byte & ~mask);
}
