/* SPDX-License-Identifier: MIT */
/*
 * user-events export: what the module has counted, for receivers of numbers.
 *
 * These numbers continue when the program is started again, so the sums of a
 * receiver stay exact: records that were written are hits, and those that the
 * reasons disabled, fault, invalid and nomem kept from all tracers.
 */
#ifndef USER_EVENTS_EXPORT_MODULE_H
#define USER_EVENTS_EXPORT_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "events/events.h"
#include "query/groups.h"

/* Maximum number of events; the others have the name "(other)" together. */
#define EXPORT_MODULE_EVENTS_MAX 256

/*
 * struct export_module - The numbers; initialized to zeros, released with
 * export_module_release()
 * @tracefs: path of tracefs; NULL: the usual one
 * @patterns: @pattern_count patterns of events; none: all
 * @events: the events; those without numbers are not selected
 * @removed: the same of removed events by name, and of all of them
 * @labels: the names with a label, which they keep
 * @start: when the module was loaded, in nanoseconds since 1970; 0: there is none
 * @now: time of reading, in nanoseconds since 1970
 */
struct export_module {
	char *tracefs;
	const char *const *patterns;
	size_t pattern_count;
	struct events events;
	struct events removed;
	struct query_groups labels;
	uint64_t start;
	uint64_t now;
};

/*
 * export_module_read() - Reads the numbers
 * Return: false if there are none, as with the kernel's own user_events
 */
bool export_module_read(struct export_module *module);

/* export_module_append() - Appends the text exposition format of Prometheus */
void export_module_append(struct export_module *module, struct uev_output *to);

/* export_module_append_otlp() - Appends metrics of OpenTelemetry as JSON */
void export_module_append_otlp(struct export_module *module,
			       struct uev_output *to);

/* export_module_sum() - Adds up all numbers, which only grow while it is loaded */
uint64_t export_module_sum(const struct export_module *module);

void export_module_release(struct export_module *module);

#endif
