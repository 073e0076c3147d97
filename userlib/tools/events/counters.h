/* SPDX-License-Identifier: MIT */
/*
 * user-events: counters of the kernel, which need no process: hist triggers of
 * events in the top instance of ftrace.
 *
 * On error, functions return a negative errno.
 */
#ifndef USER_EVENTS_EVENTS_COUNTERS_H
#define USER_EVENTS_EVENTS_COUNTERS_H

#include "events/hist.h"

/*
 * struct counter - A counter
 * @system, @event: its event
 * @triggers: number of hist triggers of the event
 */
struct counter {
	char *system;
	char *event;
	size_t triggers;
	struct hist hist;
};

struct counters {
	struct counter *counters;
	size_t count;
};

/*
 * counters_find() - Finds counters, in the order of their names
 * @name: only this one; NULL: all
 *
 * Return: 0; -EACCES if triggers are not readable; -ENODEV without user_events
 */
int counters_find(struct counters *counters, const char *tracefs,
		  const char *name);
void counters_free(struct counters *counters);

/*
 * struct counter_fields - Fields of a counter to start
 * @names: @count names; keys have the larger maximum
 * @list: has the names, for free(); NULL: it is of the caller
 */
struct counter_fields {
	const char *names[HIST_KEYS_MAX];
	size_t count;
	char *list;
};

/*
 * struct counter_request - A counter to start
 * @name: a valid name
 * @event: its name; it is in @system
 * @keys: also "tid" and "cpu" unless the event has such fields
 * @filter: condition of the kernel; or NULL
 * @entries: maximum number of different keys; 0: that of the kernel
 * @base: number of records that were too large for ftrace before; it is a part of
 *        the name of the trigger, since nothing else belongs to the trigger only
 */
struct counter_request {
	const char *name;
	const char *system;
	const char *event;
	struct counter_fields keys;
	struct counter_fields sums;
	const char *filter;
	uint64_t entries;
	uint64_t base;
};

/*
 * Returns how many records of an event were too large for ftrace since it was
 * registered, or 0 if that is not known.
 */
uint64_t counter_too_large(const char *tracefs, const char *name);

/*
 * counter_start() - Creates a counter
 * @reason: set to what is wrong with the request, for free(); NULL if that is not
 *        known
 *
 * Return: 0; -EINVAL if the kernel or a field cannot do it; -EEXIST if there is a
 *         counter of this name; -EOPNOTSUPP if the kernel has no hist triggers;
 *         -ENOENT if there is no such event; ...
 */
int counter_start(const char *tracefs, const struct counter_request *request,
		  char **reason);

/*
 * counter_read() - Reads a counter
 *
 * Return: 0; -ENOENT if it was stopped, or has other fields now; -EBADMSG if its keys are ambiguous, as
 *         for hist_read()
 */
int counter_read(const char *tracefs, const struct counter *counter,
		 struct hist_values *values);

/*
 * counter_stop() - Deletes a counter
 *
 * Return: 0; -ENOENT if it was stopped; -EBUSY if another trigger uses it
 */
int counter_stop(const char *tracefs, const struct counter *counter);

/* Returns "SYSTEM:EVENT", without the system user_events; for free() */
char *counter_event(const struct counter *counter);

#endif
