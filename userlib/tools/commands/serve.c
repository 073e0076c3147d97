// SPDX-License-Identifier: MIT
/* user-events serve: passes user_events_data to trusted processes. */
#include <errno.h>
#include <unistd.h>

#include "events/broker.h"
#include "ui/options.h"

/*
 * struct serving - The arguments of the command
 * @socket: path of the socket; NULL: that of systemd
 */
struct serving {
	struct broker broker;
	const char *socket;
};

static int take_rule(void *broker, const struct tool_argument *argument)
{
	const char *reason = broker_add_rule(broker, argument->text);

	return reason ? tool_usage(&command_serve, "--allow=%s: %s",
				   argument->text, reason)
		      : TOOL_OK;
}

static int serve(struct serving *serving)
{
	int listener = serving->socket ? broker_listen(serving->socket)
				       : broker_inherited();
	int err;

	if (listener == -ENOENT && !serving->socket)
		return tool_usage(&command_serve, "no --socket given");
	if (listener < 0)
		return tool_error_of(listener, "%s",
				     serving->socket ? serving->socket
						     : "LISTEN_FDS");
	/* The module can be loaded later, and rights can change. */
	broker_check(&serving->broker);
	/* Until the process is killed */
	do {
		err = broker_wait(&serving->broker, listener);
	} while (!err);
	close(listener);

	return tool_error_of(err, "accept");
}

static int run(int argc, char **argv)
{
	struct serving serving = { 0 };
	int status = tool_parse_common(&command_serve, &serving, argc, argv);

	if (!status && optind < argc)
		status = tool_usage(&command_serve, "%s: unexpected argument",
				    argv[optind]);
	else if (!status && !serving.broker.count)
		status = tool_usage(&command_serve, "no --allow given");
	else if (!status)
		status = serve(&serving);
	broker_free(&serving.broker);

	return status;
}

static const struct tool_option own_options[] = {
	{ "socket", 0, "PATH", "create a socket (default: that of systemd)",
	  SET_TEXT(struct serving, socket, "@file") },
	{ "allow", 0, "RULE",
	  "pass the file to uid=USER[-LAST] or gid=GROUP[-LAST];\n"
	  "then ,prefix=PREFIX: with events of these names only",
	  SET_BY(struct serving, broker, take_rule, NULL) },
	{ 0 },
};

const struct tool_command command_serve = {
	.name = "serve",
	.arguments = "[--socket=PATH] --allow=RULE...",
	.summary = "Pass user_events_data to containers",
	.help = "Answers each connection to a Unix socket with an open user_events_data. The\n"
		"first RULE for the user or the group of the process applies; without one it\n"
		"gets nothing. Programs with libuserevents use the socket in the environment\n"
		"variable USER_EVENTS_SOCKET.\n",
	.options = OPTION_TABLES({ own_options }),
	.changes_events = true,
	.run = run,
};
