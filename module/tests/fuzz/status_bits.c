// SPDX-License-Identifier: GPL-2.0-only
/*
 * Status bits: the first byte selects the number of bits, each other byte is an
 * operation on one bit.
 */
#include "format/status_bits.h"

#include <stdlib.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "fuzz.h"
#include "tables/status_bits.h"

/* Maximum number of bits of a map; more would make no difference. */
#define MAX_BITS 256

/**
 * struct model - expected state of the bits
 * @taken: allocated bits; bit 0 always is
 * @on: bits that are set
 * @count: number of bits
 */
struct model {
	bool taken[MAX_BITS];
	bool on[MAX_BITS];
	u32 count;
};

static u32 lowest_free(const struct model *model)
{
	u32 bit = 0;

	while (bit < model->count && model->taken[bit])
		bit++;

	return bit;
}

/* Selects one of the allocated bits by number. */
static u32 one_of_taken(const struct model *model, u32 number)
{
	u32 bit, taken = 0;

	for (bit = 1; bit < model->count; bit++)
		taken += model->taken[bit];
	if (!taken)
		return 0;

	number %= taken;
	for (bit = 1; !model->taken[bit] || number--; bit++)
		;

	return bit;
}

static void do_get(struct model *model, struct status_bits *bits)
{
	u32 expected = lowest_free(model);
	int bit = ue_status_bits_get(bits);

	if (expected == model->count) {
		EXPECT(bit == -EMFILE);
		return;
	}

	EXPECT(bit == (int)expected);
	model->taken[bit] = true;
}

static void do_put(struct model *model, struct status_bits *bits, u32 bit)
{
	ue_status_bits_put(bits, bit);
	model->taken[bit] = false;
	model->on[bit] = false;
}

static void do_set(struct model *model, struct status_bits *bits, u32 bit,
		   bool on)
{
	ue_status_bits_set(bits, bit, on);
	model->on[bit] = on;
}

/* Two bits of the byte select the operation, the others the bit. */
static void do_one(struct model *model, struct status_bits *bits, u8 operation)
{
	u32 bit = one_of_taken(model, operation >> 2);

	if (!(operation & 3))
		do_get(model, bits);
	else if (!bit)
		return;
	else if ((operation & 3) == 1)
		do_put(model, bits, bit);
	else
		do_set(model, bits, bit, operation & 1);
}

/* Processes see this map. A free bit is never set in it. */
static void check_map(const struct model *model, const u8 *map)
{
	u32 byte, bit, expected;

	for (byte = 0; byte < model->count / 8; byte++) {
		expected = 0;
		for (bit = 0; bit < 8; bit++)
			expected += model->on[byte * 8 + bit] << bit;
		EXPECT(map[byte] == expected);
	}
}

static void input(const u8 *data, size_t size)
{
	struct model model = { .taken = { true } };
	struct status_bits bits;
	u8 *map;

	if (!size)
		return;

	model.count = 8 * (1 + *data % (MAX_BITS / 8));
	map = memset(fuzz_alloc(model.count / 8), 0, model.count / 8);
	EXPECT(!ue_status_bits_init(&bits, map, model.count));

	while (--size) {
		do_one(&model, &bits, *++data);
		check_map(&model, map);
	}

	ue_status_bits_destroy(&bits);
	free(map);
}

/* All bits allocated, set, and freed in reverse order. */
static void seeds(fuzz_add_fn add)
{
	u8 bytes[1 + 4 * MAX_BITS];
	size_t i, n, len;

	for (i = 0; i < ARRAY_SIZE(bit_counts); i++) {
		n = bit_counts[i].count;
		if (n > MAX_BITS)
			continue;

		len = 0;
		bytes[len++] = n / 8 - 1;
		memset(bytes + len, 0, n);
		len += n;
		for (n = bit_counts[i].count; n > 1; n--) {
			bytes[len++] = n << 2 | 3;
			bytes[len++] = n << 2 | 1;
		}
		add(bytes, len);
	}
}

const struct fuzz_target status_bits_target = {
	.name = "status_bits",
	.input = input,
	.seeds = seeds,
};
