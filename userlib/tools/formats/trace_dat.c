// SPDX-License-Identifier: MIT
#include "formats/trace_dat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/id_table.h"
#include "util/bytes.h"
#include "files.h"
#include "tool.h"
#include "formats/record.h"
#include "formats/trace_dat_bytes.h"
#include "formats/trace_dat_pages.h"
#include "formats/trace_dat_printk.h"

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)

/* Limits that no valid file reaches. */
#define FORMAT_MAX ((uint64_t)1 << 20)
#define FORMATS_MAX 65536
#define FORMATS_SIZE_MAX ((size_t)64 << 20)
#define COMMS_MAX ((uint64_t)64 << 20)
#define PRINTK_MAX ((uint32_t)16 << 20)
/* All sections together, when they are decompressed. */
#define SECTIONS_MAX ((uint32_t)128 << 20)
#define OPTIONS_MAX 4096
#define PARTS_MAX 256
#define BUFFERS_MAX 4096

/* Size of the data kind after the formats in version 6, and of an instance. */
#define KIND_SIZE 10

/* Options, and sections of version 7 that options point to. */
enum option {
	OPTION_DONE = 0,
	OPTION_DATE = 1,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_CPUCOUNT = 8,
	OPTION_HEADER_INFO = 16,
	OPTION_FTRACE_EVENTS = 17,
	OPTION_EVENT_FORMATS = 18,
	OPTION_PRINTK = 20,
	OPTION_CMDLINES = 21,
};

#define SECTION_COMPRESSED 1

static const char cannot_inflate[] =
	"compression not supported; use trace-cmd convert --compression none";

/*
 * struct dat_source - An event
 * @text_at: offset of the address of a text in records of trace_printk(); 0 for
 *        other events
 * @arguments_at: offset of the arguments of the text; 0 without any
 * @with_text: the event whose records have the text itself
 */
struct dat_source {
	struct dat_source *next;
	struct uev_source source;
	char *system;
	char *name;
	char *format;
	size_t text_at;
	size_t arguments_at;
	struct dat_source *with_text;
};

struct comm {
	uint32_t tid;
	const char *name;
};

/*
 * @unused: bytes of the file that no section or buffer has used so far. Parts of
 *        a valid file do not overlap, and a malformed file that names one part
 *        again and again must not take longer than its size allows.
 * @inflated: bytes of all decompressed sections
 * @by_id: events by the ID in their records; @sources has all of them, and
 *        those of records without a format
 * @unknown: source of records without an ID
 * @printk: texts of trace_printk(); @text: the last one
 * @has_ints: as in struct dat_printk_kernel
 * @comms: names of threads by ID; the texts are in @comm_text
 * @buffers: one per processor
 * @page_size: page size of the file
 * @cpus: number of processors, in version 6
 * @instances: positions of the data of instances, in version 6
 * @shift: nanoseconds from the clock of records to the reported time
 * @current: the buffer of the last record
 * @sample, @copy: the last record and its aligned bytes
 */
struct trace_dat {
	int fd;
	uint64_t file_size;
	uint64_t unused;
	uint32_t inflated;
	bool big;
	struct trace_dat_info info;
	struct dat_problems problems;
	struct uev_id_table by_id;
	struct dat_source *sources;
	size_t source_count;
	size_t formats_size;
	struct uev_source unknown;
	struct dat_printk printk;
	bool has_ints;
	struct uev_output text;
	char *comm_text;
	struct comm *comms;
	size_t comm_count;
	struct dat_pages *buffers;
	size_t buffer_count;
	uint32_t page_size;
	uint32_t cpus;
	uint64_t instances[PARTS_MAX];
	size_t instance_count;
	char compression[DAT_TEXT_MAX];
	uint64_t shift;
	struct dat_pages *current;
	struct uev_sample sample;
	uint64_t *copy;
	struct uev_trace_stats counts;
	uint64_t newest;
};

bool trace_dat_is(const void *bytes, size_t size)
{
	return size >= MAGIC_SIZE && memcmp(bytes, MAGIC, MAGIC_SIZE) == 0;
}

static void report_problem(struct trace_dat *dat, uint64_t offset,
			   const char *reason)
{
	dat->problems.report(dat->problems.data, offset, reason);
}

/* Return: false if parts of the file overlap. */
static bool use_part(struct trace_dat *dat, uint64_t size)
{
	if (size > dat->unused)
		return false;
	dat->unused -= size;

	return true;
}

static const char overlapping[] = "parts of the file overlap";

static struct dat_bytes part_at(const struct trace_dat *dat, uint64_t offset)
{
	struct dat_bytes bytes = {
		.fd = dat->fd,
		.big = dat->big,
		.offset = offset < dat->file_size ? offset : dat->file_size,
		.end = dat->file_size,
	};

	return bytes;
}

/* ---- Formats ---- */

/* Takes ownership of the texts. */
static struct dat_source *new_source(struct trace_dat *dat, uint32_t id,
				     char *system, char *name, char *format)
{
	struct dat_source *source = tool_alloc(sizeof(*source));

	source->system = system;
	source->name = name;
	source->format = format;
	source->source = (struct uev_source){
		.system = system,
		.name = name ? name : "",
		.format = format,
		.format_size = format ? strlen(format) : 0,
		.id = id,
		.index = (uint32_t)dat->source_count++,
	};
	source->next = dat->sources;
	dat->sources = source;

	return source;
}

/* Returns the offset of a field whose declaration ends with @end; 0 without */
static size_t offset_of(const char *format, const char *end)
{
	const char *field = strstr(format, end);
	const char *offset = field ? strstr(field, "offset:") : NULL;

	return offset ? (size_t)strtoul(offset + strlen("offset:"), NULL, 10)
		      : 0;
}

/* Finds the fields of an event of trace_printk(). */
static void find_text(struct trace_dat *dat, struct dat_source *source)
{
	bool has_arguments = strcmp(source->name, "bprint") == 0;
	const char *field = has_arguments ? " fmt;" : " str;";
	const char *line;

	if (!has_arguments && strcmp(source->name, "bputs") != 0)
		return;
	source->text_at = offset_of(source->format, field);
	if (has_arguments)
		source->arguments_at = offset_of(source->format, " buf[];");
	line = strstr(source->format, field);
	while (line && line > source->format && line[-1] != '\n')
		line--;
	if (!line || !source->text_at || source->text_at > DAT_PAGE_MAX ||
	    (has_arguments && source->arguments_at <= source->text_at)) {
		source->text_at = 0;
		return;
	}
	source->with_text = new_source(
		dat, source->source.id, tool_copy(source->system),
		tool_copy(source->name),
		tool_print("%.*s\tfield:char buf[];\toffset:%zu;\tsize:0;"
			   "\tsigned:0;\n",
			   (int)(line - source->format), source->format,
			   source->text_at));
}

/*
 * Formats tell the size of the first part of a stack only. Takes ownership of
 * @text. Return: the format with all of it
 */
static char *extend_stack(char *text)
{
	static const char field[] = " caller[";
	size_t offset = offset_of(text, field);
	char *longer;

	if (!offset)
		return text;
	longer = tool_print("%.*s];\toffset:%zu;\tsize:0;\tsigned:0;\n",
			    (int)(strstr(text, field) + strlen(field) - text),
			    text, offset);
	free(text);

	return longer;
}

/* Takes ownership of @format. */
static void add_source(struct trace_dat *dat, const char *system, char *format)
{
	_cleanup_free_ char *text = format;
	_cleanup_free_ char *name = files_value_line(text, "name: ");
	_cleanup_free_ char *number = files_value_line(text, "ID: ");
	bool is_ftrace = strcmp(system, "ftrace") == 0;
	struct dat_source *source;
	uint64_t id = 0;

	/* An event without an ID has no records. */
	if (!name || !number || !tool_number(number, 1, UINT16_MAX, &id) ||
	    dat->source_count == FORMATS_MAX ||
	    uev_id_table_get(&dat->by_id, id))
		return;
	if (is_ftrace && strcmp(name, "kernel_stack") == 0)
		text = extend_stack(text);
	source = new_source(dat, (uint32_t)id, tool_copy(system),
			    memory_pass(name), memory_pass(text));
	tool_need(uev_id_table_set(&dat->by_id, id, source));
	if (is_ftrace)
		find_text(dat, source);
}

/* Return: a text of @size bytes, at most @limit, for free(); or NULL */
static char *read_text(struct dat_bytes *bytes, uint64_t size, uint64_t limit)
{
	_cleanup_free_ char *text = NULL;

	if (size > limit || size > dat_left(bytes))
		return NULL;
	text = tool_alloc((size_t)size + 1);

	return dat_take(bytes, text, (size_t)size) ? memory_pass(text) : NULL;
}

static bool read_format(struct trace_dat *dat, struct dat_bytes *bytes,
			const char *system)
{
	char *text;
	uint64_t size;

	if (!dat_u64(bytes, &size) ||
	    size > FORMATS_SIZE_MAX - dat->formats_size)
		return false;
	text = read_text(bytes, size, FORMAT_MAX);
	if (!text)
		return false;
	dat->formats_size += (size_t)size;
	add_source(dat, system, text);

	return true;
}

static bool read_formats(struct trace_dat *dat, struct dat_bytes *bytes,
			 const char *system)
{
	uint32_t count;

	if (!dat_u32(bytes, &count))
		return false;
	while (count--)
		if (!read_format(dat, bytes, system))
			return false;

	return true;
}

static bool read_ftrace(struct trace_dat *dat, struct dat_bytes *bytes)
{
	return read_formats(dat, bytes, "ftrace");
}

static bool read_systems(struct trace_dat *dat, struct dat_bytes *bytes)
{
	char system[DAT_TEXT_MAX];
	uint32_t count;

	if (!dat_u32(bytes, &count))
		return false;
	while (count--)
		if (!dat_text(bytes, system) ||
		    !read_formats(dat, bytes, system))
			return false;

	return true;
}

/* The texts of trace_printk(). */
static bool read_printk(struct trace_dat *dat, struct dat_bytes *bytes)
{
	uint32_t size;
	char *text = dat_u32(bytes, &size) ? read_text(bytes, size, PRINTK_MAX)
					   : NULL;

	if (text)
		dat_printk_parse(&dat->printk, text);

	return text;
}

/* ---- Page layout ---- */

/* The commit field of a page has the size of the kernel's long. */
static void read_long_size(struct trace_dat *dat, const char *text)
{
	const char *commit = strstr(text, " commit;");
	const char *size = commit ? strstr(commit, "size:") : NULL;

	if (size && (size[5] == '4' || size[5] == '8') && size[6] == ';')
		dat->info.long_size = (uint8_t)(size[5] - '0');
}

static bool read_headers(struct trace_dat *dat, struct dat_bytes *bytes)
{
	char name[DAT_TEXT_MAX];
	uint64_t size;
	int i;

	for (i = 0; i < 2; i++) {
		_cleanup_free_ char *text = NULL;

		if (!dat_text(bytes, name) || !dat_u64(bytes, &size))
			return false;
		text = read_text(bytes, size, FORMAT_MAX);
		if (!text)
			return false;
		if (strcmp(name, "header_page") == 0)
			read_long_size(dat, text);
	}

	return true;
}

/* ---- Names of threads ---- */

static int compare_comms(const void *one, const void *other)
{
	uint32_t a = ((const struct comm *)one)->tid;
	uint32_t b = ((const struct comm *)other)->tid;

	return a < b ? -1 : a > b;
}

static void add_comm(struct trace_dat *dat, char *line)
{
	char *end;
	unsigned long tid = strtoul(line, &end, 10);
	struct comm *comm;

	if (end == line || *end != ' ' || tid > UINT32_MAX)
		return;
	comm = tool_add(dat->comms, dat->comm_count);
	comm->tid = (uint32_t)tid;
	comm->name = end + 1;
}

void trace_dat_set_comms(struct trace_dat *dat, char *text)
{
	char *line, *rest = text;

	free(dat->comm_text);
	dat->comm_text = text;
	free(dat->comms);
	dat->comms = NULL;
	dat->comm_count = 0;
	while ((line = strsep(&rest, "\n")))
		add_comm(dat, line);
	tool_sort(dat->comms, dat->comm_count, compare_comms);
}

static bool read_comms(struct trace_dat *dat, struct dat_bytes *bytes)
{
	uint64_t size;
	char *text = dat_u64(bytes, &size) ? read_text(bytes, size, COMMS_MAX)
					   : NULL;

	if (text)
		trace_dat_set_comms(dat, text);

	return text;
}

const char *trace_dat_comm(const struct trace_dat *dat, uint32_t tid)
{
	struct comm key = { .tid = tid };
	const struct comm *comm =
		tool_find(&key, dat->comms, dat->comm_count, compare_comms);

	return comm ? comm->name : NULL;
}

/* ---- Buffers ---- */

/* Return: NULL or the error. */
static const char *add_buffer(struct trace_dat *dat, uint32_t page_size,
			      uint32_t cpu, bool is_compressed, uint64_t offset,
			      uint64_t size)
{
	struct dat_pages *pages;
	uint64_t left;

	if (!size)
		return NULL;
	if (page_size < DAT_PAGE_MIN || page_size > DAT_PAGE_MAX)
		return "invalid page size";
	if (dat->buffer_count == BUFFERS_MAX)
		return "too many buffers";
	if (is_compressed && !dat_can_inflate(dat->compression))
		return cannot_inflate;
	/* The chunk count precedes the counted size. */
	if (is_compressed && size < UINT64_MAX - 4)
		size += 4;
	if (offset > dat->file_size)
		offset = dat->file_size;
	left = dat->file_size - offset;
	if (!use_part(dat, size < left ? size : left))
		return overlapping;
	pages = tool_add(dat->buffers, dat->buffer_count);
	*pages = (struct dat_pages){
		.fd = dat->fd,
		.big = dat->big,
		.page_size = page_size,
		.cpu = cpu,
		.is_compressed = is_compressed,
		.offset = offset,
		.end = offset + (size < left ? size : left),
	};

	return size <= left ? NULL : "truncated data";
}

/* Version 6: positions of the data of each processor. */
static bool read_table(struct trace_dat *dat, struct dat_bytes *bytes)
{
	uint64_t at, offset, size;
	const char *reason;
	uint32_t cpu;

	for (cpu = 0; cpu < dat->cpus; cpu++) {
		at = bytes->offset;
		if (!dat_u64(bytes, &offset) || !dat_u64(bytes, &size))
			return false;
		reason = add_buffer(dat, dat->page_size, cpu, false, offset,
				    size);
		if (reason)
			report_problem(dat, at, reason);
	}

	return true;
}

/* Version 7: the same after the page layout and the name of the clock. */
static bool read_buffer(struct trace_dat *dat, struct dat_bytes *bytes)
{
	uint32_t page_size, count, cpu;
	struct dat_bytes section;
	char text[DAT_TEXT_MAX];
	uint64_t at, offset, size;
	uint16_t id, flags;
	const char *reason;

	if (!dat_u64(bytes, &at) || !dat_text(bytes, text) ||
	    !dat_text(bytes, text) || !dat_u32(bytes, &page_size) ||
	    !dat_u32(bytes, &count))
		return false;
	section = part_at(dat, at);
	if (!dat_u16(&section, &id) || !dat_u16(&section, &flags))
		return false;
	while (count--) {
		if (!dat_u32(bytes, &cpu) || !dat_u64(bytes, &offset) ||
		    !dat_u64(bytes, &size))
			return false;
		reason = add_buffer(dat, page_size, cpu,
				    flags & SECTION_COMPRESSED, offset, size);
		if (reason)
			report_problem(dat, at, reason);
	}

	return true;
}

/* ---- Options ---- */

/* Parses a number in any notation of C. */
static void add_shift(struct trace_dat *dat, struct dat_bytes *bytes,
		      uint32_t size, uint64_t unit)
{
	char text[64] = "";

	if (size && size < sizeof(text) && dat_take(bytes, text, size))
		dat->shift += (uint64_t)strtoll(text, NULL, 0) * unit;
}

/* The content of trace_clock: "local global [mono] ..." */
static void read_clock(struct trace_dat *dat, struct dat_bytes *bytes,
		       uint32_t size)
{
	char text[DAT_TEXT_MAX] = "";
	const char *clock;
	size_t length;

	if (size >= sizeof(text) || !dat_take(bytes, text, size))
		return;
	clock = strchr(text, '[');
	length = clock ? strcspn(clock + 1, "]") : 0;
	if (length && length < sizeof(dat->info.clock)) {
		memcpy(dat->info.clock, clock + 1, length);
		dat->info.clock[length] = '\0';
	}
}

/* "Linux HOST 6.1.0 x86_64" */
static void read_uname(struct trace_dat *dat, struct dat_bytes *bytes,
		       uint32_t size)
{
	char text[DAT_TEXT_MAX] = "";
	unsigned int major, minor;

	if (size >= sizeof(text) || !dat_take(bytes, text, size))
		return;
	if (sscanf(text, "%*s %64s %u.%u", dat->info.host, &major, &minor) == 3)
		dat->has_ints = major > 6 || (major == 6 && minor >= 14);
}

static bool read_section(struct trace_dat *dat, struct dat_bytes *option,
			 bool (*read)(struct trace_dat *dat,
				      struct dat_bytes *bytes));

/* Return: whether its content is valid. */
static bool read_option(struct trace_dat *dat, uint16_t id, uint32_t size,
			struct dat_bytes *option)
{
	switch (id) {
	case OPTION_DATE:
		/* In microseconds. */
		add_shift(dat, option, size, 1000);
		dat->info.is_wall = true;
		return true;
	case OPTION_OFFSET:
		add_shift(dat, option, size, 1);
		dat->info.is_shifted = true;
		return true;
	case OPTION_TRACECLOCK:
		read_clock(dat, option, size);
		return true;
	case OPTION_UNAME:
		read_uname(dat, option, size);
		return true;
	case OPTION_BUFFER:
		if (dat->info.version == 7)
			return read_buffer(dat, option);
		if (dat->instance_count == PARTS_MAX ||
		    !dat_u64(option, &dat->instances[dat->instance_count]))
			return false;
		dat->instance_count++;
		return true;
	case OPTION_HEADER_INFO:
		return read_section(dat, option, read_headers);
	case OPTION_FTRACE_EVENTS:
		return read_section(dat, option, read_ftrace);
	case OPTION_EVENT_FORMATS:
		return read_section(dat, option, read_systems);
	case OPTION_PRINTK:
		return read_section(dat, option, read_printk);
	case OPTION_CMDLINES:
		return read_section(dat, option, read_comms);
	default:
		return true;
	}
}

/*
 * Up to the last option, which in version 7 has the position of further
 * options.
 */
static bool read_options(struct trace_dat *dat, struct dat_bytes *bytes,
			 uint64_t *more)
{
	struct dat_bytes option;
	uint64_t at;
	uint32_t size;
	uint16_t id;
	int count;

	*more = 0;
	for (count = 0; count < OPTIONS_MAX; count++) {
		at = bytes->offset;
		if (!dat_u16(bytes, &id))
			return false;
		if (id == OPTION_DONE && dat->info.version == 6)
			return true;
		if (!dat_u32(bytes, &size) || size > dat_left(bytes))
			return false;
		option = *bytes;
		if (bytes->memory)
			option.size = bytes->at + size;
		else
			option.end = bytes->offset + size;
		if (id == OPTION_DONE)
			return dat_u64(&option, more);
		if (!read_option(dat, id, size, &option))
			report_problem(dat, at, "malformed option");
		bytes->error = option.error;
		dat_skip(bytes, size);
	}

	return false;
}

/* ---- Sections of version 7 ---- */

static const char *inflate_section(struct trace_dat *dat,
				   struct dat_bytes *bytes)
{
	_cleanup_free_ uint8_t *from = NULL;
	uint32_t packed, size;
	bool is_good;

	if (!dat_can_inflate(dat->compression))
		return cannot_inflate;
	if (!dat_u32(bytes, &packed) || !dat_u32(bytes, &size) ||
	    packed > dat_left(bytes) || packed > SECTIONS_MAX ||
	    size > SECTIONS_MAX - dat->inflated)
		return "invalid size of compressed data";
	dat->inflated += size;
	from = tool_alloc(packed);
	bytes->memory = tool_alloc(size);
	is_good = dat_take(&(struct dat_bytes){ .fd = bytes->fd,
						.offset = bytes->offset,
						.end = bytes->end },
			   from, packed) &&
		  dat_inflate(bytes->memory, size, from, packed);
	bytes->size = size;
	bytes->at = 0;

	return is_good ? NULL : "cannot decompress data";
}

/* Starts a section. Return: NULL or the error */
static const char *open_section(struct trace_dat *dat, uint64_t offset,
				struct dat_bytes *bytes)
{
	uint16_t id, flags;
	uint32_t text;
	uint64_t size;

	*bytes = part_at(dat, offset);
	if (!dat_u16(bytes, &id) || !dat_u16(bytes, &flags) ||
	    !dat_u32(bytes, &text) || !dat_u64(bytes, &size))
		return "truncated section";
	if (size > dat_left(bytes))
		return "section exceeds the file";
	bytes->end = bytes->offset + size;
	if (!use_part(dat, bytes->end - offset))
		return overlapping;

	return flags & SECTION_COMPRESSED ? inflate_section(dat, bytes) : NULL;
}

/* Reads the position in an option. Return: whether the option is valid */
static bool read_section(struct trace_dat *dat, struct dat_bytes *option,
			 bool (*read)(struct trace_dat *dat,
				      struct dat_bytes *bytes))
{
	struct dat_bytes bytes;
	const char *reason;
	uint64_t offset;

	if (!dat_u64(option, &offset))
		return false;
	reason = open_section(dat, offset, &bytes);
	if (!reason && !read(dat, &bytes))
		reason = "malformed section";
	if (reason)
		report_problem(dat, offset, reason);
	option->error = bytes.error;
	dat_bytes_end(&bytes);

	return true;
}

/* Return: NULL or the error. */
static const char *read_version7(struct trace_dat *dat, struct dat_bytes *bytes)
{
	char version[DAT_TEXT_MAX];
	struct dat_bytes section;
	const char *reason;
	uint64_t next;
	int parts;

	if (!dat_text(bytes, dat->compression) || !dat_text(bytes, version) ||
	    !dat_u64(bytes, &next))
		return "truncated file header";
	if (strcmp(dat->compression, "none") != 0 &&
	    !dat_can_inflate(dat->compression))
		return cannot_inflate;
	/* Limits the chain of sections, which could be circular. */
	for (parts = 0; next && parts < PARTS_MAX; parts++) {
		reason = open_section(dat, next, &section);
		if (!reason && !read_options(dat, &section, &next))
			reason = "malformed options";
		if (section.error)
			bytes->error = section.error;
		dat_bytes_end(&section);
		if (reason)
			return reason;
	}

	return NULL;
}

/* ---- Version 6 ---- */

static bool skip_part(struct dat_bytes *bytes)
{
	uint32_t size;

	return dat_u32(bytes, &size) && dat_skip(bytes, size);
}

/*
 * Reads options, if any, and the positions of the data.
 * Return: NULL or the error
 */
static const char *read_data(struct trace_dat *dat, struct dat_bytes *bytes)
{
	char kind[KIND_SIZE];
	uint64_t more;

	if (!dat_take(bytes, kind, sizeof(kind)))
		return "file ends before its data section";
	if (!memcmp(kind, "options  ", sizeof(kind)) &&
	    (!read_options(dat, bytes, &more) ||
	     !dat_take(bytes, kind, sizeof(kind))))
		return "malformed options";
	if (!memcmp(kind, "latency  ", sizeof(kind)))
		return "file of a latency tracer, without records";
	if (memcmp(kind, "flyrecord", sizeof(kind)) != 0)
		return "unknown kind of data";

	return read_table(dat, bytes) ? NULL
				      : "file ends before its data section";
}

static const char *read_version6(struct trace_dat *dat, struct dat_bytes *bytes)
{
	struct dat_bytes instance;
	const char *reason;
	size_t i;

	/* Symbols are not used. */
	if (!read_headers(dat, bytes) || !read_ftrace(dat, bytes) ||
	    !read_systems(dat, bytes) || !skip_part(bytes) ||
	    !read_printk(dat, bytes) || !read_comms(dat, bytes) ||
	    !dat_u32(bytes, &dat->cpus))
		return "malformed or truncated event formats";
	reason = read_data(dat, bytes);
	if (reason)
		return reason;
	for (i = 0; i < dat->instance_count && !bytes->error; i++) {
		instance = part_at(dat, dat->instances[i]);
		reason = read_data(dat, &instance);
		if (reason)
			report_problem(dat, dat->instances[i], reason);
		bytes->error = instance.error;
	}

	return NULL;
}

/* ---- The file ---- */

static const char *read_all(struct trace_dat *dat, struct dat_bytes *bytes)
{
	char version[DAT_TEXT_MAX];
	uint8_t order[2];

	if (!dat_skip(bytes, MAGIC_SIZE) || !dat_text(bytes, version) ||
	    !dat_take(bytes, order, sizeof(order)))
		return "truncated file header";
	dat->big = order[0];
	bytes->big = dat->big;
	dat->info.is_foreign = dat->big != uev_host_is_big();
	dat->info.long_size = order[1] == 4 ? 4 : 8;
	if (!dat_u32(bytes, &dat->page_size))
		return "truncated file header";

	if (strcmp(version, "6") == 0)
		dat->info.version = 6;
	else if (strcmp(version, "7") == 0)
		dat->info.version = 7;
	else
		return "file version is neither 6 nor 7";

	return dat->info.version == 6 ? read_version6(dat, bytes)
				      : read_version7(dat, bytes);
}

int trace_dat_open(struct trace_dat **opened, int fd, trace_problem problem,
		   void *data)
{
	struct trace_dat *dat = tool_alloc(sizeof(*dat));
	struct dat_bytes bytes;
	struct stat status;
	const char *reason;
	size_t i;

	dat->fd = fd;
	dat->problems =
		(struct dat_problems){ .report = problem, .data = data };
	dat->unknown.name = "";
	/* The default of ftrace. */
	strcpy(dat->info.clock, "local");
	if (!fstat(fd, &status) && status.st_size > 0)
		dat->file_size = (uint64_t)status.st_size;
	dat->unused = dat->file_size;
	bytes = part_at(dat, 0);
	reason = read_all(dat, &bytes);
	if (reason)
		report_problem(dat, bytes.offset, reason);
	if (bytes.error || (reason && !dat->buffer_count)) {
		trace_dat_close(dat);
		return bytes.error ? bytes.error : -EBADMSG;
	}

	/* An ID that no format uses. */
	dat->unknown.index = (uint32_t)dat->source_count++;
	for (i = 0; i < dat->buffer_count; i++) {
		dat->buffers[i].long_size = dat->info.long_size;
		dat_pages_begin(&dat->buffers[i], &dat->problems);
	}
	*opened = dat;

	return 0;
}

void trace_dat_close(struct trace_dat *dat)
{
	struct dat_source *source;
	size_t i;

	if (!dat)
		return;
	while (dat->sources) {
		source = dat->sources;
		dat->sources = source->next;
		free(source->system);
		free(source->name);
		free(source->format);
		free(source);
	}
	uev_id_table_free(&dat->by_id);
	for (i = 0; i < dat->buffer_count; i++)
		dat_pages_end(&dat->buffers[i]);
	free(dat->buffers);
	dat_printk_release(&dat->printk);
	uev_output_release(&dat->text);
	free(dat->comms);
	free(dat->comm_text);
	free(dat->copy);
	free(dat);
}

static struct dat_pages *pages_of(struct trace_dat *dat, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < dat->buffer_count; i++)
		if (dat->buffers[i].cpu == cpu)
			return &dat->buffers[i];

	return NULL;
}

static struct dat_pages *new_pages(struct trace_dat *dat, uint32_t cpu,
				   uint32_t page_size)
{
	struct dat_pages *pages = tool_add(dat->buffers, dat->buffer_count);

	/* The buffers have moved. */
	dat->current = NULL;
	*pages = (struct dat_pages){
		.big = dat->big,
		.long_size = dat->info.long_size,
		.page_size = page_size,
		.cpu = cpu,
	};

	return pages;
}

void trace_dat_set_pages(struct trace_dat *dat, uint32_t cpu, int fd,
			 uint64_t offset, uint64_t end, uint32_t page_size)
{
	struct dat_pages *pages = pages_of(dat, cpu);

	if (!pages)
		pages = new_pages(dat, cpu, page_size);
	/* The last record is not returned again. */
	if (pages == dat->current)
		dat->current = NULL;
	pages->fd = fd;
	pages->offset = offset;
	pages->end = end;
	dat_pages_next(pages, &dat->problems);
}

/* Returns the buffer with the oldest record. */
static struct dat_pages *oldest(struct trace_dat *dat)
{
	struct dat_pages *found = NULL;
	size_t i;

	for (i = 0; i < dat->buffer_count; i++) {
		struct dat_pages *pages = &dat->buffers[i];

		if (pages->has_record && (!found || pages->time < found->time))
			found = pages;
	}

	return found;
}

static int read_error(const struct trace_dat *dat)
{
	size_t i;

	for (i = 0; i < dat->buffer_count; i++)
		if (dat->buffers[i].error)
			return dat->buffers[i].error;

	return 0;
}

/* Adds the source of an event that has records and no format. */
static struct dat_source *add_unknown(struct trace_dat *dat, uint16_t id)
{
	struct dat_source *source = new_source(dat, id, NULL, NULL, NULL);

	tool_need(uev_id_table_set(&dat->by_id, id, source));

	return source;
}

/* Return: whether the text of a record of trace_printk() is in dat->text */
static bool format_text(struct trace_dat *dat, const struct dat_source *source)
{
	const uint8_t *raw = dat->sample.raw;
	unsigned int long_size = dat->info.long_size == 4 ? 4 : 8;
	size_t size = dat->sample.raw_size, at = source->text_at;
	const char *text;

	const struct dat_printk_kernel kernel = {
		.long_size = long_size,
		.big = dat->big,
		.has_ints = dat->has_ints,
	};

	if (!at || size < at + long_size || size < source->arguments_at)
		return false;
	text = dat_printk_find(&dat->printk,
			       long_size == 4 ? uev_get32(raw + at, dat->big)
					      : uev_get64(raw + at, dat->big));
	if (!text)
		return false;
	dat->text.size = 0;
	tool_append(&dat->text, (const char *)raw, at);
	if (!source->arguments_at)
		tool_put(&dat->text, text);
	else if (!dat_printk_format(&dat->text, text,
				    raw + source->arguments_at,
				    size - source->arguments_at, &kernel))
		return false;
	tool_append(&dat->text, "", 1);

	return true;
}

/* Replaces the address of the text, and its arguments, by the text itself. */
static void set_text(struct trace_dat *dat, const struct dat_source *source)
{
	size_t size = dat->text.size;

	dat->copy = tool_grow(dat->copy, (size + 7) / 8 * 8);
	memcpy(dat->copy, dat->text.text, size);
	dat->sample.source = &source->with_text->source;
	dat->sample.raw = dat->copy;
	dat->sample.raw_size = (uint32_t)size;
}

/* All records start with ID, flags, preemption count and thread. */
static void set_sample(struct trace_dat *dat, const struct dat_pages *pages)
{
	struct uev_sample *sample = &dat->sample;
	const struct dat_source *source = NULL;
	uint16_t id;

	dat->copy = tool_grow(dat->copy, ((size_t)pages->size + 7) / 8 * 8);
	memcpy(dat->copy, pages->record, pages->size);
	*sample = (struct uev_sample){
		.source = &dat->unknown,
		.raw = dat->copy,
		.raw_size = pages->size,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU,
		.time = pages->time + dat->shift,
		.cpu = pages->cpu,
	};
	if (dat->info.is_foreign)
		sample->flags |= UEV_IS_FOREIGN;
	if (pages->size >= 2) {
		id = uev_get16(pages->record, dat->big);
		source = uev_id_table_get(&dat->by_id, id);
		if (!source)
			source = add_unknown(dat, id);
		sample->source = &source->source;
	}
	if (pages->size >= 8) {
		sample->flags |= UEV_HAS_TID;
		sample->tid = uev_get32(pages->record + 4, dat->big);
		sample->pid = sample->tid;
	}
	if (!sample->source->format) {
		dat->counts.corrupt++;
		report_problem(dat, dat_pages_where(pages),
			       "record of an unknown event");
	}
	if (source && source->with_text && format_text(dat, source))
		set_text(dat, source);
}

int trace_dat_next(struct trace_dat *dat, const struct uev_sample **record)
{
	struct dat_pages *pages;

	if (dat->current)
		dat_pages_next(dat->current, &dat->problems);
	pages = oldest(dat);
	dat->current = pages;
	if (!pages)
		return read_error(dat);

	set_sample(dat, pages);
	dat->counts.records++;
	dat->counts.bytes += pages->size;
	if (dat->sample.time < dat->newest)
		dat->counts.unordered++;
	else
		dat->newest = dat->sample.time;
	*record = &dat->sample;

	return 1;
}

bool trace_dat_next_loss(struct trace_dat *dat, uint64_t until,
			 struct uev_loss *loss)
{
	struct dat_pages *pages;
	uint64_t time;
	size_t i;

	for (i = 0; i < dat->buffer_count; i++) {
		pages = &dat->buffers[i];
		time = pages->has_record ? pages->time + dat->shift : 0;
		if (!pages->lost || time > until)
			continue;
		*loss = (struct uev_loss){
			.count = pages->lost,
			.to = time,
			.cpu = pages->cpu,
			.flags = UEV_HAS_CPU |
				 (pages->has_record ? UEV_HAS_TIME : 0),
			.reason = FORMAT_LOSS_OVERWRITTEN,
		};
		dat->counts.lost += pages->lost;
		pages->lost = 0;
		return true;
	}

	return false;
}

void trace_dat_sources(const struct trace_dat *dat,
		       void (*each)(void *data,
				    const struct uev_source *source),
		       void *data)
{
	const struct dat_source *source;

	for (source = dat->sources; source; source = source->next)
		each(data, &source->source);
}

const struct trace_dat_info *trace_dat_info(const struct trace_dat *dat)
{
	return &dat->info;
}

void trace_dat_counts(const struct trace_dat *dat,
		      struct uev_trace_stats *counts)
{
	*counts = dat->counts;
	counts->corrupt += dat->problems.corrupt;
}

/* Sum over all processors. */
uint64_t trace_dat_offset(const struct trace_dat *dat, uint64_t *size)
{
	uint64_t left = 0;
	size_t i;

	*size = dat->file_size;
	for (i = 0; i < dat->buffer_count; i++)
		left += dat->buffers[i].end - dat->buffers[i].offset;

	return left < dat->file_size ? dat->file_size - left : 0;
}

uint64_t trace_dat_record_offset(const struct trace_dat *dat)
{
	return dat->current ? dat_pages_where(dat->current) : 0;
}
