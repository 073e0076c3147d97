/* SPDX-License-Identifier: MIT */
/* user-events: where records come from: files or a session. */
#ifndef USER_EVENTS_PIPE_SOURCE_H
#define USER_EVENTS_PIPE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/capture.h"
#include "formats/format.h"

struct source;

/*
 * struct source_ops - The functions of a source. Those with an exit status
 * print their errors. The driver, pipe_run(), calls them in this order.
 * @open: opens a part and sets @name.
 * Return: an exit status
 * @start: starts the records of the part. Return: an exit status
 * @wait: waits for records, at most @timeout milliseconds.
 * Return: false at the end of the part
 * @read: makes records available that @next returns. @flags are those of
 * uev_session_read().
 * Return: their number, if known; -1: an error
 * @next: gets the next available record, which belongs to the source.
 * Return: false if there is none
 * @find_losses: looks for lost records, which @next_loss then returns
 * @next_loss: gets the next loss whose time ended until @until, and which belongs
 * to the source.
 * Return: false if there is none
 * @bad_record: prints that the last record is malformed
 * @stop: stops the records; those in buffers can still be read.
 * Return: an exit status
 * @count: sets @counts and @missing of the part. Return: an exit status
 * @end: prints problems of the part, and closes it, unless @close does.
 * Return: an exit status
 * @report: prints what can be missing in the result. Return: an exit status
 * @signal: returns the signal that ended the source before its end, or 0
 * @close: frees the source, whether a part is open or not.
 * Return: @status, or that of the command that was run if it failed
 *
 * All but @open, @wait, @read, @next, @count, @end and @close can be NULL.
 */
struct source_ops {
	int (*open)(struct source *source, size_t part);
	int (*start)(struct source *source);
	bool (*wait)(struct source *source, int timeout);
	ssize_t (*read)(struct source *source, unsigned int flags);
	bool (*next)(struct source *source, struct format_record *record);
	void (*find_losses)(struct source *source);
	bool (*next_loss)(struct source *source, uint64_t until,
			  struct format_loss *loss);
	void (*bad_record)(struct source *source,
			   const struct format_record *record,
			   const struct uev_decoder *decoder, int error);
	int (*stop)(struct source *source);
	int (*count)(struct source *source);
	int (*end)(struct source *source);
	int (*report)(struct source *source);
	int (*signal)(const struct source *source);
	int (*close)(struct source *source, int status);
};

/*
 * struct source - A source; the first member of its struct
 * @ops: its functions
 * @parts: number of parts, which are read one after another
 * @name: of the current part
 * @is_live: a session; a loss makes its result incomplete
 * @is_slow: records arrive one after another, and are written at once
 * @loss_reason: of losses that are in @counts only; NULL: UEV_LOSS_PERF_BUFFER
 * @counts: of the last part; @hits of others than a session is 0
 * @missing: its lost records that only the module has counted
 * @before_message: set by the driver: writes the output, which can be the same
 *        file as standard error, before a message
 * @data: its argument
 */
struct source {
	const struct source_ops *ops;
	size_t parts;
	const char *name;
	bool is_live;
	bool is_slow;
	const char *loss_reason;
	struct capture_totals counts;
	uint64_t missing;
	void (*before_message)(void *data);
	void *data;
};

#endif
