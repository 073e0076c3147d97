/* SPDX-License-Identifier: MIT */
/* user-events: values of comma-separated lists. */
#ifndef USER_EVENTS_QUERY_CSV_H
#define USER_EVENTS_QUERY_CSV_H

#include <stddef.h>

#include <userevents/decode.h>

/* Bits for query_csv_append(). */
enum {
	QUERY_CSV_QUOTED = 1 << 0, /* in quotes */
	QUERY_CSV_SANITIZED = 1 << 1, /* control characters as \xHH */
};

/*
 * query_csv_append() - Appends a value, with its quotes doubled
 *
 * A sanitized value keeps tabs and newlines, which are part of values. One that
 * is not sanitized must be when it is printed.
 */
void query_csv_append(struct uev_output *to, const char *text, size_t size,
		      unsigned int flags);

#endif
