/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_BITMAP_H
#define USER_EVENTS_TESTS_LINUX_BITMAP_H

#include <linux/types.h>

#define BITS_PER_LONG (8 * sizeof(long))
#define BITS_TO_LONGS(bits) (((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)

static inline bool test_bit(unsigned long bit, const unsigned long *map)
{
	return (map[bit / BITS_PER_LONG] >> (bit % BITS_PER_LONG)) & 1;
}

static inline void __set_bit(unsigned long bit, unsigned long *map)
{
	map[bit / BITS_PER_LONG] |= 1UL << (bit % BITS_PER_LONG);
}

static inline void __clear_bit(unsigned long bit, unsigned long *map)
{
	map[bit / BITS_PER_LONG] &= ~(1UL << (bit % BITS_PER_LONG));
}

static inline unsigned long find_next_zero_bit(const unsigned long *map,
					       unsigned long count,
					       unsigned long bit)
{
	while (bit < count && test_bit(bit, map))
		bit++;

	return bit < count ? bit : count;
}

#endif /* USER_EVENTS_TESTS_LINUX_BITMAP_H */
