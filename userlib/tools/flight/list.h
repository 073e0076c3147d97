/* SPDX-License-Identifier: MIT */
/* user-events: the list of flight recorders. */
#ifndef USER_EVENTS_FLIGHT_LIST_H
#define USER_EVENTS_FLIGHT_LIST_H

#include <stdbool.h>

/*
 * flight_list() - Prints all flight recorders
 * @is_json: one array, in a line
 * Return: an exit status
 */
int flight_list(bool is_json);

#endif
