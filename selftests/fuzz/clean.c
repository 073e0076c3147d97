// SPDX-License-Identifier: GPL-2.0-only
/*
 * All is ours in the guest, whatever it is called.
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

#define LIMIT "/proc/sys/kernel/user_events_max"
#define BUFFER "16"

static char *limit;

/* --- what a program made -------------------------------------------------- */

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
 * Deletes what a line of dynamic_events says that there is. A user event is
 * deleted by its bare name, whatever that is.
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

/* What is built on user events goes before them. */
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
	tfs_write(BUFFER, "buffer_size_kb");
	for (i = 0; i < ARRAY_SIZE(options); i++)
		tfs_write(options[i], "trace_options");
	fd = tfs_open(O_WRONLY | O_TRUNC, "trace");
	if (fd >= 0)
		close(fd);
}

/* --- what is left --------------------------------------------------------- */

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

/* One try; what is still on its way out goes in one of the next. */
static void take_away(void)
{
	char *lines;

	disable_system();
	each_directory("instances", remove_instance_dir);
	lines = tfs_read("dynamic_events");
	if (lines)
		delete_all(lines);
	free(lines);
}

static void note_left(void)
{
	char *lines = tfs_read("dynamic_events");
	char *status = tfs_read("user_events_status");

	harness_note("left in dynamic_events:\n%slisted:\n%s", lines ?: "?\n",
		     status ?: "?\n");
	free(lines);
	free(status);
}

static bool all_gone(void)
{
	long long start = 0;

	each_directory("instances", remove_instance_dir);
	while (!is_empty()) {
		take_away();
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			note_left();
			return false;
		}
	}
	if (tfs_exists("events/" USER_EVENTS_SYSTEM) ||
	    tfs_exists("events/" USER_EVENTS_MULTI_SYSTEM)) {
		harness_note("there are directories of no event");
		return false;
	}

	return true;
}

static bool nobody_uses_it(void)
{
	long long start = 0;

	while (true) {
		char *count = read_file("/sys/module/user_events/refcnt");
		bool unused = count && !strtoul(count, NULL, 10);

		if (!unused && !harness_deadline(&start, WAIT_TIMEOUT_S)) {
			harness_note("the module is in use: %s", count ?: "?");
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
		harness_note("cannot load: %s", harness_errno(errno));
		return false;
	}
	shared->other_module = false;
	coverage_find_module();

	return true;
}

bool clean_reload(void)
{
	long long start = 0;

	while (module_unload())
		if (errno != EAGAIN ||
		    !harness_deadline(&start, WAIT_TIMEOUT_S)) {
			harness_note("cannot unload: %s", harness_errno(errno));
			return false;
		}

	return load();
}

/*
 * Where emulated processors have been seen to hang is code that is patched over
 * and over while another one runs it. So what would patch the scheduler each
 * time, because a first one listens to it, is kept from doing so: names of tasks
 * are not recorded, and somebody listens to a task all the time.
 */
static void leave_scheduler_alone(void)
{
	struct perf_event_attr nothing = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(nothing),
	};

	tfs_write("0", "options/record-cmd");
	syscall(SYS_perf_event_open, &nothing, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void clean_prepare(void)
{
	write_file("1", "/sys/kernel/rcu_expedited");
	leave_scheduler_alone();
	limit = read_file(LIMIT);
	coverage_find_module();
}

bool clean(void)
{
	if (!module_is_loaded() && !load())
		return false;
	if (limit)
		write_file(limit, LIMIT);
	reset_trace();
	if (!all_gone() || !nobody_uses_it())
		return false;

	return !shared->other_module || clean_reload();
}
