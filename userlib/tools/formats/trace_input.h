/* SPDX-License-Identifier: MIT */
/*
 * user-events decode: records of a file, whichever kind it is of.
 */
#ifndef USER_EVENTS_FORMATS_TRACE_INPUT_H
#define USER_EVENTS_FORMATS_TRACE_INPUT_H

#include "formats/format.h"

struct trace_input;

/*
 * trace_input_open() - opens perf.data, of a file or a pipe, or trace.dat
 * @path: "-" is standard input
 * @problem: called for what is wrong with the file, with where in it that is and
 *	a sentence without an end of line
 * @data: its first parameter
 * Return: 0, or what open(2) or read(2) answers, -EBADMSG for anything else
 * than such a file, -ESPIPE for one that cannot be read through a pipe
 */
int trace_input_open(struct trace_input **input, const char *path,
		     void (*problem)(void *data, uint64_t offset,
				     const char *reason),
		     void *data);
/* The same of a descriptor, which stays the caller's. */
int trace_input_open_fd(struct trace_input **opened, int fd,
			void (*problem)(void *data, uint64_t offset,
					const char *reason),
			void *data);
void trace_input_close(struct trace_input *input);

/*
 * trace_input_next() - the next record, which is the input's
 * Return: 1, 0 at the end, or what read(2) answers
 */
int trace_input_next(struct trace_input *input, struct format_record *record);

/* Where in the file that record begins. */
uint64_t trace_input_record_offset(const struct trace_input *input);

/* As uev_perf_reader_counts() and uev_perf_reader_offset() do. */
void trace_input_counts(const struct trace_input *input,
			struct uev_counts *counts);
uint64_t trace_input_offset(const struct trace_input *input, uint64_t *size);

#endif
