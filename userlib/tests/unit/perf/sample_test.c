// SPDX-License-Identifier: MIT
/* Samples with every member that can precede the raw bytes. */
#include <string.h>
#include <linux/perf_event.h>

#include "util/common.h"
#include "lib/perf_image.h"
#include "perf/record_queue.h"
#include "perf/sample.h"

#define STACK_FIRST 0xfffffffffffffe00ULL
#define STACK_SECOND 0x0000123456789abcULL
#include "lib/runner.h"

#define ALL                                                          \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |       \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ |   \
	 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER)

#define ENABLED PERF_FORMAT_TOTAL_TIME_ENABLED
#define RUNNING PERF_FORMAT_TOTAL_TIME_RUNNING

static const struct {
	uint64_t type;
	uint64_t read_format;
} rows[] = {
	{ PERF_SAMPLE_RAW, 0 },
	{ IMAGE_SAMPLE_TYPE, 0 },
	{ PERF_SAMPLE_ID | PERF_SAMPLE_IP | PERF_SAMPLE_RAW, 0 },
	{ PERF_SAMPLE_ID | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		  PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW,
	  0 },
	{ PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW, 0 },
	{ PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW, 0 },
	{ PERF_SAMPLE_READ | PERF_SAMPLE_RAW, 0 },
	{ PERF_SAMPLE_READ | PERF_SAMPLE_RAW, PERF_FORMAT_ID },
	{ PERF_SAMPLE_READ | PERF_SAMPLE_RAW, PERF_FORMAT_LOST },
	{ PERF_SAMPLE_READ | PERF_SAMPLE_RAW,
	  ENABLED | RUNNING | PERF_FORMAT_ID | PERF_FORMAT_LOST },
	{ PERF_SAMPLE_READ | PERF_SAMPLE_RAW, PERF_FORMAT_GROUP },
	{ PERF_SAMPLE_READ | PERF_SAMPLE_RAW,
	  PERF_FORMAT_GROUP | ENABLED | PERF_FORMAT_ID },
	{ PERF_SAMPLE_READ | PERF_SAMPLE_RAW, PERF_FORMAT_GROUP | ENABLED |
						      RUNNING | PERF_FORMAT_ID |
						      PERF_FORMAT_LOST },
	{ ALL, ENABLED | RUNNING | PERF_FORMAT_ID },
	/* Bytes after the raw bytes are ignored. */
	{ ALL | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_WEIGHT, 0 },
};

static struct image image;

static void word_if(uint64_t type, uint64_t bit, uint64_t value)
{
	if (type & bit)
		image_u64(&image, value);
}

static void pair_if(uint64_t type, uint64_t bit, uint32_t a, uint32_t b)
{
	if (!(type & bit))
		return;
	image_u32(&image, a);
	image_u32(&image, b);
}

/* Values of PERF_SAMPLE_READ, for a group of three events. */
static void read_values(uint64_t format)
{
	bool group = format & PERF_FORMAT_GROUP;
	int i;

	if (group)
		image_u64(&image, 3);
	else
		image_u64(&image, 0xbad);
	word_if(format, ENABLED, 0xbad);
	word_if(format, RUNNING, 0xbad);
	for (i = 0; i < (group ? 3 : 1); i++) {
		if (group)
			image_u64(&image, 0xbad);
		word_if(format, PERF_FORMAT_ID, 0xbad);
		word_if(format, PERF_FORMAT_LOST, 0xbad);
	}
}

static void make_sample(uint64_t type, uint64_t format, bool big)
{
	image.big = big;
	image.size = 0;
	image_header(&image, PERF_RECORD_SAMPLE, 0);
	word_if(type, PERF_SAMPLE_IDENTIFIER, 777);
	word_if(type, PERF_SAMPLE_IP, 0xbad);
	pair_if(type, PERF_SAMPLE_TID, 11, 12);
	word_if(type, PERF_SAMPLE_TIME, 0x123456789abcULL);
	word_if(type, PERF_SAMPLE_ADDR, 0xbad);
	word_if(type, PERF_SAMPLE_ID, 777);
	word_if(type, PERF_SAMPLE_STREAM_ID, 0xbad);
	pair_if(type, PERF_SAMPLE_CPU, 3, 0);
	word_if(type, PERF_SAMPLE_PERIOD, 0xbad);
	if (type & PERF_SAMPLE_READ)
		read_values(format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		image_u64(&image, 2);
		image_u64(&image, STACK_FIRST);
		image_u64(&image, STACK_SECOND);
	}
	image_u32(&image, 12);
	image_bytes(&image, "0123456789ab", 12);
}

/* The queue converts them to the byte order of this machine. */
static void check_stack(const struct uev_sample *record, bool has_stack)
{
	struct uev_queue queue = { 0 };
	const struct uev_sample *copy;

	ck_assert_int_eq(uev_queue_push(&queue, record, 0), 0);
	copy = uev_queue_pop(&queue, UINT64_MAX);
	ck_assert_ptr_nonnull(copy);
	ck_assert_uint_eq(copy->stack_size, has_stack ? 2 : 0);
	if (has_stack) {
		ck_assert(copy->stack[0] == STACK_FIRST);
		ck_assert(copy->stack[1] == STACK_SECOND);
	} else {
		ck_assert_ptr_null(copy->stack);
	}
	ck_assert_mem_eq(copy->raw, "0123456789ab", 12);
	uev_queue_free(&queue);
}

static void check(const struct uev_sample *record, uint64_t type, bool big)
{
	bool foreign = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	bool has_id = type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);

	ck_assert_uint_eq(record->id, has_id ? 777 : 0);
	ck_assert_uint_eq(!!(record->flags & UEV_HAS_TID),
			  !!(type & PERF_SAMPLE_TID));
	ck_assert_uint_eq(record->pid, type & PERF_SAMPLE_TID ? 11 : 0);
	ck_assert_uint_eq(record->tid, type & PERF_SAMPLE_TID ? 12 : 0);
	ck_assert_uint_eq(!!(record->flags & UEV_HAS_TIME),
			  !!(type & PERF_SAMPLE_TIME));
	ck_assert_uint_eq(record->time,
			  type & PERF_SAMPLE_TIME ? 0x123456789abcULL : 0);
	ck_assert_uint_eq(!!(record->flags & UEV_HAS_CPU),
			  !!(type & PERF_SAMPLE_CPU));
	ck_assert_uint_eq(record->cpu, type & PERF_SAMPLE_CPU ? 3 : 0);
	ck_assert_uint_eq(!!(record->flags & UEV_IS_FOREIGN), foreign);
	ck_assert_uint_eq(record->raw_size, 12);
	ck_assert_mem_eq(record->raw, "0123456789ab", 12);
	check_stack(record, type & PERF_SAMPLE_CALLCHAIN);
}

TEST_LOOP(members, 2 * ARRAY_SIZE(rows))
{
	struct uev_attr attr = {
		.sample_type = rows[_i / 2].type,
		.read_format = rows[_i / 2].read_format,
	};
	bool big = _i & 1;
	struct uev_sample record;
	uint64_t id;
	size_t size;

	make_sample(attr.sample_type, attr.read_format, big);
	ck_assert_ptr_null(
		uev_sample_read(&record, &attr, image.bytes, image.size, big));
	check(&record, attr.sample_type, big);
	if (uev_sample_id(&attr, image.bytes, image.size, big, &id))
		ck_assert_uint_eq(id, 777);
	else
		ck_assert_uint_eq(record.id, 0);

	/* All that is shorter is too short. */
	for (size = UEV_PERF_HEADER_SIZE; size < image.size; size++)
		ck_assert_ptr_nonnull(uev_sample_read(&record, &attr,
						      image.bytes, size, big));
}

TEST(rejects_short_samples_without_id)
{
	struct uev_attr attr = { .sample_type = ALL };
	uint64_t id;

	image.size = 0;
	image_zeros(&image, 64);
	ck_assert(!uev_sample_id(&attr, image.bytes, 15, false, &id));
	ck_assert(uev_sample_id(&attr, image.bytes, 16, false, &id));
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
	ck_assert(!uev_sample_id(&attr, image.bytes, 47, false, &id));
	ck_assert(uev_sample_id(&attr, image.bytes, 48, false, &id));
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_ID;
	ck_assert(!uev_sample_id(&attr, image.bytes, 64, false, &id));
}

/* Counts of following values that overflow. */
TEST_LOOP(rejects_overflowing_counts, 5)
{
	static const uint64_t numbers[] = { 0x2000000000000000ULL,
					    0x2000000000000001ULL, UINT64_MAX,
					    UINT64_MAX / 24 + 1,
					    0x1000000000000000ULL };
	struct uev_attr attr = { .sample_type = PERF_SAMPLE_CALLCHAIN };
	struct uev_sample record;

	image.big = false;
	image.size = 0;
	image_header(&image, PERF_RECORD_SAMPLE, 64);
	image_u64(&image, numbers[_i]);
	image_zeros(&image, 48);
	ck_assert_ptr_nonnull(uev_sample_read(&record, &attr, image.bytes,
					      image.size, false));
	attr.sample_type = PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_GROUP;
	ck_assert_ptr_nonnull(uev_sample_read(&record, &attr, image.bytes,
					      image.size, false));
	attr.read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	ck_assert_ptr_nonnull(uev_sample_read(&record, &attr, image.bytes,
					      image.size, false));
}

TEST_LOOP(attributes_of_either_order, 2)
{
	struct uev_attr attr;

	image.big = _i;
	image.size = 0;
	image_attr(&image, PERF_TYPE_TRACEPOINT, 0x1122334455ULL, ALL);
	ck_assert_uint_eq(uev_attr_size(image.bytes, _i), 112);
	uev_attr_read(&attr, image.bytes, image.size, _i);
	ck_assert_uint_eq(attr.type, PERF_TYPE_TRACEPOINT);
	ck_assert_uint_eq(attr.config, 0x1122334455ULL);
	ck_assert_uint_eq(attr.sample_type, ALL);
	ck_assert_uint_eq(attr.read_format, PERF_FORMAT_ID);
	ck_assert(attr.sample_id_all);
	ck_assert(attr.use_clockid);
	ck_assert_int_eq(attr.clockid, 4);

	/* The first version had no clock, and no size. */
	uev_attr_read(&attr, image.bytes, UEV_ATTR_SIZE_MIN, _i);
	ck_assert(!attr.use_clockid);
	memset(image.bytes + 4, 0, 4);
	ck_assert_uint_eq(uev_attr_size(image.bytes, _i), UEV_ATTR_SIZE_MIN);
	memset(image.bytes + 40, 0, 8);
	uev_attr_read(&attr, image.bytes, image.size, _i);
	ck_assert(!attr.sample_id_all && !attr.use_clockid);
}
