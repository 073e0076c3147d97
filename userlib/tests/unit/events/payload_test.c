// SPDX-License-Identifier: MIT
/* Payloads of plain fields, from texts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "events/payload.h"
#include "lib/runner.h"
#include "tool.h"

static struct payload payload;

static int set(const char *name, const char *value)
{
	const char *reason;
	int err = payload_set(&payload, name, strlen(name), value,
			      strlen(value), &reason);

	ck_assert_ptr_nonnull(reason);

	return err;
}

/* Compares the payload with bytes. */
static void check(const void *bytes, size_t size)
{
	struct uev_output output = UEV_OUTPUT_INIT;

	ck_assert_int_eq(payload_append(&payload, &output), 0);
	ck_assert_uint_eq(output.size, size);
	if (size)
		ck_assert_mem_eq(output.text, bytes, size);
	uev_output_release(&output);
}

static void teardown(void)
{
	payload_release(&payload);
}

TEST_FIXTURE(NULL, teardown);

TEST(no_fields)
{
	payload_init(&payload, "door");
	ck_assert_uint_eq(payload.count, 0);
	ck_assert_int_eq(set("number", "1"), -ENOENT);
	check("", 0);
}

static const struct {
	const char *type;
	const char *value;
	size_t size;
	int64_t number;
} numbers[] = {
	{ "u8", "255", 1, 255 },
	{ "s8", "-128", 1, -128 },
	{ "u16", "0xffff", 2, 0xffff },
	{ "s16", "-1", 2, -1 },
	{ "u32", "4294967295", 4, UINT32_MAX },
	{ "s32", "-2147483648", 4, INT32_MIN },
	{ "u64", "18446744073709551615", 8, -1 },
	{ "s64", "-9223372036854775808", 8, INT64_MIN },
	{ "int", "007", 4, 7 },
	{ "unsigned int", "7", 4, 7 },
	{ "short", "7", 2, 7 },
	{ "unsigned short", "65535", 2, 65535 },
	{ "unsigned char", "200", 1, 200 },
	{ "char", "x", 1, 'x' },
	{ "char", "-", 1, '-' },
	{ "char", "7", 1, 7 },
	{ "char", "200", 1, 200 },
};

TEST_LOOP(numbers_in_range, ARRAY_SIZE(numbers))
{
	char *command = tool_print("door %s number", numbers[_i].type);
	struct uev_output bytes = UEV_OUTPUT_INIT;

	payload_init(&payload, command);
	ck_assert_int_eq(set("number", numbers[_i].value), 0);
	payload_put(&bytes, (uint64_t)numbers[_i].number, numbers[_i].size);
	check(bytes.text, bytes.size);
	uev_output_release(&bytes);
	free(command);
}

static const struct {
	const char *type;
	const char *value;
	int error;
} bad[] = {
	{ "u8", "256", -ERANGE },
	{ "u8", "-1", -ERANGE },
	{ "s8", "-129", -ERANGE },
	{ "s8", "128", -ERANGE },
	{ "u64", "18446744073709551616", -ERANGE },
	{ "s64", "9223372036854775808", -ERANGE },
	{ "u32", "", -EINVAL },
	{ "u32", "1x", -EINVAL },
	{ "u32", " 1", -EINVAL },
	{ "u32", "+1", -EINVAL },
	{ "u32", "0x", -EINVAL },
	{ "u32", "0x-1", -EINVAL },
	{ "u32", "0x0x5", -EINVAL },
	{ "u32", "0x0X5", -EINVAL },
	{ "u32", "--1", -EINVAL },
	{ "char", "256", -ERANGE },
	{ "char", "ab", -EINVAL },
	{ "char", "", -EINVAL },
	{ "char[4]", "four", -ERANGE },
	{ "unsigned char[2]", "0", -EINVAL },
	{ "unsigned char[2]", "0g", -EINVAL },
	{ "unsigned char[2]", "00", -ERANGE },
	{ "unsigned char[2]", "000000", -ERANGE },
	{ "__rel_loc u8[]", "0", -EINVAL },
};

TEST_LOOP(bad_values, ARRAY_SIZE(bad))
{
	char *command = tool_print("door %s value", bad[_i].type);

	payload_init(&payload, command);
	ck_assert_int_eq(set("value", bad[_i].value), bad[_i].error);
	/* It can be given again. */
	ck_assert(!payload.fields[0].has_value);
	free(command);
}

TEST(fields_keep_their_order)
{
	payload_init(
		&payload,
		"door u8 a; char[4] b; struct pair c 2; unsigned char[2] d");
	ck_assert_uint_eq(payload.count, 4);
	ck_assert(!payload_needs_header(&payload));
	ck_assert_int_eq(set("d", "0aFF"), 0);
	ck_assert_int_eq(set("b", "red"), 0);
	ck_assert_int_eq(set("a", "5"), 0);
	ck_assert_int_eq(set("a", "6"), -EEXIST);
	ck_assert_int_eq(set("e", "6"), -ENOENT);
	check("\5red\0\0\0\x0a\xff", 9);
	/* The values are of one record. */
	check("\0\0\0\0\0\0\0\0\0", 9);
}

/* Locations of a little-endian machine are compared as numbers. */
static void check_location(const char *at, unsigned int size,
			   unsigned int offset)
{
	uint32_t location;

	memcpy(&location, at, sizeof(location));
	ck_assert_uint_eq(location >> 16, size);
	ck_assert_uint_eq(location & 0xffff, offset);
}

TEST_LOOP(locations, 2)
{
	const bool is_relative = _i;
	struct uev_output output = UEV_OUTPUT_INIT;
	char *command = tool_print(
		"door %s char[] text; u8 number; %s u8[] bytes; %s char[] last",
		is_relative ? "__rel_loc" : "__data_loc",
		is_relative ? "__rel_loc" : "__data_loc",
		is_relative ? "__rel_loc" : "__data_loc");

	payload_init(&payload, command);
	ck_assert_int_eq(payload_needs_header(&payload), !is_relative);
	payload.header = 12;
	ck_assert_int_eq(set("text", "text"), 0);
	ck_assert_int_eq(set("bytes", "0102"), 0);
	ck_assert_int_eq(payload_append(&payload, &output), 0);
	/* A text that is not set has its NUL. */
	ck_assert_uint_eq(output.size, 4 + 1 + 4 + 4 + 5 + 2 + 1);
	check_location(output.text, 5, is_relative ? 13 - 4 : 12 + 13);
	check_location(output.text + 5, 2, is_relative ? 18 - 9 : 12 + 18);
	check_location(output.text + 9, 1, is_relative ? 20 - 13 : 12 + 20);
	ck_assert_mem_eq(output.text + 13, "text\0\1\2\0", 8);
	uev_output_release(&output);
	free(command);
}

TEST(too_large)
{
	struct uev_output output = UEV_OUTPUT_INIT;
	char *text = tool_alloc(UEV_PAYLOAD_MAX);

	memset(text, 'x', UEV_PAYLOAD_MAX - 1);
	payload_init(&payload, "door __rel_loc char[] text");
	ck_assert_int_eq(set("text", text), 0);
	ck_assert_int_eq(payload_append(&payload, &output), -E2BIG);
	ck_assert_uint_eq(output.size, 0);
	text[UEV_PAYLOAD_MAX - 5] = '\0';
	ck_assert_int_eq(set("text", text), 0);
	ck_assert_int_eq(payload_append(&payload, &output), 0);
	ck_assert_uint_eq(output.size, UEV_PAYLOAD_MAX);
	uev_output_release(&output);
	free(text);
}
