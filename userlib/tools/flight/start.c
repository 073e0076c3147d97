// SPDX-License-Identifier: MIT
#include "flight/start.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/options.h"
#include "events/filter.h"
#include "files.h"
#include "flight/describe.h"
#include "flight/losses.h"
#include "flight/pages.h"
#include "flight/snapshot.h"
#include "tool.h"
#include "util/tracefs.h"

/* Added to the name of a recorder whose instance is not that of this boot */
#define EARLIER ".earlier"

/* ---- Files of the instance ---- */

static int set_file(const struct flight *flight, const char *file,
		    const char *text)
{
	_cleanup_free_ char *path = flight_path(flight, "%s", file);

	return files_write(path, text);
}

/* Return: an exit status */
static int set_or_print(const struct flight *flight, const char *file,
			const char *text)
{
	int ret = set_file(flight, file, text);

	return ret ? tool_error_of(ret, "%s/%s: cannot write \"%s\"",
				   flight->instance, file, text)
		   : TOOL_OK;
}

static uint64_t read_size(const struct flight *flight)
{
	_cleanup_free_ char *path = flight_path(flight, "buffer_total_size_kb");
	_cleanup_free_ char *line = files_line(path);
	uint64_t kib = line ? strtoull(line, NULL, 10) : 0;

	return kib << 10;
}

/* Return: an exit status */
static int set_size(struct flight *flight, uint64_t size)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t kib = size / (cpus > 0 ? (uint64_t)cpus : 1) >> 10;
	_cleanup_free_ char *text = NULL;
	int ret;

	if (flight->is_persistent) {
		flight->size = read_size(flight);
		return TOOL_OK;
	}
	text = tool_print("%" PRIu64, kib ? kib : 1);
	ret = set_file(flight, "buffer_size_kb", text);
	if (ret == -ENOMEM) {
		tool_error("%s: not enough memory for buffers of %" PRIu64
			   " bytes",
			   flight->name, size);
		tool_hint("use a smaller --size");
		return TOOL_FAILED;
	}
	if (ret)
		return tool_error_of(ret, "%s: cannot set the size of buffers",
				     flight->name);
	flight->size = read_size(flight);

	return TOOL_OK;
}

/* ---- Events ---- */

/* struct enabling - Events that are enabled */
struct enabling {
	const struct flight *flight;
	const char *filter;
	size_t found;
};

static int enable_event(void *data, const char *system, const char *name,
			uint32_t id)
{
	struct enabling *enabling = data;
	_cleanup_free_ char *filter =
		tool_print("events/%s/%s/filter", system, name);
	_cleanup_free_ char *file =
		tool_print("events/%s/%s/enable", system, name);
	int ret = 0;

	(void)id;
	enabling->found++;
	if (enabling->filter)
		ret = set_file(enabling->flight, filter, enabling->filter);
	if (!ret)
		ret = set_file(enabling->flight, file, "1");
	/* The event can have been deleted. */
	if (ret == -ENOENT || ret == -ENODEV)
		ret = 0;

	return ret;
}

/* Return: an exit status */
static int enable_pattern(struct enabling *enabling, const char *pattern)
{
	size_t before = enabling->found;
	int ret = uev_tracefs_events(enabling->flight->tracefs, pattern,
				     enable_event, enabling);

	if (ret == -EINVAL && enabling->filter) {
		events_filter_explain(pattern, enabling->filter);
		return TOOL_FAILED;
	}
	if (ret)
		return tool_error_of(ret, "%s: cannot be enabled", pattern);
	if (enabling->found > before)
		return TOOL_OK;
	tool_error("%s: no such event; it is not recorded if it appears later",
		   pattern);

	return TOOL_NOT_FOUND;
}

/* Return: an exit status; TOOL_NOT_FOUND if a pattern matches no event */
static int enable_events(const struct flight *flight,
			 const struct flight_start *start, bool *has_event)
{
	struct enabling enabling = {
		.flight = flight,
		.filter = start->filter,
	};
	int status = TOOL_OK, ret;
	size_t i;

	for (i = 0; i < start->pattern_count; i++) {
		ret = enable_pattern(&enabling, start->patterns[i]);
		if (ret && ret != TOOL_NOT_FOUND)
			return ret;
		status = ret ? ret : status;
	}
	*has_event = enabling.found;
	if (!enabling.found)
		tool_hint("define events with \"user-events add\", or start "
			  "their program first");

	return status;
}

/* ---- The start ---- */

/* Return: an exit status; TOOL_NOT_FOUND if a pattern matches no event */
static int configure_instance(struct flight *flight,
			      const struct flight_start *start, bool *has_event)
{
	int status = set_or_print(flight, "tracing_on", "0"), missing;

	if (!status)
		status = set_or_print(flight, "trace_clock",
				      flight_clock_name(flight));
	if (!status)
		status = set_or_print(flight, "options/overwrite",
				      start->keeps_oldest ? "0" : "1");
	if (!status)
		status = set_size(flight, start->size);
	if (status)
		return status;
	missing = enable_events(flight, start, has_event);
	if ((missing && missing != TOOL_NOT_FOUND) || !*has_event)
		return missing;
	if (flight->on)
		status = flight_snapshot_arm(flight);
	if (status) {
		*has_event = false;
		return status;
	}
	status = flight_describe(flight);
	if (!status)
		status = set_or_print(flight, "tracing_on", "1");

	return status ? status : missing;
}

/* A persistent instance is made by the kernel only, and stays. */
static int remove_instance(const struct flight *flight)
{
	if (!flight->is_persistent)
		return rmdir(flight->instance) && errno != ENOENT ? -errno : 0;
	set_file(flight, "tracing_on", "0");
	set_file(flight, "events/enable", "0");
	/* Clears the buffer. */
	set_file(flight, "trace_clock", flight_clock_name(flight));

	return 0;
}

/* The state comes first, so that a start that is killed can be stopped. */
static int record_in(struct flight *flight, const struct flight_start *start)
{
	bool has_event = false;
	int status, ret;

	flight->inode = flight_inode(flight->instance);
	/*
	 * Since Linux 6.16, the kernel sets the clock of a persistent buffer again
	 * when it boots, which clears the buffers of the processors that are online
	 * then, unless it is the default clock.
	 */
	flight->clock.clockid = flight->is_persistent ? UEV_CLOCK_PERF
						      : CLOCK_MONOTONIC;
	flight->on = start->on ? tool_copy(start->on) : NULL;
	flight_forget(flight);
	ret = flight_write(flight);
	if (!ret)
		ret = flight_losses_save(flight);
	status = ret ? tool_error_of(ret, "%s: cannot be written",
				     flight->directory)
		     : configure_instance(flight, start, &has_event);
	if (!status || (status == TOOL_NOT_FOUND && has_event)) {
		/* With the size */
		ret = flight_write(flight);
		if (!ret)
			return status;
		status = tool_error_of(ret, "%s: cannot be written",
				       flight->directory);
	}
	remove_instance(flight);
	flight_forget(flight);

	return status;
}

/* The instance exists. Return: an exit status */
static int take_persistent(struct flight *flight)
{
	bool is_persistent = files_exist("%s/last_boot_info", flight->instance);

	if (is_persistent && !flight_events(flight)) {
		flight->is_persistent = true;
		tool_error("%s: uses the persistent buffer of the kernel, with "
			   "its size of %" PRIu64 " KiB",
			   flight->name, read_size(flight) >> 10);
		return TOOL_OK;
	}
	if (is_persistent)
		tool_error("%s: others have enabled events in this persistent "
			   "buffer",
			   flight->name);
	else
		tool_error("%s: an instance of this name exists, which was not "
			   "made by \"user-events flight\"",
			   flight->name);
	tool_hint("use another name");

	return TOOL_FAILED;
}

/* Return: an exit status */
static int make_instance(struct flight *flight)
{
	if (mkdir(flight->instance, 0700) == 0)
		return TOOL_OK;
	if (errno == EEXIST)
		return take_persistent(flight);

	return tool_error_of(-errno, "%s: cannot be created", flight->instance);
}

/* Return: an exit status */
static int reject_running(const struct flight *flight)
{
	tool_error("%s: is started already", flight->name);
	tool_hint("stop it with \"user-events flight stop %s\"", flight->name);

	return TOOL_FAILED;
}

/* Deletes an older recorder of the name. Return: 0 or -errno */
static int rename_directory(const struct flight *flight, const char *name)
{
	_cleanup_(flight_release) struct flight older = { 0 };
	_cleanup_free_ char *directory =
		tool_print("%s" EARLIER, flight->directory);

	flight_init(&older, flight->tracefs, name);
	if (!flight_read(&older))
		flight_forget(&older);

	return rename(flight->directory, directory) ? -errno : 0;
}

/*
 * Gives the records of an instance that is gone, or of an earlier boot, another
 * name. Return: an exit status
 */
static int set_aside(const struct flight *flight)
{
	_cleanup_free_ char *name = tool_print("%s" EARLIER, flight->name);
	struct flight_pages pages;
	int ret = flight_pages_open(&pages, flight);

	if (!ret) {
		ret = flight_pages_move(&pages, false);
		flight_pages_close(&pages);
	}
	if (ret >= 0)
		ret = rename_directory(flight, name);
	if (ret)
		ret = tool_error_of(ret, "%s: cannot keep earlier records",
				    flight->name);
	else
		tool_error("%s: earlier records are in %s now", flight->name,
			   name);

	return ret;
}

/* An instance that is made now. Return: an exit status */
static int start_fresh(struct flight *flight, const struct flight_start *start)
{
	int status;

	free(flight->on);
	flight->on = NULL;
	flight->is_persistent = false;
	status = make_instance(flight);
	if (status)
		return status;
	free(flight->directory);
	flight->directory = tool_print("%s/%s",
				       flight->is_persistent ? FLIGHT_PERSISTENT
							     : FLIGHT_VOLATILE,
				       flight->name);

	return record_in(flight, start);
}

/* Return: an exit status */
static int start_in(struct flight *flight, const struct flight_start *start)
{
	int ret = flight_read(flight), status = TOOL_OK;

	if (ret && ret != -ENOENT)
		return tool_error_of(ret, "%s: cannot read its state",
				     flight->name);
	if (!ret && flight->condition == FLIGHT_RECORDING &&
	    start->unless_running)
		return TOOL_OK;
	if (!ret && (flight->condition == FLIGHT_RECORDING ||
		     flight->condition == FLIGHT_STOPPED))
		return reject_running(flight);
	if (!ret)
		status = set_aside(flight);

	return status ? status : start_fresh(flight, start);
}

/* Return: TOOL_OK or TOOL_USAGE */
static int set_names(const struct tool_command *command,
		     struct flight_start *start, char **arguments, size_t count)
{
	int status = flight_name_require(command, arguments[0]);
	size_t i;

	if (status)
		return status;
	for (i = 1; i < count; i++)
		if (!capture_is_pattern(arguments[i]))
			return tool_usage(command, "%s: invalid event name",
					  arguments[i]);
	start->name = arguments[0];
	start->patterns = (const char *const *)arguments + 1;
	start->pattern_count = count - 1;

	return TOOL_OK;
}

int flight_start(const struct tool_command *command, struct flight_start *start,
		 char **arguments, size_t count)
{
	_cleanup_(flight_release) struct flight flight = { 0 };
	int status = set_names(command, start, arguments, count);

	if (!status)
		status = flight_find(&flight, start->name);

	return status ? status : start_in(&flight, start);
}

/* ---- The end ---- */

static int stop_recorder(const struct flight *flight)
{
	int lock = flight_lock(flight), ret = 0;

	if (lock < 0)
		return tool_error_of(lock, "%s: cannot be locked",
				     flight->directory);
	if (flight->condition != FLIGHT_GONE)
		ret = remove_instance(flight);
	if (ret == -EBUSY) {
		tool_error("%s: another process reads the instance",
			   flight->name);
		ret = TOOL_FAILED;
	} else if (ret) {
		ret = tool_error_of(ret, "%s: cannot be removed",
				    flight->instance);
	} else {
		ret = flight_forget(flight);
		if (ret)
			ret = tool_error_of(ret, "%s: cannot be removed",
					    flight->directory);
	}
	close(lock);

	return ret;
}

int flight_stop(const struct tool_command *command, const char *name)
{
	_cleanup_(flight_release) struct flight flight = { 0 };
	int status = flight_name_require(command, name);

	if (status)
		return status;
	status = flight_open(&flight, name);
	if (!status)
		status = stop_recorder(&flight);

	return status;
}
