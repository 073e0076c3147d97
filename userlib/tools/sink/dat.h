/* SPDX-License-Identifier: MIT */
/* user-events flight: a file of the pages of a recorder, as they are. */
#ifndef USER_EVENTS_SINK_DAT_H
#define USER_EVENTS_SINK_DAT_H

#include "sink/formats.h"
#include "source/flight.h"

/* A format of "dump" only, without a sink: it has no records, but pages. */
extern const struct sink_ops sink_dat;

/* The value of --format, as sink_take_format() */
int sink_dat_take_format(void *format, const struct tool_argument *argument);

/* For the help: all formats */
void sink_dat_list_formats(struct uev_output *to);

/*
 * sink_dat_dump() - Writes the records of a flight recorder as a trace.dat
 * @output: its path is that of the file, which appears when it is complete
 *
 * Return: an exit status; errors are printed
 */
int sink_dat_dump(const struct sink_output *output,
		  const struct query_select *select,
		  const struct source_flight_options *source,
		  const struct tool_command *command);

#endif
