/* SPDX-License-Identifier: MIT */
/* user-events: an event, or a rate of events, that makes a recorder act. */
#ifndef USER_EVENTS_CAPTURE_TRIGGER_H
#define USER_EVENTS_CAPTURE_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "capture/options.h"

/* Number of counts of the last second, and their interval in milliseconds. */
#define CAPTURE_TRIGGER_COUNTS 10
#define CAPTURE_TRIGGER_INTERVAL_MS 100

/*
 * struct capture_trigger - A trigger; initialized to zeros, released with
 * capture_trigger_close()
 * @event: pattern of its events; NULL: there is no trigger
 * @filter: filter of the kernel for them; or NULL
 * @rate: number of events within a second
 * @session: counts them
 * @counts: number of events so far, at intervals
 * @next: index of the oldest of @counts
 * @next_count: time of the next of @counts, in milliseconds
 */
struct capture_trigger {
	char *event;
	char *filter;
	uint64_t rate;
	struct uev_session *session;
	uint64_t counts[CAPTURE_TRIGGER_COUNTS];
	unsigned int next;
	uint64_t next_count;
};

/*
 * capture_trigger_parse() - Parses "EVENT[ if FILTER]"
 * Return: whether it is valid
 */
bool capture_trigger_parse(struct capture_trigger *trigger, const char *text);

/* The value of an option, a struct capture_trigger */
int capture_take_trigger(void *trigger, const struct tool_argument *argument);

/*
 * capture_trigger_open() - Starts to count
 * @options: the processes and processors of the recording
 * @pid: the command of the recording, or 0
 * Return: an exit status; errors are printed
 */
int capture_trigger_open(struct capture_trigger *trigger,
			 const struct capture_options *options, pid_t pid);

/* Return: a descriptor that is readable when there are events; -1: none */
int capture_trigger_fd(const struct capture_trigger *trigger);

/*
 * capture_trigger_count() - Takes the number of events so far
 * Return: whether there were @rate events within a second; they are not counted
 *         again
 */
bool capture_trigger_count(struct capture_trigger *trigger, uint64_t events,
			   uint64_t now);

/*
 * capture_trigger_test() - Reads the number of events
 * Return: as capture_trigger_count()
 */
bool capture_trigger_test(struct capture_trigger *trigger, uint64_t now);

void capture_trigger_close(struct capture_trigger *trigger);

#endif
