// SPDX-License-Identifier: MIT
/* Messages of Protobuf that are written and read. */
#include <string.h>

#include "export/protobuf.h"
#include "lib/runner.h"
#include "tool.h"

static struct uev_output message;

static void teardown(void)
{
	uev_output_release(&message);
}

TEST_FIXTURE(NULL, teardown);

static void check(const void *bytes, size_t size)
{
	ck_assert_uint_eq(message.size, size);
	ck_assert_mem_eq(message.text, bytes, size);
}

TEST(numbers)
{
	protobuf_put_number(&message, 1, 0);
	protobuf_put_number(&message, 16, 300);
	protobuf_put_number(&message, 2, UINT64_MAX);
	check("\x08\0\x80\x01\xac\x02\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	      17);
}

TEST(texts_and_doubles)
{
	protobuf_put_text(&message, 3, "ab");
	protobuf_put_bytes(&message, 3, NULL, 0);
	protobuf_put_double(&message, 4, 1);
	check("\x1a\2ab\x1a\0\x21\0\0\0\0\0\0\xf0\x3f", 15);
}

/* The size of a message can have more bytes than it needs. */
TEST(messages)
{
	static const char text[200] = { 'x' };
	struct protobuf_field outer, inner;
	const char *at;
	size_t first, second;

	first = protobuf_begin(&message, 5);
	second = protobuf_begin(&message, 6);
	protobuf_put_bytes(&message, 7, text, sizeof(text));
	protobuf_end(&message, second);
	protobuf_put_number(&message, 8, 9);
	protobuf_end(&message, first);
	at = message.text;
	ck_assert(protobuf_next(&at, at + message.size, &outer));
	ck_assert_ptr_eq(at, message.text + message.size);
	ck_assert_uint_eq(outer.id, 5);
	at = outer.bytes;
	ck_assert(protobuf_next(&at, outer.bytes + outer.size, &inner));
	ck_assert_uint_eq(inner.id, 6);
	ck_assert_uint_eq(inner.size, 3 + sizeof(text));
	ck_assert(protobuf_next(&at, outer.bytes + outer.size, &inner));
	ck_assert_uint_eq(inner.id, 8);
	ck_assert_uint_eq(inner.number, 9);
	ck_assert_ptr_eq(at, outer.bytes + outer.size);
}

#define FULL "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

/* A field, and those that are not valid: @size is 0 */
static const struct {
	const char *bytes;
	size_t length;
	size_t size;
} fields[] = {
	{ "\x0d\1\2\3\4", 5, 4 },
	{ "\x09\1\2\3\4\5\6\7\10", 9, 8 },
	{ "\x0a\1x", 3, 1 },
	{ "", 0, 0 },
	{ "\x80", 1, 0 },
	{ FULL "\1", 11, 0 },
	{ "\x08", 1, 0 },
	{ "\x08" FULL "\1", 12, 0 },
	{ "\x0a", 1, 0 },
	{ "\x0a\2x", 3, 0 },
	{ "\x0d\1\2\3", 4, 0 },
	{ "\x09\1\2\3\4\5\6\7", 8, 0 },
	/* A group, and no number of a field */
	{ "\x0b\0", 2, 0 },
	{ "\2\1x", 3, 0 },
	{ "\0\1", 2, 0 },
};

TEST_LOOP(reads_fields, ARRAY_SIZE(fields))
{
	struct protobuf_field field;
	const char *at = fields[_i].bytes;

	ck_assert(protobuf_next(&at, at + fields[_i].length, &field) ==
		  (fields[_i].size > 0));
	if (!fields[_i].size)
		return;
	ck_assert_uint_eq(field.id, 1);
	ck_assert_uint_eq(field.size, fields[_i].size);
	ck_assert_ptr_eq(at, fields[_i].bytes + fields[_i].length);
}
