/* SPDX-License-Identifier: MIT */
/*
 * user-events: events that were registered and removed between two searches.
 *
 * No event of a session can be removed, so the session has none of their records.
 */
#ifndef USER_EVENTS_CAPTURE_REMOVED_H
#define USER_EVENTS_CAPTURE_REMOVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/options.h"
#include "events/events.h"

/*
 * struct capture_removed_name - Removed events of one name
 * @name: the name; @count: number of events
 */
struct capture_removed_name {
	char *name;
	uint64_t count;
};

/*
 * struct capture_removed - All removed events; initialized to zeros
 * @names: @name_count names that match a pattern of the session
 * @unnamed: number of those whose names the module has forgotten
 * @has_start: the number at the start is known
 */
struct capture_removed {
	struct capture_removed_name *names;
	size_t name_count;
	uint64_t unnamed;
	bool has_start;
};

/*
 * capture_removed_compare() - Adds the events that were removed between two calls
 * of events_read_losses()
 */
void capture_removed_compare(struct capture_removed *removed,
			     const struct events *before,
			     const struct events *now,
			     const struct capture_options *options);

/*
 * capture_removed_report() - Prints the events
 * Return: TOOL_INCOMPLETE if there are any
 */
int capture_removed_report(const struct capture_removed *removed);

void capture_removed_release(struct capture_removed *removed);

#endif
