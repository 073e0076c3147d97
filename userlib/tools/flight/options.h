/* SPDX-License-Identifier: MIT */
/* user-events: the options with which a flight recorder is started. */
#ifndef USER_EVENTS_FLIGHT_OPTIONS_H
#define USER_EVENTS_FLIGHT_OPTIONS_H

#include "flight/start.h"
#include "ui/options.h"

enum {
	FLIGHT_OPTION_FIRST = OPTION_FIRST + 300,
};

extern const struct tool_option flight_options[];

/* Tests whether an option is in this table. */
bool flight_options_have(int option);

/* Return: TOOL_OK; TOOL_USAGE, and the error is printed */
int flight_options_take(struct flight_start *start,
			const struct tool_command *command, int option,
			const char *argument);

#endif
