/* SPDX-License-Identifier: MIT */
/* user-events: arguments of options, as types and ranges say. */
#ifndef USER_EVENTS_UI_OPTION_VALUE_H
#define USER_EVENTS_UI_OPTION_VALUE_H

#include "tool.h"

/*
 * option_value_set() - Sets the member of an option
 * @members: the struct of the member
 * Return: TOOL_OK; TOOL_USAGE, or another status of its function, and the error
 *         is printed
 */
int option_value_set(const struct tool_argument *argument, char *members);

/*
 * option_value_word() - Gets the index of the argument in the words of the option
 * Return: TOOL_OK, or TOOL_USAGE and the error is printed
 */
int option_value_word(const struct tool_argument *argument,
		      unsigned int *index);

#endif
