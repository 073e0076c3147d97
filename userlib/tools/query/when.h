/* SPDX-License-Identifier: MIT */
/* user-events: moments for --since and --until. */
#ifndef USER_EVENTS_QUERY_WHEN_H
#define USER_EVENTS_QUERY_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/format.h"

enum query_when_kind {
	QUERY_NO_TIME = 0,
	QUERY_CLOCK, /* of the clock of the records */
	QUERY_WALL, /* since 1970 */
	QUERY_DAYTIME, /* of the local day of the first record */
	QUERY_OFFSET, /* since the first record */
};

/* struct query_when - A moment; @time is in nanoseconds */
struct query_when {
	enum query_when_kind kind;
	uint64_t time;
};

/*
 * query_when_parse() - Parses a moment
 * @text: "SECONDS", "+SECONDS", "[DATE ]HH:MM[:SS]" or "DATETHH:MM[:SS]", where
 *        DATE is YYYY-MM-DD, and Z at the end is for UTC. Seconds can have a
 *        fraction.
 * Return: whether it is valid
 */
bool query_when_parse(const char *text, struct query_when *when);

/*
 * query_when_fixed() - Gets a moment that does not depend on the first record
 * @clock: of the records; NULL if it has no dates
 * @time: set to nanoseconds of the clock
 * Return: false for other moments, and for a date without @clock
 */
bool query_when_fixed(const struct query_when *when,
		      const struct uev_clock *clock, uint64_t *time);

/*
 * query_when_resolve() - Makes a moment one of the clock of the records
 * @first: the first record, which has a time
 * Return: false if the clock of the records has no dates, and they are needed
 */
bool query_when_resolve(struct query_when *when,
			const struct format_record *first);

#endif
