/* SPDX-License-Identifier: MIT */
/* Sequential records of perf.data. */
#ifndef USEREVENTS_PERF_RECORDS_H
#define USEREVENTS_PERF_RECORDS_H

#include "perf/reader_state.h"

/* Reads the next record of the data and its payload. */
void uev_perf_record_read(struct uev_perf_reader *reader);

#endif
