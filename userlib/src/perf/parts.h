/* SPDX-License-Identifier: MIT */
/*
 * The files of a perf.data directory (perf record --threads).
 *
 * The first file has the header and the records of perf itself, and data.0,
 * data.1, ... have records only, without FINISHED_ROUND. The reader has the
 * state of one of them, and goes on with the file whose records so far are the
 * oldest.
 */
#ifndef USEREVENTS_PERF_PARTS_H
#define USEREVENTS_PERF_PARTS_H

#include <stdbool.h>
#include <stdint.h>

struct uev_perf_reader;

/*
 * Opens the first file of a directory.
 *
 * Return: a descriptor; -EISDIR if the directory is not one of perf; or an
 * error of open(2)
 */
int uev_perf_parts_open_first(const char *directory);

/*
 * Adds the other files of a directory to the reader of the first one, which
 * then closes them.
 *
 * Return: 0; -ENOMEM; or an error of open(2) or readdir(3)
 */
int uev_perf_parts_add(struct uev_perf_reader *reader, const char *directory);

/* Selects the file of the next record. */
void uev_perf_parts_select(struct uev_perf_reader *reader);

/* Ends the file of the last record. Return: false without another file */
bool uev_perf_parts_end(struct uev_perf_reader *reader);

/* Returns the time up to which all files were read. */
uint64_t uev_perf_parts_newest(const struct uev_perf_reader *reader);

/* Returns the bytes that were read of all files. */
uint64_t uev_perf_parts_offset(const struct uev_perf_reader *reader);

/* Frees all files but that of the reader's state. */
void uev_perf_parts_free(struct uev_perf_reader *reader);

#endif
