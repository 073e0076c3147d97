// SPDX-License-Identifier: MIT
/* user-events add: creates events. */
#include "events/create.h"
#include "ui/options.h"

static bool have_rights(const struct definitions *wanted)
{
	size_t i;

	for (i = 0; i < wanted->count; i++)
		if (*wanted->definitions[i].rights)
			return true;

	return false;
}

/*
 * struct adding - The arguments of the command
 * @wanted: the valid definitions
 * @has_file: at least one file was given
 * @how: bits for events_create()
 * @status: TOOL_OK, or the exit status of the last error; every error is
 *          printed before the program exits
 */
struct adding {
	struct definitions wanted;
	bool has_file;
	unsigned int how;
	int status;
};

static int take_from(void *data, const struct tool_argument *argument)
{
	struct adding *adding = data;
	int status = events_read_from(&adding->wanted, argument->text);

	adding->has_file = true;
	if (status)
		adding->status = status;

	return TOOL_OK;
}

static int take_file(void *data, const struct tool_argument *argument)
{
	struct adding *adding = data;
	long bad = events_read_file(&adding->wanted, argument->text);

	adding->has_file = true;
	if (bad)
		adding->status = bad < 0 ? TOOL_FAILED : TOOL_USAGE;

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

	if (adding->how & EVENTS_KEEP_GOING && adding->how & EVENTS_WAIT)
		return tool_usage(&command_add, "--keep-going: cannot be "
						"combined with --wait");
	if (adding->how & EVENTS_WAIT && have_rights(&adding->wanted))
		return tool_usage(&command_add, "--wait: cannot set rights");
	if (adding->status && !(adding->how & EVENTS_KEEP_GOING))
		return adding->status;

	status = events_create(&adding->wanted, adding->how);

	return status ? status : adding->status;
}

static int run(int argc, char **argv)
{
	struct adding adding = { 0 };
	int status = tool_parse_common(&command_add, &adding, argc, argv);

	if (!status)
		status = add_arguments(&adding, argc - optind, argv + optind);
	definitions_free(&adding.wanted);

	return status;
}

static const struct tool_option own_options[] = {
	{ "read", 'r', "FILE",
	  "add the definitions in FILE, one per line; - is standard input",
	  SET_WITH(take_file, "@file") },
	{ "from", 0, "FILE",
	  "add the events of a program of libuserevents, or of a perf.data file",
	  SET_WITH(take_from, "@file") },
	{ "keep-going", 0, NULL,
	  "add the other definitions if some are invalid or rejected",
	  SET_BITS(struct adding, how, EVENTS_KEEP_GOING) },
	{ "wait", 'w', NULL,
	  "register the events until SIGINT, SIGTERM or SIGHUP",
	  SET_BITS(struct adding, how, EVENTS_WAIT) },
	{ "persist", 'P', NULL, "with --wait, keep the events afterwards",
	  SET_BITS(struct adding, how, EVENTS_PERSIST) },
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
	.options = OPTION_TABLES({ own_options }),
	.changes_events = true,
	.run = run,
};
