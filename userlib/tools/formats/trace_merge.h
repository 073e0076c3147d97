/* SPDX-License-Identifier: MIT */
/* user-events decode: records of several files, merged by their time. */
#ifndef USER_EVENTS_FORMATS_TRACE_MERGE_H
#define USER_EVENTS_FORMATS_TRACE_MERGE_H

#include "formats/trace_input.h"

struct trace_merge;

/*
 * trace_merge_open() - Opens files
 * @names: @count paths, at least one
 * @problem: as for trace_input_open(), with the name of the file
 * @failed: set to the name of a file that has an error
 *
 * Times of several files are compared if all files have the same clock of the
 * same machine, and otherwise as dates.
 *
 * Return: 0; an error of trace_input_open(); -EXDEV if the times of @failed and
 * of the first file cannot be compared
 */
int trace_merge_open(struct trace_merge **opened, const char *const *names,
		     size_t count,
		     void (*problem)(void *data, const char *name,
				     uint64_t offset, const char *reason),
		     void *data, const char **failed);
void trace_merge_close(struct trace_merge *merge);

/*
 * trace_merge_next() - Gets the next record
 *
 * If the files have different clocks, its time is the date, in nanoseconds
 * since 1970.
 *
 * Return: as trace_input_next()
 */
int trace_merge_next(struct trace_merge *merge, struct format_record *record);

/*
 * As trace_input_next_loss(), of all files in the order of their ends; their times
 * are those of the records
 */
bool trace_merge_next_loss(struct trace_merge *merge, uint64_t until,
			   struct format_loss *loss);

/*
 * trace_merge_counter() - Gets the clock of a file that counts no nanoseconds
 * @file: the index of its name in trace_merge_open()
 * @name: set to its name for messages
 * Return: the name of the clock; NULL if the times of the file are nanoseconds
 */
const char *trace_merge_counter(const struct trace_merge *merge, size_t file,
				const char **name);

/* Returns the name of the file of the last record, or of the last error. */
const char *trace_merge_name(const struct trace_merge *merge);

/* As the functions of trace_input, and sums of all files. */
uint64_t trace_merge_record_offset(const struct trace_merge *merge);
void trace_merge_counts(const struct trace_merge *merge,
			struct uev_trace_stats *counts);
uint64_t trace_merge_offset(const struct trace_merge *merge, uint64_t *size);

#endif
