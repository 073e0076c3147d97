/* SPDX-License-Identifier: MIT */
/*
 * The part of perf.data with what tracefs said when it was recorded: the
 * formats of the events above all.
 */
#ifndef USEREVENTS_PERF_TRACING_H
#define USEREVENTS_PERF_TRACING_H

#include <stdint.h>

#include "perf/events.h"
#include "perf/input.h"

/*
 * Reads that part up to the limit of @input.
 * @long_size: set to the size of a long, when that is there
 *
 * Return: NULL, or what is wrong in a sentence. Look at @input->error, too.
 */
const char *uev_tracing_read(struct uev_input *input,
			     struct uev_perf_events *events,
			     uint8_t *long_size);

#endif
