/* SPDX-License-Identifier: MIT */
/* user-events decode: records of a file of any supported kind. */
#ifndef USER_EVENTS_FORMATS_TRACE_INPUT_H
#define USER_EVENTS_FORMATS_TRACE_INPUT_H

#include "formats/format.h"
#include "formats/trace_dat.h"

struct trace_input;

/*
 * trace_input_open() - Opens perf.data, as a file or pipe, or trace.dat
 * @path: "-" is standard input
 * @problem: called for each problem, with @data
 * Return: 0; an error of open(2) or read(2); -EBADMSG for any other file, and for
 * a pipe that cannot be copied, which is a problem
 */
int trace_input_open(struct trace_input **input, const char *path,
		     trace_problem problem, void *data);
/* The same for a descriptor, which the caller closes. */
int trace_input_open_fd(struct trace_input **opened, int fd,
			trace_problem problem, void *data);
void trace_input_close(struct trace_input *input);

/*
 * trace_input_stop() - Ends inputs from pipes and sockets, for a signal handler
 * @nowhere: /dev/null, which replaces the descriptor that is read; nothing can be
 *        opened from now on (-EINTR)
 */
void trace_input_stop(int nowhere);

/*
 * trace_input_next() - Gets the next record, which belongs to the input
 *
 * Return: 1; 0 at the end; or an error of read(2)
 */
int trace_input_next(struct trace_input *input, struct format_record *record);

/*
 * trace_input_next_loss() - Gets the next loss that ended until a time
 * Return: whether there is one
 */
bool trace_input_next_loss(struct trace_input *input, uint64_t until,
			   struct format_loss *loss);

/* Returns the offset of the last record. */
uint64_t trace_input_record_offset(const struct trace_input *input);

/*
 * struct trace_clock - The clock of a file
 * @name: as in tracefs, such as "mono" or "perf"; "" if it is unknown
 * @host: name of the machine; NULL if unknown
 * @wall: converts its times to dates; NULL if unknown
 * @is_wall: its times are nanoseconds since 1970
 * @counter: the name in tracefs of a clock that counts anything else than
 *        nanoseconds, whatever its times were converted to; NULL: nanoseconds
 */
struct trace_clock {
	const char *name;
	const char *host;
	const struct uev_clock *wall;
	bool is_wall;
	const char *counter;
};

/*
 * Gets the clock. That of a pipe, and of an unfinished file, is known after the
 * first record.
 */
void trace_input_clock(const struct trace_input *input,
		       struct trace_clock *clock);

/* As uev_perf_reader_stats() and uev_perf_reader_offset(). */
void trace_input_counts(const struct trace_input *input,
			struct uev_trace_stats *counts);
uint64_t trace_input_offset(const struct trace_input *input, uint64_t *size);

#endif
