/* SPDX-License-Identifier: MIT */
/* user-events: output of the events of this machine. */
#ifndef USER_EVENTS_EVENTS_REPORT_H
#define USER_EVENTS_EVENTS_REPORT_H

#include "events/bpf_users.h"
#include "events/events.h"
#include "events/users.h"
#include "ui/out.h"

/*
 * events_find_tracefs() - Finds the directory of tracefs
 * @tracefs: set to the path, for free(); NULL on error, which is printed
 *
 * Return: TOOL_OK or TOOL_FAILED
 */
int events_find_tracefs(char **tracefs);

/*
 * events_report_unread() - Prints why the list of events cannot be read
 * @err: of events_read()
 * @tracefs: path of tracefs
 *
 * Return: TOOL_FAILED
 */
int events_report_unread(int err, const char *tracefs);

/*
 * events_open() - Reads the list of events
 * Return: TOOL_OK, or TOOL_FAILED and the error is printed
 */
int events_open(struct events *events);

/* Returns "ftrace perf", "-", or "?" if it is unknown; for free() */
char *events_tracers(const struct event *event);

/*
 * struct event_users - Processes that might use events
 * @creators: have user_events_data open
 * @tracers: have perf events open
 * @programs: attached BPF programs
 */
struct event_users {
	struct users creators;
	struct users tracers;
	struct bpf_users programs;
};

/* @tracefs: path of tracefs */
void events_find_users(struct event_users *users, const char *tracefs);
void events_free_users(struct event_users *users);

/*
 * events_json() - Writes the details of an event as an object
 * @users: NULL: leave out users and the results of EVENTS_USES
 */
void events_json(struct uev_output *json, const struct events *events,
		 const struct event *event, const struct event_users *users);

/* Returns EVENTS_COMMANDS commands that trace an event, for free(). */
#define EVENTS_COMMANDS 4
void events_commands(const struct events *events, const struct event *event,
		     char *commands[EVENTS_COMMANDS]);

#endif
