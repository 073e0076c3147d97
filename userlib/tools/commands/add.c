// SPDX-License-Identifier: MIT
/* user-events add: creates events. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "events/definitions.h"
#include "events/elf.h"
#include "events/recorded.h"
#include "files.h"
#include "ui/options.h"
#include "ui/out.h"
#include "events/admin.h"
#include "tool.h"
#include "util/tracefs.h"

static int print_problem(const struct definition *definition, int err)
{
	const char *name = definition->name;
	char *where = definition->source
			      ? tool_print("%s:%zu: ", definition->source,
					   definition->line)
			      : tool_copy("");

	tool_error("%s%s: %s", where, name, uev_strerror(err));
	if (err == -EADDRINUSE)
		tool_hint("compare with \"user-events show %s\"", name);
	else if (err == -EACCES || err == -ENOPKG || err == -ENXIO)
		tool_hint("run \"user-events doctor\"");
	free(where);

	return TOOL_FAILED;
}

static bool is_missing(const char *tracefs, const struct definition *definition)
{
	return tracefs && !event_admin_has(tracefs, definition->name);
}

/* Deletes new events, after one of them could not be created. */
static void roll_back(const char *tracefs, const struct definitions *wanted,
		      const bool *is_new, size_t count)
{
	while (tracefs && count--)
		if (is_new[count])
			event_admin_delete(tracefs,
					   wanted->definitions[count].name);
}

static int add_event(const char *tracefs, const struct definition *definition)
{
	char *line = definition_line(definition);
	int err = event_admin_add(tracefs, line);

	free(line);

	return err;
}

static int add_what_is_valid(const char *tracefs,
			     const struct definitions *wanted)
{
	int err, status = TOOL_OK;
	size_t i;

	for (i = 0; i < wanted->count; i++) {
		err = add_event(tracefs, &wanted->definitions[i]);
		if (err)
			status = print_problem(&wanted->definitions[i], err);
	}
	uev_shutdown();

	return status;
}

static int add_all_or_none(const char *tracefs,
			   const struct definitions *wanted)
{
	bool *is_new = tool_alloc(wanted->count * sizeof(*is_new));
	int err = 0, status = TOOL_OK;
	size_t i;

	for (i = 0; i < wanted->count; i++) {
		is_new[i] = is_missing(tracefs, &wanted->definitions[i]);
		err = add_event(tracefs, &wanted->definitions[i]);
		if (err)
			break;
	}
	uev_shutdown();
	if (err) {
		status = print_problem(&wanted->definitions[i], err);
		roll_back(tracefs, wanted, is_new, i);
	}
	free(is_new);

	return status;
}

/* Registers an event; a pending event is an error. */
static int register_event(struct uev_event *event, const char *command,
			  unsigned int flags)
{
	int err;

	uev_event_init(event, command);
	err = uev_event_register(event, flags);
	if (err)
		return err;
	err = uev_event_status(event);
	if (err)
		uev_event_unregister(event);

	return err;
}

static void wait_for_signal(sigset_t *signals, size_t count)
{
	int signal;

	out_print("%zu event%s registered, press Ctrl-C to unregister\n", count,
		  count == 1 ? "" : "s");
	out_flush();
	sigwait(signals, &signal);
}

static int add_and_wait(const char *tracefs, const struct definitions *wanted,
			unsigned int flags)
{
	struct uev_event *events = tool_alloc(wanted->count * sizeof(*events));
	bool *is_new = tool_alloc(wanted->count * sizeof(*is_new));
	int err = 0, status = TOOL_OK;
	sigset_t signals;
	size_t i, count;

	/* Blocked, so that sigwait() receives them at any time. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);

	for (count = 0; count < wanted->count; count++) {
		const struct definition *definition =
			&wanted->definitions[count];

		is_new[count] = is_missing(tracefs, definition);
		err = register_event(&events[count], definition->command,
				     flags);
		if (err)
			break;
	}
	if (err)
		status = print_problem(&wanted->definitions[count], err);
	else
		wait_for_signal(&signals, count);
	for (i = 0; i < count; i++)
		uev_event_unregister(&events[i]);
	uev_shutdown();
	/* Some events persist, because of the options or the kernel. */
	if (err)
		roll_back(tracefs, wanted, is_new, count);
	free(is_new);
	free(events);

	return status;
}

/* Return: number of invalid definitions; or -1, and the error is printed. */
static long read_file(struct definitions *wanted, const char *path)
{
	bool is_input = strcmp(path, "-") == 0;
	size_t bad;
	char *text;
	int err;

	err = files_read(is_input ? "/dev/stdin" : path, &text, NULL);
	if (err) {
		tool_error_of(err, "%s: cannot read", path);
		return -1;
	}
	bad = definitions_add_text(wanted, text, is_input ? "stdin" : path);
	free(text);

	return (long)bad;
}

/*
 * Adds the definitions in a program, or in a recording.
 *
 * Return: an exit status
 */
static int read_from(struct definitions *wanted, const char *path)
{
	int ret = elf_definitions(wanted, path);

	if (ret == -ENOEXEC || ret == -EOPNOTSUPP)
		ret = recorded_definitions(wanted, path);
	if (!ret)
		return TOOL_OK;
	if (ret == -EBADMSG)
		tool_error("%s: neither a program nor a perf.data file", path);
	else
		tool_error_of(ret, "%s: cannot read", path);

	return TOOL_FAILED;
}

enum how {
	PERSIST = 1,
	WAIT = 2,
	KEEP_GOING = 4,
};

static bool have_rights(const struct definitions *wanted)
{
	size_t i;

	for (i = 0; i < wanted->count; i++)
		if (*wanted->definitions[i].rights)
			return true;

	return false;
}

static void warn(const struct definitions *wanted)
{
	size_t i;

	for (i = 0; i < wanted->count; i++) {
		if (!definition_resembles_eventheader(&wanted->definitions[i]))
			continue;
		tool_error("%s: not the name of an EventHeader tracepoint, "
			   "added without fields",
			   wanted->definitions[i].name);
		tool_hint("use PROVIDER_LlevelKkeyword with hexadecimal digits "
			  "in lower case, such as Provider_L4K1f");
	}
}

static int add(const struct definitions *wanted, unsigned int how)
{
	char *tracefs;
	int status;

	if (!wanted->count)
		return TOOL_OK;
	warn(wanted);
	/*
	 * Permission to write user_events_data is enough without a visible
	 * tracefs.
	 */
	uev_tracefs_directory(NULL, &tracefs);
	if (how & WAIT)
		status = add_and_wait(tracefs, wanted,
				      how & PERSIST ? UEV_PERSIST : 0);
	else if (how & KEEP_GOING)
		status = add_what_is_valid(tracefs, wanted);
	else
		status = add_all_or_none(tracefs, wanted);
	free(tracefs);

	return status;
}

/*
 * struct adding - The arguments of the command
 * @wanted: the valid definitions
 * @has_file: at least one file was given
 * @how: of enum how
 * @status: TOOL_OK, or the exit status of the last error; every error is
 *          printed before the program exits
 */
struct adding {
	struct definitions wanted;
	bool has_file;
	unsigned int how;
	int status;
};

enum {
	OPTION_KEEP_GOING = OPTION_FIRST,
	OPTION_FROM,
};

static int take_option(void *data, int option, const char *argument)
{
	struct adding *adding = data;
	long bad;
	int status;

	switch (option) {
	case OPTION_FROM:
		adding->has_file = true;
		status = read_from(&adding->wanted, argument);
		if (status)
			adding->status = status;
		break;
	case 'r':
		adding->has_file = true;
		bad = read_file(&adding->wanted, argument);
		if (bad)
			adding->status = bad < 0 ? TOOL_FAILED : TOOL_USAGE;
		break;
	case 'P':
		adding->how |= PERSIST;
		break;
	case OPTION_KEEP_GOING:
		adding->how |= KEEP_GOING;
		break;
	default:
		adding->how |= WAIT;
		break;
	}

	return TOOL_OK;
}

static int add_arguments(struct adding *adding, int count, char **texts)
{
	int i, status;

	if (!count && !adding->has_file)
		return tool_usage(&command_add, "no event given");

	for (i = 0; i < count; i++)
		if (!definitions_add(&adding->wanted, texts[i], NULL, 0))
			adding->status = TOOL_USAGE;

	if (adding->how & KEEP_GOING && adding->how & WAIT)
		return tool_usage(&command_add, "--keep-going: cannot be "
						"combined with --wait");
	if (adding->how & WAIT && have_rights(&adding->wanted))
		return tool_usage(&command_add, "--wait: cannot set rights");
	if (adding->status && !(adding->how & KEEP_GOING))
		return adding->status;

	status = add(&adding->wanted, adding->how);
	return status ? status : adding->status;
}

static int run(int argc, char **argv)
{
	struct adding adding = { 0 };
	const struct tool_options options = {
		.take = take_option,
		.data = &adding,
	};
	int status = tool_parse_common(&command_add, &options, argc, argv);

	if (!status)
		status = add_arguments(&adding, argc - optind, argv + optind);
	definitions_free(&adding.wanted);

	return status;
}

static const struct tool_option own_options[] = {
	{ "read", 'r', "FILE",
	  "add the definitions in FILE, one per line; - is standard input" },
	{ "from", OPTION_FROM, "FILE",
	  "add the events of a program of libuserevents, or of a perf.data file" },
	{ "keep-going", OPTION_KEEP_GOING, NULL,
	  "add the other definitions if some are invalid or rejected" },
	{ "wait", 'w', NULL,
	  "register the events until SIGINT, SIGTERM or SIGHUP" },
	{ "persist", 'P', NULL, "with --wait, keep the events afterwards" },
	{ 0 },
};

const struct tool_command command_add = {
	.name = "add",
	.arguments = "[OPTION...] [-r FILE] [--from FILE] [DEFINITION...]",
	.summary = "Define events",
	.help = "A DEFINITION is \"NAME TYPE FIELD; TYPE FIELD ...\", or the name of an\n"
		"EventHeader tracepoint, PROVIDER_LlevelKkeyword. After the name,\n"
		"\":uid=USER,gid=GROUP,mode=MODE\" sets who may register the event. If one is\n"
		"invalid, no event is added. The events persist until they are deleted.\n",
	.options = (const struct tool_option *const[]){ own_options, NULL },
	.run = run,
};
