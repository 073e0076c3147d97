// SPDX-License-Identifier: MIT
/* Counters of the kernel: its texts, and files of tracefs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/counters.h"
#include "files.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define LINE(name, keys, vals)                            \
	"hist:name=user_events_count." name ":keys=" keys \
	":vals=hitcount" vals ":sort=hitcount:size=2048"
#define ACTIVE " [active]"

static struct hist hist;
static struct hist_values values;

static void teardown(void)
{
	hist_release(&hist);
	hist_values_release(&values);
}

TEST_FIXTURE(NULL, teardown);

/* ---- Triggers ---- */

TEST(parses_trigger)
{
	ck_assert(hist_parse(&hist,
			     LINE("a.b-C_1", "path,common_pid",
				  ",bytes,size") " if a == \"[b]\"" ACTIVE));
	ck_assert_str_eq(hist.name, "a.b-C_1");
	ck_assert_uint_eq(hist.key_count, 2);
	ck_assert_str_eq(hist.keys[0].name, "path");
	ck_assert_str_eq(hist_key_name(&hist.keys[0]), "path");
	ck_assert_str_eq(hist_key_name(&hist.keys[1]), "tid");
	ck_assert_uint_eq(hist.sum_count, 2);
	ck_assert_str_eq(hist.sums[1].name, "size");
	ck_assert_uint_eq(hist.entries, 2048);
	ck_assert_str_eq(hist.filter, "a == \"[b]\"");
}

TEST(parses_base)
{
	ck_assert(hist_parse(&hist, LINE("a.b+12", "a", "") ACTIVE));
	ck_assert_str_eq(hist.name, "a.b");
	ck_assert_uint_eq(hist.base, 12);
}

static const struct {
	const char *trigger;
	const char *without;
} bases[] = {
	{ LINE("a.b+12", "a", ""), LINE("a.b", "a", "") },
	{ LINE("a", "a", "") " if a == \"b+12\"",
	  LINE("a", "a", "") " if a == \"b+12\"" },
	{ "hist:name=mine+12:keys=a", "hist:name=mine+12:keys=a" },
};

TEST_LOOP(drops_base, ARRAY_SIZE(bases))
{
	_cleanup_free_ char *trigger = tool_copy(bases[_i].trigger);

	hist_drop_base(trigger);
	ck_assert_str_eq(trigger, bases[_i].without);
}

static const char *const others[] = {
	"traceon:unlimited",
	"hist:keys=a:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:name=mine:keys=a:vals=hitcount:sort=hitcount:size=2048 [active]",
	LINE("", "a", "") ACTIVE,
	LINE("a+", "a", "") ACTIVE,
	LINE("a+b", "a", "") ACTIVE,
	LINE("a", "", "") ACTIVE,
	LINE("a", "a,b,c,d", "") ACTIVE,
	LINE("a", "a", ",b,c,d") ACTIVE,
	LINE("a", "a.hex", "") ACTIVE,
	LINE("a", "stacktrace:b=c", "") ACTIVE,
	LINE("a", "a", ""),
	LINE("a", "a", "") ":clock=global" ACTIVE,
	LINE("a", "a", "") " [other!]",
	("hist:name=user_events_count.a:keys=a:vals=hitcount:sort=a:size=1 "
	 "[active]"),
};

TEST_LOOP(ignores_other_triggers, ARRAY_SIZE(others))
{
	ck_assert(!hist_parse(&hist, others[_i]));
}

/* ---- The file hist ---- */

#define HEADER "# event histogram\n#\n# trigger info: "
#define TOTALS(entries, dropped)                        \
	"\nTotals:\n    Hits: 9\n    Entries: " entries \
	"\n    Dropped: " dropped "\n"
#define OTHER                                                                 \
	HEADER "hist:keys=a:vals=hitcount:sort=hitcount:size=2048 [active]\n" \
	       "#\n\n{ a:          1 } hitcount:          9\n" TOTALS("1",    \
								      "0")

/* Texts fill a column of 50 bytes. */
#define BLANK10 "          "
#define BLANK49 BLANK10 BLANK10 BLANK10 BLANK10 "         "

static const struct hist_field text = { .is_text = true };
static const struct hist_field s32 = { .is_signed = true, .size = 4 };
static const struct hist_field u16 = { .size = 2 };

static void set_type(struct hist_field *field, const struct hist_field *type)
{
	char *name = field->name;

	*field = *type;
	field->name = name;
}

/* Parses a trigger with a text, a number, and a sum. */
static void parse_mixed(void)
{
	ck_assert(hist_parse(&hist, LINE("m", "path,status", ",bytes") ACTIVE));
	set_type(&hist.keys[0], &text);
	set_type(&hist.keys[1], &s32);
	set_type(&hist.sums[0], &s32);
}

#define MIXED HEADER LINE("m", "path,status", ",bytes") ACTIVE "\n#\n\n"

static int read_text(size_t triggers, const char *content)
{
	hist_values_release(&values);

	return hist_read(&values, &hist, triggers, content);
}

TEST(reads_entries)
{
	parse_mixed();
	ck_assert_int_eq(
		read_text(2, MIXED
			  "{ path: b" BLANK49 ", status:          5 } "
			  "hitcount:          1  bytes:          7\n"
			  "{ path: a" BLANK49 ", status: 18446744073709551609 "
			  "} hitcount: 12345678901  bytes: "
			  "18446744073709551615\n" TOTALS("2",
							  "3") "\n\n" OTHER),
		0);
	ck_assert_uint_eq(values.count, 2);
	ck_assert_str_eq(values.entries[0].keys[0], "a");
	ck_assert_str_eq(values.entries[0].keys[1], "-7");
	ck_assert_uint_eq(values.entries[0].count, UINT64_C(12345678901));
	ck_assert_int_eq((int64_t)values.entries[0].sums[0], -1);
	ck_assert_str_eq(values.entries[1].keys[0], "b");
	ck_assert_uint_eq(values.lost, 3);
}

TEST(reads_empty_counter_behind_another)
{
	parse_mixed();
	ck_assert_int_eq(read_text(2, OTHER "\n\n" MIXED TOTALS("0", "0")), 0);
	ck_assert_uint_eq(values.count, 0);
}

#define NUMBERS "} hitcount:          1  bytes:          7\n"
#define REST BLANK49 ", status:          5 " NUMBERS

static void is_text_of(const char *wanted, const char *content)
{
	ck_assert_int_eq(read_text(1, content), 0);
	ck_assert_uint_eq(values.count, 1);
	ck_assert_str_eq(values.entries[0].keys[0], wanted);
	ck_assert_str_eq(values.entries[0].keys[1], "5");
}

/* The kernel does not quote. */
TEST(reads_texts_like_entries)
{
	parse_mixed();
	is_text_of("a, status: b",
		   MIXED "{ path: a, status: b" REST TOTALS("1", "0"));
	is_text_of("{ } a\nb", MIXED "{ path: { } a\nb" REST TOTALS("1", "0"));
	is_text_of("\nTotals:\n    Hits: 1\n", MIXED
		   "{ path: \nTotals:\n    Hits: 1\n" REST TOTALS("1", "0"));
	is_text_of("} hitcount:          1\n{ path: a", MIXED
		   "{ path: } hitcount:          1\n{ path: a" REST TOTALS(
			   "1", "0"));
	is_text_of("", MIXED "{ path:  " REST TOTALS("1", "0"));
}

/* Each number of spaces at the end is a key of its own for the kernel. */
TEST(adds_up_equal_texts)
{
	parse_mixed();
	ck_assert_int_eq(read_text(1, MIXED "{ path: a" REST
					    "{ path: a" REST TOTALS("2", "0")),
			 0);
	ck_assert_uint_eq(values.count, 1);
	ck_assert_uint_eq(values.entries[0].count, 2);
	ck_assert_uint_eq(values.entries[0].sums[0], 14);
}

#define ENTRY "{ path: a" REST

static const char *const malformed[] = {
	"",
	OTHER,
	/* another number of triggers */
	MIXED ENTRY TOTALS("1", "0") "\n\n" OTHER,
	MIXED ENTRY TOTALS("2", "0"),
	MIXED ENTRY,
	MIXED ENTRY TOTALS("1", "0") "\n",
	MIXED ENTRY TOTALS("1", "-1"),
	MIXED ENTRY TOTALS("1", "18446744073709551616"),
	/* twice */
	MIXED ENTRY TOTALS("1", "0") "\n\n" MIXED ENTRY TOTALS("1", "0"),
	/* two entries in the text of one */
	MIXED "{ path: a" REST "{ path: a" REST TOTALS("1", "0"),
	/* columns that are too narrow, and a number that is too large */
	MIXED "{ path: a, status:          5 " NUMBERS TOTALS("1", "0"),
	MIXED "{ path: a" BLANK49 ", status: 5 " NUMBERS TOTALS("1", "0"),
	MIXED "{ path: a" BLANK49
	      ", status:          5} hitcount: 1\n" TOTALS("1", "0"),
	MIXED "{ path: a" BLANK49
	      ", state:          5 " NUMBERS TOTALS("1", "0"),
	/* two ways to read the keys */
	MIXED "{ path: a" BLANK49
	      ", status:          5, status:          5 " NUMBERS TOTALS(
		      "1", "0") "x",
};

TEST_LOOP(rejects_malformed_texts, ARRAY_SIZE(malformed))
{
	parse_mixed();
	ck_assert_int_eq(read_text(1, malformed[_i]), -EBADMSG);
	ck_assert_uint_eq(values.count, 0);
}

/* Which of the two is the text? */
TEST(rejects_keys_with_two_meanings)
{
	ck_assert(hist_parse(&hist, LINE("m", "a,b", "") ACTIVE));
	set_type(&hist.keys[0], &text);
	set_type(&hist.keys[1], &text);
	ck_assert_int_eq(
		read_text(1, HEADER LINE("m", "a,b", "") ACTIVE
			  "\n#\n\n{ a: 1" BLANK49 ", b: 2" BLANK49
			  ", b: 3" BLANK49
			  " } hitcount:          1\n" TOTALS("1", "0")),
		-EBADMSG);
}

TEST(rejects_numbers_that_do_not_fit)
{
	ck_assert(hist_parse(&hist, LINE("m", "a", "") ACTIVE));
	set_type(&hist.keys[0], &u16);
	ck_assert_int_eq(read_text(1, HEADER LINE("m", "a", "") ACTIVE
				   "\n#\n\n{ a:      65535 } hitcount:         "
				   " 1\n" TOTALS("1", "0")),
			 0);
	ck_assert_int_eq(read_text(1, HEADER LINE("m", "a", "") ACTIVE
				   "\n#\n\n{ a:      65536 } hitcount:         "
				   " 1\n" TOTALS("1", "0")),
			 -EBADMSG);
}

/* ---- tracefs ---- */

#define EVENT "/events/user_events/request"
#define FORMAT                                                             \
	"name: request\nID: 1500\nformat:\n"                               \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:" \
	"0;\n"                                                             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"       \
	"\tfield:s32 status;\toffset:8;\tsize:4;\tsigned:1;\n"             \
	"\tfield:__rel_loc char[] path;\toffset:12;\tsize:4;\tsigned:1;\n" \
	"\tfield:u64 bytes;\toffset:16;\tsize:8;\tsigned:0;\n"             \
	"\tfield:char name[20];\toffset:24;\tsize:20;\tsigned:1;\n"        \
	"\tfield:u8 raw[20];\toffset:44;\tsize:20;\tsigned:0;\n"           \
	"\tfield:u32 hitcount;\toffset:64;\tsize:4;\tsigned:0;\n"          \
	"\tfield:char long_name[200];\toffset:68;\tsize:200;\tsigned:1;\n" \
	"\tfield:struct my s;\toffset:268;\tsize:4;\tsigned:0;\n"          \
	"\nprint fmt: \"\"\n"

static struct counter_request request;
static char *reason;

static void make_tree(void)
{
	file_tree_begin();
	file_tree_file("/user_events_data", "");
	file_tree_file("/events/header_page",
		       "\tfield: local_t commit;\toffset:8;\tsize:8;\t"
		       "signed:1;\n");
	file_tree_file(EVENT "/format", FORMAT);
	file_tree_file(EVENT "/trigger", "# Available triggers:\n");
	file_tree_file(EVENT "/hist", "");
	request = (struct counter_request){
		.name = "one",
		.system = "user_events",
		.event = "request",
		.keys = { .names = { "status" }, .count = 1 },
	};
	reason = NULL;
}

static void remove_tree(void)
{
	free(reason);
	teardown();
	file_tree_end();
}

TEST_FIXTURE(make_tree, remove_tree);

static int start(void)
{
	free(reason);

	return counter_start(file_tree_root(), &request, &reason);
}

static void triggers_are(const char *wanted)
{
	char *path = tool_print("%s" EVENT "/trigger", file_tree_root()), *got;

	ck_assert_int_eq(files_read(path, &got, NULL), 0);
	ck_assert_str_eq(got, wanted);
	free(got);
	free(path);
}

TEST(writes_trigger)
{
	request.keys.names[1] = "cpu";
	request.keys.count = 2;
	request.sums.names[0] = "bytes";
	request.sums.count = 1;
	request.filter = "status > 3";
	request.entries = 500;
	ck_assert_int_eq(start(), 0);
	triggers_are("# Available triggers:\n"
		     "hist:keys=status,common_cpu:vals=hitcount,bytes:size=500:"
		     "name=user_events_count.one if status > 3");
}

TEST(writes_base)
{
	request.base = 12;
	ck_assert_int_eq(start(), 0);
	triggers_are(
		"# Available triggers:\n"
		"hist:keys=status:vals=hitcount:name=user_events_count.one+12");
}

/* A trigger that does not exist is deleted only if it could exist. */
TEST(asks_whether_text_is_known)
{
	request.keys.names[0] = "path";
	ck_assert_int_eq(start(), 0);
	triggers_are("# Available triggers:\n"
		     "!hist:keys=path:name=user_events_count. if path ~ \"*\""
		     "hist:keys=path:vals=hitcount:name=user_events_count.one");
}

static const struct refusal {
	const char *key;
	const char *sum;
	const char *reason;
} refusals[] = {
	{ "x", NULL,
	  "x: no such field; fields: status, path, bytes, name, raw, "
	  "hitcount, long_name, s" },
	{ "common_pid", NULL, "common_pid: no such field" },
	{ "s", NULL, "s: neither a number nor a text" },
	{ "raw", NULL, "raw: neither a number nor a text" },
	{ "hitcount", NULL, "hitcount: the kernel accepts no such name" },
	{ "status", "path", "path: not a number" },
	{ "status", "raw", "raw: not a number" },
	{ "status", "hitcount", "hitcount: the kernel does not add up" },
	{ "status", "tid", "tid: no such field" },
};

TEST_LOOP(refuses_fields, ARRAY_SIZE(refusals))
{
	const struct refusal *refusal = &refusals[_i];

	request.keys.names[0] = refusal->key;
	request.sums.names[0] = refusal->sum;
	request.sums.count = refusal->sum ? 1 : 0;
	ck_assert_int_eq(start(), -EINVAL);
	ck_assert_ptr_nonnull(reason);
	ck_assert_int_eq(
		strncmp(reason, refusal->reason, strlen(refusal->reason)), 0);
	triggers_are("# Available triggers:\n");
}

TEST(refuses_large_keys)
{
	request.keys.names[0] = "path";
	request.keys.names[1] = "name";
	request.keys.count = 2;
	ck_assert_int_eq(start(), 0);
	request.name = "two";
	request.keys.names[1] = "long_name";
	ck_assert_int_eq(start(), -EINVAL);
	ck_assert_str_eq(reason, "keys: too large: 456 bytes, at most 384");
}

/* A 32-bit kernel converts each value to an unsigned long. */
TEST(refuses_what_short_longs_do_not_hold)
{
	file_tree_file("/events/header_page",
		       "\tfield: local_t commit;\toffset:8;\tsize:4;\t"
		       "signed:1;\n");
	request.sums.names[0] = "bytes";
	request.sums.count = 1;
	ck_assert_int_eq(start(), -EINVAL);
	ck_assert_str_eq(reason,
			 "bytes: this kernel counts only 32 bits of it");
	request.sums.names[0] = "status";
	ck_assert_int_eq(start(), -EINVAL);
	request.sums.count = 0;
	ck_assert_int_eq(start(), 0);
}

TEST(tells_missing_things_apart)
{
	request.event = "other";
	ck_assert_int_eq(start(), -ENOENT);
	request.event = "request";
	file_tree_file(EVENT "/trigger", LINE("one", "status", "") ACTIVE "\n");
	ck_assert_int_eq(start(), -EEXIST);
	file_tree_remove(EVENT "/hist");
	ck_assert_int_eq(start(), -EOPNOTSUPP);
}

TEST(finds_reads_and_does_not_stop_others)
{
	struct counters counters;

	file_tree_file(EVENT "/trigger",
		       "hist:keys=a:vals=hitcount:sort=hitcount:size=2048 "
		       "[active]\n" LINE("two", "status", "") ACTIVE
		       "\n" LINE("one", "common_pid", "") ACTIVE "\n");
	file_tree_file(
		EVENT "/hist",
		OTHER "\n\n" HEADER LINE("two", "status", "") ACTIVE
		"\n#\n\n" TOTALS("0", "0") "\n\n" HEADER LINE(
			"one", "common_pid", "") ACTIVE
		"\n#\n\n{ common_pid:         42 } hitcount:          3\n" TOTALS(
			"1", "0"));
	ck_assert_int_eq(counters_find(&counters, file_tree_root(), NULL), 0);
	ck_assert_uint_eq(counters.count, 2);
	ck_assert_str_eq(counters.counters[0].hist.name, "one");
	ck_assert_int_eq(counter_read(file_tree_root(), &counters.counters[0],
				      &values),
			 0);
	ck_assert_str_eq(values.entries[0].keys[0], "42");
	/* The files here delete nothing. */
	ck_assert_int_eq(counter_stop(file_tree_root(), &counters.counters[0]),
			 -EBUSY);
	file_tree_file(EVENT "/trigger", "");
	ck_assert_int_eq(counter_stop(file_tree_root(), &counters.counters[0]),
			 0);
	triggers_are("!" LINE("one", "common_pid", ""));
	hist_values_release(&values);
	ck_assert_int_eq(counter_read(file_tree_root(), &counters.counters[0],
				      &values),
			 -ENOENT);
	file_tree_remove(EVENT);
	ck_assert_int_eq(counter_stop(file_tree_root(), &counters.counters[0]),
			 -ENOENT);
	counters_free(&counters);
}
