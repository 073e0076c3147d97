/* SPDX-License-Identifier: MIT */
/* user-events: the records of a flight recorder as a trace.dat. */
#ifndef USER_EVENTS_FLIGHT_DAT_H
#define USER_EVENTS_FLIGHT_DAT_H

#include <stddef.h>

#include "flight/flight.h"

/*
 * flight_dat_write() - Passes the bytes of the file to a function
 *
 * Times are those since 1970, as of "trace-cmd record --date". The file has no place
 * for records that were not recorded, which are printed.
 *
 * Return: an exit status; TOOL_INCOMPLETE if the file is complete, but records are
 * not in it
 */
int flight_dat_write(const struct flight *flight,
		     void (*write)(void *data, const void *bytes, size_t size),
		     void *data);

#endif
