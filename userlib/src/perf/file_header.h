/* SPDX-License-Identifier: MIT */
/*
 * The header of a perf.data file: where the attributes, the features and the
 * records are.
 */
#ifndef USEREVENTS_PERF_FILE_HEADER_H
#define USEREVENTS_PERF_FILE_HEADER_H

#include "perf/reader_state.h"

/*
 * Reads all of a file but its records, and goes to where these are. What is
 * wrong is a problem, not an error.
 *
 * Return: 0, -EBADMSG, or what read(2) answers
 */
int uev_perf_file_header_read(struct uev_perf_reader *reader);

#endif
