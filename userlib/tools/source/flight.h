/* SPDX-License-Identifier: MIT */
/* user-events: records of a flight recorder. */
#ifndef USER_EVENTS_SOURCE_FLIGHT_H
#define USER_EVENTS_SOURCE_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/source.h"
#include "ui/options.h"

/*
 * struct source_flight_options - What to read
 * @name: name of the recorder; of the instance after source_flight_check()
 * @instance: instance that others made; NULL: a recorder
 * @consumes: its records may be removed from it
 * @follows: the records that are written from now on, until a stop signal,
 *        @duration, or the end of the recorder; otherwise those that it has
 * @duration: milliseconds; 0: no limit
 */
struct source_flight_options {
	const char *name;
	const char *instance;
	bool consumes;
	bool follows;
	uint64_t duration;
};

/*
 * The options of a struct source_flight_options: of all commands; and of those
 * that also have other sources
 */
extern const struct tool_option source_flight_rows[];
extern const struct tool_option source_flight_choice[];
#define SOURCE_FLIGHT_DURATION(type, source, actions)                            \
	{                                                                        \
		"duration", 0, "TIME",                                           \
			"stop to attach after TIME: seconds, or with ms, s, m, " \
			"h or d",                                                \
			SET_TIME(type, source.duration, 0, UINT64_MAX),          \
			actions                                                  \
	}

/*
 * source_flight_is_set() - Tests whether an option was given, so that no other
 * source is meant
 */
bool source_flight_is_set(const struct source_flight_options *options);

/*
 * source_flight_check() - Tests the options together
 * @names: the names of recorders, up to one
 * Return: TOOL_OK; or another exit status, and the error is printed
 */
int source_flight_check(struct source_flight_options *options,
			const struct tool_command *command, char **names,
			size_t count);

/*
 * source_flight_new() - Creates a source
 *
 * A recorder keeps the records. Its only part are the records.
 *
 * Return: the source, freed by its close()
 */
struct source *source_flight_new(const struct source_flight_options *options);

#endif
