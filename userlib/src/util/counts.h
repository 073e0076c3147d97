/* SPDX-License-Identifier: MIT */
/* Counters of records, for callers that were compiled with another version. */
#ifndef USEREVENTS_UTIL_COUNTS_H
#define USEREVENTS_UTIL_COUNTS_H

#include <userevents/session.h>

/* Fills in @size bytes; counters that are unknown here are 0. */
void uev_counts_copy(struct uev_trace_stats *to, size_t size,
		     const struct uev_trace_stats *from);

/* Adds all counters of @from. */
void uev_counts_add(struct uev_trace_stats *to,
		    const struct uev_trace_stats *from);

#endif
