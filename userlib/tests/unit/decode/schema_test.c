// SPDX-License-Identifier: MIT
/*
 * Format files and names of tracepoints.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/session.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/fake_alloc.h"
#include "lib/runner.h"

static void check_field(const struct uev_schema *schema, size_t number,
			const struct uev_format_field *expected)
{
	const struct uev_format_field *field = uev_schema_field(schema, number);

	ck_assert_ptr_nonnull(field);
	ck_assert_str_eq(field->name, expected->name);
	ck_assert_str_eq(field->type, expected->type);
	ck_assert_uint_eq(field->offset, expected->offset);
	ck_assert_uint_eq(field->size, expected->size);
	ck_assert_uint_eq(field->count, expected->count);
	ck_assert_uint_eq(field->location, expected->location);
	ck_assert_int_eq(field->is_signed, expected->is_signed);
	ck_assert_int_eq(field->is_array, expected->is_array);
	ck_assert_int_eq(field->is_common, expected->is_common);
}

TEST(format_of_a_kernel_event)
{
	static const struct uev_format_field fields[] = {
		{ .name = "common_type",
		  .type = "unsigned short",
		  .size = 2,
		  .is_common = true },
		{ .name = "common_flags",
		  .type = "unsigned char",
		  .offset = 2,
		  .size = 1,
		  .is_common = true },
		{ .name = "common_preempt_count",
		  .type = "unsigned char",
		  .offset = 3,
		  .size = 1,
		  .is_common = true },
		{ .name = "common_pid",
		  .type = "int",
		  .offset = 4,
		  .size = 4,
		  .is_signed = true,
		  .is_common = true },
		{ .name = "prev_comm",
		  .type = "char",
		  .offset = 8,
		  .size = 16,
		  .count = 16,
		  .is_array = true },
		{ .name = "prev_pid",
		  .type = "pid_t",
		  .offset = 24,
		  .size = 4,
		  .is_signed = true },
	};
	struct uev_schema *schema = schema_of("sched", FORMAT_SCHED_SWITCH);
	size_t i;

	ck_assert_str_eq(uev_schema_system(schema), "sched");
	ck_assert_str_eq(uev_schema_name(schema), "sched_switch");
	ck_assert_uint_eq(uev_schema_id(schema), 316);
	ck_assert(!uev_schema_is_eventheader(schema));
	ck_assert_uint_eq(uev_schema_field_count(schema), 11);
	for (i = 0; i < COUNT(fields); i++)
		check_field(schema, i, &fields[i]);
	ck_assert_str_eq(uev_schema_field(schema, 10)->name, "next_prio");
	ck_assert_ptr_null(uev_schema_field(schema, 11));
	ck_assert_ptr_null(uev_schema_field(schema, SIZE_MAX));
	uev_schema_free(schema);
}

TEST(format_of_an_eventheader_event)
{
	struct uev_schema *schema =
		schema_of("user_events", FORMAT_EVENTHEADER);

	ck_assert(uev_schema_is_eventheader(schema));
	ck_assert_str_eq(uev_schema_name(schema), "Prov_L5K1Gg");
	uev_schema_free(schema);
	/* Not where it is the second one, or common. */
	schema = schema_of("user_events",
			   "name: a\nID: 1\nfield:u8 a;offset:0;size:1;\n"
			   "field:u8 eventheader_flags;offset:1;size:1;\n");
	ck_assert(!uev_schema_is_eventheader(schema));
	uev_schema_free(schema);
	schema = schema_of("user_events", "name: a\nID: 1\n");
	ck_assert(!uev_schema_is_eventheader(schema));
	uev_schema_free(schema);
}

/* Declarations in all the ways in which they are written. */
static const struct declaration_row {
	const char *line;
	struct uev_format_field field;
} declarations[] = {
	{ "\tfield:u8 a;\toffset:1;\tsize:2;\tsigned:1;",
	  { "a", "u8", 1, 2, 0, UEV_LOCATION_INLINE, true, false, false } },
	{ "field: u8  a ; offset: 1 ; size: 2 ;",
	  { "a", "u8", 1, 2, 0, UEV_LOCATION_INLINE, false, false, false } },
	{ "field:u8 a;size:4294967295;offset:4294967295;signed:0;new:x;",
	  { "a", "u8", 4294967295, 4294967295, 0, UEV_LOCATION_INLINE, false,
	    false, false } },
	{ "field:const char * name;offset:0;size:8;",
	  { "name", "const char *", 0, 8, 0, UEV_LOCATION_INLINE, false, false,
	    false } },
	{ "field:const char *name;offset:0;size:8",
	  { "name", "const char *", 0, 8, 0, UEV_LOCATION_INLINE, false, false,
	    false } },
	{ "field:char *args[4];offset:0;size:32;",
	  { "args", "char *", 0, 32, 4, UEV_LOCATION_INLINE, false, true,
	    false } },
	{ "field:char comm[16];offset:0;size:16;",
	  { "comm", "char", 0, 16, 16, UEV_LOCATION_INLINE, false, true,
	    false } },
	{ "field:char[16] comm;offset:0;size:16;",
	  { "comm", "char[16]", 0, 16, 16, UEV_LOCATION_INLINE, false, true,
	    false } },
	{ "field:char comm[TASK_COMM_LEN];offset:0;size:16;",
	  { "comm", "char", 0, 16, 0, UEV_LOCATION_INLINE, false, true,
	    false } },
	{ "field:char buf[];offset:0;size:0;",
	  { "buf", "char", 0, 0, 0, UEV_LOCATION_INLINE, false, true, false } },
	{ "field:__data_loc char[] s;offset:0;size:4;",
	  { "s", "__data_loc char[]", 0, 4, 0, UEV_LOCATION_DATA_LOC, false,
	    true, false } },
	{ "field:__rel_loc u8[] s;offset:0;size:4;",
	  { "s", "__rel_loc u8[]", 0, 4, 0, UEV_LOCATION_REL_LOC, false, true,
	    false } },
	{ "field:__data_loc cpumask_t m;offset:0;size:4;",
	  { "m", "__data_loc cpumask_t", 0, 4, 0, UEV_LOCATION_DATA_LOC, false,
	    true, false } },
	{ "field:struct a b;offset:0;size:20;",
	  { "b", "struct a", 0, 20, 0, UEV_LOCATION_INLINE, false, false,
	    false } },
	{ "field:u8 common_a;offset:0;size:1;",
	  { "common_a", "u8", 0, 1, 0, UEV_LOCATION_INLINE, false, false,
	    true } },
};

TEST_LOOP(parses_field_lines, COUNT(declarations))
{
	const struct declaration_row *row = &declarations[_i];
	struct uev_schema *schema;
	char text[256];

	snprintf(text, sizeof(text), "name: e\nID: 1\n%s", row->line);
	schema = schema_of("s", text);
	ck_assert_uint_eq(uev_schema_field_count(schema), 1);
	check_field(schema, 0, &row->field);
	uev_schema_free(schema);
}

/* A user may have called fields like those of the kernel. */
TEST(fields_after_an_empty_line_are_not_common)
{
	struct uev_schema *schema =
		schema_of("s", "\nname: e\nID: 1\nformat:\n\n"
			       "field:u8 common_a;offset:0;size:1;\n"
			       "field:u8 common_b;offset:1;size:1;\n"
			       "\x20\x09\n"
			       "field:u8 common_c;offset:2;size:1;\n");
	struct uev_schema *other =
		schema_of("s", "name: e\nID: 1\n"
			       "field:u8 common_a;offset:0;size:1;\n"
			       "field:u8 b;offset:1;size:1;\n"
			       "field:u8 common_c;offset:2;size:1;\n");

	ck_assert(uev_schema_field(schema, 0)->is_common);
	ck_assert(uev_schema_field(schema, 1)->is_common);
	ck_assert(!uev_schema_field(schema, 2)->is_common);
	ck_assert(uev_schema_field(other, 0)->is_common);
	ck_assert(!uev_schema_field(other, 1)->is_common);
	ck_assert(!uev_schema_field(other, 2)->is_common);
	uev_schema_free(schema);
	uev_schema_free(other);
}

#define START "name: e\nID: 1\n"
#define AT_START (sizeof(START) - 1)

/* Texts that are no format files, and where that shows. */
static const struct refused_row {
	const char *text;
	size_t offset;
} refused[] = {
	{ "", 0 },
	{ "name: e\n", 8 },
	{ "ID: 1\n", 6 },
	{ "name:\nID: 1\n", 5 },
	{ "name: e\nname: f\nID: 1\n", 14 },
	{ START "ID: 2\n", AT_START + 3 },
	{ "name: e\nID:\t\n", 11 },
	{ "name: e\nID: x\n", 11 },
	{ "name: e\nID: -1\n", 11 },
	{ "name: e\nID: 4294967296\n", 11 },
	{ "name: e\nprint fmt: \"\"\nID: 1\n", 22 },
	{ START "field:\n", AT_START + 6 },
	{ START "field:u8;offset:0;size:1;\n", AT_START + 6 },
	{ START "field: ;offset:0;size:1;\n", AT_START + 6 },
	{ START "field:u8 *;offset:0;size:1;\n", AT_START + 6 },
	{ START "field:u8 [3];offset:0;size:3;\n", AT_START + 6 },
	{ START "field:u8 a];offset:0;size:3;\n", AT_START + 6 },
	{ START "field:u8] a;offset:0;size:3;\n", AT_START + 6 },
	{ START "field:];offset:0;size:3;\n", AT_START + 6 },
	{ START "field:u8 a;offset:0;\n", AT_START + 20 },
	{ START "field:u8 a;size:1;\n", AT_START + 18 },
	{ START "field:u8 a;\n", AT_START + 11 },
	{ START "field:u8 a;offset:;size:1;\n", AT_START + 11 },
	{ START "field:u8 a;offset:-1;size:1;\n", AT_START + 11 },
	{ START "field:u8 a;offset:4294967296;size:1;\n", AT_START + 11 },
	{ START "field:u8 a;offset:0;size:1x;\n", AT_START + 20 },
	{ START "field:u8 a;offset:0;size:1;signed:y;\n", AT_START + 27 },
};

TEST_LOOP(rejects_other_texts, COUNT(refused))
{
	const struct refused_row *row = &refused[_i];
	struct uev_schema *schema = (struct uev_schema *)1;
	size_t offset = 12345;
	int ret = uev_schema_parse(&schema, "s", row->text, strlen(row->text),
				   0, &offset);

	ck_assert_int_eq(ret, -EINVAL);
	ck_assert_ptr_null(schema);
	ck_assert_uint_eq(offset, row->offset);
	/* The offset can be NULL. */
	ck_assert_int_eq(uev_schema_parse(&schema, "s", row->text,
					  strlen(row->text), 0, NULL),
			 -EINVAL);
}

TEST(takes_the_format_of_a_source)
{
	struct uev_source source = { .format = NULL };
	struct uev_schema *schema = (struct uev_schema *)1;

	ck_assert_int_eq(uev_schema_of(&schema, &source, 0), -ENODATA);
	ck_assert_ptr_null(schema);
	source.format = START;
	source.format_size = AT_START;
	ck_assert_int_eq(uev_schema_of(&schema, &source, 0), 0);
	ck_assert_str_eq(uev_schema_system(schema), "");
	uev_schema_free(schema);
	source.system = "user_events";
	ck_assert_int_eq(uev_schema_of(&schema, &source, UEV_SCHEMA_SWAPPED),
			 0);
	ck_assert_str_eq(uev_schema_system(schema), "user_events");
	uev_schema_free(schema);
	ck_assert_int_eq(uev_schema_of(&schema, &source, 1U << 31), -EINVAL);
	ck_assert_ptr_null(schema);
	source.format_size = 1;
	ck_assert_int_eq(uev_schema_of(&schema, &source, 0), -EINVAL);
}

TEST(accepts_text_without_nul)
{
	static const char text[] = "name: e\nID: 1\nfor\0mat:\n";
	struct uev_schema *schema;
	size_t offset;

	ck_assert_int_eq(uev_schema_parse(&schema, "s", text, sizeof(text) - 1,
					  0, &offset),
			 -EINVAL);
	ck_assert_uint_eq(offset, AT_START + 3);
}

TEST(rejects_invalid_flags)
{
	static const unsigned int flags[] = {
		8, 1U << 31, UEV_SCHEMA_LONG32 | UEV_SCHEMA_LONG64
	};
	struct uev_schema *schema;
	size_t i, offset = 1;

	for (i = 0; i < COUNT(flags); i++) {
		ck_assert_int_eq(uev_schema_parse(&schema, "s", START, AT_START,
						  flags[i], &offset),
				 -EINVAL);
		ck_assert_uint_eq(offset, 0);
	}
	/* An impossible size. */
	ck_assert_int_eq(uev_schema_parse(&schema, "s", START, SIZE_MAX / 8, 0,
					  &offset),
			 -ENOMEM);
	uev_schema_free(NULL);
	schema = (struct uev_schema *)1;
	fake_alloc_fail(0);
	ck_assert_int_eq(uev_schema_parse(&schema, "s", START, AT_START, 0,
					  &offset),
			 -ENOMEM);
	ck_assert(fake_alloc_end());
	ck_assert_ptr_null(schema);
}

static const char *const formats[] = {
	FORMAT_SCHED_SWITCH,
	FORMAT_USER,
	FORMAT_PRINT,
	FORMAT_EVENTHEADER,
};

/* Nothing beyond the end of a truncated text is read. */
TEST_LOOP(accepts_truncation_anywhere, COUNT(formats))
{
	struct bytes whole = { (uint8_t *)(uintptr_t)formats[_i],
			       strlen(formats[_i]) };
	struct uev_schema *schema;
	size_t size, good = 0;
	struct bytes part;
	int ret;

	for (size = 1; size <= whole.size; size++) {
		part = bytes_cut(&whole, size);
		ret = uev_schema_parse(&schema, "s", (const char *)part.at,
				       size, 0, NULL);
		ck_assert(!ret || ret == -EINVAL);
		good += !ret;
		uev_schema_free(schema);
		bytes_free(&part);
	}
	/*
	 * At the end of a line, before its last number, or in the ignored rest.
	 */
	ck_assert_uint_gt(good, 10);
	ck_assert_int_eq(ret, 0);
}

/* ---- Names ---- */

static const struct name_row {
	const char *name;
	const char *provider;
	unsigned int level;
	uint64_t keyword;
	const char *options;
	const char *group;
} names[] = {
	{ "MyProvider_L3K2a", "MyProvider", 3, 0x2a, "", NULL },
	{ "Other_L5K0Gperf", "Other", 5, 0, "Gperf", "perf" },
	{ "A_B_L5Kff", "A_B", 5, 0xff, "", NULL },
	{ "a.b-c_LffKffffffffffffffff", "a.b-c", 255, UINT64_MAX, "", NULL },
	{ "P_L1K1G", "P", 1, 1, "G", "" },
	{ "P_L1K1Gc1Z", "P", 1, 1, "Gc1Z", "c1" },
	{ "P_L1K1XYZ", "P", 1, 1, "XYZ", NULL },
	{ "P_L05K00FF", "P", 5, 0xff, "", NULL },
	{ "P_LFFKFFFFFFFFFFFFFFFFGa", "P", 255, UINT64_MAX, "Ga", "a" },
	{ "P_LFK00", "P", 15, 0, "", NULL },
	{ "P_L1K1aBGc", "P", 1, 0x1ab, "Gc", "c" },
	{ "__L1K1", "_", 1, 1, "", NULL },
	/* .NET, for events of any level */
	{ "Runtime_L0K20", "Runtime", 0, 0x20, "", NULL },
	{ "P_L00K1", "P", 0, 1, "", NULL },
};

TEST_LOOP(parses_names, COUNT(names))
{
	const struct name_row *row = &names[_i];
	struct uev_eventheader_name parts;

	ck_assert_int_eq(uev_eventheader_name_parse(&parts, row->name), 0);
	ck_assert_uint_eq(parts.provider_size, strlen(row->provider));
	ck_assert_mem_eq(parts.provider, row->provider, parts.provider_size);
	ck_assert_uint_eq(parts.level, row->level);
	ck_assert_uint_eq(parts.keyword, row->keyword);
	ck_assert_uint_eq(parts.options_size, strlen(row->options));
	ck_assert_str_eq(parts.options, row->options);
	ck_assert(!parts.group == !row->group);
	if (row->group) {
		ck_assert_uint_eq(parts.group_size, strlen(row->group));
		ck_assert_mem_eq(parts.group, row->group, parts.group_size);
	}
}

static const char *const bad_names[] = {
	"",
	"P",
	"L1K1",
	"_L1K1",
	"P_",
	"P_K1",
	"P_L1",
	"P_LK1",
	"P_L1K",
	"P_L001K1",
	"P_L100K1",
	"P_LgK1",
	"P_L1K00000000000000001",
	"P_L1K1g",
	"P_L1K1_",
	"P_L1K1G_a",
	"P_L1K1Ga.b",
	"P_L1K1GaGb",
	"P_L1K1GaB",
	"P_L1K1@",
	"P_L1K1[",
	"P Q_L1K1",
	"P:Q_L1K1",
	"P_l1k1",
	"P_L1K1 ",
	"P_L1 K1",
	"P_L1k1",
	"P_K1L1",
	"P_L1K10000000000000000",
	"P_L1K1G\xc3\xa9",
};

TEST_LOOP(rejects_other_names, COUNT(bad_names))
{
	struct uev_eventheader_name parts;

	ck_assert_int_eq(uev_eventheader_name_parse(&parts, bad_names[_i]),
			 -EINVAL);
}

TEST(rejects_names_over_255_characters)
{
	struct uev_eventheader_name parts;
	char name[300];

	memset(name, 'p', sizeof(name));
	strcpy(name + 255 - strlen("_L1K1"), "_L1K1");
	ck_assert_int_eq(uev_eventheader_name_parse(&parts, name), 0);
	ck_assert_uint_eq(parts.provider_size, 250);
	memset(name, 'p', sizeof(name));
	strcpy(name + 256 - strlen("_L1K1"), "_L1K1");
	ck_assert_int_eq(uev_eventheader_name_parse(&parts, name), -EINVAL);
}
