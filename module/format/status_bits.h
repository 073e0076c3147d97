/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of the status bits and their place in memory. Pure.
 */
#ifndef USER_EVENTS_FORMAT_STATUS_BITS_H
#define USER_EVENTS_FORMAT_STATUS_BITS_H

#include <linux/types.h>

/**
 * struct status_bits - bits that show whether events are enabled
 * @map: memory that processes map: bit n is mask 1 << (n % 8) of byte n / 8,
 *	 whatever the byte order of the machine
 * @used: allocated bits; bit 0, which is never allocated, is clear
 * @count: number of bits, a multiple of 8
 * @first_free: the bits from 1 up to this one, exclusive, are allocated
 *
 * The caller serializes all functions; only readers of @map run in parallel.
 */
struct status_bits {
	u8 *map;
	unsigned long *used;
	u32 count;
	u32 first_free;
};

int ue_status_bits_init(struct status_bits *bits, u8 *map, u32 count);
void ue_status_bits_destroy(struct status_bits *bits);
int ue_status_bits_get(struct status_bits *bits);
void ue_status_bits_put(struct status_bits *bits, u32 bit);
void ue_status_bits_set(struct status_bits *bits, u32 bit, bool on);

#endif /* USER_EVENTS_FORMAT_STATUS_BITS_H */
