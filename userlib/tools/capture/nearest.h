/* SPDX-License-Identifier: MIT */
/* user-events: the existing event with the name that is most like a given one. */
#ifndef USER_EVENTS_CAPTURE_NEAREST_H
#define USER_EVENTS_CAPTURE_NEAREST_H

/* Longer names are not compared. */
#define CAPTURE_NEAREST_MAX 255

/*
 * capture_distance() - Returns the number of characters that are inserted,
 * deleted, replaced, or swapped with their neighbor, between two names
 */
unsigned int capture_distance(const char *one, const char *other);

/*
 * capture_nearest() - Finds a name for which the given one can be a mistake
 * @pattern: "[SYSTEM:]NAME" that has matched no event
 * Return: the pattern with another name, for free(); NULL if there is none, if
 *         the event exists now, or if @pattern has wildcards
 */
char *capture_nearest(const char *pattern);

#endif
