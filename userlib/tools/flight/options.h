/* SPDX-License-Identifier: MIT */
/* user-events flight: its actions, and the options of "start". */
#ifndef USER_EVENTS_FLIGHT_OPTIONS_H
#define USER_EVENTS_FLIGHT_OPTIONS_H

#include "flight/start.h"
#include "ui/options.h"

enum flight_action {
	FLIGHT_START,
	FLIGHT_DUMP,
	FLIGHT_ATTACH,
	FLIGHT_STOP,
	FLIGHT_LIST,
};

/* Those that print records, as bits of options */
#define FLIGHT_READS (1 << FLIGHT_DUMP | 1 << FLIGHT_ATTACH)

/* The options of a struct flight_start */
extern const struct tool_option flight_options[];

/*
 * flight_options_join() - Removes "-e" of "start", which can precede patterns, as
 * for perf record
 * Return: the number of arguments
 */
int flight_options_join(int argc, char **argv);

#endif
