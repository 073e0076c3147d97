/* SPDX-License-Identifier: MIT */
/*
 * user-events: the formats of the events of a flight recorder.
 *
 * They are saved, since IDs of events change with a boot, and records in
 * persistent memory do not.
 */
#ifndef USER_EVENTS_FLIGHT_DESCRIBE_H
#define USER_EVENTS_FLIGHT_DESCRIBE_H

#include <userevents/decode.h>

#include "flight/flight.h"
#include "flight/page.h"

/*
 * flight_describe() - Saves the names and the formats of the enabled events
 * Return: an exit status
 */
int flight_describe(const struct flight *flight);

/*
 * flight_description() - Gets the start of a trace.dat up to the number of
 * processors, of an instance that is gone or of an earlier boot as it was saved
 * Return: an exit status
 */
int flight_description(struct uev_output *to, const struct flight *flight);

/* flight_events() - Counts the enabled events */
size_t flight_events(const struct flight *flight);

/*
 * flight_disabled_events() - Counts the events that a recorder has enabled at its
 * start, and that are disabled
 */
size_t flight_disabled_events(const struct flight *flight);

/* flight_has_event() - Tests whether a user event of this name is enabled */
bool flight_has_event(const struct flight *flight, const char *name);

#endif
