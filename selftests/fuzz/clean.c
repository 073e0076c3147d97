// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clean-up after a program. The guest belongs to the fuzzer, so all objects are
 * removed, whatever their names are.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/user_events.h"
#include "clean.h"
#include "coverage.h"
#include "execute.h"
#include "operations.h"

#define LIMIT_FILE "/proc/sys/kernel/user_events_max"
#define BUFFER_KB "16"

static char *limit;

/* --- removal of objects --------------------------------------------------- */

static void each_directory(const char *parent, void (*what)(const char *path))
{
	const char *parents = text("%s/%s", tracefs(), parent);
	const struct dirent *entry;
	DIR *directory = opendir(parents);

	while (directory && (entry = readdir(directory))) {
		char *path;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
		    asprintf(&path, "%s/%s", parents, entry->d_name) < 0)
			continue;
		what(path);
		free(path);
	}
	if (directory)
		closedir(directory);
	free((void *)parents);
}

static void remove_instance_dir(const char *path)
{
	rmdir(path);
}

static const char *const systems[] = {
	"events/synthetic",
	"events/eprobes",
	"events/kprobes",
	"events/" USER_EVENTS_SYSTEM,
	"events/" USER_EVENTS_MULTI_SYSTEM,
};

static void disable_system(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(systems); i++)
		each_directory(systems[i], disable_dir);
}

/*
 * Deletes the object that a line of dynamic_events names. A user event is
 * deleted by its bare name.
 */
static void delete_line(const char *line)
{
	const char *name = strchr(line, ':');
	char *command;

	if (!name)
		return;
	name++;
	if (asprintf(&command, "-:%.*s", (int)strcspn(name, " "), name) < 0)
		return;
	if (*line == 'u')
		del_event(command + 2);
	else
		dynevent_write(command);
	free(command);
}

/* Objects that are built on user events are deleted first. */
static void delete_all(char *lines)
{
	char *line, *next, *copy;
	int users;

	for (users = 0; users < 2; users++) {
		copy = strdup(lines);
		next = copy;
		while ((line = strsep(&next, "\n")))
			if ((*line == 'u') == users)
				delete_line(line);
		free(copy);
	}
}

static void reset_trace(void)
{
	static const char *const options[] = { "noraw", "nohex", "nobin",
					       "noverbose", "nostacktrace" };
	size_t i;
	int fd;

	tfs_write("1", "tracing_on");
	tfs_write("0", "snapshot");
	tfs_write("0", "events/user_events/filter");
	tfs_write(BUFFER_KB, "buffer_size_kb");
	for (i = 0; i < ARRAY_SIZE(options); i++)
		tfs_write(options[i], "trace_options");
	fd = tfs_open(O_WRONLY | O_TRUNC, "trace");
	if (fd >= 0)
		close(fd);
}

/* --- leftovers ------------------------------------------------------------ */

static bool is_empty(void)
{
	char *lines = tfs_read("dynamic_events");
	char *status = tfs_read("user_events_status");
	bool empty = lines && !*lines && status &&
		     strstr(status, "\nActive: 0\nBusy: 0\n");

	free(lines);
	free(status);

	return empty;
}

/*
 * Removes objects once; objects that are still busy are removed by a later
 * call.
 */
static void remove_objects(void)
{
	char *lines;

	disable_system();
	each_directory("instances", remove_instance_dir);
	lines = tfs_read("dynamic_events");
	if (lines)
		delete_all(lines);
	free(lines);
}

static void note_leftovers(void)
{
	char *lines = tfs_read("dynamic_events");
	char *status = tfs_read("user_events_status");

	harness_note("left in dynamic_events:\n%suser_events_status:\n%s",
		     lines ?: "?\n", status ?: "?\n");
	free(lines);
	free(status);
}

static bool remove_all(void)
{
	long long start = 0;

	each_directory("instances", remove_instance_dir);
	while (!is_empty()) {
		remove_objects();
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			note_leftovers();
			return false;
		}
	}
	if (tfs_exists("events/" USER_EVENTS_SYSTEM) ||
	    tfs_exists("events/" USER_EVENTS_MULTI_SYSTEM)) {
		harness_note("event directories left behind");
		return false;
	}

	return true;
}

static bool module_is_unused(void)
{
	long long start = 0;

	while (true) {
		char *count = read_file("/sys/module/user_events/refcnt");
		bool unused = count && !strtoul(count, NULL, 10);

		if (!unused && !harness_deadline(&start, WAIT_TIMEOUT_S)) {
			harness_note("module is still in use: %s references",
				     count ?: "?");
			free(count);
			return false;
		}
		free(count);
		if (unused)
			return true;
	}
}

static bool load(void)
{
	if (module_load("")) {
		harness_note("cannot load the module: %s",
			     harness_errno(errno));
		return false;
	}
	shared->module_changed = false;
	coverage_find_module();

	return true;
}

bool clean_reload(void)
{
	long long start = 0;

	while (module_unload())
		if (errno != EAGAIN ||
		    !harness_deadline(&start, WAIT_TIMEOUT_S)) {
			harness_note("cannot unload the module: %s",
				     harness_errno(errno));
			return false;
		}

	return load();
}

/*
 * Avoids patching of the scheduler's code whenever the first of its events is
 * enabled: emulated CPUs were seen to hang in code that is patched frequently
 * while another CPU executes it. Names of tasks are not recorded, and one perf
 * event on a task stays enabled.
 */
static void avoid_scheduler_patching(void)
{
	struct perf_event_attr dummy = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(dummy),
	};

	tfs_write("0", "options/record-cmd");
	syscall(SYS_perf_event_open, &dummy, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void clean_prepare(void)
{
	write_file("1", "/sys/kernel/rcu_expedited");
	avoid_scheduler_patching();
	limit = read_file(LIMIT_FILE);
	coverage_find_module();
}

bool clean(void)
{
	if (!module_is_loaded() && !load())
		return false;
	if (limit)
		write_file(limit, LIMIT_FILE);
	reset_trace();
	if (!remove_all() || !module_is_unused())
		return false;

	return !shared->module_changed || clean_reload();
}
