// SPDX-License-Identifier: MIT
/* The table from IDs to pointers, with IDs that a hostile file chooses. */
#include <stdlib.h>

#include "lib/fake_alloc.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "lib/work.h"
#include "util/id_table.h"

#define IDS 20000

/* Far more basic blocks than an ID takes with random positions. */
#define WORK_PER_ID 1000

static struct uev_id_table table;
static char values[IDS];

static void teardown(void)
{
	uev_id_table_free(&table);
	fake_perf.no_random = false;
}

TEST_FIXTURE(NULL, teardown);

/*
 * Returns different IDs that have the same position in a table with a fixed
 * hash: they are multiples of a power of two, or their products with the
 * inverse of the golden ratio (the usual multiplier), folded or not.
 */
static uint64_t chosen_id(int kind, uint64_t number)
{
	const uint64_t inverse = 0xf1de83e19937733dULL;
	uint64_t id = number * inverse;

	switch (kind) {
	case 0:
		return number << 44;
	case 1:
		return number;
	case 2:
		return id;
	default:
		return id ^ id >> 32;
	}
}

static void add_all(int kind)
{
	size_t i;

	for (i = 0; i < IDS; i++)
		ck_assert_int_eq(uev_id_table_set(&table, chosen_id(kind, i),
						  &values[i]),
				 0);
}

static void check_all(int kind)
{
	size_t i;

	for (i = 0; i < IDS; i++)
		ck_assert_ptr_eq(uev_id_table_get(&table, chosen_id(kind, i)),
				 &values[i]);
	ck_assert_ptr_null(uev_id_table_get(&table, chosen_id(kind, IDS)));
	ck_assert_uint_eq(table.count, IDS);
}

TEST_LOOP(chosen_ids_do_not_collide, 4)
{
	uint64_t before = work_count();

	add_all(_i);
	check_all(_i);
	ck_assert_uint_gt(work_count() - before, IDS);
	ck_assert_uint_le(work_count() - before, (uint64_t)IDS * WORK_PER_ID);
}

TEST(needs_no_random_numbers)
{
	fake_perf.no_random = true;
	add_all(1);
	check_all(1);
}

TEST(replaces_and_removes)
{
	size_t i;

	add_all(1);
	for (i = 0; i < IDS; i += 2)
		uev_id_table_remove(&table, i);
	uev_id_table_remove(&table, IDS);
	for (i = 0; i < IDS; i++)
		ck_assert_ptr_eq(uev_id_table_get(&table, i),
				 i % 2 ? &values[i] : NULL);
	ck_assert_uint_eq(table.count, IDS / 2);

	ck_assert_int_eq(uev_id_table_set(&table, 1, &values[3]), 0);
	uev_id_table_replace(&table, &values[3], &values[0]);
	ck_assert_ptr_eq(uev_id_table_get(&table, 1), &values[0]);
	ck_assert_ptr_eq(uev_id_table_get(&table, 3), &values[0]);
	ck_assert_ptr_eq(uev_id_table_get(&table, 5), &values[5]);
}

TEST(stays_without_memory)
{
	size_t i, room = 0;

	for (i = 0; i < 1000; i++) {
		fake_alloc_fail(0);
		if (uev_id_table_set(&table, i, &values[i])) {
			ck_assert(fake_alloc_end());
			ck_assert_uint_eq(table.room, room);
			ck_assert_ptr_null(uev_id_table_get(&table, i));
			ck_assert_int_eq(
				uev_id_table_set(&table, i, &values[i]), 0);
		}
		fake_alloc_end();
		room = table.room;
	}
	for (i = 0; i < 1000; i++)
		ck_assert_ptr_eq(uev_id_table_get(&table, i), &values[i]);
}
