/* SPDX-License-Identifier: MIT */
/*
 * The header of a perf.data file, with the positions of attributes, features
 * and records.
 */
#ifndef USEREVENTS_PERF_FILE_HEADER_H
#define USEREVENTS_PERF_FILE_HEADER_H

#include "perf/reader_state.h"

/*
 * Reads a file except its records, and seeks to these. Malformed parts are
 * reported as problems, not as errors.
 *
 * Return: 0; -EBADMSG; or an error of read(2)
 */
int uev_perf_file_header_read(struct uev_perf_reader *reader);

#endif
