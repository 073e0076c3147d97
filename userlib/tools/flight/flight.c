// SPDX-License-Identifier: MIT
#include "flight/flight.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/clock.h"
#include "events/report.h"
#include "files.h"
#include "tool.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define STATE "state"
#define NAME_SIZE 64

/* ---- Names and paths ---- */

const char *flight_name_check(const char *name)
{
	size_t i;

	if (!*name)
		return "a name is needed";
	if (strlen(name) > NAME_SIZE)
		return "longer than 64 characters";
	for (i = 0; name[i]; i++)
		if (!isalnum((unsigned char)name[i]) &&
		    (!i || !strchr("-_.", name[i])) && name[i] != '_')
			return "not letters, digits, \"-\", \"_\" and \".\"";

	return NULL;
}

int flight_name_require(const struct tool_command *command, const char *name)
{
	const char *reason = flight_name_check(name);

	return reason ? tool_usage(command, "\"%s\": invalid name: %s", name,
				   reason)
		      : TOOL_OK;
}

uint64_t flight_inode(const char *path)
{
	struct stat about;

	return stat(path, &about) ? 0 : (uint64_t)about.st_ino;
}

void flight_init(struct flight *flight, const char *tracefs, const char *name)
{
	*flight = (struct flight){
		.name = tool_copy(name),
		.tracefs = tool_copy(tracefs),
		.instance = tool_print("%s/instances/%s", tracefs, name),
	};
}

int flight_find(struct flight *flight, const char *name)
{
	_cleanup_free_ char *tracefs = NULL;
	int status = events_find_tracefs(&tracefs);

	*flight = (struct flight){ 0 };
	if (!status)
		flight_init(flight, tracefs, name);

	return status;
}

void flight_release(struct flight *flight)
{
	free(flight->name);
	free(flight->tracefs);
	free(flight->instance);
	free(flight->directory);
	free(flight->on);
	*flight = (struct flight){ 0 };
}

/* ---- State ---- */

/* Tests whether the state was written since the last boot. */
static bool is_this_boot(const char *state)
{
	_cleanup_free_ char *now = files_line(BOOT_ID);
	_cleanup_free_ char *then = files_value_line(state, "boot ");

	return now && then && strcmp(now, then) == 0;
}

bool flight_is_tracing(const struct flight *flight)
{
	_cleanup_free_ char *path = flight_path(flight, "tracing_on");
	_cleanup_free_ char *line = files_line(path);

	return line && strcmp(line, "1") == 0;
}

static enum flight_condition find_condition(const struct flight *flight,
					    const char *state)
{
	uint64_t inode = flight_inode(flight->instance);

	if (!is_this_boot(state))
		return inode && flight->is_persistent ? FLIGHT_EARLIER
						      : FLIGHT_GONE;
	if (!inode || inode != flight->inode)
		return FLIGHT_GONE;

	return flight_is_tracing(flight) ? FLIGHT_RECORDING : FLIGHT_STOPPED;
}

/* Returns nanoseconds of the clock that the instance has now, to microseconds. */
static uint64_t read_local_clock(const struct flight *flight)
{
	_cleanup_free_ char *path = flight_path(flight, "per_cpu/cpu0/stats");
	_cleanup_free_ char *text = NULL;
	const char *now;
	char *end;
	uint64_t seconds;

	if (files_read(path, &text, NULL))
		return 0;
	now = files_value(text, "now ts: ");
	if (!now)
		return 0;
	seconds = strtoull(now, &end, 10);

	return seconds * 1000000000 +
	       (*end == '.' ? strtoull(end + 1, NULL, 10) * 1000 : 0);
}

const char *flight_clock_name(const struct flight *flight)
{
	return flight->clock.clockid == UEV_CLOCK_PERF ? "local" : "mono";
}

uint64_t flight_clock_now(const struct flight *flight)
{
	return flight->clock.clockid == UEV_CLOCK_PERF
		       ? read_local_clock(flight)
		       : capture_clock_time(flight->clock.clockid);
}

/*
 * The monotonic clock and the wall clock are adjusted together, so that the dates
 * of a record remain the same until the wall clock is set. The local clock is not
 * adjusted.
 */
static void read_clock(struct flight *flight, const char *text)
{
	bool is_local = flight->is_persistent;
	uint64_t now;

	flight->has_dates = true;
	flight->clock = (struct uev_clock){
		.clockid = is_local ? UEV_CLOCK_PERF : CLOCK_MONOTONIC,
		.wall = files_value_number(text, "wall "),
		.clock = files_value_number(text, "clock "),
	};
	if (!is_this_boot(text))
		return;
	if (!is_local) {
		capture_clock_follow(&flight->clock);
		return;
	}
	now = flight_clock_now(flight);
	if (now)
		flight->clock.wall = flight->clock.clock +
				     capture_clock_time(CLOCK_REALTIME) - now;
}

static void parse_state(struct flight *flight, const char *text)
{
	flight->is_persistent = files_value_number(text, "persistent ");
	flight->inode = files_value_number(text, "inode ");
	flight->size = files_value_number(text, "size ");
	flight->on = files_value_line(text, "on ");
	flight->condition = find_condition(flight, text);
	read_clock(flight, text);
}

/* Return: 0 or the error */
static int read_in(struct flight *flight, const char *root)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *text = NULL;
	int ret;

	free(flight->directory);
	flight->directory = tool_print("%s/%s", root, flight->name);
	path = tool_print("%s/" STATE, flight->directory);
	ret = files_read(path, &text, NULL);
	if (ret)
		return ret;
	parse_state(flight, text);

	return 0;
}

int flight_read(struct flight *flight)
{
	int ret = read_in(flight, FLIGHT_PERSISTENT);

	return ret == -ENOENT ? read_in(flight, FLIGHT_VOLATILE) : ret;
}

static char *format_state(const struct flight *flight)
{
	_cleanup_free_ char *boot = files_line(BOOT_ID);

	return tool_print("boot %s\ninode %" PRIu64 "\npersistent %d\n"
			  "size %" PRIu64 "\nwall %" PRIu64 "\nclock %" PRIu64
			  "\n%s%s%s",
			  boot ? boot : "?", flight->inode,
			  flight->is_persistent, flight->size,
			  capture_clock_time(CLOCK_REALTIME),
			  flight_clock_now(flight), flight->on ? "on " : "",
			  flight->on ? flight->on : "", flight->on ? "\n" : "");
}

/* Creates a directory with its parents. Return: 0 or -errno */
static int make_directory(const char *path)
{
	_cleanup_free_ char *copy = tool_copy(path);
	char *at;
	int ret = 0;

	for (at = strchr(copy + 1, '/'); at && !ret; at = strchr(at + 1, '/')) {
		*at = '\0';
		ret = mkdir(copy, 0755) && errno != EEXIST ? -errno : 0;
		*at = '/';
	}
	if (!ret)
		ret = mkdir(copy, 0700) && errno != EEXIST ? -errno : 0;

	return ret;
}

int flight_save(const struct flight *flight, const char *from, const char *file)
{
	_cleanup_free_ char *path = tool_print("%s/%s", from, file);
	_cleanup_free_ char *to = tool_print("%s/%s", flight->directory, file);
	_cleanup_free_ char *text = NULL;
	size_t size;
	int ret = files_read(path, &text, &size);

	return ret ? ret : files_save(to, text, size);
}

int flight_write(const struct flight *flight)
{
	_cleanup_free_ char *path = tool_print("%s/" STATE, flight->directory);
	_cleanup_free_ char *fresh = tool_print("%s.new", path);
	_cleanup_free_ char *text = format_state(flight);
	int ret = make_directory(flight->directory);

	if (!ret)
		ret = files_save(fresh, text, strlen(text));
	if (!ret && rename(fresh, path))
		ret = -errno;

	return ret;
}

/* ---- Existing flight recorders ---- */

static int report_missing(const struct flight *flight, int error)
{
	bool is_other = flight_inode(flight->instance);

	if (error == -ENOENT && is_other) {
		tool_error("%s: this instance was not made by \"user-events "
			   "flight\"",
			   flight->name);
		return TOOL_FAILED;
	}
	if (error == -ENOENT) {
		tool_error("%s: no such flight recorder", flight->name);
		tool_hint("see \"user-events flight list\"");
		return TOOL_FAILED;
	}

	return tool_error_of(error, "%s: cannot read its state", flight->name);
}

int flight_open(struct flight *flight, const char *name)
{
	int status = flight_find(flight, name);
	int ret = status ? 0 : flight_read(flight);

	return ret ? report_missing(flight, ret) : status;
}

/* ---- Instances of others ---- */

/* Clocks of ftrace that programs can read, too */
static const struct {
	const char *name;
	clockid_t clock;
} clocks[] = {
	{ "[mono]", CLOCK_MONOTONIC },
	{ "[mono_raw]", CLOCK_MONOTONIC_RAW },
	{ "[boot]", CLOCK_BOOTTIME },
};

static void find_clock(struct flight *flight)
{
	_cleanup_free_ char *path = flight_path(flight, "trace_clock");
	_cleanup_free_ char *line = files_line(path);
	size_t i;

	for (i = 0; line && i < ARRAY_SIZE(clocks); i++) {
		if (!strstr(line, clocks[i].name))
			continue;
		flight->has_dates = true;
		flight->clock = (struct uev_clock){
			.clockid = clocks[i].clock,
			.wall = capture_clock_time(CLOCK_REALTIME),
			.clock = capture_clock_time(clocks[i].clock),
		};
	}
}

/* Tests whether a buffer can have records of an earlier boot. */
static bool is_of_earlier_boot(const struct flight *flight)
{
	_cleanup_free_ char *path = flight_path(flight, "last_boot_info");
	_cleanup_free_ char *line = files_line(path);

	return line && strcmp(line, "# Current") != 0;
}

/* The instance of a recorder that is gone can have been made again by others. */
static bool is_recorder(const struct flight *flight)
{
	_cleanup_(flight_release) struct flight recorder = { 0 };

	flight_init(&recorder, flight->tracefs, flight->name);

	return !flight_read(&recorder) && recorder.condition != FLIGHT_GONE;
}

/* Return: the reason why an instance is not read; NULL if there is none */
static const char *why_not(const struct flight *flight)
{
	if (!flight->inode)
		return "no such instance of ftrace";
	if (is_recorder(flight))
		return "a flight recorder, which is read without --instance";
	if (is_of_earlier_boot(flight))
		return "can have records of an earlier boot";

	return NULL;
}

int flight_open_instance(struct flight *flight, const char *name)
{
	int status = flight_find(flight, name);
	const char *reason;

	if (status)
		return status;
	flight->is_foreign = true;
	flight->inode = flight_inode(flight->instance);
	reason = why_not(flight);
	if (reason) {
		tool_error("%s: %s", name, reason);
		return TOOL_FAILED;
	}
	flight->condition = flight_is_tracing(flight) ? FLIGHT_RECORDING
						      : FLIGHT_STOPPED;
	find_clock(flight);

	return TOOL_OK;
}

/* ---- Locks and files ---- */

int flight_lock(const struct flight *flight)
{
	int fd = open(flight->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	do {
		ret = flock(fd, LOCK_EX);
	} while (ret && errno == EINTR);
	if (!ret)
		return fd;
	ret = -errno;
	close(fd);

	return ret;
}

int flight_forget(const struct flight *flight)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	int ret = files_names(flight->directory, &names);
	size_t i;

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (i = 0; i < names.count; i++) {
		_cleanup_free_ char *path =
			tool_print("%s/%s", flight->directory, names.names[i]);

		unlink(path);
	}

	return rmdir(flight->directory) && errno != ENOENT ? -errno : 0;
}
