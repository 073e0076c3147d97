// SPDX-License-Identifier: MIT
#include "dat_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode_formats.h"

#define MISSED (UINT64_C(1) << 31)
#define COUNTED (UINT64_C(1) << 30)

static const char format[] =
	"name: number\n"
	"ID: 77\n" COMMON_FIELDS
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"number=%u\", REC->number\n";

static const char comms[] = "7 seven\n8 eight and more\n";

size_t dat_image_table;

static unsigned int kernel_long;
static size_t page_begin;

static void text(struct image *image, const char *string)
{
	image_bytes(image, string, strlen(string) + 1);
}

static void sized(struct image *image, const char *string)
{
	image_u64(image, strlen(string));
	image_bytes(image, string, strlen(string));
}

static void begin(struct image *image, bool big, const char *version)
{
	image->size = 0;
	image->big = big;
	image_bytes(image, "\x17\x08\x44tracing", 10);
	text(image, version);
	image_u8(image, big);
	image_u8(image, 8);
	image_u32(image, DAT_IMAGE_PAGE);
}

static void headers(struct image *image)
{
	char page[256];

	text(image, "header_page");
	snprintf(page, sizeof(page),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n",
		 kernel_long);
	sized(image, page);
	text(image, "header_event");
	sized(image, "# compressed entry header\n");
}

static void formats(struct image *image)
{
	image_u32(image, 1);
	text(image, "user_events");
	image_u32(image, 1);
	sized(image, format);
}

void dat_image_page(struct image *image, uint64_t time)
{
	page_begin = image->size;
	image_u64(image, time);
	image_zeros(image, kernel_long);
}

void dat_image_page_end(struct image *image, uint64_t missed)
{
	uint64_t commit = image->size - page_begin - 8 - kernel_long;
	size_t end = image->size;

	commit |= missed ? MISSED | COUNTED : 0;
	image->size = page_begin + 8;
	if (kernel_long == 8)
		image_u64(image, commit);
	else
		image_u32(image, (uint32_t)commit);
	image->size = end;
	if (missed && kernel_long == 8)
		image_u64(image, missed);
	else if (missed)
		image_u32(image, (uint32_t)missed);
	if (image->size - page_begin > DAT_IMAGE_PAGE)
		abort();
	image_zeros(image, page_begin + DAT_IMAGE_PAGE - image->size);
}

void dat_image_word(struct image *image, uint32_t kind, uint32_t delta)
{
	image_u32(image, image->big ? kind << 27 | delta : delta << 5 | kind);
}

void dat_image_entry(struct image *image, uint32_t delta, uint32_t tid,
		     uint32_t number)
{
	dat_image_word(image, 3, delta);
	image_u16(image, DAT_IMAGE_ID);
	image_u16(image, 0);
	image_u32(image, tid);
	image_u32(image, number);
}

/*
 * Writes pages of processors from @cpu up to @end, and their positions into the
 * table at @at.
 */
static void data(struct image *image, size_t at, size_t step, unsigned int cpu,
		 unsigned int end,
		 void (*pages)(struct image *image, unsigned int cpu))
{
	size_t offset;

	for (; cpu < end; cpu++, at += step) {
		image_zeros(image, -image->size % DAT_IMAGE_PAGE);
		offset = image->size;
		pages(image, cpu);
		image_set64(image, at, offset);
		image_set64(image, at + 8, image->size - offset);
	}
}

/* Files with the events and texts of trace_printk(). */
static bool has_printk;

static const char printk[] = "0xffffffffc0203000 : \"unused\"\n"
			     "0xc0202000 : \"a text\\n\"\n"
			     "0xc0201000 : \"%hd \\\"%s\\\" %5.1llu%%\\n\"\n"
			     "no line\n";

#define PRINTK(name, id, type, field, more)                                    \
	"name: " name "\nID: " id "\nformat:\n"                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"           \
	"\tfield:unsigned long ip;\toffset:8;\tsize:%u;\tsigned:0;\n"          \
	"\tfield:" type " " field ";\toffset:%u;\tsize:%u;\tsigned:0;\n" more  \
	"\nprint fmt: \"%%ps: %%s\", (void *)REC->ip, REC->" field "\n"

/* The size of the array is that of its first part. */
#define STACK                                                                  \
	"name: kernel_stack\nID: 4\nformat:\n"                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"           \
	"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"                   \
	"\tfield:unsigned long caller[2];\toffset:16;\tsize:%u;\tsigned:0;\n"  \
	"\nprint fmt: \"\\t=> %%ps\\n\", (void *)REC->caller[0]\n"

static void printk_formats(struct image *image)
{
	unsigned int size = (unsigned int)kernel_long;
	char format[1024];

	image_u32(image, 3);
	snprintf(format, sizeof(format), STACK, 2 * size);
	sized(image, format);
	snprintf(format, sizeof(format),
		 PRINTK("bprint", "6", "const char *", "fmt",
			"\tfield:u32 buf[];\toffset:%u;\tsize:0;\tsigned:0;\n"),
		 size, 8 + size, size, 8 + 2 * size);
	sized(image, format);
	snprintf(format, sizeof(format),
		 PRINTK("bputs", "7", "const char *", "str", ""), size,
		 8 + size, size);
	sized(image, format);
}

/* All up to the options. */
static void begin6(struct image *image, bool big, unsigned int long_size,
		   unsigned int cpus)
{
	kernel_long = long_size;
	begin(image, big, "6");
	headers(image);
	/* None of ftrace itself. */
	if (!has_printk)
		image_u32(image, 0);
	else
		printk_formats(image);
	formats(image);
	/* No symbols, and the texts of printk. */
	image_u32(image, 0);
	image_u32(image, has_printk ? (uint32_t)strlen(printk) : 0);
	if (has_printk)
		image_bytes(image, printk, strlen(printk));
	sized(image, comms);
	image_u32(image, cpus);
	text(image, "options  ");
}

static void table(struct image *image, unsigned int cpus)
{
	text(image, "flyrecord");
	dat_image_table = image->size;
	image_zeros(image, (size_t)cpus * 16);
}

void dat_image_file(struct image *image, bool big, unsigned int long_size,
		    unsigned int cpus,
		    void (*pages)(struct image *image, unsigned int cpu))
{
	begin6(image, big, long_size, cpus);
	image_u16(image, 7);
	image_u32(image, 4);
	image_bytes(image, "100", 4);
	/* Since this version, %hd has four bytes. */
	if (has_printk) {
		image_u16(image, 5);
		image_u32(image, sizeof("Linux host 6.14.0 x86_64"));
		text(image, "Linux host 6.14.0 x86_64");
	}
	image_u16(image, 0);
	table(image, cpus);
	data(image, dat_image_table, 16, 0, cpus, pages);
}

void dat_image_dates(struct image *image, const char *microseconds,
		     const char *clock,
		     void (*pages)(struct image *image, unsigned int cpu))
{
	begin6(image, false, 8, 1);
	if (microseconds) {
		image_u16(image, 1);
		image_u32(image, (uint32_t)strlen(microseconds) + 1);
		text(image, microseconds);
	}
	image_u16(image, 4);
	image_u32(image, (uint32_t)strlen(clock) + 1);
	text(image, clock);
	image_u16(image, 0);
	table(image, 1);
	data(image, dat_image_table, 16, 0, 1, pages);
}

void dat_image_printk(struct image *image, bool big, unsigned int long_size,
		      void (*pages)(struct image *image, unsigned int cpu))
{
	has_printk = true;
	dat_image_file(image, big, long_size, 1, pages);
	has_printk = false;
}

void dat_image_instances(struct image *image, bool big, size_t places[2],
			 void (*pages)(struct image *image, unsigned int cpu))
{
	unsigned int i;

	begin6(image, big, 8, 1);
	for (i = 0; i < 2; i++) {
		image_u16(image, 3);
		image_u32(image, 8 + 2);
		places[i] = image->size;
		image_zeros(image, 8);
		text(image, i ? "b" : "a");
	}
	image_u16(image, 0);
	/* The top instance has no data. */
	table(image, 1);
	for (i = 0; i < 2; i++) {
		image_set64(image, places[i], image->size);
		table(image, 1);
		data(image, dat_image_table, 16, i, i + 1, pages);
	}
}

/* Return: start of the section. */
static size_t section(struct image *image, uint16_t id)
{
	size_t at = image->size;

	image_u16(image, id);
	image_zeros(image, 2 + 4 + 8);

	return at;
}

static void section_end(struct image *image, size_t at)
{
	image_set64(image, at + 8, image->size - at - 16);
}

static void place(struct image *image, uint16_t id, size_t offset)
{
	image_u16(image, id);
	image_u32(image, 8);
	image_u64(image, offset);
}

void dat_image_file7(struct image *image, bool big, unsigned int cpus,
		     void (*pages)(struct image *image, unsigned int cpu))
{
	size_t first, more, parts[3], size, buffer;
	unsigned int cpu;

	kernel_long = 8;
	begin(image, big, "7");
	text(image, "none");
	text(image, "");
	first = image->size;
	image_zeros(image, 8);

	parts[0] = section(image, 16);
	headers(image);
	section_end(image, parts[0]);
	parts[1] = section(image, 18);
	formats(image);
	section_end(image, parts[1]);
	parts[2] = section(image, 21);
	sized(image, comms);
	section_end(image, parts[2]);
	buffer = section(image, 3);
	section_end(image, buffer);

	image_set64(image, first, image->size);
	more = section(image, 0);
	place(image, 16, parts[0]);
	place(image, 18, parts[1]);
	place(image, 21, parts[2]);
	place(image, 0, 0);
	section_end(image, more);
	/* Others follow the first ones. */
	image_set64(image, image->size - 8, image->size);
	more = section(image, 0);
	size = 8 + 1 + sizeof("local") + 8 + (size_t)cpus * 20;
	image_u16(image, 3);
	image_u32(image, (uint32_t)size);
	image_u64(image, buffer);
	text(image, "");
	text(image, "local");
	image_u32(image, DAT_IMAGE_PAGE);
	image_u32(image, cpus);
	dat_image_table = image->size + 4;
	for (cpu = 0; cpu < cpus; cpu++) {
		image_u32(image, cpu);
		image_zeros(image, 16);
	}
	place(image, 0, 0);
	section_end(image, more);
	data(image, dat_image_table, 20, 0, cpus, pages);
}

void dat_image_repeated7(struct image *image, unsigned int times)
{
	size_t first, at, named;

	kernel_long = 8;
	begin(image, false, "7");
	text(image, "none");
	text(image, "");
	first = image->size;
	image_zeros(image, 8);
	named = section(image, 18);
	formats(image);
	section_end(image, named);

	image_set64(image, first, image->size);
	at = section(image, 0);
	while (times--)
		place(image, 18, named);
	place(image, 0, 0);
	section_end(image, at);
}
