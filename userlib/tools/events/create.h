/* SPDX-License-Identifier: MIT */
/* user-events: creation of events from definitions. */
#ifndef USER_EVENTS_EVENTS_CREATE_H
#define USER_EVENTS_EVENTS_CREATE_H

#include "events/definitions.h"

/*
 * events_read_file() - Adds the definitions in a file, one per line
 * @path: "-": standard input
 *
 * Return: number of invalid definitions; -1 if it cannot be read. Errors are
 * printed.
 */
long events_read_file(struct definitions *wanted, const char *path);

/*
 * events_read_from() - Adds the definitions in a program or a recording
 * @wanted: of an event with several forms, receives the first
 *
 * Return: an exit status, TOOL_NOT_FOUND if it has none; errors are printed
 */
int events_read_from(struct definitions *wanted, const char *path);

/* Bits for events_create(). */
enum {
	EVENTS_WAIT = 1 << 0, /* only until a signal ends the program */
	EVENTS_PERSIST = 1 << 1, /* with EVENTS_WAIT, keep them afterwards */
	EVENTS_KEEP_GOING = 1 << 2, /* if one fails, create the others */
};

/*
 * events_create() - Creates events
 *
 * Without EVENTS_KEEP_GOING, a failure removes the events that it has created.
 *
 * Return: an exit status; errors are printed
 */
int events_create(const struct definitions *wanted, unsigned int how);

#endif
