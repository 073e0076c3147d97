// SPDX-License-Identifier: GPL-2.0-only
#include "format/status_bits.h"

#include <linux/bitmap.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/slab.h>

/**
 * ue_status_bits_init - Prepares the numbers of a map of bits
 * @bits: what is prepared
 * @map: @count bits, all clear; stays the caller's
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
	/* Never given out, so that a program can use it for "no bit". */
	__set_bit(0, bits->used);

	return 0;
}

/**
 * ue_status_bits_destroy - Releases what ue_status_bits_init() allocated
 * @bits: the bits; their map stays
 */
void ue_status_bits_destroy(struct status_bits *bits)
{
	kvfree(bits->used);
	bits->used = NULL;
}

/**
 * ue_status_bits_get - Takes the lowest free number
 * @bits: the bits
 *
 * Return: the number, at least 1, or -EMFILE if all are in use.
 */
int ue_status_bits_get(struct status_bits *bits)
{
	u32 bit = find_first_zero_bit(bits->used, bits->count);

	if (bit >= bits->count)
		return -EMFILE;

	__set_bit(bit, bits->used);
	return bit;
}

/**
 * ue_status_bits_put - Gives a number back, with its bit clear
 * @bits: the bits
 * @bit: what ue_status_bits_get() returned
 */
void ue_status_bits_put(struct status_bits *bits, u32 bit)
{
	ue_status_bits_set(bits, bit, false);
	__clear_bit(bit, bits->used);
}

/**
 * ue_status_bits_set - Tells processes whether somebody listens
 * @bits: the bits
 * @bit: what ue_status_bits_get() returned
 * @on: somebody does
 */
void ue_status_bits_set(struct status_bits *bits, u32 bit, bool on)
{
	u8 *byte = &bits->map[bit / 8];
	u8 mask = 1U << (bit % 8);

	WRITE_ONCE(*byte, on ? *byte | mask : *byte & ~mask);
}
