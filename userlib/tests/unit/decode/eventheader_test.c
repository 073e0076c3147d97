// SPDX-License-Identifier: MIT
/*
 * EventHeader records: events of the reference, common mistakes of other
 * decoders, and malformed records.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/decode_help.h"
#include "lib/runner.h"

/* The header of a little-endian event of TRACEPOINT, with blocks. */
#define HEADER "07 00 00 00 00 00 00 05 "

/* Events of other sources with their expected output. */
static const struct event_row {
	const char *event;
	const char *json;
} events[] = {
	{ HEADER "02 00 01 00 45 00", "{ \"n\": \"Prov:E\" }" },
	{ HEADER "05 00 01 00 45 00 66 00 04 ff ff ff ff",
	  "{ \"n\": \"Prov:E\", \"f\": 4294967295 }" },
	{ HEADER "05 00 01 00 45 00 66 00 43 02 00 01 00 02 00",
	  "{ \"n\": \"Prov:E\", \"f\": [ 1, 2 ] }" },
	{ HEADER "07 00 01 00 45 00 66 00 23 03 00 01 00 02 00 03 00",
	  "{ \"n\": \"Prov:E\", \"f\": [ 1, 2, 3 ] }" },
	{ HEADER "08 00 01 00 45 00 66 00 84 81 ef be 07 00 00 00",
	  "{ \"n\": \"Prov:E\", \"f;tag=0xBEEF\": 7 }" },
	{ HEADER "0c 00 01 00 45 00 73 00 81 02 61 00 02 62 00 07 01 78 00",
	  "{ \"n\": \"Prov:E\", \"s\": { \"a\": 1, \"b\": \"x\" } }" },
	{ HEADER "09 00 01 00 45 00 73 00 c1 01 61 00 02 02 00 05 06",
	  "{ \"n\": \"Prov:E\", \"s\": [ { \"a\": 5 }, { \"a\": 6 } ] }" },
	{ HEADER "06 00 01 00 45 00 66 00 8d 0f 00 00",
	  "{ \"n\": \"Prov:E\", \"f\": null }" },
	{ "05 00 00 05 00 00 00 05 00 05 00 01 45 00 78 00 04 00 00 00 01",
	  "{ \"n\": \"Prov:E\", \"x\": 1 }" },
	{ HEADER "12 00 01 00 'EventCG' 00 'enabled' 00 82 07 01",
	  "{ \"n\": \"Prov:EventCG\", \"enabled\": true }" },
	{ HEADER "09 00 01 00 45 00 'a4' 00 a2 0a 04 00 'abcd'",
	  "{ \"n\": \"Prov:E\", \"a4\": [ \"a\", \"b\", \"c\", \"d\" ] }" },
	{ HEADER "06 00 01 00 45 00 66 00 8a 0a 02 00 'h' e9",
	  "{ \"n\": \"Prov:E\", \"f\": \"h\xc3\xa9\" }" },
	{ HEADER "06 00 01 00 45 00 66 00 c6 0f 01 00"
		 "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
	  "{ \"n\": \"Prov:E\", \"f\": [ \"00010203-0405-0607-0809-0a0b0c0d0e0f\" ] }" },
	{ HEADER "06 00 01 00 45 00 66 00 86 12"
		 "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
	  "{ \"n\": \"Prov:E\", \"f\": \"::1\" }" },
};

TEST_LOOP(decodes_reference_events, COUNT(events))
{
	const struct event_row *row = &events[_i];

	check_event(row->event, row->json);
}

/* With a tracepoint of its own, and with all of meta. */
static void check_meta(const char *name, const char *event, const char *json)
{
	struct bytes bytes = bytes_of(event);
	int ret;
	char *text = record_json(NULL, name, &bytes, NULL, NULL, &ret);

	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, json);
	free(text);
	bytes_free(&bytes);
}

#define ACTIVITY "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af "
#define RELATED "b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 ba bb bc bd be bf "

TEST(activities_keep_their_byte_order)
{
	check_meta(
		"P_L5K0",
		HEADER "10 00 02 80" ACTIVITY "0b 00 01 00 'Transfer10' 00",
		"{ \"n\": \"P:Transfer10\", \"meta\": { \"level\": 5, "
		"\"activity\": \"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\" } }");
	check_meta("P_L5K0",
		   HEADER "20 00 02 80" ACTIVITY RELATED
			  "0b 00 01 00 'Transfer11' 00",
		   "{ \"n\": \"P:Transfer11\", \"meta\": { \"level\": 5, "
		   "\"activity\": \"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\", "
		   "\"relatedActivity\": "
		   "\"b0b1b2b3-b4b5-b6b7-b8b9-babbbcbdbebf\" } }");
	/* A big-endian writer's are in the same order. */
	check_meta(
		"P_L5K0",
		"05 00 00 00 00 00 00 05 00 10 80 02" ACTIVITY
		"00 02 00 01 'E' 00",
		"{ \"n\": \"P:E\", \"meta\": { \"level\": 5, "
		"\"activity\": \"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\" } }");
}

TEST(struct_can_have_fewer_members)
{
	check_meta("TestProviderC_L4K85",
		   "07 0b e8 03 34 12 03 04 27 00 01 00 'CScalars3' 00"
		   "'Struct20' 00 81 94 ef be 'hi' 00 87 8a 12 00"
		   "'ch10' 00 c2 8a 10 00 68 69 00 03 00 48 6f 77",
		   "{ \"n\": \"TestProviderC:CScalars3\", "
		   "\"Struct20;tag=0xBEEF\": { \"hi;tag=0x12\": \"hi\", "
		   "\"ch10;tag=0x10\": [ \"H\", \"o\", \"w\" ] }, \"meta\": { "
		   "\"id\": 1000, \"version\": 11, \"level\": 4, "
		   "\"keyword\": \"0x85\", \"opcode\": 3, "
		   "\"tag\": \"0x1234\" } }");
}

/* An item as a word or two, for the order that they come in. */
static void say_item(struct uev_output *said, int kind,
		     const struct uev_item *item)
{
	static const char *const kinds[] = {
		"end", "value", "{", "}", "[", "]"
	};
	char text[128];
	int size = snprintf(text, sizeof(text), "%s%s %.*s d%u",
			    said->size ? ", " : "", kinds[kind],
			    (int)item->name_size, item->name, item->depth);

	ck_assert_int_eq(kind, item->kind);
	if (item->is_element)
		size += snprintf(text + size, sizeof(text) - (size_t)size,
				 " i%u", item->index);
	if (kind != UEV_ITEM_VALUE)
		size += snprintf(text + size, sizeof(text) - (size_t)size,
				 " n%u", item->count);
	if (item->tag)
		size += snprintf(text + size, sizeof(text) - (size_t)size,
				 " t%x", item->tag);
	if (kind == UEV_ITEM_VALUE)
		size += snprintf(text + size, sizeof(text) - (size_t)size,
				 " %u/%u", item->encoding, item->format);
	ck_assert_int_eq(uev_output_append(said, text, (size_t)size), 0);
}

static void check_items(const char *event, const char *items)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output said = UEV_OUTPUT_INIT;
	struct bytes bytes = bytes_of(event);
	int kind;

	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       bytes.at, bytes.size),
			 0);
	while ((kind = uev_decoder_next(decoder)) > 0)
		say_item(&said, kind, uev_decoder_item(decoder));
	ck_assert_int_eq(kind, 0);
	ck_assert_int_eq(uev_decoder_next(decoder), 0);
	ck_assert_str_eq(said.text, items);
	ck_assert_ptr_null(uev_decoder_error(decoder, NULL));

	uev_output_release(&said);
	bytes_free(&bytes);
	uev_decoder_free(decoder);
}

TEST(items_are_ordered_and_complete)
{
	/* An array of structs, with a value, an array and a struct in each. */
	check_items(HEADER "[ 'E' 00 's' 00 c1 83 07 00 'a' 00 82 03 'b' 00 42"
			   "'c' 00 81 01 'd' 00 07 'z' 00 82 82 aa 00 ]"
			   "02 00"
			   "01 02 00 05 06 'x' 00"
			   "02 00 00 00"
			   "ff",
		    "[ s d0 n2 t7, { s d0 i0 n3 t7, value a d1 2/3, "
		    "[ b d1 n2, value b d1 i0 2/0, value b d1 i1 2/0, "
		    "] b d1 n2, { c d1 n1, value d d2 7/0, } c d1 n1, "
		    "} s d0 i0 n3 t7, { s d0 i1 n3 t7, value a d1 2/3, "
		    "[ b d1 n0, ] b d1 n0, { c d1 n1, value d d2 7/0, "
		    "} c d1 n1, } s d0 i1 n3 t7, ] s d0 n2 t7, "
		    "value z d0 taa 2/2");
}

TEST(empty_array_of_structs_has_no_members)
{
	/* A skipped struct that contains a struct with arrays. */
	check_items(HEADER "[ 'E' 00 's' 00 c1 02 'a' 00 a1 02 03 00"
			   "'b' 00 22 02 00 'c' 00 84 81 01 00 'd' 00 47"
			   "'z' 00 02 ] 00 00 09",
		    "[ s d0 n0, ] s d0 n0, value z d0 2/0");
	/* Metadata can end in the skipped part. */
	check_items(HEADER "[ 'E' 00 's' 00 c1 05 'a' 00 02 ] 00 00",
		    "[ s d0 n0, ] s d0 n0");
}

/* The end of the members is known in the second element. */
TEST(empty_array_in_each_of_two_structs)
{
	check_event(HEADER
		    "[ 'E' 00 's' 00 c1 02 't' 00 c1 02 'a' 00 02 'b' 00 03"
		    "'c' 00 02 'z' 00 02 ] 02 00 00 00 05 00 00 06 07",
		    "{ \"n\": \"Prov:E\", \"s\": [ { \"t\": [ ], \"c\": 5 }, "
		    "{ \"t\": [ ], \"c\": 6 } ], \"z\": 7 }");
}

/* More arrays than cached ends, twice. */
TEST(empty_arrays_in_each_of_many_structs)
{
	struct bytes event = bytes_of(HEADER);
	struct uev_decoder *decoder = new_decoder();
	char text[4096] = "[ 'E' 00 's' 00 a1 28 03 00 ";
	size_t values = 0;
	int i, kind;

	for (i = 0; i < 39; i++)
		strcat(text, "'a' 00 c1 02 'b' 00 02 'c' 00 07 ");
	strcat(text, "'z' 00 02 ] ");
	/* The second of the three has an element in the last of its arrays. */
	for (i = 0; i < 39 * 3; i++) {
		strcat(text, i == 77 ? "01 00 aa 'x' 00 " : "00 00 ");
		if (i % 39 == 38)
			strcat(text, "05 ");
	}
	bytes_append(&event, text);
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event.at, event.size),
			 0);
	while ((kind = uev_decoder_next(decoder)) > 0)
		values += kind == UEV_ITEM_VALUE;
	ck_assert_int_eq(kind, 0);
	ck_assert_uint_eq(values, 5);

	bytes_free(&event);
	uev_decoder_free(decoder);
}

TEST(constant_array_of_structs_has_all_its_elements)
{
	check_event(HEADER "[ 'E' 00 's' 00 a1 01 02 00 'a' 00 02 ] 05 06",
		    "{ \"n\": \"Prov:E\", \"s\": [ { \"a\": 5 }, "
		    "{ \"a\": 6 } ] }");
	/* With a tag and another field, in the other byte order. */
	check_event("04 00 00 00 00 00 00 05"
		    "< 'E' 00 's' 00 a1 82 ab cd 00 03 'a' 00 02 'b' 00 03"
		    "'c' 00 03 > 01 00 02 03 00 04 05 00 06 00 07",
		    "{ \"n\": \"Prov:E\", \"s;tag=0xABCD\": [ "
		    "{ \"a\": 1, \"b\": 2 }, { \"a\": 3, \"b\": 4 }, "
		    "{ \"a\": 5, \"b\": 6 } ], \"c\": 7 }");
	/* In a struct of an array of its own. */
	check_event(HEADER "[ 'E' 00 's' 00 c1 02 't' 00 a1 01 02 00 'a' 00 02"
			   "'b' 00 02 ] 02 00 01 02 03 04 05 06",
		    "{ \"n\": \"Prov:E\", \"s\": [ "
		    "{ \"t\": [ { \"a\": 1 }, { \"a\": 2 } ], \"b\": 3 }, "
		    "{ \"t\": [ { \"a\": 4 }, { \"a\": 5 } ], \"b\": 6 } ] }");
}

/* Metadata that ends early ends every struct, and restarts for each element. */
TEST(array_of_structs_can_have_fewer_members)
{
	check_event(HEADER "[ 'E' 00 's' 00 c1 05 't' 00 81 09 'a' 00 02 ]"
			   "03 00 01 02 03",
		    "{ \"n\": \"Prov:E\", \"s\": [ { \"t\": { \"a\": 1 } }, "
		    "{ \"t\": { \"a\": 2 } }, { \"t\": { \"a\": 3 } } ] }");
	check_event(HEADER "[ 'E' 00 's' 00 a1 05 02 00 ] ",
		    "{ \"n\": \"Prov:E\", \"s\": [ { }, { } ] }");
}

TEST(accepts_a_long_event_name)
{
	struct bytes event = bytes_of(HEADER "2d 01 01 00");
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	char json[400] = "{ \"n\": \"Prov:";
	char *text;
	int i, ret;

	for (i = 0; i < 300; i++) {
		bytes_append(&event, "'n'");
		strcat(json, "n");
	}
	strcat(json, "\" }");
	/* Attributes are not part of the name. */
	options.meta = 0;
	event.at[8] = 0x2f + 2;
	bytes_append(&event, "';a=b' 00");
	text = record_json(NULL, TRACEPOINT, &event, &options, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, json);
	free(text);
	bytes_free(&event);
}

TEST(accepts_65535_elements)
{
	struct bytes event = bytes_of(HEADER "[ 'E' 00 'a' 00 42 ] ff ff");
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t i, commas = 0;

	event.at = realloc(event.at, event.size + UEV_COUNT_MAX);
	ck_assert_ptr_nonnull(event.at);
	memset(event.at + event.size, 1, UEV_COUNT_MAX);
	event.size += UEV_COUNT_MAX;

	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event.at, event.size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 0);
	check_json(json.text);
	for (i = 0; i < json.size; i++)
		commas += json.text[i] == ',';
	/* Those of the array, two of the object and one in "meta". */
	ck_assert_uint_eq(commas, UEV_COUNT_MAX - 1 + 3);

	uev_output_release(&json);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/* Nested structs of this depth. */
static void append_structs(struct bytes *event, int depth, const char *size)
{
	char text[16];
	int i;

	bytes_append(event, HEADER);
	snprintf(text, sizeof(text), "%s 00 01 00", size);
	bytes_append(event, text);
	bytes_append(event, "'E' 00");
	for (i = 0; i < depth; i++)
		bytes_append(event, "'s' 00 81 01");
	bytes_append(event, "'a' 00 02 07");
}

TEST(accepts_eight_nested_structs)
{
	struct bytes event = bytes_of("");
	struct uev_decoder *decoder = new_decoder();
	int kind, starts = 0, ends = 0;

	append_structs(&event, 8, "25");
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event.at, event.size),
			 0);
	while ((kind = uev_decoder_next(decoder)) > 0) {
		starts += kind == UEV_ITEM_STRUCT_BEGIN;
		ends += kind == UEV_ITEM_STRUCT_END;
	}
	ck_assert_int_eq(kind, 0);
	ck_assert_int_eq(starts, 8);
	ck_assert_int_eq(ends, 8);
	bytes_free(&event);

	event = bytes_of("");
	append_structs(&event, 9, "29");
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event.at, event.size),
			 0);
	while ((kind = uev_decoder_next(decoder)) > 0)
		;
	ck_assert_int_eq(kind, -EOPNOTSUPP);
	ck_assert_str_eq(uev_decoder_error(decoder, NULL),
			 "structs nested too deeply");
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/* A record has 256 elements without bytes, and four more for each byte. */
TEST(limits_elements_without_bytes)
{
	const char *reason;
	size_t offset;

	ck_assert_int_eq(event_error(TRACEPOINT,
				     HEADER "[ 'E' 00 's' 00 a1 01 50 01 ]",
				     &reason, &offset),
			 0);
	ck_assert_int_eq(event_error(TRACEPOINT,
				     HEADER "[ 'E' 00 's' 00 a1 01 51 01 ]",
				     &reason, &offset),
			 -E2BIG);
	ck_assert_str_eq(reason, "too many elements without bytes");
	/* Others may be around them, and one more is one too many. */
	ck_assert_int_eq(event_error(TRACEPOINT,
				     HEADER
				     "[ 'E' 00 's' 00 a1 02 02 00 'a' 00 02"
				     "'t' 00 a1 01 be 00 ] 01 02",
				     &reason, &offset),
			 0);
	ck_assert_int_eq(event_error(TRACEPOINT,
				     HEADER
				     "[ 'E' 00 's' 00 a1 02 02 00 'a' 00 02"
				     "'t' 00 a1 01 bf 00 ] 01 02",
				     &reason, &offset),
			 -E2BIG);
	ck_assert_uint_eq(offset, 31);
}

/*
 * Each element has 17 empty arrays of structs, more than the cache of the
 * decoder, and each struct has 127 members.
 */
TEST(limits_skipped_fields)
{
	static const uint8_t member[] = { 'm', 0, 2 };
	static const uint8_t array[] = { 't', 0, 0xc1, 127 };
	const size_t elements = 1500, arrays = 17, members = 127;
	struct bytes event = bytes_of(HEADER "00 00 01 00 'E' 00 's' 00 c1 11");
	size_t start = event.size - 6, more, i, j;
	struct uev_decoder *decoder = new_decoder();
	uint8_t *to;
	int kind;

	more = arrays * (sizeof(array) + members * sizeof(member));
	event.at = realloc(event.at,
			   event.size + more + 2 + elements * arrays * 2);
	ck_assert_ptr_nonnull(event.at);
	to = event.at + event.size;
	for (i = 0; i < arrays; i++) {
		memcpy(to, array, sizeof(array));
		to += sizeof(array);
		for (j = 0; j < members; j++, to += sizeof(member))
			memcpy(to, member, sizeof(member));
	}
	event.at[start - 4] = (uint8_t)(more + 6);
	event.at[start - 3] = (uint8_t)((more + 6) >> 8);
	*to++ = (uint8_t)elements;
	*to++ = (uint8_t)(elements >> 8);
	memset(to, 0, elements * arrays * 2);
	event.size += more + 2 + elements * arrays * 2;
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event.at, event.size),
			 0);
	while ((kind = uev_decoder_next(decoder)) > 0)
		;
	ck_assert_int_eq(kind, -E2BIG);
	ck_assert_str_eq(uev_decoder_error(decoder, NULL),
			 "too many fields for its size");
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/* The limit applies to elements without bytes. */
TEST(does_not_limit_elements_with_bytes)
{
	struct bytes event =
		bytes_of(HEADER "[ 'E' 00 's' 00 a1 01 02 00 't' 00 a1 01 40 9c"
				"'a' 00 02 ]");
	struct uev_decoder *decoder = new_decoder();
	size_t elements = 0;
	int kind;

	event.at = realloc(event.at, event.size + 80000);
	ck_assert_ptr_nonnull(event.at);
	memset(event.at + event.size, 7, 80000);
	event.size += 80000;
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event.at, event.size),
			 0);
	while ((kind = uev_decoder_next(decoder)) > 0)
		elements += kind == UEV_ITEM_VALUE;
	ck_assert_int_eq(kind, 0);
	ck_assert_uint_eq(elements, 80000);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/*
 * The most work for valid bytes: each element has one byte, in structs nested
 * eight deep, and all have long names.
 */
TEST(accepts_long_names_of_nested_structs)
{
	const size_t name_size = 255, elements = 6000, structs = 8;
	/* Encoding and format; the array also has its count. */
	const size_t more =
		2 + (structs + 1) * (name_size + 1) + 2 + 2 * structs + 1;
	struct bytes event = bytes_of(HEADER "00 00 01 00 'E' 00");
	const size_t start = event.size - 2;
	struct uev_decoder *decoder = new_decoder();
	size_t i, values = 0;
	uint8_t *to;
	int kind;

	event.at = realloc(event.at, start + more + elements);
	ck_assert_ptr_nonnull(event.at);
	to = event.at + event.size;
	for (i = 0; i <= structs; i++) {
		memset(to, 'n', name_size);
		to += name_size;
		*to++ = '\0';
		*to++ = i == structs ? UEV_ENCODING_VALUE8
			: i	     ? UEV_ENCODING_STRUCT | UEV_ENCODING_CHAIN
			    : UEV_ENCODING_STRUCT | UEV_ENCODING_CHAIN |
					UEV_ENCODING_CARRAY;
		if (i < structs)
			*to++ = 1;
		if (!i) {
			*to++ = (uint8_t)elements;
			*to++ = (uint8_t)(elements >> 8);
		}
	}
	ck_assert_uint_eq((size_t)(to - event.at), start + more);
	event.at[start - 4] = (uint8_t)more;
	event.at[start - 3] = (uint8_t)(more >> 8);
	memset(to, 7, elements);
	event.size = start + more + elements;
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event.at, event.size),
			 0);
	while ((kind = uev_decoder_next(decoder)) > 0)
		values += kind == UEV_ITEM_VALUE;
	ck_assert_int_eq(kind, 0);
	ck_assert_uint_eq(values, elements);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

TEST(ignores_trailing_bytes)
{
	check_event(HEADER "[ 'E' 00 'a' 00 02 ] 07 00 00 00",
		    "{ \"n\": \"Prov:E\", \"a\": 7 }");
}

TEST(skips_unknown_blocks)
{
	check_event(HEADER "03 00 09 80 01 02 03 00 00 ff ff"
			   "[ 'E' 00 'a' 00 02 ] 07",
		    "{ \"n\": \"Prov:E\", \"a\": 7 }");
}

TEST(info_matches_the_header)
{
	struct bytes bytes = bytes_of("05 02 01 03 ab cd 09 c8"
				      "00 20 80 02" ACTIVITY RELATED
				      "< 'Eve;x=;;y' 00 >");
	struct uev_decoder *decoder = new_decoder();
	const struct uev_record_info *info;

	ck_assert_int_eq(uev_decoder_start_eventheader(decoder,
						       "A_B_Lc8KffGg1X",
						       bytes.at, bytes.size),
			 0);
	info = uev_decoder_info(decoder);
	ck_assert(info->is_eventheader);
	ck_assert_ptr_null(info->schema);
	ck_assert_uint_eq(info->provider_size, 3);
	ck_assert_mem_eq(info->provider, "A_B", 3);
	ck_assert_uint_eq(info->name_size, 3);
	ck_assert_mem_eq(info->name, "Eve", 3);
	ck_assert_uint_eq(info->attributes_size, 6);
	ck_assert_mem_eq(info->attributes, ";x=;;y", 6);
	ck_assert_uint_eq(info->options_size, 4);
	ck_assert_str_eq(info->options, "Gg1X");
	ck_assert_mem_eq(info->activity, bytes.at + 12, UEV_ACTIVITY_SIZE);
	ck_assert_mem_eq(info->related, bytes.at + 28, UEV_ACTIVITY_SIZE);
	ck_assert_uint_eq(info->keyword, 0xff);
	ck_assert_uint_eq(info->id, 0x103);
	ck_assert_uint_eq(info->tag, 0xabcd);
	ck_assert_uint_eq(info->version, 2);
	ck_assert_uint_eq(info->opcode, 9);
	ck_assert_uint_eq(info->level, 200);
	ck_assert_uint_eq(info->flags, 5);

	uev_decoder_free(decoder);
	bytes_free(&bytes);
}

/* Malformed records with place and reason. */
static const struct error_row {
	const char *event;
	int error;
	size_t offset;
	const char *reason;
} errors[] = {
	{ "", -EBADMSG, 0, "truncated header" },
	{ "07 00 00 00 00 00 00", -EBADMSG, 7, "truncated header" },
	{ "0f 00 00 00 00 00 00 05 [ 'E' 00 ]", -EOPNOTSUPP, 0,
	  "unknown flags in the header" },
	{ "87 00 00 00 00 00 00 05 [ 'E' 00 ]", -EOPNOTSUPP, 0,
	  "unknown flags in the header" },
	{ "07 00 00 00 00 00 00 04 [ 'E' 00 ]", -EOPNOTSUPP, 7,
	  "level differs from the tracepoint name" },
	{ "03 00 00 00 00 00 00 05 [ 'E' 00 ]", -EOPNOTSUPP, 8,
	  "missing metadata block" },
	{ HEADER "01 00 03 00 00", -EOPNOTSUPP, 13, "missing metadata block" },
	{ HEADER, -EBADMSG, 8, "record ends before a block" },
	{ HEADER "02 00 01", -EBADMSG, 11, "record ends before a block" },
	{ HEADER "02 00 01 80 45 00", -EBADMSG, 14,
	  "record ends before a block" },
	{ HEADER "03 00 01 00 45 00", -EBADMSG, 8, "block exceeds the record" },
	{ HEADER "02 00 01 80 45 00 02 00 01 00 45 00", -EBADMSG, 18,
	  "duplicate metadata block" },
	{ HEADER "10 00 02 80" ACTIVITY "10 00 02 80" ACTIVITY "[ 'E' 00 ]",
	  -EBADMSG, 32, "duplicate activity block" },
	{ HEADER "0f 00 02 80" ACTIVITY, -EBADMSG, 12,
	  "activity block is neither 16 nor 32 bytes" },
	{ HEADER "11 00 02 80 00" ACTIVITY, -EBADMSG, 12,
	  "activity block is neither 16 nor 32 bytes" },
	{ HEADER "21 00 02 80 00" ACTIVITY ACTIVITY, -EBADMSG, 12,
	  "activity block is neither 16 nor 32 bytes" },
	{ HEADER "00 00 02 80", -EBADMSG, 12,
	  "activity block is neither 16 nor 32 bytes" },
	{ HEADER "[ 'Event' ]", -EBADMSG, 12, "unterminated event name" },
	{ HEADER "[ ]", -EBADMSG, 12, "unterminated event name" },
	{ HEADER "[ 'E' 00 'f' ]", -EBADMSG, 14,
	  "truncated field description" },
	{ HEADER "[ 'E' 00 'f' ] 00 02 02", -EBADMSG, 14,
	  "truncated field description" },
	{ HEADER "[ 'E' 00 'f' 00 ] 02 02", -EBADMSG, 16,
	  "truncated field description" },
	{ HEADER "[ 'E' 00 'f' 00 84 ] 01 02 03 04", -EBADMSG, 17,
	  "truncated field description" },
	{ HEADER "[ 'E' 00 'f' 00 84 81 ] 01 02 03 04 05 06", -EBADMSG, 18,
	  "truncated field description" },
	{ HEADER "[ 'E' 00 'f' 00 84 81 01 ] 01 02 03 04 05 06", -EBADMSG, 18,
	  "truncated field description" },
	{ HEADER "[ 'E' 00 'f' 00 22 03 ] 01 02 03", -EBADMSG, 17,
	  "truncated field description" },
	{ HEADER "[ 'E' 00 'f' 00 22 00 00 ] 01", -EBADMSG, 17,
	  "constant array without elements" },
	{ HEADER "[ 'E' 00 'f' 00 62 01 00 ] 01 00 01", -EOPNOTSUPP, 16,
	  "field is both a constant and a variable array" },
	{ HEADER "[ 'E' 00 'f' 00 0e ] 01", -EOPNOTSUPP, 16,
	  "unknown field encoding" },
	{ HEADER "[ 'E' 00 'f' 00 1f ] 01", -EOPNOTSUPP, 16,
	  "unknown field encoding" },
	{ HEADER "[ 'E' 00 'f' 00 00 ] 01", -EBADMSG, 16,
	  "field without encoding" },
	{ HEADER "[ 'E' 00 'f' 00 40 ] 01 00 01", -EBADMSG, 16,
	  "field without encoding" },
	{ HEADER "[ 'E' 00 'f' 00 01 ]", -EBADMSG, 16,
	  "struct without members" },
	{ HEADER "[ 'E' 00 'f' 00 81 00 ]", -EBADMSG, 16,
	  "struct without members" },
	{ HEADER "[ 'E' 00 'f' 00 81 80 01 00 ]", -EBADMSG, 16,
	  "struct without members" },
	/* The same applies to skipped parts. */
	{ HEADER "[ 'E' 00 'f' 00 c1 01 'g' 00 0f ] 00 00", -EOPNOTSUPP, 20,
	  "unknown field encoding" },
	{ HEADER "[ 'E' 00 'f' 00 04 ] 01 02 03", -EBADMSG, 17,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 06 ] 01 02 03", -EBADMSG, 17,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 42 ] 01", -EBADMSG, 17, "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 44 ] 02 00 01 00 00 00 02", -EBADMSG, 23,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 c1 01 'g' 00 02 ] 03 00 01 02", -EBADMSG, 25,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 c1 01 ] 03", -EBADMSG, 18,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 0a ] 03", -EBADMSG, 17, "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 0a ] 03 00 'ab'", -EBADMSG, 19,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 0b ] 02 00 'a' 00 'b'", -EBADMSG, 19,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 0c ] 01 00 'a' 00 00", -EBADMSG, 19,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 0d ] ff ff 01 02", -EBADMSG, 19,
	  "truncated value" },
	{ HEADER "[ 'E' 00 'f' 00 07 ]", -EBADMSG, 17, "truncated string" },
	{ HEADER "[ 'E' 00 'f' 00 07 ] 'ab'", -EBADMSG, 17,
	  "truncated string" },
	{ HEADER "[ 'E' 00 'f' 00 08 ] 'a' 00 00 'b' 00", -EBADMSG, 17,
	  "truncated string" },
	{ HEADER "[ 'E' 00 'f' 00 09 ] 00 'a' 00 00 00 00 00", -EBADMSG, 17,
	  "truncated string" },
};

TEST_LOOP(reports_place_and_reason, COUNT(errors))
{
	const struct error_row *row = &errors[_i];
	const char *reason;
	size_t offset;

	ck_assert_int_eq(event_error(TRACEPOINT, row->event, &reason, &offset),
			 row->error);
	ck_assert_str_eq(reason, row->reason);
	ck_assert_uint_eq(offset, row->offset);
}

static const char *const bad_names[] = {
	"Prov", "_L5K1", "Prov_L5K", "Prov_L005K1", "Prov_L5K1g",
};

TEST_LOOP(rejects_other_tracepoint_names, COUNT(bad_names))
{
	const char *reason;
	size_t offset;

	ck_assert_int_eq(event_error(bad_names[_i], HEADER "[ 'E' 00 ]",
				     &reason, &offset),
			 -EOPNOTSUPP);
	ck_assert_str_eq(reason, "no level and keyword in the tracepoint name");
}

/* Records that need all of their bytes. */
static const char *const complete[] = {
	HEADER "[ 'E' 00 'a' 00 02 'b' 00 03 'c' 00 84 82 01 00 'd' 00 05"
	       "'e' 00 86 0f ] 01 02 02 03 03 03 03 04 04 04 04 04 04 04 04"
	       "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
	HEADER "20 00 02 80" ACTIVITY RELATED
	       "[ 'E' 00 'a' 00 07 'b' 00 08 'c' 00 09 ] 'text' 00"
	       "'t' 00 'e' 00 00 00 't' 00 00 00 00 00 00 00",
	HEADER
	"[ 'E' 00 'a' 00 0a 'b' 00 0b 'c' 00 0c 'd' 00 0d 'e' 00 8d 02 ]"
	"02 00 'ab' 02 00 'a' 00 'b' 00 01 00 'a' 00 00 00 03 00 01 02 03"
	"08 00 01 02 03 04 05 06 07 08",
	"05 00 00 05 00 00 00 05 < 'E' 00 'x' 00 44 's' 00 c1 02 'a' 00 0a"
	"'b' 00 a1 01 00 02 'c' 00 43 >"
	"00 02 00 00 00 01 00 00 00 02"
	"00 02 00 01 'x' 00 01 00 01 00 02 00 00 00 02"
	"00 00 00 00 00 01 00 03",
};

/* A truncated record is detected, and nothing beyond it is read. */
TEST_LOOP(accepts_truncation_anywhere, COUNT(complete))
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct bytes whole = bytes_of(complete[_i]), part;
	size_t size;
	char *text;
	int ret;

	options.flags = UEV_JSON_PARTIAL | UEV_JSON_COMPACT;
	for (size = 0; size <= whole.size; size++) {
		part = bytes_cut(&whole, size);
		text = record_json(NULL, TRACEPOINT, &part, &options, NULL,
				   &ret);
		ck_assert_int_eq(ret, size < whole.size ? -EBADMSG : 0);
		ck_assert(!strstr(text, "\"error\":{\"reason\":") == !ret);
		free(text);
		bytes_free(&part);
	}
	bytes_free(&whole);
}
