/* SPDX-License-Identifier: MIT */
/* user-events: counters of the kernel as text, JSON and CSV. */
#ifndef USER_EVENTS_SINK_COUNTERS_H
#define USER_EVENTS_SINK_COUNTERS_H

#include "events/counters.h"

enum sink_counters_format {
	SINK_COUNTERS_TEXT = 0,
	SINK_COUNTERS_JSON,
	SINK_COUNTERS_CSV,
};

/* Prints what the counters count, as text or JSON. */
void sink_counters_list(const struct counters *counters,
			enum sink_counters_format format);

/* Prints the values of a counter. */
void sink_counters_values(const struct counter *counter,
			  const struct hist_values *values,
			  enum sink_counters_format format);

#endif
