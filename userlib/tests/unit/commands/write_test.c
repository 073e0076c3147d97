// SPDX-License-Identifier: MIT
/* user-events write, with the fake kernel. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "lib/fake_sys.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "ui/options.h"
#include "tool.h"

#define ARGUMENTS_MAX 16

/* Runs the command with the words of a text, and returns its exit status. */
static int write_words(const char *text)
{
	char *copy = tool_copy(text), *rest = copy;
	char *arguments[ARGUMENTS_MAX] = { "write" };
	int count = 1, status;

	while ((arguments[count] = strsep(&rest, "|")))
		count++;
	/* Also resets the position in a group of letters. */
	optind = 0;
	status = command_write.run(count, arguments);
	free(copy);

	return status;
}

/* The kernel enables events whose names it does not know yet. */
static void setup(void)
{
	file_tree_begin();
	fake_reset(FAKE_BOTH);
	fake_enable_new();
}

static void teardown(void)
{
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

TEST(plain)
{
	ck_assert_int_eq(write_words("door u32 number; char[4] color|"
				     "color=red|number=5"),
			 TOOL_OK);
	ck_assert_str_eq(fake_record()->name, "door");
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(fake_record()->size, 8);
	ck_assert_mem_eq(fake_record()->payload + 4, "red", 4);
	/* Nothing is left. */
	ck_assert_uint_eq(fake_enablers(), 0);
}

/* The value has everything after the first "=". */
TEST(value_with_equals_sign)
{
	ck_assert_int_eq(write_words("door char[8] text|text=a=b"), TOOL_OK);
	ck_assert_mem_eq(fake_record()->payload, "a=b", 4);
}

/* Returns the JSON of the last record of EventHeader, for free(). */
static char *json(void)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	const struct fake_record *record = fake_record();
	struct uev_output output = UEV_OUTPUT_INIT;
	struct uev_decoder *decoder;

	ck_assert_int_eq(uev_decoder_new(&decoder), 0);
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, record->name,
						       record->payload,
						       record->size),
			 0);
	options.flags = UEV_JSON_COMPACT;
	ck_assert_int_eq(
		uev_decoder_append_json(decoder, &options, NULL, &output), 0);
	uev_decoder_free(decoder);

	return output.text;
}

static const struct {
	const char *words;
	const char *json;
} headers[] = {
	{ "Shop:Sale",
	  "{\"n\":\"Shop:Sale\",\"meta\":{\"level\":4,\"keyword\":\"0x1\"}}" },
	{ "--level|warning|--keyword|0x1f|Shop:Sale|path=/a b",
	  "{\"n\":\"Shop:Sale\",\"path\":\"/a b\",\"meta\":{\"level\":3,"
	  "\"keyword\":\"0x1F\"}}" },
	{ "-l|9|--keyword|0|Shop:Sale|a:u8=255|b:i8=-128|c:hex16=255|d:f64=0.5|"
	  "e:bool=true|f:u16[]=1,2|g:bytes=0aff|h:text=|i:f32=1.5",
	  "{\"n\":\"Shop:Sale\",\"a\":255,\"b\":-128,\"c\":\"0xFF\",\"d\":0.5,"
	  "\"e\":true,\"f\":[1,2],\"g\":\"0A FF\",\"h\":\"\",\"i\":1.5,"
	  "\"meta\":{\"level\":9}}" },
	{ "Shop:Sale|a:errno=2|b:pid=7|c:time=0|d:port=80|e:u64[]=|"
	  "f:uuid=00112233-4455-6677-8899-aabbccddeeff",
	  "{\"n\":\"Shop:Sale\",\"a\":\"ENOENT(2)\",\"b\":7,"
	  "\"c\":\"1970-01-01T00:00:00\",\"d\":80,\"e\":[],"
	  "\"f\":\"00112233-4455-6677-8899-AABBCCDDEEFF\","
	  "\"meta\":{\"level\":4,\"keyword\":\"0x1\"}}" },
	{ "--opcode|77|Shop:Sale|a:port=65535",
	  "{\"n\":\"Shop:Sale\",\"a\":65535,\"meta\":{\"level\":4,"
	  "\"keyword\":\"0x1\",\"opcode\":77}}" },
	{ "--opcode|stop|--activity|00112233-4455-6677-8899-aabbccddeeff|"
	  "Shop:Sale",
	  "{\"n\":\"Shop:Sale\",\"meta\":{\"level\":4,\"keyword\":\"0x1\","
	  "\"opcode\":2,"
	  "\"activity\":\"00112233-4455-6677-8899-AABBCCDDEEFF\"}}" },
};

TEST_LOOP(eventheader, ARRAY_SIZE(headers))
{
	char *text;

	ck_assert_int_eq(write_words(headers[_i].words), TOOL_OK);
	ck_assert_uint_eq(fake_records(), 1);
	text = json();
	ck_assert_int_eq(strcasecmp(text, headers[_i].json), 0);
	free(text);
	ck_assert_uint_eq(fake_enablers(), 0);
}

static const char *const invalid[] = {
	"",
	"door u32 number|number",
	"door u32 number|number=x",
	"door u32 number|number=1|number=1",
	"door u32 number|other=1",
	"door u65 number|number=1",
	"door:uid=1 u32 number|number=1",
	"--level|4|door u32 number|number=1",
	"--level|0|Shop:Sale",
	"--level|256|Shop:Sale",
	"--keyword|x|Shop:Sale",
	"--opcode|x|Shop:Sale",
	"--activity|00112233-4455-6677-8899-aabbccddeef|Shop:Sale",
	"--activity|00112233-4455-6677-8899-aabbccddeeff0|Shop:Sale",
	"Sh op:Sale u8 a|b=1",
	"S-p:Sale",
	"Shop:",
	"Shop:Sale|a:u8=256",
	"Shop:Sale|a:u8=-1",
	"Shop:Sale|a:u8[]=1,256",
	"Shop:Sale|a:u8[]=1,,2",
	"Shop:Sale|a:u8[]=1,",
	"Shop:Sale|a:u8[]=,",
	"Shop:Sale|a:text[]=a",
	"Shop:Sale|a:u7=1",
	"Shop:Sale|a:port=65536",
	"Shop:Sale|a:f64= 1",
	"Shop:Sale|a:f64=1x",
	"Shop:Sale|a:bool=2",
	"Shop:Sale|a:f64=",
	"Shop:Sale|a:bytes=0",
	"Shop:Sale|a",
};

TEST_LOOP(invalid_arguments, ARRAY_SIZE(invalid))
{
	ck_assert_int_eq(write_words(invalid[_i]), TOOL_USAGE);
	ck_assert_uint_eq(fake_records(), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
}

/* A program that nobody traces works. */
TEST(disabled)
{
	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(write_words("door u32 number|number=1"), TOOL_OK);
	ck_assert_int_eq(write_words("Shop:Sale"), TOOL_OK);
	ck_assert_uint_eq(fake_records(), 0);
	ck_assert_int_eq(write_words("--report|door u32 number|number=1"),
			 TOOL_INCOMPLETE);
	ck_assert_int_eq(write_words("--report|Shop:Sale"), TOOL_INCOMPLETE);
	ck_assert_int_eq(write_words("--report|door u32 number|number=x"),
			 TOOL_USAGE);
}

TEST(reports_what_was_taken)
{
	ck_assert_int_eq(write_words("--report|door u32 number"), TOOL_OK);
	ck_assert_int_eq(write_words("--report|Shop:Sale"), TOOL_OK);
	/* No buffer has room. */
	fake_fail(FAKE_WRITE, 0, 1, -ENOSPC);
	ck_assert_int_eq(write_words("--report|door u32 number"),
			 TOOL_INCOMPLETE);
	fake_fail(FAKE_WRITE, 0, 1, -ENOSPC);
	ck_assert_int_eq(write_words("door u32 number"), TOOL_OK);
}

TEST(no_user_events)
{
	fake_load(false);
	ck_assert_int_eq(write_words("door u32 number"), TOOL_FAILED);
	ck_assert_int_eq(write_words("Shop:Sale"), TOOL_FAILED);
}

TEST(other_fields)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(write_words("door u32 number"), TOOL_OK);
	ck_assert_int_eq(write_words("door u64 number"), TOOL_FAILED);
}

/* ---- Lines ---- */

static int write_file(const char *text, const char *words)
{
	char *command = tool_print("-r|%s/lines|%s", file_tree_root(), words);
	int status;

	file_tree_file("/lines", text);
	status = write_words(command);
	free(command);

	return status;
}

TEST(lines)
{
	ck_assert_int_eq(write_file("number=1 color=red\n"
				    "# a comment\n"
				    "  \t\n"
				    "\tnumber=2\tcolor=\"b \\\"\\\\\\n\\t\" \n"
				    "number=3",
				    "door u8 number; char[8] color"),
			 TOOL_OK);
	ck_assert_uint_eq(fake_records(), 3);
	ck_assert_mem_eq(fake_record()->payload, "\3\0\0\0\0\0\0\0\0", 9);
	ck_assert_int_eq(write_file("color=\"b \\\"\\\\\\n\\t\"",
				    "door u8 number; char[8] color|number=7"),
			 TOOL_OK);
	ck_assert_mem_eq(fake_record()->payload, "\7b \"\\\n\t\0\0", 9);
}

TEST(lines_of_eventheader)
{
	char *text;

	ck_assert_int_eq(write_file("size:u8=1\nsize:u8=2 name=\"a b\"\n",
				    "Shop:Sale|id=7"),
			 TOOL_OK);
	ck_assert_uint_eq(fake_records(), 2);
	text = json();
	ck_assert_ptr_nonnull(
		strstr(text, "\"id\":\"7\",\"size\":2,\"name\":\"a b\""));
	free(text);
}

static const char *const bad_lines[] = {
	"number",	"number=x",	      "number=1 number=1",
	"other=1",	"number=1 color=\"a", "=1",
	"number=1 red",
};

/* The others are written. */
TEST_LOOP(invalid_lines, ARRAY_SIZE(bad_lines))
{
	char *text = tool_print("number=1\n%s\nnumber=3\n", bad_lines[_i]);

	ck_assert_int_eq(write_file(text, "door u8 number; char[8] color"),
			 TOOL_INCOMPLETE);
	ck_assert_uint_eq(fake_records(), 2);
	ck_assert_uint_eq(fake_record()->payload[0], 3);
	free(text);
}

TEST(line_with_nul)
{
	char *words =
		tool_print("-r|%s/lines|door u8 number", file_tree_root());

	file_tree_bytes("/lines", "number=1\0\nnumber=2\n", 19);
	ck_assert_int_eq(write_words(words), TOOL_INCOMPLETE);
	ck_assert_uint_eq(fake_records(), 1);
	free(words);
}

TEST(no_file)
{
	ck_assert_int_eq(write_words("-r|/does/not/exist|door u8 number"),
			 TOOL_FAILED);
	ck_assert_uint_eq(fake_enablers(), 0);
}
