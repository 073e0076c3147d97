// SPDX-License-Identifier: MIT
#include "perf/trailer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/features.h"
#include "perf/format.h"
#include "util/common.h"
#include "util/sys_perf.h"

/* Members of perf_event_attr up to clockid and the rest of its 64-bit word. */
#define ATTR_SIZE PERF_ATTR_SIZE_VER5

/* Padding of texts, as in perf. */
#define TEXT_ALIGNMENT 64

#define CLOCK_DATA_VERSION 1

/* Limit of formatted texts. */
#define FORMATTED_MAX 1024

struct section {
	uint64_t offset;
	uint64_t size;
};

struct file_header {
	char magic[8];
	uint64_t size;
	uint64_t attr_size;
	struct section attrs;
	struct section data;
	struct section event_types;
	uint64_t features[UEV_FEATURES / 64];
};

_Static_assert(sizeof(struct file_header) == UEV_PERF_FILE_HEADER_SIZE,
	       "the file header has no padding");

/* The attribute of all events, matching uev_perf_writer_record(). */
static struct perf_event_attr attr_of(const struct uev_perf_trailer *trailer,
				      const struct uev_source *source)
{
	const struct uev_clock *clock = &trailer->info.clock;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = ATTR_SIZE,
		.config = source->id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW,
		.read_format = PERF_FORMAT_ID,
		.sample_id_all = 1,
	};

	if (trailer->has_stacks) {
		/* perf prints stacks only if samples have an address, too. */
		attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
		attr.comm = 1;
		attr.mmap = 1;
		attr.mmap2 = 1;
	}
	if (clock->clockid != UEV_CLOCK_PERF) {
		attr.use_clockid = 1;
		attr.clockid = clock->clockid;
	}

	return attr;
}

/* Starts a text of @length bytes. Return: number of padding zeros */
static size_t begin_text(struct uev_perf_output *output, size_t length)
{
	size_t padding = TEXT_ALIGNMENT - length % TEXT_ALIGNMENT;

	uev_perf_output_u32(output, (uint32_t)(length + padding));

	return padding;
}

static void put_text(struct uev_perf_output *output, const char *text)
{
	size_t zeros = begin_text(output, strlen(text));

	uev_perf_output_put(output, text, strlen(text));
	uev_perf_output_zeros(output, zeros);
}

/* Writes the name of an event in perf. */
static void put_name(struct uev_perf_output *output,
		     const struct uev_source *source)
{
	size_t length = strlen(source->system) + 1 + strlen(source->name);
	size_t zeros = begin_text(output, length);

	uev_perf_output_put(output, source->system, strlen(source->system));
	uev_perf_output_put(output, ":", 1);
	uev_perf_output_put(output, source->name, strlen(source->name));
	uev_perf_output_zeros(output, zeros);
}

static void put_sized(struct uev_perf_output *output, const char *text,
		      size_t size)
{
	uev_perf_output_u64(output, size);
	uev_perf_output_put(output, text, size);
}

/* Writes formatted text with its size. */
static void put_formatted(struct uev_perf_output *output, const char *format,
			  ...) __attribute__((format(printf, 2, 3)));

static void put_formatted(struct uev_perf_output *output, const char *format,
			  ...)
{
	char text[FORMATTED_MAX];
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(text, sizeof(text), format, values);
	va_end(values);
	put_sized(output, text, (size_t)length);
}

/*
 * perf rejects a file with an event of unknown format, so such an event gets
 * one with the common fields.
 */
static void put_format(struct uev_perf_output *output,
		       const struct uev_source *source)
{
	if (source->format)
		put_sized(output, source->format, source->format_size);
	else
		put_formatted(output,
			      "name: %.255s\nID: %u\nformat:\n"
			      "\tfield:unsigned short common_type;"
			      "\toffset:0;\tsize:2;\tsigned:0;\n"
			      "\tfield:unsigned char common_flags;"
			      "\toffset:2;\tsize:1;\tsigned:0;\n"
			      "\tfield:unsigned char common_preempt_count;"
			      "\toffset:3;\tsize:1;\tsigned:0;\n"
			      "\tfield:int common_pid;"
			      "\toffset:4;\tsize:4;\tsigned:1;\n"
			      "\n\nprint fmt: \"\"\n",
			      source->name, source->id);
}

/* perf also reads the layout of ftrace pages, which the file does not have. */
static void put_header_page(const struct uev_perf_trailer *trailer,
			    struct uev_perf_output *output, size_t page_size)
{
	size_t size = sizeof(long);

	if (trailer->header_page_size)
		put_sized(output, trailer->header_page,
			  trailer->header_page_size);
	else
		put_formatted(output,
			      "\tfield: u64 timestamp;"
			      "\toffset:0;\tsize:8;\tsigned:0;\n"
			      "\tfield: local_t commit;"
			      "\toffset:8;\tsize:%zu;\tsigned:1;\n"
			      "\tfield: int overwrite;"
			      "\toffset:8;\tsize:1;\tsigned:1;\n"
			      "\tfield: char data;"
			      "\toffset:%zu;\tsize:%zu;\tsigned:0;\n",
			      size, 8 + size, page_size - 8 - size);
}

static void put_header_event(const struct uev_perf_trailer *trailer,
			     struct uev_perf_output *output)
{
	if (trailer->header_event_size)
		put_sized(output, trailer->header_event,
			  trailer->header_event_size);
	else
		put_formatted(output, "# compressed entry header\n");
}

static bool same_system(const struct uev_source *one,
			const struct uev_source *other)
{
	return !strcmp(one->system, other->system);
}

/* Tests whether no source before @index has the same format. */
static bool is_first_of_system(const struct uev_source_table *table,
			       uint32_t index)
{
	uint32_t i;

	for (i = 0; i < index; i++)
		if (same_system(table->sources[index], table->sources[i]))
			return false;

	return true;
}

static void put_system(struct uev_perf_output *output,
		       const struct uev_source_table *table,
		       const struct uev_source *first)
{
	uint32_t count = 0;
	uint32_t i;

	for (i = 0; i < table->count; i++)
		count += same_system(first, table->sources[i]);

	uev_perf_output_put(output, first->system, strlen(first->system) + 1);
	uev_perf_output_u32(output, count);
	for (i = 0; i < table->count; i++)
		if (same_system(first, table->sources[i]))
			put_format(output, table->sources[i]);
}

static void put_systems(struct uev_perf_output *output,
			const struct uev_source_table *table)
{
	uint32_t count = 0;
	uint32_t i;

	for (i = 0; i < table->count; i++)
		count += is_first_of_system(table, i);

	uev_perf_output_u32(output, count);
	for (i = 0; i < table->count; i++)
		if (is_first_of_system(table, i))
			put_system(output, table, table->sources[i]);
}

static void put_tracing_data(const struct uev_perf_trailer *trailer,
			     struct uev_perf_output *output)
{
	static const char begin[] = "\x17\x08\x44tracing0.6";
	uint8_t sizes[] = { uev_host_is_big(), sizeof(long) };
	size_t page_size = uev_sys_perf_page_size();

	/* Includes the NUL of the version. */
	uev_perf_output_put(output, begin, sizeof(begin));
	uev_perf_output_put(output, sizes, sizeof(sizes));
	uev_perf_output_u32(output, (uint32_t)page_size);
	uev_perf_output_put(output, "header_page", sizeof("header_page"));
	put_header_page(trailer, output, page_size);
	uev_perf_output_put(output, "header_event", sizeof("header_event"));
	put_header_event(trailer, output);
	/* No formats of ftrace events. */
	uev_perf_output_u32(output, 0);
	put_systems(output, &trailer->sources);
	/* No symbols, printk formats and names of processes. */
	uev_perf_output_u32(output, 0);
	uev_perf_output_u32(output, 0);
	uev_perf_output_u64(output, 0);
}

static void put_hostname(const struct uev_perf_trailer *trailer,
			 struct uev_perf_output *output)
{
	put_text(output, trailer->info.hostname);
}

static void put_osrelease(const struct uev_perf_trailer *trailer,
			  struct uev_perf_output *output)
{
	put_text(output, trailer->info.osrelease);
}

static void put_arch(const struct uev_perf_trailer *trailer,
		     struct uev_perf_output *output)
{
	put_text(output, trailer->info.arch);
}

static void put_nrcpus(const struct uev_perf_trailer *trailer,
		       struct uev_perf_output *output)
{
	uev_perf_output_u32(output, trailer->info.cpus_present);
	uev_perf_output_u32(output, trailer->info.cpus_online);
}

/* The program, in place of the version of perf */
static void put_version(const struct uev_perf_trailer *trailer,
			struct uev_perf_output *output)
{
	(void)trailer;
	put_text(output, "libuserevents");
}

/* perf 6.1 crashes without a text when it converts a file to JSON. */
static void put_unknown(const struct uev_perf_trailer *trailer,
			struct uev_perf_output *output)
{
	(void)trailer;
	put_text(output, "");
}

static void put_event_desc(const struct uev_perf_trailer *trailer,
			   struct uev_perf_output *output)
{
	const struct uev_source_table *table = &trailer->sources;
	uint32_t i;

	uev_perf_output_u32(output, table->count);
	uev_perf_output_u32(output, ATTR_SIZE);
	for (i = 0; i < table->count; i++) {
		struct perf_event_attr attr =
			attr_of(trailer, table->sources[i]);

		uev_perf_output_put(output, &attr, ATTR_SIZE);
		uev_perf_output_u32(output, 1);
		put_name(output, table->sources[i]);
		uev_perf_output_u64(output, (uint64_t)i + 1);
	}
}

static void put_sample_time(const struct uev_perf_trailer *trailer,
			    struct uev_perf_output *output)
{
	uev_perf_output_u64(output, trailer->info.first_time);
	uev_perf_output_u64(output, trailer->info.last_time);
}

/* Resolution of the clock. */
static void put_clockid(const struct uev_perf_trailer *trailer,
			struct uev_perf_output *output)
{
	uint64_t step = 1;

	uev_sys_perf_clock_step(trailer->info.clock.clockid, &step);
	uev_perf_output_u64(output, step);
}

static void put_clock_data(const struct uev_perf_trailer *trailer,
			   struct uev_perf_output *output)
{
	uev_perf_output_u32(output, CLOCK_DATA_VERSION);
	uev_perf_output_u32(output, (uint32_t)trailer->info.clock.clockid);
	uev_perf_output_u64(output, trailer->info.clock.wall);
	uev_perf_output_u64(output, trailer->info.clock.clock);
}

/*
 * In the order that readers require. @is_early: it is known before the first
 * record.
 */
static const struct {
	unsigned int feature;
	void (*put)(const struct uev_perf_trailer *trailer,
		    struct uev_perf_output *output);
	bool of_clock;
	bool is_early;
} features[] = {
	{ UEV_FEATURE_TRACING_DATA, put_tracing_data, false, false },
	{ UEV_FEATURE_HOSTNAME, put_hostname, false, true },
	{ UEV_FEATURE_OSRELEASE, put_osrelease, false, true },
	{ UEV_FEATURE_VERSION, put_version, false, false },
	{ UEV_FEATURE_ARCH, put_arch, false, true },
	{ UEV_FEATURE_NRCPUS, put_nrcpus, false, true },
	{ UEV_FEATURE_CPUDESC, put_unknown, false, false },
	{ UEV_FEATURE_CPUID, put_unknown, false, false },
	{ UEV_FEATURE_EVENT_DESC, put_event_desc, false, false },
	{ UEV_FEATURE_SAMPLE_TIME, put_sample_time, false, false },
	{ UEV_FEATURE_CLOCKID, put_clockid, true, true },
	{ UEV_FEATURE_CLOCK_DATA, put_clock_data, true, true },
};

#define FEATURE_COUNT ARRAY_SIZE(features)

static bool is_put(const struct uev_perf_trailer *trailer, size_t row)
{
	return !features[row].of_clock || trailer->info.has_clock;
}

/* A table of positions, followed by the sections. */
static void put_features(const struct uev_perf_trailer *trailer,
			 struct uev_perf_output *output,
			 struct file_header *header)
{
	struct section table[FEATURE_COUNT];
	uint64_t table_offset = output->offset;
	size_t count = 0;
	size_t row;

	for (row = 0; row < FEATURE_COUNT; row++)
		count += is_put(trailer, row);
	uev_perf_output_zeros(output, count * sizeof(table[0]));

	count = 0;
	for (row = 0; row < FEATURE_COUNT; row++) {
		if (!is_put(trailer, row))
			continue;
		table[count].offset = output->offset;
		features[row].put(trailer, output);
		table[count].size = output->offset - table[count].offset;
		header->features[features[row].feature / 64] |=
			1ULL << features[row].feature % 64;
		count++;
	}
	uev_perf_output_replace(output, table_offset, table,
				count * sizeof(table[0]));
}

/* The IDs of all events, one each, and the attributes with their positions. */
static void put_attrs(const struct uev_perf_trailer *trailer,
		      struct uev_perf_output *output,
		      struct file_header *header)
{
	const struct uev_source_table *table = &trailer->sources;
	struct section ids;
	uint32_t i;

	uev_perf_output_zeros(output, -output->offset % sizeof(uint64_t));
	ids.offset = output->offset;
	ids.size = sizeof(uint64_t);
	for (i = 0; i < table->count; i++)
		uev_perf_output_u64(output, (uint64_t)i + 1);

	header->attrs.offset = output->offset;
	for (i = 0; i < table->count; i++) {
		struct perf_event_attr attr =
			attr_of(trailer, table->sources[i]);

		uev_perf_output_put(output, &attr, ATTR_SIZE);
		uev_perf_output_put(output, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	header->attrs.size = output->offset - header->attrs.offset;
}

/* A header without sections. */
static struct file_header empty_header(void)
{
	struct file_header header = {
		.size = sizeof(header),
		.attr_size = ATTR_SIZE + sizeof(struct section),
		.data.offset = sizeof(header),
	};

	memcpy(header.magic, UEV_PERF_MAGIC, sizeof(header.magic));
	/* A number in the byte order of the file. */
	if (uev_host_is_big())
		memcpy(header.magic, UEV_PERF_MAGIC_FOREIGN,
		       sizeof(header.magic));

	return header;
}

/* Starts a record in memory. Return: its offset, for end_record() */
static size_t begin_record(struct uev_perf_output *memory, uint32_t type)
{
	struct perf_event_header header = { .type = type };
	size_t start = memory->used;

	uev_perf_output_put(memory, &header, sizeof(header));

	return start;
}

/* Pads a record and sets its size. */
static void end_record(struct uev_perf_output *memory, size_t start)
{
	struct perf_event_header header;
	size_t size;

	uev_perf_output_zeros(memory, -memory->used % sizeof(uint64_t));
	size = memory->used - start;
	if (memory->offset > UINT16_MAX || size > UINT16_MAX)
		memory->error = -E2BIG;
	if (memory->error)
		return;
	memcpy(&header, memory->buffer + start, sizeof(header));
	header.size = (uint16_t)size;
	memcpy(memory->buffer + start, &header, sizeof(header));
}

static void put_feature_record(const struct uev_perf_trailer *trailer,
			       struct uev_perf_output *memory, size_t row)
{
	size_t start = begin_record(memory, UEV_PERF_RECORD_HEADER_FEATURE);

	uev_perf_output_u64(memory, features[row].feature);
	features[row].put(trailer, memory);
	end_record(memory, start);
}

/* Texts and numbers that are known at the start. */
static void put_machine(const struct uev_perf_trailer *trailer,
			struct uev_perf_output *memory, uint32_t unused)
{
	size_t row;

	(void)unused;
	for (row = 0; row < FEATURE_COUNT; row++)
		if (is_put(trailer, row) && features[row].is_early)
			put_feature_record(trailer, memory, row);
}

static void put_attr_record(const struct uev_perf_trailer *trailer,
			    struct uev_perf_output *memory, uint32_t index)
{
	struct perf_event_attr attr =
		attr_of(trailer, trailer->sources.sources[index]);
	size_t start = begin_record(memory, UEV_PERF_RECORD_HEADER_ATTR);

	uev_perf_output_put(memory, &attr, ATTR_SIZE);
	uev_perf_output_u64(memory, (uint64_t)index + 1);
	end_record(memory, start);
}

/* The attribute and the format of a source. */
static void put_source(const struct uev_perf_trailer *trailer,
		       struct uev_perf_output *memory, uint32_t index)
{
	struct uev_perf_trailer one = {
		.sources = { .sources = trailer->sources.sources + index,
			     .count = 1 },
		.header_page = trailer->header_page,
		.header_page_size = trailer->header_page_size,
		.header_event = trailer->header_event,
		.header_event_size = trailer->header_event_size,
	};

	put_attr_record(trailer, memory, index);
	put_feature_record(&one, memory, 0);
}

/* Return: 0, -ENOMEM, or -E2BIG if it exceeds the size of a record */
static int put_description(const struct uev_perf_trailer *trailer,
			   struct uev_perf_output *output,
			   void (*put)(const struct uev_perf_trailer *trailer,
				       struct uev_perf_output *memory,
				       uint32_t index),
			   uint32_t index)
{
	struct uev_perf_output memory;
	size_t start;
	int ret;

	ret = uev_perf_output_init(&memory, -1);
	if (ret)
		return ret;
	start = begin_record(&memory, UEV_PERF_RECORD_HEADER_EVENT_TYPE);
	uev_perf_output_put(&memory, UEV_PERF_DESCRIPTION_MAGIC,
			    sizeof(UEV_PERF_DESCRIPTION_MAGIC) - 1);
	put(trailer, &memory, index);
	end_record(&memory, start);
	if (!memory.error)
		uev_perf_output_put(output, memory.buffer, memory.used);
	ret = memory.error ? -E2BIG : 0;
	uev_perf_output_free(&memory);

	return ret;
}

int uev_perf_trailer_begin(const struct uev_perf_trailer *trailer,
			   struct uev_perf_output *output)
{
	struct file_header header = empty_header();
	int ret;

	uev_perf_output_put(output, &header, sizeof(header));
	ret = put_description(trailer, output, put_machine, 0);

	return ret == -ENOMEM ? ret : 0;
}

int uev_perf_trailer_describe(const struct uev_perf_trailer *trailer,
			      struct uev_perf_output *output, uint32_t index)
{
	struct uev_source *source = trailer->sources.sources[index];
	const char *format = source->format;
	int ret;

	ret = put_description(trailer, output, put_source, index);
	if (ret != -E2BIG)
		return ret;
	source->format = NULL;
	ret = put_description(trailer, output, put_source, index);
	source->format = format;

	return ret == -ENOMEM ? ret : 0;
}

/* An error leaves the records, as in a file that was never finished. */
static void sync_or_truncate(struct uev_perf_output *output, uint64_t end)
{
	int ret = uev_perf_output_flush(output);

	if (!ret)
		ret = uev_sys_perf_sync(output->fd);
	if (ret) {
		output->error = ret;
		uev_sys_perf_truncate(output->fd, end);
	}
}

void uev_perf_trailer_write(const struct uev_perf_trailer *trailer,
			    struct uev_perf_output *output)
{
	struct file_header header = empty_header();
	uint64_t end = output->offset;

	if (uev_perf_output_flush(output))
		return;
	header.data.size = end - header.data.offset;
	put_features(trailer, output, &header);
	put_attrs(trailer, output, &header);
	sync_or_truncate(output, end);
	uev_perf_output_replace(output, 0, &header, sizeof(header));
}

void uev_perf_trailer_free(struct uev_perf_trailer *trailer)
{
	uev_source_table_free(&trailer->sources);
	uev_features_free(&trailer->info);
	free(trailer->header_page);
	free(trailer->header_event);
}
