/* SPDX-License-Identifier: MIT */
/*
 * user-events: the way of all records: source, selection, sinks.
 *
 * pipe_run() is the only loop. It owns the start, waits, the end of a session,
 * losses, limits, signals and the exit status.
 */
#ifndef USER_EVENTS_PIPE_PIPE_H
#define USER_EVENTS_PIPE_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pipe/sink.h"
#include "pipe/source.h"
#include "query/groups.h"
#include "query/select.h"

/*
 * struct pipe - A pipe; the members up to @data are set by the command
 * @source: freed by pipe_run()
 * @select: which records the sinks get; NULL: all
 * @sinks: list of the sinks
 * @interval: milliseconds between two ticks; 0: none
 * @is_slow: write each record at once
 * @has_own_losses: the sink reports losses itself, or does not count records
 * @summary: called after the sinks have finished, if there is a result; prints a
 *        summary and returns an exit status. Or NULL.
 * @data: for @summary
 * @has_readers: a sink reads records; otherwise the kernel only counts them
 * @shows_losses: a sink takes losses
 * @decoder: any decoder
 * @start: start of the part, and @last: last tick or the start, in milliseconds
 * @records: number of selected records, @bytes: of their data, @bad: malformed
 *        ones of them
 * @filtered: number of other records
 * @lost: number of lost records so far, and @part_lost those of the part
 * @first_time, @last_time: of the records of the part, if @has_time
 * @loss_groups: all by event and reason
 * @unwritten: number of lines that a stalled reader did not take
 * @seconds: from the first to the last record, or of the session so far
 * @has_result: a part was read, whatever the exit status: that can be the status
 *        of a command, or of other files
 */
struct pipe {
	struct source *source;
	struct query_select *select;
	struct sink *sinks;
	uint64_t interval;
	bool is_slow;
	bool has_own_losses;
	int (*summary)(const struct pipe *pipe);
	void *data;

	bool has_readers;
	bool shows_losses;
	struct uev_decoder *decoder;
	uint64_t start;
	uint64_t last;
	uint64_t records;
	uint64_t bytes;
	uint64_t bad;
	uint64_t filtered;
	uint64_t lost;
	uint64_t part_lost;
	bool has_time;
	uint64_t first_time;
	uint64_t last_time;
	struct query_groups loss_groups;
	uint64_t unwritten;
	double seconds;
	bool has_result;
};

/* pipe_add() - Adds the last sink */
void pipe_add(struct pipe *pipe, struct sink *sink);

/*
 * pipe_run() - Moves all records from the source to the sinks, and prints what
 * is missing
 *
 * Frees the source and the formats. If a signal has ended a file that is
 * written, the process exits by this signal.
 *
 * Return: an exit status: that of the command that was run if it failed; for
 * several parts with different ones TOOL_INCOMPLETE; otherwise as pipe_worse()
 */
int pipe_run(struct pipe *pipe);

/*
 * pipe_end_sink() - Completes the output of a sink, or discards it without a result,
 * and frees the format
 * Return: an exit status; an error is printed
 */
int pipe_end_sink(struct sink *sink, bool has_result);

/*
 * pipe_print_summary() - Prints to standard error what became of all records
 * @pipe: its source is a session
 * Return: TOOL_INCOMPLETE if some are malformed, not written or unaccounted for;
 *         TOOL_OK
 */
int pipe_print_summary(const struct pipe *pipe);

/*
 * pipe_worse() - Combines exit statuses: an error, then TOOL_NOT_FOUND, then
 * TOOL_INCOMPLETE
 */
int pipe_worse(int a, int b);

#endif
