// SPDX-License-Identifier: MIT
/* Texts of trace_printk() in trace.dat. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/decode_fuzz.h"
#include "sink/formats.h"
#include "formats/trace_dat_printk.h"
#include "lib/dat_image.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "tool.h"

static struct image image;

/*
 * Bytes as the kernel stores arguments: numbers are aligned to their size, at
 * most to 4. @text: NULL if they are not those of the format
 */
static const struct {
	const char *format;
	const char *bytes;
	size_t size;
	const char *text;
} rows[] = {
	{ "none\n", "", 0, "none\n" },
	{ "%d %u %x", "\xff\xff\xff\xff\1\0\0\0\xab\0\0\0", 12, "-1 1 ab" },
	{ "%lld|%ld|%zu",
	  "\xfe\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0",
	  24, "-2|1|2" },
	{ "%qd|%jx", "\xfe\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\1\0\0\0", 16,
	  "-2|100000001" },
	{ "%hhd %hd %d", "\xff\0\xfe\xff\3\0\0\0", 8, "-1 -2 3" },
	{ "%s,%d,%s", "ab\0\0\7\0\0\0c\0", 10, "ab,7,c" },
	{ "%c%c %d", "xy\0\0\1\0\0\0", 8, "xy 1" },
	{ "[%5d] [%-5d] [%05d] [%+d]", "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0", 16,
	  "[    1] [2    ] [00003] [+4]" },
	{ "[%*d] [%.*s]", "\3\0\0\0\1\0\0\0\2\0\0\0abc", 16, "[  1] [ab]" },
	{ "[%*d]", "\xfd\xff\xff\xff\1\0\0\0", 8, "[1  ]" },
	{ "[%4s] [%-4s] [%.1s]", "a\0b\0cd", 7, "[   a] [b   ] [c]" },
	{ "%#x %X %o", "\377\0\0\0\xab\0\0\0\10\0\0\0", 12, "0xff AB 10" },
	{ "100%%", "", 0, "100%" },
	/* A function has its address, and others the kernel's text. */
	{ "%pS %p", "\x10\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0", 16, "0x10 0x20" },
	{ "%pI4 %d", "127.0.0.1\0\0\0\1\0\0\0", 16, "127.0.0.1 1" },
	/* Malformed arguments and formats. */
	{ "%d", "\1\0\0", 3, NULL },
	{ "%lld", "\1\0\0\0", 4, NULL },
	{ "%s", "abc", 3, NULL },
	{ "%s", "", 0, NULL },
	{ "%d %s", "\1\0\0\0", 4, NULL },
	{ "%", "", 0, NULL },
	{ "%5", "", 0, NULL },
	{ "%l", "", 0, NULL },
	{ "%n", "\1\0\0\0\1\0\0\0", 8, NULL },
	{ "%f", "\1\0\0\0\1\0\0\0", 8, NULL },
	{ "%.99999999999999999999d", "\1\0\0\0", 4,
	  "0000000000000000000000000000000000000000000000000000000000000000"
	  "0000000000000000000000000000000000000000000000000000000000000001" },
};

TEST_FIXTURE(fake_perf_begin, fake_perf_end);

TEST_LOOP(formats, sizeof(rows) / sizeof(*rows))
{
	struct uev_output output = UEV_OUTPUT_INIT;
	uint8_t *bytes = malloc(rows[_i].size);
	const struct dat_printk_kernel kernel = { .long_size = 8 };
	bool is_valid;

	memcpy(bytes, rows[_i].bytes, rows[_i].size);
	tool_need(uev_output_append(&output, "before ", 7));
	is_valid = dat_printk_format(&output, rows[_i].format, bytes,
				     rows[_i].size, &kernel);
	ck_assert_int_eq(is_valid, rows[_i].text != NULL);
	ck_assert_str_eq(output.text + 7, rows[_i].text ? rows[_i].text : "");
	uev_output_release(&output);
	free(bytes);
}

/* A long of 4 bytes, the other byte order, and Linux 6.14. */
TEST(formats_of_other_machines)
{
	const struct dat_printk_kernel other = { .long_size = 4, .big = true };
	const struct dat_printk_kernel newer = { .long_size = 8,
						 .has_ints = true };
	struct uev_output output = UEV_OUTPUT_INIT;

	ck_assert(dat_printk_format(&output, "%ld %llx %hd %p",
				    (const uint8_t *)"\xff\xff\xff\xfe"
						     "\0\0\0\1\0\0\0\2"
						     "\0\3\0\0\0\0\0\4",
				    20, &other));
	ck_assert_str_eq(output.text, "-2 100000002 3 0x4");
	output.size = 0;
	ck_assert(dat_printk_format(&output, "%hd %hhd %hhx %c",
				    (const uint8_t *)"\xfe\xff\xff\xff"
						     "\xfd\xff\xff\xff"
						     "\xfc\xff\xff\xff"
						     "x",
				    13, &newer));
	ck_assert_str_eq(output.text, "-2 -3 fc x");
	uev_output_release(&output);
}

TEST(finds_texts)
{
	struct dat_printk printk = { 0 };

	dat_printk_parse(&printk,
			 tool_copy("0xffffffff82000010 : \"b\"\n"
				   "0x10 : \"a \\\"quote\\\" \\n\\t\\z\\\"\n"
				   "\n"
				   "0x20\n"
				   "0x30 : \"\n"
				   "none : \"none\"\n"
				   "0x40 : \"\""));
	ck_assert_str_eq(dat_printk_find(&printk, 0xffffffff82000010), "b");
	ck_assert_str_eq(dat_printk_find(&printk, 0x10),
			 "a \"quote\" \n\t\\z\\");
	ck_assert_str_eq(dat_printk_find(&printk, 0x40), "");
	ck_assert_ptr_null(dat_printk_find(&printk, 0x20));
	ck_assert_ptr_null(dat_printk_find(&printk, 0x30));
	ck_assert_ptr_null(dat_printk_find(&printk, 0));
	dat_printk_release(&printk);
	ck_assert_ptr_null(dat_printk_find(&printk, 0x10));
}

/* ---- A file ---- */

static unsigned int long_size;

static void put_long(struct image *to, uint64_t value)
{
	if (long_size == 8)
		image_u64(to, value);
	else
		image_u32(to, (uint32_t)value);
}

static void begin_record(struct image *to, uint16_t id, size_t size,
			 uint64_t address)
{
	dat_image_word(to, (uint32_t)(8 + 2 * long_size + size) / 4, 100);
	image_u16(to, id);
	image_u16(to, 0);
	image_u32(to, 7);
	put_long(to, 0x1000);
	put_long(to, address);
}

static void records(struct image *to, unsigned int cpu)
{
	(void)cpu;
	dat_image_page(to, 1000);
	begin_record(to, DAT_IMAGE_BPUTS, 0, DAT_IMAGE_TEXT);
	begin_record(to, DAT_IMAGE_BPRINT, 16, DAT_IMAGE_FORMAT);
	image_u32(to, (uint32_t)-5);
	image_bytes(to, "abc", 4);
	image_u64(to, 12);
	/* A text that the file does not have, and missing arguments. */
	begin_record(to, DAT_IMAGE_BPUTS, 0, 0x77);
	begin_record(to, DAT_IMAGE_BPRINT, 4, DAT_IMAGE_FORMAT);
	image_u32(to, 6);
	dat_image_page_end(to, 0);
}

TEST_LOOP(decodes_trace_printk, 4)
{
	char path[96], *text;
	unsigned long found;
	size_t size;

	long_size = _i & 2 ? 4 : 8;
	dat_image_printk(&image, _i & 1, long_size, records);
	snprintf(path, sizeof(path), "%s/out", fake_perf.root);
	decode_fuzz_directory(fake_perf.root);
	ck_assert_uint_eq(decode_fuzz_to(&sink_text, image.bytes, image.size,
					 path, &found),
			  4);
	ck_assert_uint_eq(found, 0);
	text = decode_fuzz_read(path, &size);
	ck_assert_str_eq(
		text,
		"0.000001200 [000] seven/7 ftrace:bputs ip=0x1000 "
		"buf=\"a text\\n\"\n"
		"0.000001300 [000] seven/7 ftrace:bprint ip=0x1000 "
		"buf=\"-5 \\\"abc\\\"    12%\\n\"\n"
		"0.000001400 [000] seven/7 ftrace:bputs ip=0x1000 str=0x77\n"
		"0.000001500 [000] seven/7 ftrace:bprint ip=0x1000 "
		"fmt=0xC0201000 buf=[6]\n");
	free(text);
}

static void stack(struct image *to, unsigned int cpu)
{
	unsigned int i;

	(void)cpu;
	dat_image_page(to, 1000);
	dat_image_word(to, (16 + 3 * long_size) / 4, 100);
	image_u16(to, DAT_IMAGE_STACK);
	image_u16(to, 0);
	image_u32(to, 7);
	image_u32(to, 3);
	image_u32(to, 0);
	for (i = 1; i <= 3; i++)
		put_long(to, i);
	dat_image_page_end(to, 0);
}

/* More entries than the format has. */
TEST_LOOP(decodes_kernel_stacks, 4)
{
	char path[96], *text;
	unsigned long found;
	size_t size;

	long_size = _i & 2 ? 4 : 8;
	dat_image_printk(&image, _i & 1, long_size, stack);
	snprintf(path, sizeof(path), "%s/out", fake_perf.root);
	decode_fuzz_directory(fake_perf.root);
	ck_assert_uint_eq(decode_fuzz_to(&sink_text, image.bytes, image.size,
					 path, &found),
			  1);
	ck_assert_uint_eq(found, 0);
	text = decode_fuzz_read(path, &size);
	ck_assert_str_eq(text, "0.000001200 [000] seven/7 ftrace:kernel_stack "
			       "size=3 caller=[0x1 0x2 0x3]\n");
	free(text);
}
