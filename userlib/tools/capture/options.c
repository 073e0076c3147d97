// SPDX-License-Identifier: MIT
#include "capture/options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/cgroup.h"
#include "util/tracefs.h"

/* Limit of processors, more than any kernel supports. */
#define CPU_MAX 65535

/* Bytes of --snapshot */
#define SNAPSHOT_SIZE (4 * 1024 * 1024)

/* Where control groups are mounted */
#define CGROUPS "/sys/fs/cgroup"

static const char *const everything[] = { "*" };

static int take_pid(struct capture_pids *pids,
		    const struct tool_argument *argument)
{
	switch (capture_pids_add(pids, argument->text, "/proc")) {
	case 0:
		return TOOL_OK;
	case -ESRCH:
		tool_error("--pid: no process is named \"%s\"", argument->text);
		return TOOL_FAILED;
	default:
		return tool_invalid(argument, "the ID or name of a process");
	}
}

static int take_pids(void *member, const struct tool_argument *argument)
{
	_cleanup_free_ char *list = tool_copy(argument->text);
	struct tool_argument one = *argument;
	int status = TOOL_OK;
	char *rest = list;

	while (!status && (one.text = strsep(&rest, ",")))
		status = take_pid(member, &one);

	return status;
}

static bool add_cpus(struct capture_options *options, char *range)
{
	char *dash = strchr(range, '-');
	uint64_t first, last;

	if (dash)
		*dash++ = '\0';
	if (!tool_number(range, 0, CPU_MAX, &first) ||
	    !tool_number(dash ? dash : range, first, CPU_MAX, &last))
		return false;

	for (; first <= last; first++)
		*tool_add(options->cpus, options->cpu_count) =
			(unsigned int)first;

	return true;
}

static int take_cpus(void *options, const struct tool_argument *argument)
{
	_cleanup_free_ char *list = tool_copy(argument->text);
	char *rest = list, *one;

	while ((one = strsep(&rest, ",")))
		if (!add_cpus(options, one))
			return tool_invalid(argument, "a list of processors");

	return TOOL_OK;
}

static int report_cgroup(const struct tool_argument *argument, int error)
{
	const char *option = argument->option->name, *text = argument->text;

	switch (error) {
	case -EINVAL:
		return tool_invalid(argument, "a valid name");
	case -EEXIST:
		tool_error("--%s: several control groups match \"%s\"", option,
			   text);
		tool_hint("use --cgroup with the path of one");
		return TOOL_FAILED;
	default:
		return tool_error_of(error, "--%s: %s", option, text);
	}
}

/* The row has the kind as its bits. */
static int take_cgroup(void *member, const struct tool_argument *argument)
{
	enum capture_cgroup_kind kind = argument->option->value.bits;
	struct capture_options *options = member;
	_cleanup_free_ char *root = capture_cgroup_root(CGROUPS);
	_cleanup_free_ char *path = NULL;
	int error = capture_cgroup_find(root, kind, argument->text, &path);

	if (options->cgroup_fd >= 0)
		close(options->cgroup_fd);
	options->cgroup_fd =
		error ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!error && options->cgroup_fd < 0)
		error = -errno;

	return error ? report_cgroup(argument, error) : TOOL_OK;
}

#define SET_CGROUP(kind)                            \
	{                                           \
		.take = take_cgroup, .bits = (kind) \
	}

const struct tool_option capture_option_rows[] = {
	{ "filter", 'f', "FILTER", "trace only events that pass FILTER",
	  SET_TEXT(struct capture_options, filter, NULL) },
	{ "pid", 'p', "PID[,PID...]",
	  "trace only these processes, by ID or name, and their children",
	  SET_BY(struct capture_options, pids, take_pids, NULL) },
	{ "cgroup", 0, "PATH", "trace only processes of this control group",
	  SET_CGROUP(CAPTURE_CGROUP_PATH) },
	{ "unit", 0, "NAME", "trace only processes of this unit of systemd",
	  SET_CGROUP(CAPTURE_CGROUP_UNIT) },
	{ "container", 0, "ID", "trace only processes of this container",
	  SET_CGROUP(CAPTURE_CGROUP_CONTAINER) },
	{ "elf", 'e', "FILE",
	  "register the events of this program or library at the start",
	  SET_BY(struct capture_options, elfs, query_take_text, "@file") },
	{ "cpu", 'C', "LIST", "trace only these processors, such as 0-3,6",
	  SET_WITH(take_cpus, NULL) },
	{ "duration", 0, "TIME",
	  "stop after TIME: seconds, or with ms, s, m, h or d",
	  SET_TIME(struct capture_options, duration, 0, UINT64_MAX) },
	{ 0 },
};

/* Return: the index of "--", or @argc. */
static int find_dashes(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			break;

	return i;
}

bool capture_is_pattern(const char *text)
{
	const char *colon = strchr(text, ':');

	return *text && colon != text && !(colon && !colon[1]);
}

bool capture_has_files(const struct capture_options *options)
{
	return options->takes_files && !options->command && !options->duration;
}

static int set_patterns(const struct tool_command *command, int argc,
			char **argv, struct capture_options *options)
{
	int i;

	for (i = 0; i < argc && !capture_has_files(options); i++)
		if (!capture_is_pattern(argv[i]))
			return tool_usage(command, "%s: invalid event name",
					  argv[i]);
	options->is_default = argc == 0;
	options->patterns = argc ? (const char *const *)argv : everything;
	options->pattern_count = argc ? (size_t)argc : ARRAY_SIZE(everything);

	if (options->command && options->pids.count)
		return tool_usage(command, "--pid: cannot be combined with a "
					   "command");
	if (options->cgroup_fd >= 0 &&
	    (options->command || options->pids.count))
		return tool_usage(command, "--cgroup, --unit and --container: "
					   "cannot be combined with --pid or a "
					   "command");
	if (options->everywhere && options->pids.count)
		return tool_usage(command, "--all: cannot be combined with "
					   "--pid");

	return TOOL_OK;
}

int capture_parse(const struct tool_command *command, void *members, int argc,
		  char **argv, struct capture_options *options)
{
	int dashes = find_dashes(argc, argv), status;

	if (options->takes_command && dashes == argc - 1)
		return tool_usage(command, "no command after \"--\"");
	if (options->takes_command && dashes < argc) {
		options->command = argv + dashes + 1;
		argc = dashes;
	}
	status = tool_parse_common(command, members, argc, argv);
	/* Events before "--" are behind it now. Without them, it is no command. */
	if (!status && dashes < argc - 1 && optind <= dashes)
		status = tool_usage(command, "takes no command after \"--\"");
	if (!status)
		status = set_patterns(command, argc - optind, argv + optind,
				      options);

	return status;
}

int capture_take_stacks(void *stacks, const struct tool_argument *argument)
{
	const char *which = argument->text;
	const bool both = which && strcmp(which, "both") == 0;
	const bool kernel = which && strcmp(which, "kernel") == 0;

	if (which && !both && !kernel && strcmp(which, "user") != 0)
		return tool_invalid(argument, "user, kernel or both");
	*(unsigned int *)stacks = both ? UEV_SESSION_STACKS |
						  UEV_SESSION_KERNEL_STACKS
				  : kernel ? UEV_SESSION_KERNEL_STACKS
					   : UEV_SESSION_STACKS;

	return TOOL_OK;
}

int capture_take_snapshot(void *member, const struct tool_argument *argument)
{
	struct capture_options *options = member;
	uint64_t *size = &options->snapshot_size;

	options->is_snapshot = true;
	if (argument->text && (!tool_size(argument->text, size) ||
			       *size > CAPTURE_BUFFER_SIZE_MAX))
		return tool_invalid(argument, "a size from 1 to 1G");

	return TOOL_OK;
}

/* Return: bytes of the buffer of a processor */
static uint32_t snapshot_share(const struct capture_options *options)
{
	uint64_t size = options->snapshot_size ? options->snapshot_size
					       : SNAPSHOT_SIZE;
	size_t cpus = options->cpu_count;
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (!cpus)
		cpus = online > 0 ? (size_t)online : 1;

	return size < cpus ? 1 : (uint32_t)(size / cpus);
}

void capture_session_options(struct uev_session_options *session,
			     const struct capture_options *options,
			     const pid_t *command)
{
	*session = (struct uev_session_options)UEV_SESSION_OPTIONS_INIT;
	session->buffer_size = options->is_snapshot
				       ? snapshot_share(options)
				       : (uint32_t)options->buffer_size;
	session->clockid = options->clockid;
	session->cpus = options->cpus;
	session->cpu_count = options->cpu_count;
	session->cgroup_fd = options->cgroup_fd;
	session->pids = options->pids.pids;
	session->pid_count = options->pids.count;
	if (*command && !options->everywhere) {
		session->pids = command;
		session->pid_count = 1;
	}
	if (session->pid_count)
		session->flags |= UEV_SESSION_INHERIT;
	if (options->is_snapshot)
		session->flags |= UEV_SESSION_OVERWRITE;
	if (options->has_names)
		session->flags |= UEV_SESSION_COMMS;
	session->flags |= options->stacks | UEV_SESSION_VPIDS;
}

bool capture_is_selected(const struct capture_options *options,
			 const char *name)
{
	size_t i;

	for (i = 0; i < options->pattern_count; i++)
		if (uev_tracefs_matches(options->patterns[i], "user_events",
					name))
			return true;

	return false;
}

bool capture_follows(const struct capture_options *options)
{
	return options->pids.count ||
	       (options->command && !options->everywhere);
}

bool capture_sees_all(const struct capture_options *options)
{
	return !capture_follows(options) && options->cgroup_fd < 0 &&
	       !options->cpu_count && !options->filter;
}

void capture_options_release(struct capture_options *options)
{
	free(options->pids.pids);
	free(options->cpus);
	free(options->elfs.texts);
	if (options->cgroup_fd >= 0)
		close(options->cgroup_fd);
}
