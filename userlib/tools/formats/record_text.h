/* SPDX-License-Identifier: MIT */
/*
 * user-events: one record as a line that a person reads.
 *
 *	time [cpu] comm/pid system:event name=value ...
 *
 * Text is in quotes and what else could be taken for something it is not is
 * escaped, so that a line is a line, valid UTF-8, and harmless to a terminal,
 * whatever the record is.
 */
#ifndef USER_EVENTS_FORMATS_RECORD_TEXT_H
#define USER_EVENTS_FORMATS_RECORD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/decode.h>
#include <userevents/session.h>

/*
 * struct record_text - how lines look
 * @clock: tells times as dates, in UTC; NULL: seconds of the clock they are of
 * @has_colour: with the colours of out_begin(), where it has any
 * @limit: bytes of the fields of one line; 0 for 1 MiB. A record can repeat
 *	long names very often
 * @scratch: all zero at first; record_text_release() gives it back
 */
struct record_text {
	const struct uev_clock *clock;
	bool has_colour;
	size_t limit;
	struct uev_output scratch;
};

/*
 * record_text_append() - appends the line of a record, without an end of line
 * @text: how
 * @output: what to
 * @decoder: any; it is started with the record
 * @schema: of the event of @sample; NULL if nobody knows: its bytes are shown
 * @sample: the record
 * @comm: what the thread is called; NULL if nobody knows
 *
 * An EventHeader event is "provider:event", and what its header says beside that
 * follows the fields in braces.
 *
 * Return: 0; what uev_decoder_next() says of a bad record: then the line has
 * what is before the error, and the reason; -E2BIG: then it has what is before
 * the limit. Without memory the program ends.
 */
int record_text_append(struct record_text *text, struct uev_output *output,
		       struct uev_decoder *decoder,
		       const struct uev_schema *schema,
		       const struct uev_sample *sample, const char *comm);

void record_text_release(struct record_text *text);

/*
 * record_text_level() - "critical" to "verbose", NULL for another
 * record_text_opcode() - "info", "start", "stop", ..., NULL for another
 */
const char *record_text_level(unsigned int level);
const char *record_text_opcode(unsigned int opcode);

#endif
