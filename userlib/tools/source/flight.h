/* SPDX-License-Identifier: MIT */
/* user-events: records of a flight recorder. */
#ifndef USER_EVENTS_SOURCE_FLIGHT_H
#define USER_EVENTS_SOURCE_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/source.h"

/*
 * struct source_flight_options - What to read
 * @name: name of the recorder, or of the instance
 * @is_instance: others made the instance, and its records are removed from it
 * @follows: the records that are written from now on, until a stop signal,
 *        @duration, or the end of the recorder; otherwise those that it has
 * @duration: milliseconds; 0: no limit
 */
struct source_flight_options {
	const char *name;
	bool is_instance;
	bool follows;
	uint64_t duration;
};

/*
 * source_flight_new() - Creates a source
 *
 * A recorder keeps the records. Its only part are the records.
 *
 * Return: the source, freed by its close()
 */
struct source *source_flight_new(const struct source_flight_options *options);

#endif
