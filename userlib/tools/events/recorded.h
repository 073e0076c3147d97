/* SPDX-License-Identifier: MIT */
/* user-events: definitions of the events in a recording. */
#ifndef USER_EVENTS_EVENTS_RECORDED_H
#define USER_EVENTS_EVENTS_RECORDED_H

#include "events/definitions.h"

/*
 * recorded_definitions() - Adds the definitions of the user_events in a perf.data
 * @definitions: receives those that are valid; errors of others are printed
 * @path: the file, also with events that have no records
 *
 * Other formats of a name, of user_events_multi, are left to their programs.
 *
 * Return: 0, also if it has none; an error of uev_perf_reader_open()
 */
int recorded_definitions(struct definitions *definitions, const char *path);

#endif
