/* SPDX-License-Identifier: MIT */
/*
 * user-events: output of lines to a reader that can be slow or absent.
 *
 * While the reader is slow, nothing is read from the kernel, which keeps
 * records or counts them as lost, but programs of the command start. A started
 * line is always completed, unless the reader stalls after a stop signal, or a
 * second signal arrives.
 */
#ifndef USER_EVENTS_CAPTURE_OUTPUT_H
#define USER_EVENTS_CAPTURE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include <userevents/decode.h>

/* A reader that has not read for this time after a signal has stalled. */
#define CAPTURE_STALL_TIMEOUT_MS 10000

/*
 * struct capture_output - Output of lines
 * @fd: as open(2) returned it; can block
 * @text: lines to write; appended to by the caller
 * @stall_timeout_ms: maximum milliseconds without progress after a signal
 * @has_timed_out: the timeout has expired, and nothing is written any more
 * @unwritten: number of lines so far that were not written completely
 */
struct capture_output {
	int fd;
	struct uev_output text;
	unsigned int stall_timeout_ms;
	bool has_timed_out;
	uint64_t unwritten;
};

/*
 * capture_output_write() - Writes the lines and empties the text
 * Return: 0, or an error of write(2)
 */
int capture_output_write(struct capture_output *output);

/*
 * capture_output_result() - Writes a part of a result, for out_write_with()
 *
 * On failure, and if the reader has stalled, it terminates the command.
 */
ssize_t capture_output_result(void *data, const char *bytes, size_t size);

#endif
