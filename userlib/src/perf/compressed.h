/* SPDX-License-Identifier: MIT */
/*
 * Compressed records of perf.data (perf record -z), and the records in them. A
 * record can continue in the next compressed record.
 */
#ifndef USEREVENTS_PERF_COMPRESSED_H
#define USEREVENTS_PERF_COMPRESSED_H

#include "perf/reader_state.h"

/*
 * Read a PERF_RECORD_COMPRESSED or a PERF_RECORD_COMPRESSED2, after the records
 * of all others were taken. @bytes must stay valid until all of its records are
 * taken.
 *
 * Return: NULL, or the error
 */
const char *uev_compressed_read(struct uev_perf_reader *reader,
				const uint8_t *bytes, size_t size);
const char *uev_compressed2_read(struct uev_perf_reader *reader,
				 const uint8_t *bytes, size_t size);

/*
 * Takes the next record.
 * @bytes: set to the whole record, which is valid until the next call; NULL for
 *        invalid data, which is counted and reported
 *
 * Return: false if the next compressed record is needed
 */
bool uev_compressed_next(struct uev_perf_reader *reader, const uint8_t **bytes);

/* Compressed records can be missing before the next one. */
void uev_compressed_break(struct uev_perf_reader *reader);

/* Reports the last record if its end is missing. */
void uev_compressed_end(struct uev_perf_reader *reader);

#endif
