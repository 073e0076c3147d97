/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of status bits, and the place of a bit in memory.
 */
#ifndef USER_EVENTS_TESTS_TABLES_STATUS_BITS_H
#define USER_EVENTS_TESTS_TABLES_STATUS_BITS_H

/**
 * struct bit_count_row - a number of bits
 * @count: bits in the map, including bit 0
 */
struct bit_count_row {
	u32 count;
};

/* Less than a long, a long, and more; a page, and two. */
static const struct bit_count_row bit_counts[] = {
	{ 8 },	{ 16 },	 { 24 },   { 32 },    { 56 },	    { 64 },
	{ 72 }, { 128 }, { 1000 }, { 32760 }, { 4096 * 8 }, { 2 * 4096 * 8 },
};

/**
 * struct bit_place_row - the place of a bit
 * @bit: its number
 * @byte: the byte of the map
 * @mask: the mask in that byte
 */
struct bit_place_row {
	u32 bit;
	u32 byte;
	u8 mask;
};

/* Bits of a map of one page. */
static const struct bit_place_row bit_places[] = {
	{ 1, 0, 0x02 },	       { 2, 0, 0x04 },	      { 3, 0, 0x08 },
	{ 4, 0, 0x10 },	       { 5, 0, 0x20 },	      { 6, 0, 0x40 },
	{ 7, 0, 0x80 },	       { 8, 1, 0x01 },	      { 9, 1, 0x02 },
	{ 15, 1, 0x80 },       { 16, 2, 0x01 },	      { 31, 3, 0x80 },
	{ 32, 4, 0x01 },       { 63, 7, 0x80 },	      { 64, 8, 0x01 },
	{ 255, 31, 0x80 },     { 256, 32, 0x01 },     { 2047, 255, 0x80 },
	{ 2048, 256, 0x01 },   { 32759, 4094, 0x80 }, { 32760, 4095, 0x01 },
	{ 32767, 4095, 0x80 },
};

#endif /* USER_EVENTS_TESTS_TABLES_STATUS_BITS_H */
