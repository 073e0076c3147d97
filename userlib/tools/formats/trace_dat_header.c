// SPDX-License-Identifier: MIT
#include "formats/trace_dat_header.h"

#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "files.h"
#include "tool.h"
#include "util/bytes.h"

#define MAGIC "\x17\x08\x44tracing6"

/* The following parts of a file have this size, with the NUL. */
#define OPTIONS "options  "
#define PAGES "flyrecord"

/* Options; see trace-cmd.dat.options.v6(5) */
enum option {
	OPTION_DONE = 0,
	OPTION_DATE = 1,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
};

/* ---- Numbers and texts ---- */

static void put16(struct uev_output *to, uint16_t value)
{
	tool_append(to, &value, sizeof(value));
}

static void put32(struct uev_output *to, uint32_t value)
{
	tool_append(to, &value, sizeof(value));
}

static void put64(struct uev_output *to, uint64_t value)
{
	tool_append(to, &value, sizeof(value));
}

/* With the NUL */
static void put_name(struct uev_output *to, const char *name)
{
	tool_append(to, name, strlen(name) + 1);
}

/* Return: 0, or an error without any text */
static int put_file(struct uev_output *to, const char *tracefs,
		    const char *directory, const char *file)
{
	_cleanup_free_ char *path =
		tool_print("%s/%s/%s", tracefs, directory, file);
	_cleanup_free_ char *text = NULL;
	size_t size;
	int ret = files_read(path, &text, &size);

	if (ret)
		return ret;
	put64(to, size);
	tool_append(to, text, size);

	return 0;
}

/* ---- Formats ---- */

static int put_headers(struct uev_output *to, const char *tracefs)
{
	int ret;

	put_name(to, "header_page");
	ret = put_file(to, tracefs, "events", "header_page");
	put_name(to, "header_event");

	return ret ? ret : put_file(to, tracefs, "events", "header_event");
}

/* Formats of records of ftrace itself, such as stacks */
static void put_ftrace(struct uev_output *to, const char *tracefs)
{
	_cleanup_(files_names_free) struct files_names names;
	_cleanup_free_ char *path = tool_print("%s/events/ftrace", tracefs);
	size_t at = to->size, i;
	uint32_t count = 0;

	put32(to, 0);
	files_names(path, &names);
	for (i = 0; i < names.count; i++) {
		_cleanup_free_ char *directory =
			tool_print("events/ftrace/%s", names.names[i]);

		count += !put_file(to, tracefs, directory, "format");
	}
	memcpy(to->text + at, &count, sizeof(count));
}

static size_t system_length(const char *event)
{
	return strcspn(event, ":");
}

static bool is_same_system(const char *one, const char *other)
{
	size_t length = system_length(one);

	return length == system_length(other) &&
	       strncmp(one, other, length) == 0;
}

static bool put_event(struct uev_output *to, const char *tracefs,
		      const char *event)
{
	int length = (int)system_length(event);
	_cleanup_free_ char *directory = NULL;

	if (!event[length])
		return false;
	directory =
		tool_print("events/%.*s/%s", length, event, event + length + 1);

	return !put_file(to, tracefs, directory, "format");
}

/* The events from @first on that have its system. Return: their number */
static size_t put_system(struct uev_output *to,
			 const struct trace_dat_header *header, size_t first)
{
	const char *event = header->events[first];
	uint32_t count = 0;
	size_t at, i;

	tool_append(to, event, system_length(event));
	tool_append(to, "", 1);
	at = to->size;
	put32(to, 0);
	for (i = first; i < header->event_count &&
			is_same_system(event, header->events[i]);
	     i++)
		count += put_event(to, header->tracefs, header->events[i]);
	memcpy(to->text + at, &count, sizeof(count));

	return i - first;
}

static void put_systems(struct uev_output *to,
			const struct trace_dat_header *header)
{
	size_t at = to->size, i;
	uint32_t count = 0;

	put32(to, 0);
	for (i = 0; i < header->event_count; count++)
		i += put_system(to, header, i);
	memcpy(to->text + at, &count, sizeof(count));
}

/* ---- The file ---- */

int trace_dat_header_append(struct uev_output *to,
			    const struct trace_dat_header *header)
{
	const char order[] = { uev_host_is_big(), (char)header->long_size };
	int ret;

	tool_append(to, MAGIC, sizeof(MAGIC));
	tool_append(to, order, sizeof(order));
	put32(to, header->page_size);
	ret = put_headers(to, header->tracefs);
	if (ret)
		return ret;
	put_ftrace(to, header->tracefs);
	put_systems(to, header);
	/* No symbols of the kernel, and no texts of trace_printk() */
	put32(to, 0);
	put32(to, 0);
	if (put_file(to, header->tracefs, ".", "saved_cmdlines"))
		put64(to, 0);

	return 0;
}

static void put_option(struct uev_output *to, enum option option,
		       const char *text)
{
	put16(to, option);
	put32(to, (uint32_t)strlen(text) + 1);
	put_name(to, text);
}

static void put_options(struct uev_output *to,
			const struct trace_dat_header *header)
{
	_cleanup_free_ char *clock = tool_print("[%s]", header->clock);
	_cleanup_free_ char *shift = NULL, *text = NULL;
	struct utsname name;

	tool_append(to, OPTIONS, sizeof(OPTIONS));
	if (header->shift) {
		shift = tool_print("0x%" PRIx64, (uint64_t)header->shift);
		put_option(to, OPTION_DATE, shift);
	}
	put_option(to, OPTION_TRACECLOCK, clock);
	if (!uname(&name)) {
		text = tool_print("%s %s %s %s", name.sysname, name.nodename,
				  name.release, name.machine);
		put_option(to, OPTION_UNAME, text);
	}
	put16(to, OPTION_DONE);
}

void trace_dat_table_append(struct uev_output *to,
			    const struct trace_dat_header *header,
			    const uint64_t *sizes, size_t count)
{
	static const char zeros[256];
	uint64_t offset, end;
	size_t i, left;

	put32(to, (uint32_t)count);
	put_options(to, header);
	tool_append(to, PAGES, sizeof(PAGES));
	end = to->size + count * 2 * sizeof(uint64_t);
	offset = (end + header->page_size - 1) / header->page_size *
		 header->page_size;
	for (i = 0, left = offset - end; i < count; i++) {
		put64(to, offset);
		put64(to, sizes[i]);
		offset += sizes[i];
	}
	for (; left > sizeof(zeros); left -= sizeof(zeros))
		tool_append(to, zeros, sizeof(zeros));
	tool_append(to, zeros, left);
}
