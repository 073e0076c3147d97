// SPDX-License-Identifier: MIT
/* Order of records, tables of IDs, and lists of processors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/cpu_list.h"
#include "util/common.h"
#include "lib/fake_alloc.h"
#include "util/id_table.h"
#include "perf/record_queue.h"
#include "lib/runner.h"

static struct uev_queue queue;

static void end_queue(void)
{
	uev_queue_free(&queue);
}

TEST_FIXTURE(NULL, end_queue);

static int push(uint64_t time, const void *raw, uint32_t size)
{
	struct uev_sample record = {
		.time = time,
		.raw = raw,
		.raw_size = size,
	};

	return uev_queue_push(&queue, &record, time * 2);
}

static void expect(uint64_t time, const char *raw)
{
	const struct uev_sample *record = uev_queue_pop(&queue, UINT64_MAX);

	ck_assert_ptr_nonnull(record);
	ck_assert_uint_eq(record->time, time);
	ck_assert_uint_eq(record->raw_size, strlen(raw));
	ck_assert_mem_eq(record->raw, raw, strlen(raw));
	ck_assert_uint_eq((uintptr_t)record->raw % 8, 0);
	ck_assert_uint_eq(queue.popped_offset, time * 2);
}

TEST(returns_the_oldest_first)
{
	ck_assert_int_eq(push(5, "five", 4), 0);
	ck_assert_int_eq(push(1, "one", 3), 0);
	ck_assert_int_eq(push(5, "again", 5), 0);
	ck_assert_int_eq(push(3, "", 0), 0);
	ck_assert_uint_eq(uev_queue_ready(&queue, 4), 2);
	ck_assert_ptr_null(uev_queue_pop(&queue, 0));
	expect(1, "one");
	expect(3, "");
	ck_assert_ptr_null(uev_queue_pop(&queue, 4));
	expect(5, "five");
	expect(5, "again");
	ck_assert_ptr_null(uev_queue_pop(&queue, UINT64_MAX));
	ck_assert_uint_eq(queue.waiting, 0);
	ck_assert_uint_eq(queue.popped_time, 5);
}

/* Also if they come after a later one. */
TEST(records_of_one_time_keep_their_order)
{
	ck_assert_int_eq(push(5, "first", 5), 0);
	ck_assert_int_eq(push(9, "last", 4), 0);
	ck_assert_int_eq(push(5, "second", 6), 0);
	ck_assert_int_eq(push(5, "third", 5), 0);
	expect(5, "first");
	expect(5, "second");
	expect(5, "third");
	expect(9, "last");
}

/* For any sequence of operations, the order holds and memory is bounded. */
TEST(order_holds_with_any_sequence)
{
	static uint8_t raw[65536];
	unsigned int state = 1;
	const struct uev_sample *record;
	size_t memory = 0;
	uint64_t before = 0;
	uint64_t time;
	int waiting = 0;
	int i;

	for (i = 0; i < 100000; i++) {
		time = before + (uint64_t)(rand_r(&state) % 1000);
		if (waiting < 500 && rand_r(&state) % 2) {
			memset(raw, (int)time & 0xff, 300);
			ck_assert_int_eq(push(time, raw,
					      i % 1000 ? time % 300
						       : sizeof(raw)),
					 0);
			waiting++;
		} else {
			record = uev_queue_pop(&queue, UINT64_MAX);
			ck_assert_int_eq(!record, !waiting);
			if (!record)
				continue;
			ck_assert_uint_ge(record->time, before);
			before = record->time;
			waiting--;
			if (record->raw_size && record->raw_size < 300)
				ck_assert_uint_eq(
					((const uint8_t *)record->raw)[0],
					before & 0xff);
		}
		if (i == 50000)
			memory = queue.memory;
	}
	ck_assert_uint_le(queue.memory, memory * 2);
	while (uev_queue_pop(&queue, UINT64_MAX))
		waiting--;
	ck_assert_int_eq(waiting, 0);
	ck_assert_uint_eq(queue.waiting, 0);
}

TEST(unchanged_without_memory)
{
	static const uint8_t raw[70000];
	unsigned int after;

	ck_assert_int_eq(push(1, "one", 3), 0);
	for (after = 0;; after++) {
		fake_alloc_fail(after);
		if (!push(2, raw, sizeof(raw)))
			break;
		ck_assert(fake_alloc_end());
		ck_assert_uint_eq(queue.count, 1);
	}
	ck_assert(!fake_alloc_end());
	expect(1, "one");
}

TEST(ids)
{
	struct uev_id_table table = { 0 };
	static char values[3];
	uint64_t i;

	ck_assert_ptr_null(uev_id_table_get(&table, 0));
	for (i = 0; i < 5000; i++)
		ck_assert_int_eq(uev_id_table_set(&table, i << (i % 50),
						  &values[i % 2]),
				 0);
	for (i = 4999; i > 4900; i--)
		ck_assert_ptr_nonnull(uev_id_table_get(&table, i << (i % 50)));
	ck_assert_ptr_null(uev_id_table_get(&table, UINT64_MAX));
	ck_assert_int_eq(uev_id_table_set(&table, UINT64_MAX, &values[2]), 0);
	ck_assert_ptr_eq(uev_id_table_get(&table, UINT64_MAX), &values[2]);
	ck_assert_int_eq(uev_id_table_set(&table, UINT64_MAX, &values[1]), 0);
	ck_assert_ptr_eq(uev_id_table_get(&table, UINT64_MAX), &values[1]);
	uev_id_table_replace(&table, &values[1], &values[2]);
	ck_assert_ptr_eq(uev_id_table_get(&table, UINT64_MAX), &values[2]);
	ck_assert_ptr_eq(uev_id_table_get(&table, 0), &values[0]);
	ck_assert_int_eq(uev_id_table_reserve(&table, 100000), 0);
	fake_alloc_fail(0);
	for (i = 1ULL << 60; i < (1ULL << 60) + 100000; i++)
		if (uev_id_table_set(&table, i, &values[0]))
			break;
	ck_assert(!fake_alloc_end());
	ck_assert_uint_eq(i, (1ULL << 60) + 100000);
	uev_id_table_free(&table);
}

/* After removals in any order, the other IDs are found. */
TEST(ids_are_found_after_removals)
{
	struct uev_id_table table = { 0 };
	static bool there[3000];
	static char value;
	unsigned int state = 1;
	size_t count = 0;
	unsigned int id;
	int i;

	uev_id_table_remove(&table, 5);
	for (i = 0; i < 30000; i++) {
		id = (unsigned int)rand_r(&state) % ARRAY_SIZE(there);
		count += !there[id];
		count -= there[id];
		if (there[id])
			uev_id_table_remove(&table, id);
		else
			ck_assert_int_eq(uev_id_table_set(&table, id, &value),
					 0);
		there[id] = !there[id];
	}
	ck_assert_uint_eq(table.count, count);
	for (id = 0; id < ARRAY_SIZE(there); id++)
		ck_assert_int_eq(!!uev_id_table_get(&table, id), there[id]);
	uev_id_table_free(&table);
}

static const struct {
	const char *text;
	int ret;
	unsigned int cpus[6];
	size_t count;
} lists[] = {
	{ "0\n", 0, { 0 }, 1 },
	{ "0-3", 0, { 0, 1, 2, 3 }, 4 },
	{ "0,2,5\n", 0, { 0, 2, 5 }, 3 },
	{ "1-2,7,10-11\n", 0, { 1, 2, 7, 10, 11 }, 5 },
	{ "", 0, { 0 }, 0 },
	{ "\n", 0, { 0 }, 0 },
	{ "65535", 0, { 65535 }, 1 },
	{ "65536", -EBADMSG, { 0 }, 0 },
	{ "0-65536", -EBADMSG, { 0 }, 0 },
	{ "99999999999999999999", -EBADMSG, { 0 }, 0 },
	{ "3-1", -EBADMSG, { 0 }, 0 },
	{ "1,1", -EBADMSG, { 0 }, 0 },
	{ "2,1", -EBADMSG, { 0 }, 0 },
	{ "1,", -EBADMSG, { 0 }, 0 },
	{ ",1", -EBADMSG, { 0 }, 0 },
	{ "1-", -EBADMSG, { 0 }, 0 },
	{ "-1", -EBADMSG, { 0 }, 0 },
	{ "1 ", -EBADMSG, { 0 }, 0 },
	{ "1\n2", -EBADMSG, { 0 }, 0 },
	{ "x", -EBADMSG, { 0 }, 0 },
};

TEST_LOOP(cpu_lists, ARRAY_SIZE(lists))
{
	struct uev_cpu_list list = { 0 };
	size_t i;

	ck_assert_int_eq(uev_cpu_list_parse(&list, lists[_i].text),
			 lists[_i].ret);
	ck_assert_uint_eq(list.count, lists[_i].count);
	for (i = 0; i < list.count; i++) {
		ck_assert_uint_eq(list.cpus[i], lists[_i].cpus[i]);
		ck_assert(uev_cpu_list_has(&list, lists[_i].cpus[i]));
	}
	ck_assert(!uev_cpu_list_has(&list, 4));
	uev_cpu_list_free(&list);
}
