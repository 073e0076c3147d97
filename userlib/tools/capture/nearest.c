// SPDX-License-Identifier: MIT
#include "capture/nearest.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "tool.h"
#include "util/tracefs.h"

#define DEFAULT_SYSTEM "user_events"

/* One mistake in this number of characters is likely. */
#define CHARACTERS_PER_MISTAKE 3

static unsigned int smaller(unsigned int one, unsigned int other)
{
	return one < other ? one : other;
}

/* Fills in one row from the two before it. */
static void next_row(unsigned int *row, unsigned int *const *before,
		     const char *one, const char *other)
{
	size_t i, size = strlen(other);

	row[0] = before[0][0] + 1;
	for (i = 1; i <= size; i++) {
		row[i] = smaller(before[0][i], row[i - 1]) + 1;
		row[i] = smaller(row[i],
				 before[0][i - 1] + (one[0] != other[i - 1]));
		if (before[1] && i > 1 && one[0] == other[i - 2] &&
		    one[-1] == other[i - 1])
			row[i] = smaller(row[i], before[1][i - 2] + 1);
	}
}

unsigned int capture_distance(const char *one, const char *other)
{
	unsigned int rows[3][CAPTURE_NEAREST_MAX + 1];
	unsigned int *before[2] = { rows[0], NULL };
	size_t i, size = strlen(other);
	unsigned int *row;

	if (size > CAPTURE_NEAREST_MAX)
		return UINT32_MAX;
	for (i = 0; i <= size; i++)
		rows[0][i] = (unsigned int)i;
	for (i = 0; one[i]; i++) {
		row = rows[(i + 1) % ARRAY_SIZE(rows)];
		next_row(row, before, one + i, other);
		before[1] = before[0];
		before[0] = row;
	}

	return before[0][size];
}

/*
 * struct search - State of a search
 * @distance: of @name, which is the best so far; NULL: none
 */
struct search {
	const char *wanted;
	unsigned int distance;
	char *name;
};

static int visit_event(void *data, const char *system, const char *name,
		       uint32_t id)
{
	struct search *search = data;
	unsigned int distance = capture_distance(search->wanted, name);

	(void)system;
	(void)id;
	if (distance >= search->distance)
		return 0;
	free(search->name);
	search->name = tool_copy(name);
	search->distance = distance;

	return 0;
}

char *capture_nearest(const char *pattern)
{
	_cleanup_free_ char *system = NULL;
	_cleanup_free_ char *all = NULL;
	_cleanup_free_ char *tracefs = NULL;
	const char *colon = strchr(pattern, ':');
	const char *wanted = colon ? colon + 1 : pattern;
	struct search search = {
		.wanted = wanted,
		.distance =
			(unsigned int)strlen(wanted) / CHARACTERS_PER_MISTAKE +
			1,
	};
	char *nearest = NULL;

	if (events_is_glob(pattern) ||
	    uev_tracefs_directory(NULL, &tracefs) != 0)
		return NULL;
	system = colon ? tool_print("%.*s", (int)(colon - pattern), pattern)
		       : tool_copy(DEFAULT_SYSTEM);
	all = tool_print("%s:*", system);
	uev_tracefs_events(tracefs, all, visit_event, &search);
	/* The event itself has appeared since it was not found. */
	if (search.distance && search.name && colon)
		nearest = tool_print("%s:%s", system, search.name);
	else if (search.distance && search.name)
		nearest = tool_copy(search.name);
	free(search.name);

	return nearest;
}
