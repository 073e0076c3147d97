// SPDX-License-Identifier: MIT
#include "names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/decode.h>
#include <userevents/session.h>

#include "formats/trace_dat.h"
#include "perf/format.h"
#include "tool.h"
#include "util/sys_perf.h"
#include "util/tracefs.h"

/* Enough to recognize both kinds of files */
#define START_SIZE 16

static void add(struct event_names *names, const char *system, const char *name)
{
	names->array =
		tool_room(names->array, names->count, sizeof(*names->array));
	names->array[names->count++] = (struct event_name){
		.system = tool_copy(system),
		.name = tool_copy(name),
	};
}

/* ---- Of open files ---- */

static void add_source(void *data, const struct uev_source *source)
{
	struct uev_schema *schema;

	if (!source->system || uev_schema_of(&schema, source, 0))
		return;
	if (uev_schema_is_eventheader(schema))
		add(data, source->system, uev_schema_name(schema));
	uev_schema_free(schema);
}

static void add_perf_data(struct event_names *names, int fd)
{
	const struct uev_source *source;
	struct uev_perf_reader *reader;
	uint32_t i = 0;

	if (uev_perf_reader_open_fd(&reader, fd, NULL))
		return;
	while ((source = uev_perf_reader_source(reader, i++)))
		add_source(names, source);
	uev_perf_reader_close(reader);
}

static void ignore_problem(void *data, uint64_t offset, const char *reason)
{
	(void)data;
	(void)offset;
	(void)reason;
}

static void add_trace_dat(struct event_names *names, int fd)
{
	struct trace_dat *dat;

	if (trace_dat_open(&dat, fd, ignore_problem, NULL))
		return;
	trace_dat_sources(dat, add_source, names);
	trace_dat_close(dat);
}

/*
 * The program's own descriptor is read at offsets, so that its position does not
 * move, and no other descriptor is closed, which would end the program's locks.
 */
static int add_file(void *data, const char *descriptor)
{
	int fd = (int)strtol(descriptor, NULL, 10);
	char start[START_SIZE];

	/* Files of tracefs have no size, and a read would take their records. */
	if (uev_sys_perf_size(fd) <= 0 ||
	    uev_sys_perf_pread(fd, start, sizeof(start), 0) != sizeof(start))
		return 0;
	if (trace_dat_is(start, sizeof(start)))
		add_trace_dat(data, fd);
	else if (!memcmp(start, UEV_PERF_MAGIC, sizeof(UEV_PERF_MAGIC) - 1) ||
		 !memcmp(start, UEV_PERF_MAGIC_FOREIGN,
			 sizeof(UEV_PERF_MAGIC_FOREIGN) - 1))
		add_perf_data(data, fd);

	return 0;
}

/* ---- Of this machine ---- */

static int add_event(void *data, const char *system, const char *name,
		     uint32_t id)
{
	struct uev_eventheader_name parts;

	(void)id;
	if (!uev_eventheader_name_parse(&parts, name))
		add(data, system, name);

	return 0;
}

static void add_events(struct event_names *names)
{
	char *directory;

	if (uev_tracefs_directory(NULL, &directory))
		return;
	(void)uev_tracefs_events(directory, "*", add_event, names);
	free(directory);
}

/* ---- All ---- */

static int compare(const void *one, const void *other)
{
	const struct event_name *a = one, *b = other;
	int order = strcmp(a->system, b->system);

	return order ? order : strcmp(a->name, b->name);
}

static void free_name(struct event_name *name)
{
	free(name->system);
	free(name->name);
	uev_schema_free(name->schema);
}

static void remove_duplicates(struct event_names *names)
{
	size_t count = 0, i;

	if (names->count)
		qsort(names->array, names->count, sizeof(*names->array),
		      compare);
	for (i = 0; i < names->count; i++) {
		if (count &&
		    !compare(&names->array[count - 1], &names->array[i]))
			free_name(&names->array[i]);
		else
			names->array[count++] = names->array[i];
	}
	names->count = count;
}

void event_names_find(struct event_names *names)
{
	*names = (struct event_names){ 0 };
	(void)uev_sys_perf_list("/proc/self/fd", add_file, names);
	add_events(names);
	remove_duplicates(names);
}

void event_names_free(struct event_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free_name(&names->array[i]);
	free(names->array);
}
