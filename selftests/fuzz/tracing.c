// SPDX-License-Identifier: GPL-2.0-only
/* Operations on tracefs, and on events that are built on user events. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/user_events.h"
#include "execute.h"
#include "operations.h"

#define READ_MAX 65536UL

/* --- names ---------------------------------------------------------------- */

/* Events of other kinds in dynamic_events; two of them use user events. */
static const char *const other_events[] = {
	"synthetic/st_s",
	"eprobes/st_e",
	"kprobes/st_k",
};

/*
 * Name of an event with multi_format_name formats, to which the module appends a number.
 */
static char *multi_format_name(uint64_t number)
{
	char path[256], *name = NULL;
	const struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof(path), "%s/events/" USER_EVENTS_MULTI_SYSTEM,
		 tracefs());
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		if (*entry->d_name == '.' || !strchr(entry->d_name, '.') ||
		    number--)
			continue;
		if (asprintf(&name, USER_EVENTS_MULTI_SYSTEM "/%s",
			     entry->d_name) < 0)
			name = NULL;
		break;
	}
	if (directory)
		closedir(directory);

	return name;
}

static char *event_name(uint64_t event)
{
	char *name = NULL;

	event %= EVENTS + 2 + ARRAY_SIZE(other_events);
	if (event >= EVENTS + 2)
		return strdup(other_events[event - EVENTS - 2]);
	if (event >= EVENTS)
		name = multi_format_name(event - EVENTS);
	if (!name &&
	    asprintf(&name, USER_EVENTS_SYSTEM "/st_%d", (int)event) < 0)
		abort();

	return name;
}

/* Path of an instance, with a trailing slash unless it is the top level. */
static const char *instance_path(uint64_t instance)
{
	static const char *const paths[INSTANCES] = {
		"",
		"instances/st_1/",
		"instances/st_2/",
	};

	return paths[instance % INSTANCES];
}

char *event_directory(uint64_t event, uint64_t instance)
{
	char *name = event_name(event), *directory;

	if (asprintf(&directory, "%sevents/%s", instance_path(instance), name) <
	    0)
		abort();
	free(name);

	return directory;
}

static void write_to(const char *text, int flags, const char *directory,
		     const char *name)
{
	int fd = tfs_open(flags, "%s%s", directory, name);

	if (count_call(fd) < 0)
		return;
	count_call(write(fd, text, strlen(text)));
	close(fd);
}

static void write_to_event(const struct operation *operation, const char *text,
			   const char *name)
{
	char *directory = event_directory(operation->arguments[0],
					  operation->arguments[1]);

	write_to(text, O_WRONLY, directory, name);
	free(directory);
}

static void read_from(const char *directory, const char *name)
{
	int fd = tfs_open(O_RDONLY | O_NONBLOCK, "%s%s", directory, name);
	size_t left = READ_MAX;
	ssize_t got;

	if (count_call(fd) < 0)
		return;
	do {
		got = count_call(read(fd, record_room(), left));
		left -= got > 0 ? got : 0;
	} while (got > 0 && left);
	close(fd);
}

/* --- events --------------------------------------------------------------- */

/* With O_TRUNC, all dynamic events are deleted first. */
void do_line(const struct operation *operation)
{
	write_to(operation->text,
		 O_WRONLY | (operation->arguments[0] == 1 ? O_TRUNC : O_APPEND),
		 "", "dynamic_events");
}

static const char *const values[] = { "1", "0", "1", "0", "2", "", "x" };

void do_enable(const struct operation *operation)
{
	write_to_event(operation,
		       values[operation->arguments[2] % ARRAY_SIZE(values)],
		       "/enable");
}

/* Arguments: subsystem, instance, value. */
void do_enable_all(const struct operation *operation)
{
	static const char *const files[] = {
		"events/user_events/enable",
		"events/user_events_multi/enable",
		"events/eprobes/enable",
	};
	const uint64_t *arguments = operation->arguments;

	write_to(values[arguments[2] % ARRAY_SIZE(values)], O_WRONLY,
		 instance_path(arguments[1]),
		 files[arguments[0] % ARRAY_SIZE(files)]);
}

void do_filter(const struct operation *operation)
{
	write_to_event(operation, operation->text, "/filter");
}

void do_trigger(const struct operation *operation)
{
	write_to_event(operation, operation->text, "/trigger");
}

void do_set_event(const struct operation *operation)
{
	write_to(operation->text, O_WRONLY | O_APPEND,
		 instance_path(operation->arguments[0]), "set_event");
}

/* Arguments: instance, whether to create it. */
void do_instance(const struct operation *operation)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/instances/st_%d", tracefs(),
		 1 + (int)(operation->arguments[0] % (INSTANCES - 1)));
	count_call(operation->arguments[1] ? mkdir(path, 0700) : rmdir(path));
}

/* --- reads ---------------------------------------------------------------- */

/* Arguments: event, instance, file. */
void do_show(const struct operation *operation)
{
	static const char *const files[] = {
		"/format",  "/id",   "/enable", "/filter",
		"/trigger", "/hist", "/inject", "/hist_debug",
	};
	const uint64_t *arguments = operation->arguments;
	char *directory = event_directory(arguments[0], arguments[1]);

	read_from(directory, files[arguments[2] % ARRAY_SIZE(files)]);
	free(directory);
}

/* Arguments: instance, file. */
void do_trace(const struct operation *operation)
{
	static const char *const files[] = {
		"trace",
		"trace_pipe",
		"per_cpu/cpu0/trace_pipe_raw",
		"per_cpu/cpu1/trace_pipe_raw",
		"snapshot",
		"set_event",
		"available_events",
		"dynamic_events",
		"error_log",
		"events/user_events/filter",
		"per_cpu/cpu0/stats",
	};

	read_from(instance_path(operation->arguments[0]),
		  files[operation->arguments[1] % ARRAY_SIZE(files)]);
}

/* Arguments: instance, setting. */
void do_set_trace(const struct operation *operation)
{
	static const struct {
		const char *file;
		const char *text;
	} settings[] = {
		{ "tracing_on", "0" },
		{ "tracing_on", "1" },
		{ "trace", "" },
		{ "buffer_size_kb", "4" },
		{ "buffer_size_kb", "64" },
		{ "snapshot", "1" },
		{ "snapshot", "0" },
		{ "trace_options", "raw" },
		{ "trace_options", "noraw" },
		{ "trace_options", "hex" },
		{ "trace_options", "nohex" },
		{ "trace_options", "bin" },
		{ "trace_options", "nobin" },
		{ "trace_options", "verbose" },
		{ "trace_options", "noverbose" },
		{ "trace_options", "stacktrace" },
		{ "trace_options", "nostacktrace" },
		{ "events/user_events/filter", "0" },
		{ "events/user_events/filter", "common_pid != 0" },
		{ "events/user_events/filter", "f0 > 1" },
	};
	const uint64_t *arguments = operation->arguments;
	uint64_t what = arguments[1] % ARRAY_SIZE(settings);

	write_to(settings[what].text, O_WRONLY | O_TRUNC,
		 instance_path(arguments[0]), settings[what].file);
}
