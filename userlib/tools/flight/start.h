/* SPDX-License-Identifier: MIT */
/* user-events: start and stop of flight recorders. */
#ifndef USER_EVENTS_FLIGHT_START_H
#define USER_EVENTS_FLIGHT_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flight/flight.h"

/* Default of @size */
#define FLIGHT_START_SIZE ((uint64_t)16 << 20)

/*
 * struct flight_start - What to record
 * @name: name of the instance
 * @patterns: @pattern_count of "[SYSTEM:]GLOB"
 * @filter: filter of the kernel for all events; or NULL
 * @on: as in struct flight; or NULL
 * @size: bytes of the buffers of all processors
 * @keeps_oldest: full buffers reject records, instead of overwriting old ones
 * @unless_running: success if it is recording
 */
struct flight_start {
	const char *name;
	const char *const *patterns;
	size_t pattern_count;
	const char *filter;
	const char *on;
	uint64_t size;
	bool keeps_oldest;
	bool unless_running;
};

/*
 * flight_start() - Starts a flight recorder
 * @start: without name and patterns
 * @arguments: the name, and @count - 1 patterns
 *
 * After an error, nothing has changed. Events must exist: patterns that match
 * none are printed.
 *
 * Return: an exit status; TOOL_NOT_FOUND if a pattern matched no event, which
 * is an error if none did, or if the event of @on does not exist
 */
int flight_start(const struct tool_command *command, struct flight_start *start,
		 char **arguments, size_t count);

/*
 * flight_stop() - Stops a flight recorder, and deletes its instance and records
 * Return: an exit status
 */
int flight_stop(const struct tool_command *command, const char *name);

#endif
