// SPDX-License-Identifier: MIT
/* Records whose texts are shortened. See lib/sdt_tests.h for the texts. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <userevents/sdt.h>

#include "util/common.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

static struct uev_event event =
	UEV_EVENT_INIT("n __rel_loc char[] t; __rel_loc u8[] b; "
		       "__rel_loc char[] f");
static char large[UEV_PAYLOAD_MAX * 2];

/* Sizes of a record beside the characters and bytes: locations, NUL and "0.5" */
#define FIXED (3 * 4 + 1)
#define FLOAT_SIZE 4

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	memset(large, 'x', sizeof(large));
}

static void tear_down(void)
{
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST_FIXTURE(set_up, tear_down);

static int write_sizes(size_t text, size_t bytes)
{
	const struct uev_value values[] = {
		uev_value_text((struct uev_text){ large, text }),
		uev_value_bytes((struct uev_bytes){ large, bytes }),
		uev_value_float(0.5F),
	};

	return uev_tracepoint_write_shortened(&event, values,
					      ARRAY_SIZE(values));
}

static struct uev_stats stats(void)
{
	struct uev_stats counts;

	ck_assert_int_eq(uev_event_stats(&event, &counts, sizeof(counts)), 0);

	return counts;
}

TEST(keeps_other_fields)
{
	const struct fake_record *record = fake_record();
	uint32_t place;

	ck_assert_int_eq(write_sizes(sizeof(large), 5000), 0);
	ck_assert_uint_le(record->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_gt(record->size, UEV_PAYLOAD_MAX - 64);
	memcpy(&place, record->payload + 4, sizeof(place));
	ck_assert_uint_eq(place >> 16, 5000);
	ck_assert_str_eq((const char *)record->payload + record->size -
				 FLOAT_SIZE,
			 "0.5");
	ck_assert_uint_eq(stats().shortened, 1);
	ck_assert_uint_eq(stats().written, 1);
}

TEST(text_without_room_is_empty)
{
	const size_t bytes = UEV_PAYLOAD_MAX - FIXED - FLOAT_SIZE;
	uint32_t place;

	ck_assert_int_eq(write_sizes(10, bytes), 0);
	memcpy(&place, fake_record()->payload, sizeof(place));
	ck_assert_uint_eq(place >> 16, 1);
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
}

TEST(counts_what_cannot_be_written)
{
	ck_assert_int_eq(write_sizes(10, UEV_PAYLOAD_MAX), -E2BIG);
	ck_assert_int_eq(write_sizes(10, sizeof(large)), -E2BIG);
	ck_assert_uint_eq(stats().oversize, 2);
	ck_assert_uint_eq(stats().shortened, 0);
	ck_assert_uint_eq(fake_records(), 0);
}

TEST(rejects_too_many_values)
{
	const struct uev_value values[UEV_FIELDS_MAX + 1] = { { 0 } };

	ck_assert_int_eq(uev_tracepoint_write_shortened(&event, values,
							ARRAY_SIZE(values)),
			 -EINVAL);
	ck_assert_uint_eq(stats().failed, 1);
}

/* A UUID is longer as text. */
TEST(leaves_room_for_uuids)
{
	const struct uev_value values[] = {
		uev_value_text((struct uev_text){ large, sizeof(large) }),
		uev_value_uuid((struct uev_uuid){ NULL }),
	};

	ck_assert_int_eq(uev_tracepoint_write_shortened(&event, values, 2), 0);
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(stats().shortened, 1);
}

/* A record of the maximum size is not shortened, and a larger one is. */
TEST_LOOP(shortens_only_what_does_not_fit, 2)
{
	struct uev_value values[UEV_FIELDS_MAX];
	size_t size = 4 + 1, i;

	for (i = 1; i < ARRAY_SIZE(values); i++) {
		values[i] = uev_value_number(UEV_TYPE_S8 + i % UEV_TYPE_U64, i);
		size += values[i].type > UEV_TYPE_U32	 ? 8
			: values[i].type > UEV_TYPE_U16	 ? 4
			: values[i].type > UEV_TYPE_CHAR ? 2
							 : 1;
	}
	size = UEV_PAYLOAD_MAX - size + (size_t)_i;
	values[0] = uev_value_text((struct uev_text){ large, size });
	ck_assert_int_eq(uev_tracepoint_write_shortened(&event, values,
							ARRAY_SIZE(values)),
			 0);
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(stats().shortened, (unsigned int)_i);
}
