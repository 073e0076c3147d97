/* SPDX-License-Identifier: MIT */
/* user-events: events as a table, as definitions, with all details, as JSON. */
#ifndef USER_EVENTS_EVENTS_PRINT_H
#define USER_EVENTS_EVENTS_PRINT_H

#include "events/report.h"

/* All of these print the selected events, after events_details(). */
void events_print_table(const struct events *events);

/* In the form for "add". Return: TOOL_OK, or TOOL_FAILED without a format */
int events_print_definitions(const struct events *events);

void events_print_details(const struct events *events,
			  const struct event_users *users);

/* An array with one object per event. @users: as for events_json() */
void events_print_json(const struct events *events,
		       const struct event_users *users);

#endif
