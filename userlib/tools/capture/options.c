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

#define BUFFER_SIZE_MAX (UINT64_C(1) << 30)

/* Where control groups are mounted */
#define CGROUPS "/sys/fs/cgroup"

static const char *const everything[] = { "*" };

static int take_pid(const struct tool_command *command, const char *text,
		    struct capture_options *options)
{
	switch (capture_pids_add(&options->pids, text, "/proc")) {
	case 0:
		return TOOL_OK;
	case -ESRCH:
		tool_error("--pid: no process is named \"%s\"", text);
		return TOOL_FAILED;
	default:
		return tool_usage(command,
				  "--pid: \"%s\" is not the ID or name of a "
				  "process",
				  text);
	}
}

static int take_pids(const struct tool_command *command, const char *text,
		     struct capture_options *options)
{
	_cleanup_free_ char *list = tool_copy(text);
	char *rest = list, *one;
	int status = TOOL_OK;

	while (!status && (one = strsep(&rest, ",")))
		status = take_pid(command, one, options);

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

	options->cpus = tool_grow(options->cpus,
				  (options->cpu_count + last - first + 1) *
					  sizeof(*options->cpus));
	for (; first <= last; first++)
		options->cpus[options->cpu_count++] = (unsigned int)first;

	return true;
}

static int take_cpus(const struct tool_command *command, const char *text,
		     struct capture_options *options)
{
	_cleanup_free_ char *list = tool_copy(text);
	char *rest = list, *one;

	while ((one = strsep(&rest, ",")))
		if (!add_cpus(options, one))
			return tool_usage(command,
					  "--cpu: \"%s\" is not a list of "
					  "processors",
					  text);

	return TOOL_OK;
}

static int take_elf(const char *path, struct capture_options *options)
{
	options->elfs = tool_grow(options->elfs, (options->elf_count +
						  1) * sizeof(*options->elfs));
	options->elfs[options->elf_count++] = path;

	return TOOL_OK;
}

static int take_buffer_size(const struct tool_command *command,
			    const char *text, struct capture_options *options)
{
	uint64_t size;

	if (!tool_size(text, &size) || size > BUFFER_SIZE_MAX)
		return tool_usage(command,
				  "--buffer-size: \"%s\" is not a size from "
				  "1 to 1G",
				  text);
	options->buffer_size = (uint32_t)size;

	return TOOL_OK;
}

static int take_duration(const struct tool_command *command, const char *text,
			 struct capture_options *options)
{
	if (tool_time(text, &options->duration))
		return TOOL_OK;

	return tool_usage(command,
			  "--duration: \"%s\" is not a time such as 1.5, "
			  "500ms or 2h",
			  text);
}

/* Options of all these commands, without letters: after those of the commands */
enum {
	OPTION_CGROUP = OPTION_FIRST + 200,
	OPTION_UNIT,
	OPTION_CONTAINER,
	OPTION_DURATION,
};

static int report_cgroup(const struct tool_command *command, const char *option,
			 const char *text, int error)
{
	switch (error) {
	case -EINVAL:
		return tool_usage(command, "%s: \"%s\" is not a valid name",
				  option, text);
	case -EEXIST:
		tool_error("%s: several control groups match \"%s\"", option,
			   text);
		tool_hint("use --cgroup with the path of one");
		return TOOL_FAILED;
	default:
		return tool_error_of(error, "%s: %s", option, text);
	}
}

static int take_cgroup(const struct tool_command *command, int option,
		       const char *text, struct capture_options *options)
{
	static const struct {
		const char *option;
		enum capture_cgroup_kind kind;
	} kinds[] = {
		{ "--cgroup", CAPTURE_CGROUP_PATH },
		{ "--unit", CAPTURE_CGROUP_UNIT },
		{ "--container", CAPTURE_CGROUP_CONTAINER },
	};
	const char *name = kinds[option - OPTION_CGROUP].option;
	_cleanup_free_ char *root = capture_cgroup_root(CGROUPS);
	_cleanup_free_ char *path = NULL;
	int error = capture_cgroup_find(
		root, kinds[option - OPTION_CGROUP].kind, text, &path);

	if (options->cgroup_fd >= 0)
		close(options->cgroup_fd);
	options->cgroup_fd =
		error ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!error && options->cgroup_fd < 0)
		error = -errno;

	return error ? report_cgroup(command, name, text, error) : TOOL_OK;
}

const struct tool_option capture_option_rows[] = {
	{ "filter", 'f', "FILTER", "trace only events that pass FILTER" },
	{ "pid", 'p', "PID[,PID...]",
	  "trace only these processes, by ID or name, and their children" },
	{ "cgroup", OPTION_CGROUP, "PATH",
	  "trace only processes of this control group" },
	{ "unit", OPTION_UNIT, "NAME",
	  "trace only processes of this unit of systemd" },
	{ "container", OPTION_CONTAINER, "ID",
	  "trace only processes of this container" },
	{ "elf", 'e', "FILE",
	  "register the events of this program or library at the start",
	  SET_NOTHING("@file") },
	{ "cpu", 'C', "LIST", "trace only these processors, such as 0-3,6" },
	{ "duration", OPTION_DURATION, "TIME",
	  "stop after TIME: seconds, or with ms, s, m, h or d" },
	{ 0 },
};

/* Arguments of capture_parse(). */
struct parse {
	const struct tool_command *command;
	const struct tool_options *own;
	struct capture_options *options;
};

static int take(void *data, int option, const char *argument)
{
	const struct parse *parse = data;

	switch (option) {
	case 'f':
		parse->options->filter = argument;
		return TOOL_OK;
	case 'p':
		return take_pids(parse->command, argument, parse->options);
	case OPTION_CGROUP:
	case OPTION_UNIT:
	case OPTION_CONTAINER:
		return take_cgroup(parse->command, option, argument,
				   parse->options);
	case 'C':
		return take_cpus(parse->command, argument, parse->options);
	case 'm':
		return take_buffer_size(parse->command, argument,
					parse->options);
	case 'e':
		return take_elf(argument, parse->options);
	case OPTION_DURATION:
		return take_duration(parse->command, argument, parse->options);
	default:
		return parse->own->take(parse->own->data, option, argument);
	}
}

static int split_command(const struct tool_command *command, int *argc,
			 char **argv, struct capture_options *options)
{
	int i;

	for (i = 1; i < *argc; i++)
		if (strcmp(argv[i], "--") == 0)
			break;
	if (i == *argc)
		return TOOL_OK;
	if (i == *argc - 1)
		return tool_usage(command, "no command after \"--\"");
	options->command = argv + i + 1;
	*argc = i;

	return TOOL_OK;
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

int capture_parse(const struct tool_command *command,
		  const struct tool_options *own, int argc, char **argv,
		  struct capture_options *options)
{
	struct parse parse = {
		.command = command,
		.own = own,
		.options = options,
	};
	const struct tool_options all = {
		.take = take,
		.data = &parse,
		.members = own->members ? own->members : own->data,
	};
	int status = TOOL_OK;

	if (options->takes_command)
		status = split_command(command, &argc, argv, options);
	if (!status)
		status = tool_parse_common(command, &all, argc, argv);
	if (!status)
		status = set_patterns(command, argc - optind, argv + optind,
				      options);

	return status;
}

int capture_stacks_take(struct capture_options *options,
			const struct tool_command *command, const char *which)
{
	const bool both = which && strcmp(which, "both") == 0;
	const bool kernel = which && strcmp(which, "kernel") == 0;

	if (which && !both && !kernel && strcmp(which, "user") != 0)
		return tool_usage(
			command, "--stacks: \"%s\" is not user, kernel or both",
			which);
	options->stacks = both ? UEV_SESSION_STACKS | UEV_SESSION_KERNEL_STACKS
			  : kernel ? UEV_SESSION_KERNEL_STACKS
				   : UEV_SESSION_STACKS;

	return TOOL_OK;
}

void capture_session_options(struct uev_session_options *session,
			     const struct capture_options *options,
			     const pid_t *command)
{
	*session = (struct uev_session_options)UEV_SESSION_OPTIONS_INIT;
	session->buffer_size = options->buffer_size;
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
	session->flags |= options->stacks;
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
	free(options->elfs);
	if (options->cgroup_fd >= 0)
		close(options->cgroup_fd);
}
