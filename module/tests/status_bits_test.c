// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>

#include "format/status_bits.h"
#include "helpers.h"
#include "tables/status_bits.h"

static void count_name(const struct bit_count_row *row, char *name)
{
	sprintf(name, "%u bits", row->count);
}

static void place_name(const struct bit_place_row *row, char *name)
{
	sprintf(name, "bit %u", row->bit);
}

KUNIT_ARRAY_PARAM(count, bit_counts, count_name);
KUNIT_ARRAY_PARAM(place, bit_places, place_name);

/* Initializes an allocation with a map of exactly its size. */
static void bits_init(struct kunit *test, struct status_bits *bits, u32 count)
{
	u8 *map = kunit_kzalloc(test, count / 8, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, map);
	KUNIT_ASSERT_EQ(test, 0, ue_status_bits_init(bits, map, count));
	KUNIT_EXPECT_PTR_EQ(test, bits->map, map);
	KUNIT_EXPECT_EQ(test, bits->count, count);
}

/* Allocates all bits below @end. Returns the first unexpected bit, or 0. */
static int take_below(struct status_bits *bits, u32 end)
{
	u32 bit;

	for (bit = 1; bit < end; bit++)
		if (ue_status_bits_get(bits) != (int)bit)
			return bit;

	return 0;
}

static int take_all(struct status_bits *bits)
{
	return take_below(bits, bits->count);
}

static void allocates_lowest_free_bit(struct kunit *test)
{
	const struct bit_count_row *row = test->param_value;
	struct status_bits bits;

	bits_init(test, &bits, row->count);
	KUNIT_EXPECT_EQ(test, take_all(&bits), 0);
	KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), -EMFILE);
	KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), -EMFILE);
	/* Allocating a bit does not set it. */
	KUNIT_EXPECT_NULL(test, memchr_inv(bits.map, 0, row->count / 8));
	ue_status_bits_destroy(&bits);
}

static void reuses_freed_bits(struct kunit *test)
{
	const struct bit_count_row *row = test->param_value;
	u32 places[] = { 1, row->count / 2, row->count - 1 };
	struct status_bits bits;
	u32 i;

	bits_init(test, &bits, row->count);
	KUNIT_ASSERT_EQ(test, take_all(&bits), 0);

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		ue_status_bits_put(&bits, places[i]);
		KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits),
				(int)places[i]);
		KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), -EMFILE);
	}

	/* The lowest first, whatever the order in which they were freed. */
	ue_status_bits_put(&bits, row->count - 1);
	ue_status_bits_put(&bits, 3);
	ue_status_bits_put(&bits, 5);
	KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), 3);
	KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), 5);
	KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), (int)row->count - 1);
	KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), -EMFILE);

	ue_status_bits_destroy(&bits);
}

/* Tells whether the byte of @row is @byte and all others are @others. */
static bool map_is(const struct status_bits *bits,
		   const struct bit_place_row *row, u8 others, u8 byte)
{
	u32 i;

	for (i = 0; i < bits->count / 8; i++)
		if (bits->map[i] != (i == row->byte ? byte : others))
			return false;

	return true;
}

static void sets_bit_in_map(struct kunit *test)
{
	const struct bit_place_row *row = test->param_value;
	struct status_bits bits;
	u8 all_but;

	bits_init(test, &bits, 4096 * 8);
	ue_status_bits_set(&bits, row->bit, true);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0, row->mask));
	ue_status_bits_set(&bits, row->bit, true);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0, row->mask));
	ue_status_bits_set(&bits, row->bit, false);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0, 0));
	ue_status_bits_set(&bits, row->bit, false);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0, 0));

	memset(bits.map, 0xff, bits.count / 8);
	all_but = ~row->mask;
	ue_status_bits_set(&bits, row->bit, true);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0xff, 0xff));
	ue_status_bits_set(&bits, row->bit, false);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0xff, all_but));
	ue_status_bits_destroy(&bits);
}

static void clears_freed_bit(struct kunit *test)
{
	const struct bit_place_row *row = test->param_value;
	struct status_bits bits;

	bits_init(test, &bits, 4096 * 8);
	KUNIT_ASSERT_EQ(test, take_below(&bits, row->bit + 1), 0);
	memset(bits.map, 0xff, bits.count / 8);

	ue_status_bits_put(&bits, row->bit);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0xff, ~row->mask));
	KUNIT_EXPECT_EQ(test, ue_status_bits_get(&bits), (int)row->bit);
	KUNIT_EXPECT_TRUE(test, map_is(&bits, row, 0xff, ~row->mask));
	ue_status_bits_destroy(&bits);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(allocates_lowest_free_bit, count_gen_params),
	KUNIT_CASE_PARAM(reuses_freed_bits, count_gen_params),
	KUNIT_CASE_PARAM(sets_bit_in_map, place_gen_params),
	KUNIT_CASE_PARAM(clears_freed_bit, place_gen_params),
	{},
};

static struct kunit_suite status_bits_suite = {
	.name = "user_events_status_bits",
	.test_cases = cases,
};

kunit_test_suite(status_bits_suite);
