/* SPDX-License-Identifier: MIT */
/* user-events: arguments of options, as types and ranges say. */
#ifndef USER_EVENTS_UI_OPTION_VALUE_H
#define USER_EVENTS_UI_OPTION_VALUE_H

#include "tool.h"

/*
 * option_value_set() - Sets the member of an option
 * @option: of another kind than TOOL_TAKEN
 * @argument: its argument; NULL: none
 * @members: the struct of the member
 * Return: TOOL_OK; TOOL_USAGE, and the error is printed
 */
int option_value_set(const struct tool_command *command,
		     const struct tool_option *option, const char *argument,
		     void *members);

#endif
