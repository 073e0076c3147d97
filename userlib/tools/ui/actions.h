/* SPDX-License-Identifier: MIT */
/* user-events: commands whose first argument is an action. */
#ifndef USER_EVENTS_UI_ACTIONS_H
#define USER_EVENTS_UI_ACTIONS_H

#include "ui/options.h"

/*
 * struct tool_action - A row of the table of actions
 * @name: first argument of the command
 * @min, @max: number of the other arguments
 * @required: for a message: "requires ..."
 * @run: runs the action with them; returns an exit status
 */
struct tool_action {
	const char *name;
	size_t min;
	size_t max;
	const char *required;
	int (*run)(void *data, char **arguments, size_t count);
};

/*
 * struct tool_actions - The actions of a command
 * @actions: @count rows, at most TOOL_ACTIONS_MAX
 * @common: the actions that have an option whose row has none
 */
#define TOOL_ACTIONS_MAX 8
struct tool_actions {
	const struct tool_action *actions;
	size_t count;
	unsigned int common;
};

/*
 * tool_run_action() - Parses the arguments of a command, and runs its action
 * @data: the options of the command, which are set
 * Return: an exit status
 */
int tool_run_action(const struct tool_command *command,
		    const struct tool_actions *actions, void *data, int argc,
		    char **argv);

#endif
