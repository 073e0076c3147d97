// SPDX-License-Identifier: MIT
/* Lines of user-events about records, including malformed ones. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "ui/out.h"
#include "formats/record_text.h"
#include "lib/runner.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE 0
#else
#define LITTLE UEV_SCHEMA_SWAPPED
#endif

#define NUMBERS                                                       \
	"name: numbers\n"                                             \
	"ID: 7\n" COMMON_FIELDS                                       \
	"\tfield:u32 count;\toffset:8;\tsize:4;\tsigned:0;\n"         \
	"\tfield:char text[12];\toffset:12;\tsize:12;\tsigned:0;\n"   \
	"\tfield:u8 list[2];\toffset:24;\tsize:2;\tsigned:0;\n"       \
	"\tfield:struct pair pair;\toffset:26;\tsize:2;\tsigned:0;\n" \
	"\n"

/* A record of one of these, with a text that a terminal would obey. */
#define NUMBERS_RECORD \
	COMMON_BYTES "05 00 00 00 'a \"b' 1b '[' 7f c2 9b 00 00 00 02 03 0a 0b"

#define HEADER COMMON_BYTES "07 03 0a 00 34 12 01 05 "
#define ACTIVITY "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af "

static struct uev_source source = { .system = "user_events", .name = "e" };
static struct record_text text;
static struct uev_sample sample;
static size_t limit;

static void set_up(void)
{
	memset(&text, 0, sizeof(text));
	limit = 0;
	sample = (struct uev_sample){
		.source = &source,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID,
		.time = UINT64_C(6841232007),
		.cpu = 1,
		.pid = 171,
		.tid = 171,
	};
}

TEST_FIXTURE(set_up, NULL);

/* Return: as record_text_append(); with @limit, only the fields */
static int check_line(const char *format, const char *text_of_bytes,
		      const char *comm, const char *wanted)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output line = UEV_OUTPUT_INIT;
	struct bytes bytes = bytes_of(text_of_bytes);
	struct uev_schema *schema = NULL;
	struct format_record record;
	int ret;

	if (format)
		ck_assert(!uev_schema_parse(&schema, "user_events", format,
					    strlen(format), LITTLE, NULL));
	sample.raw = bytes.at;
	sample.raw_size = (uint32_t)bytes.size;
	record = (struct format_record){
		.sample = &sample,
		.schema = schema,
		.comm = comm,
	};
	ret = limit ? record_text_fields(&line, decoder, &record, limit)
		    : record_text_append(&text, &line, decoder, &record);
	ck_assert_str_eq(line.text, wanted);
	ck_assert_uint_eq(strlen(line.text), line.size);
	uev_output_release(&line);
	uev_schema_free(schema);
	uev_decoder_free(decoder);
	bytes_free(&bytes);

	return ret;
}

TEST(plain)
{
	ck_assert(!check_line(NUMBERS, NUMBERS_RECORD, "walk",
			      "6.841232007 [001] walk/171 user_events:e "
			      "count=5 text=\"a \\\"b\\u001b[\\u007f\\u009b\" "
			      "list=[2 3] pair=\"0a 0b\""));
}

/*
 * Unknown members are left out, and the thread is shown if it differs from the
 * process.
 */
TEST(known_members)
{
	sample.tid = 172;
	ck_assert(!check_line(NULL, "01 ff", NULL,
			      "6.841232007 [001] 171/172 user_events:e "
			      "raw=\"01 ff\""));
	sample.flags = 0;
	ck_assert(!check_line(NULL, "", "walk", "user_events:e raw=\"\""));
	source.system = NULL;
	ck_assert(!check_line(NULL, "", "walk", "e raw=\"\""));
	source.system = "user_events";
}

TEST(wall_clock)
{
	struct uev_clock clock = {
		.wall = UINT64_C(1709208000) * 1000000000,
		.clock = UINT64_C(841232000),
	};

	text.time.clock = &clock;
	ck_assert(!check_line(NULL, "01", NULL,
			      "2024-02-29T12:00:06.000000007Z [001] 171 "
			      "user_events:e raw=\"01\""));
}

TEST(eventheader)
{
	ck_assert(!check_line(FORMAT_EVENTHEADER,
			      HEADER "10 00 02 80" ACTIVITY
				     "[ 'E;x=y' 00 's;a=b' 00 c1 01 'a' 00 82 "
				     "82 01 00 'b' 00 07 'c' 00 42 ] "
				     "02 00 01 02 'x' 00 00 00",
			      "walk",
			      "6.841232007 [001] walk/171 Prov:E "
			      "s=[{a=1} {a=2}] b=\"x\" c=[] "
			      "{level=verbose keyword=0x1 opcode=start id=10 "
			      "version=3 tag=0x1234 activity="
			      "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf}"));
}

/* Numbers without a name, and no zeros. */
TEST(eventheader_without_much)
{
	ck_assert(!check_line("name: Prov_L9K0\nID: 3\n" COMMON_FIELDS
			      "\tfield:u8 eventheader_flags;\toffset:8;"
			      "\tsize:1;\tsigned:0;\n\n",
			      COMMON_BYTES "07 00 00 00 00 00 1e 09 [ 'E' 00 ]",
			      NULL,
			      "6.841232007 [001] 171 Prov:E "
			      "{level=9 opcode=30}"));
}

/* Control characters of names do as little harm as those of texts. */
TEST(names)
{
	ck_assert(!check_line(FORMAT_EVENTHEADER,
			      COMMON_BYTES "07 00 00 00 00 00 00 05 "
					   "[ 'E' 0a 00 'f' 1b ff 00 02 ] 01",
			      "a\nb",
			      "6.841232007 [001] a\\nb/171 Prov:E\\n "
			      "f\\x1b\xc3\xbf=1 {level=verbose keyword=0x1}"));
}

TEST(malformed)
{
	ck_assert_int_eq(check_line(FORMAT_EVENTHEADER,
				    COMMON_BYTES "07 00 00 00 00 00 00 05 "
						 "[ 'E' 00 'a' 00 02 'b' 00 "
						 "05 ] 01 02",
				    NULL,
				    "6.841232007 [001] 171 Prov:E a=1 "
				    "<truncated value> {level=verbose "
				    "keyword=0x1}"),
			 -EBADMSG);
	ck_assert_int_eq(check_line(FORMAT_EVENTHEADER, COMMON_BYTES, NULL,
				    "6.841232007 [001] 171 user_events:e "
				    "<truncated header>"),
			 -EBADMSG);
}

/* A record may say the same very often. */
TEST(limit)
{
	limit = 8;
	ck_assert_int_eq(check_line(NUMBERS, NUMBERS_RECORD, NULL,
				    "count=5 text=\"a "
				    "\\\"b\\u001b[\\u007f\\u009b\" "
				    "<too long>"),
			 -E2BIG);
}

TEST(colors)
{
	out_set_color(OUT_COLOR_ALWAYS);
	ck_assert(!check_line(NULL, "01", NULL,
			      "6.841232007 [001] 171 user_events:e "
			      "raw=\"01\""));
	text.has_color = true;
	ck_assert(!check_line(NULL, "01", NULL,
			      "\033[2m6.841232007\033[0m [001] 171 "
			      "\033[1muser_events:e\033[0m "
			      "\033[36mraw\033[0m=\"01\""));
	out_set_color(OUT_COLOR_AUTO);
}
