/* SPDX-License-Identifier: MIT */
/*
 * user-events: start and stop of counters of the kernel by their names, with
 * messages.
 *
 * All functions return an exit status, and print errors.
 */
#ifndef USER_EVENTS_EVENTS_COUNTER_CONTROL_H
#define USER_EVENTS_EVENTS_COUNTER_CONTROL_H

#include "events/counters.h"
#include "ui/options.h"

/* Actions of "count", whose bits the options have */
enum counter_action {
	COUNTER_START,
	COUNTER_LIST,
	COUNTER_READ,
	COUNTER_STOP,
};

/*
 * The options of a struct counter_request, which is initialized to zeros, and
 * released with counter_control_release()
 */
extern const struct tool_option counter_control_rows[];

void counter_control_release(struct counter_request *request);

/*
 * counter_control_start() - Starts a counter
 * @request: without an event. Without a name, it is that of the event.
 * @pattern: matches one event
 */
int counter_control_start(const struct tool_command *command,
			  struct counter_request *request, char *pattern);

/* Finds all counters, for counters_free(). */
int counter_control_list(struct counters *counters);

/*
 * counter_control_read() - Reads a counter
 * @counters: gets the counter, for counters_free(), and @values its values, for
 *        hist_values_release()
 */
int counter_control_read(const char *name, struct counters *counters,
			 struct hist_values *values);

int counter_control_stop(const char *name);

#endif
