/* SPDX-License-Identifier: MIT */
/* user-events export: counters of the kernel for Prometheus. */
#ifndef USER_EVENTS_EXPORT_COUNTERS_H
#define USER_EVENTS_EXPORT_COUNTERS_H

#include "events/counters.h"
#include "query/select.h"

/*
 * struct export_counters - Counters that are read at each update; initialized to
 * zeros, released with export_counters_release()
 * @names: of the counters, set by the command
 * @tracefs: path of tracefs
 * @found: for each name, its counter, once it was found
 * @errors: for each name, the last error that was printed
 * @status: TOOL_OK; TOOL_INCOMPLETE if records were lost, or TOOL_FAILED if a
 *        counter could not be read, at the last update
 */
struct export_counters {
	struct query_list names;
	char *tracefs;
	struct counters *found;
	int *errors;
	int status;
};

/*
 * export_counters_open() - Tests whether all counters exist
 * Return: TOOL_OK, also without a name; TOOL_NOT_FOUND or TOOL_FAILED, and the
 *         error is printed
 */
int export_counters_open(struct export_counters *counters);

/*
 * export_counters_append() - Reads the counters, and appends the text exposition
 * format
 *
 * A counter that cannot be read is left out, and the error is printed once.
 */
void export_counters_append(struct export_counters *counters,
			    struct uev_output *to);

void export_counters_release(struct export_counters *counters);

#endif
