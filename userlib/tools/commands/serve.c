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

enum {
	OPTION_SOCKET = OPTION_FIRST,
	OPTION_ALLOW,
};

static int take_option(void *data, int option, const char *argument)
{
	struct serving *serving = data;
	const char *reason;

	if (option == OPTION_SOCKET) {
		serving->socket = argument;
		return TOOL_OK;
	}
	reason = broker_add_rule(&serving->broker, argument);

	return reason ? tool_usage(&command_serve, "--allow=%s: %s", argument,
				   reason)
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
	const struct tool_options options = {
		.take = take_option,
		.data = &serving,
	};
	int status = tool_parse_common(&command_serve, &options, argc, argv);

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
	{ "socket", OPTION_SOCKET, "PATH",
	  "create a socket (default: that of systemd)", SET_NOTHING("@file") },
	{ "allow", OPTION_ALLOW, "RULE",
	  "pass the file to uid=USER[-LAST] or gid=GROUP[-LAST];\n"
	  "then ,prefix=PREFIX: with events of these names only" },
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
	.options = (const struct tool_option *const[]){ own_options, NULL },
	.run = run,
};
