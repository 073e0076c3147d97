// SPDX-License-Identifier: MIT
/*
 * Rings: records that wrap anywhere, and memory that has no records in it.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/common.h"
#include "perf/ring.h"
#include "lib/runner.h"

#define PAGE 4096
#define SIZE 4096

static _Alignas(PAGE) uint8_t memory[PAGE + SIZE];
static uint8_t copy[UEV_RING_RECORD_MAX];

static struct perf_event_mmap_page *page(void)
{
	return (struct perf_event_mmap_page *)memory;
}

/* An empty ring that was read up to @position. */
static struct uev_ring ring_at(uint64_t position, bool overwrite)
{
	memset(memory, 0, sizeof(memory));
	page()->data_head = position;
	page()->data_tail = position;

	return (struct uev_ring){
		.map = memory,
		.page_size = PAGE,
		.size = SIZE,
		.overwrite = overwrite,
		.position = position,
	};
}

static void put(uint64_t position, const void *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		memory[PAGE + (position + i) % SIZE] =
			((const uint8_t *)bytes)[i];
}

/* Writes a record of @size bytes, which are @type after the header. */
static void put_record(uint64_t position, uint8_t type, uint16_t size)
{
	struct perf_event_header header = { .type = type, .size = size };
	uint8_t record[SIZE];

	memset(record, type, sizeof(record));
	memcpy(record, &header, sizeof(header));
	put(position, record, size);
}

static void write_forward(uint8_t type, uint16_t size)
{
	put_record(page()->data_head, type, size);
	page()->data_head += size;
}

static void write_backward(uint8_t type, uint16_t size)
{
	page()->data_head -= size;
	put_record(page()->data_head, type, size);
}

/*
 * Types of the records that were read, whether their bytes were correct, and
 * when to stop.
 */
static struct {
	uint8_t types[SIZE];
	int count;
	bool wrong;
	int stop_at;
} seen;

static int see(void *data, const uint8_t *record, size_t size)
{
	struct perf_event_header header;
	size_t i;

	ck_assert_ptr_eq(data, &seen);
	if (seen.stop_at == seen.count + 1)
		return -1;
	memcpy(&header, record, sizeof(header));
	seen.types[seen.count++] = (uint8_t)header.type;
	seen.wrong |= header.size != size;
	for (i = sizeof(header); i < size; i++)
		seen.wrong |= record[i] != header.type;

	return 0;
}

static int read_ring(struct uev_ring *ring, uint64_t *corrupt)
{
	memset(seen.types, 0, sizeof(seen.types));
	seen.count = 0;
	*corrupt = 0;

	return uev_ring_read(ring, copy, corrupt, see, &seen);
}

/* Start positions, including those before an overflow. */
static const uint64_t bases[] = { 0, 12 * SIZE, UINT64_MAX - SIZE + 1,
				  UINT32_MAX - SIZE + 1ULL };

TEST_LOOP(records_wrap_anywhere, ARRAY_SIZE(bases))
{
	struct uev_ring ring;
	uint64_t corrupt;
	uint64_t offset;
	uint16_t size;

	for (offset = 0; offset < SIZE; offset += 8) {
		for (size = 8; size <= 80; size += 24) {
			ring = ring_at(bases[_i] + offset, false);
			write_forward(1, 40);
			write_forward(2, size);
			write_forward(3, 16);
			ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
			ck_assert_int_eq(seen.count, 3);
			ck_assert_mem_eq(seen.types, "\1\2\3", 3);
			ck_assert(!seen.wrong);
			ck_assert_uint_eq(corrupt, 0);
			ck_assert_uint_eq(page()->data_tail, page()->data_head);
			ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
			ck_assert_int_eq(seen.count, 0);
		}
	}
}

TEST_LOOP(reads_a_full_ring, ARRAY_SIZE(bases))
{
	struct uev_ring ring = ring_at(bases[_i] + 24, false);
	uint64_t corrupt;

	write_forward(1, SIZE - 8);
	write_forward(2, 8);
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_int_eq(seen.count, 2);
	ck_assert(!seen.wrong);
	ck_assert_uint_eq(corrupt, 0);
}

TEST(continues_after_a_stop)
{
	struct uev_ring ring = ring_at(SIZE - 20, false);
	uint64_t corrupt;

	write_forward(1, 16);
	write_forward(2, 16);
	write_forward(3, 16);
	seen.stop_at = 2;
	ck_assert_int_eq(read_ring(&ring, &corrupt), -1);
	ck_assert_int_eq(seen.count, 1);
	ck_assert_uint_eq(page()->data_tail, SIZE - 20 + 16);
	seen.stop_at = 0;
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_int_eq(seen.count, 2);
	ck_assert_mem_eq(seen.types, "\2\3", 2);
}

/* After a good record, one with a size that cannot be, and its reader. */
static const uint16_t bad_sizes[] = { 0, 1, 7, 40, 65535 };

TEST_LOOP(skips_malformed_records, ARRAY_SIZE(bad_sizes))
{
	struct uev_ring ring = ring_at(SIZE - 20, false);
	struct perf_event_header header = { .type = 9 };
	uint64_t corrupt;

	write_forward(1, 16);
	header.size = bad_sizes[_i];
	put(page()->data_head, &header, sizeof(header));
	page()->data_head += 32;
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_int_eq(seen.count, 1);
	ck_assert_uint_eq(corrupt, 1);
	ck_assert_uint_eq(page()->data_tail, page()->data_head);
	write_forward(2, 16);
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_int_eq(seen.count, 1);
	ck_assert_uint_eq(corrupt, 0);
}

TEST(rejects_an_invalid_head)
{
	struct uev_ring ring = ring_at(100, false);
	uint64_t corrupt;

	page()->data_head = 100 + SIZE + 8;
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_uint_eq(corrupt, 1);
	page()->data_head = 0;
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_uint_eq(corrupt, 1);
	/* Less than a header is left. */
	page()->data_head = 4;
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_uint_eq(corrupt, 1);
	ck_assert_int_eq(seen.count, 0);
	write_forward(1, 16);
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_int_eq(seen.count, 1);
}

TEST_LOOP(reads_overwrite_rings_from_any_position, ARRAY_SIZE(bases))
{
	struct uev_ring ring;
	uint64_t corrupt;
	uint64_t offset;

	for (offset = 0; offset < SIZE; offset += 8) {
		ring = ring_at(bases[_i] - offset, true);
		write_backward(1, 40);
		write_backward(2, 56);
		write_backward(3, 16);
		ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
		ck_assert_int_eq(seen.count, 3);
		ck_assert_mem_eq(seen.types, "\3\2\1", 3);
		ck_assert(!seen.wrong);
		ck_assert_uint_eq(corrupt, 0);
		/* A read-only ring has no read position. */
		ck_assert_uint_eq(page()->data_tail, bases[_i] - offset);
		write_backward(4, 8);
		ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
		ck_assert_int_eq(seen.count, 1);
		ck_assert_uint_eq(seen.types[0], 4);
	}
}

/* The oldest record is partly overwritten, by every possible size. */
TEST(skips_partly_overwritten_records)
{
	struct uev_ring ring;
	uint64_t corrupt;
	uint16_t size;
	int i;

	for (size = 8; size <= 512; size += 8) {
		ring = ring_at(0, true);
		write_backward(1, 512);
		for (i = 0; i < 7; i++)
			write_backward(2, 512);
		ck_assert_uint_eq(page()->data_head, -(uint64_t)SIZE);
		write_backward(3, size);
		ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
		ck_assert_int_eq(seen.count, 8);
		ck_assert_mem_eq(seen.types, "\3\2\2\2\2\2\2\2", 8);
		ck_assert(!seen.wrong);
		ck_assert_uint_eq(corrupt, 0);
	}
}

TEST(reads_a_full_overwrite_ring)
{
	struct uev_ring ring = ring_at(0, true);
	uint64_t corrupt;
	int i;

	for (i = 0; i < 8; i++)
		write_backward(1, 512);
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_int_eq(seen.count, 8);
	ck_assert_uint_eq(corrupt, 0);
}

TEST(skips_malformed_records_in_a_snapshot)
{
	struct uev_ring ring = ring_at(0, true);
	uint64_t corrupt;

	write_backward(1, 64);
	write_backward(2, 64);
	put(page()->data_head + 64, "\0\0\0\0\0\0\0\0", 8);
	ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
	ck_assert_int_eq(seen.count, 1);
	ck_assert_uint_eq(corrupt, 1);
}

TEST(accepts_any_content)
{
	struct uev_ring ring;
	uint64_t corrupt;
	unsigned int state = 1;
	size_t i;
	int round;

	for (round = 0; round < 2000; round++) {
		ring = ring_at(0, round & 1);
		for (i = PAGE; i < sizeof(memory); i++)
			memory[i] = (uint8_t)(rand_r(&state) &
					      (i % 8 == 7 ? 0 : 0xff));
		page()->data_head = (uint64_t)(rand_r(&state) % (2 * SIZE));
		if (round & 1)
			page()->data_head = -page()->data_head;
		ck_assert_int_eq(read_ring(&ring, &corrupt), 0);
		ck_assert_uint_eq(ring.position, page()->data_head);
	}
}
