// SPDX-License-Identifier: MIT
/* user-events users: prints the processes that use events. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "events/report.h"
#include "events/users.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"
#include "util/tracefs.h"

static void print_table(const struct users *users)
{
	static const struct out_column columns[] = {
		{ "PID", true },
		{ "COMMAND", false },
		{ "HOLDS", false },
		{ "EVENTS", false },
	};
	struct out_table *table = out_table_begin(columns, ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < users->count; i++) {
		_cleanup_free_ char *holds = users_holds(users->users[i].holds);
		_cleanup_free_ char *events = users_events(&users->users[i]);
		const struct user *user = &users->users[i];

		out_table_print(table, OUT_PLAIN, "%d", user->pid);
		out_table_cell(table, OUT_PLAIN, user->name);
		out_table_cell(table, OUT_PLAIN, holds);
		out_table_cell(table, OUT_PLAIN, events);
	}
	out_table_end(table);
}

static void print_user(struct uev_output *json, const struct user *user)
{
	size_t i;

	out_json_object(json, NULL);
	out_json_signed(json, "pid", user->pid);
	out_json_string(json, "command", user->name);
	out_json_bool(json, "data", user->holds & USERS_DATA);
	out_json_bool(json, "status", user->holds & USERS_STATUS);
	out_json_bool(json, "list", user->holds & USERS_LIST);
	out_json_bool(json, "enablers", user->holds & USERS_ENABLERS);
	out_json_array(json, "events");
	for (i = 0; i < user->event_count; i++)
		out_json_string(json, NULL, user->events[i]);
	out_json_array_end(json);
	out_json_object_end(json);
}

static void print_json(const struct users *users)
{
	struct uev_output text = UEV_OUTPUT_INIT, *json = &text;
	size_t i;

	out_json_array(json, NULL);
	for (i = 0; i < users->count; i++)
		print_user(json, &users->users[i]);
	out_json_array_end(json);
	out_json_end(json);
}

static int run(int argc, char **argv)
{
	bool wants_json = false;
	int status = tool_parse_common(&command_users, &wants_json, argc, argv);
	_cleanup_free_ char *tracefs = NULL;
	struct users users;

	if (status)
		return status;
	if (optind < argc)
		return tool_usage(&command_users, "%s: unexpected argument",
				  argv[optind]);
	/* Users without permission see their own processes. */
	if (uev_tracefs_directory(NULL, &tracefs) != -EACCES) {
		free(tracefs);
		tracefs = NULL;
		status = events_find_tracefs(&tracefs);
	}
	if (status)
		return status;
	users_find(&users, "/proc", tracefs, getpid());
	if (wants_json)
		print_json(&users);
	else
		print_table(&users);
	if (!users.is_complete) {
		tool_error("some processes could not be examined");
		tool_hint("run as root");
		status = TOOL_INCOMPLETE;
	}
	users_free(&users);

	return status;
}

static const struct tool_option own_options[] = {
	OPTION_JSON("print JSON: an array of processes"),
	OPTION_COLORS,
	{ 0 },
};

const struct tool_command command_users = {
	.name = "users",
	.arguments = "[--json] [--color=WHEN]",
	.summary = "List processes that hold events or files",
	.help = "Lists the processes that have a file of user_events open or mapped, or enablers,\n"
		"and their events. The module cannot be unloaded while such a process exists.\n"
		"The kernel's own user_events does not tell events and enablers.\n",
	.options = OPTION_TABLES({ own_options }),
	.run = run,
};
