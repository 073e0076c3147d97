/* SPDX-License-Identifier: MIT */
/*
 * The tracing data section of perf.data: formats of events and other files of
 * tracefs of the recording machine.
 */
#ifndef USEREVENTS_PERF_TRACING_H
#define USEREVENTS_PERF_TRACING_H

#include <stdint.h>

#include "perf/events.h"
#include "perf/input.h"

/*
 * Reads the section up to the limit of @input.
 * @long_size: set to the size of a long, if the section has it
 *
 * Return: NULL, or the error. Check @input->error, too.
 */
const char *uev_tracing_read(struct uev_input *input,
			     struct uev_perf_events *events,
			     uint8_t *long_size);

#endif
