/* SPDX-License-Identifier: MIT */
/*
 * user-events: lines that go to somebody who may be slow, or not there at all.
 *
 * Nothing is read from the kernel while somebody is slow: what happens
 * meanwhile the kernel keeps, or counts as lost. A line that was begun is
 * written to its end, unless whoever reads it does not move for a while after
 * the tool was asked to end, or it was asked twice.
 */
#ifndef USER_EVENTS_CAPTURE_OUTPUT_H
#define USER_EVENTS_CAPTURE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

/*
 * struct capture_output - where lines go
 * @fd: as open(2) has it; may block
 * @text: lines that are to be written; appended to by the caller
 * @stall_timeout_ms: milliseconds without progress after a signal
 * @has_timed_out: that was too long, and nothing is written any more
 */
struct capture_output {
	int fd;
	struct uev_output text;
	unsigned int stall_timeout_ms;
	bool has_timed_out;
};

/*
 * capture_output_write() - writes the lines, and empties the text
 * @unwritten: set to how many of the lines were not written to their end
 * Return: 0, or what write(2) answers
 */
int capture_output_write(struct capture_output *output, uint64_t *unwritten);

#endif
