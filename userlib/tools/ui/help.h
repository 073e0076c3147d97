/* SPDX-License-Identifier: MIT */
/*
 * user-events: the help of commands.
 */
#ifndef USER_EVENTS_UI_HELP_H
#define USER_EVENTS_UI_HELP_H

#include "tool.h"

/*
 * tool_help() - Prints the help of a command
 * Return: TOOL_OK
 */
int tool_help(const struct tool_command *command);

#endif
