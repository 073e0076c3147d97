/* SPDX-License-Identifier: MIT */
/* user-events: the trigger of a flight recorder that takes a snapshot. */
#ifndef USER_EVENTS_FLIGHT_SNAPSHOT_H
#define USER_EVENTS_FLIGHT_SNAPSHOT_H

#include "flight/flight.h"

/*
 * flight_snapshot_check() - Tests the argument of --on
 * Return: NULL, or the reason
 */
const char *flight_snapshot_check(const char *on);

/*
 * flight_snapshot_arm() - Sets the trigger in the event of @on
 * Return: an exit status
 */
int flight_snapshot_arm(const struct flight *flight);

/* Tests whether the snapshot was taken. */
bool flight_snapshot_is_taken(const struct flight *flight);

/* flight_snapshot_renew() - Sets a trigger again whose snapshot was read */
void flight_snapshot_renew(const struct flight *flight);

#endif
