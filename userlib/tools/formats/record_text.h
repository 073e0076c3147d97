/* SPDX-License-Identifier: MIT */
/*
 * user-events: one record as a line of text.
 *
 *	time [cpu] comm/pid system:event name=value ...
 *
 * Text is quoted and ambiguous characters are escaped, so that a record is
 * always one line of valid UTF-8 and harmless to a terminal.
 */
#ifndef USER_EVENTS_FORMATS_RECORD_TEXT_H
#define USER_EVENTS_FORMATS_RECORD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/decode.h>

#include "formats/record.h"
#include "formats/record_time.h"

/*
 * struct record_text - Options of lines
 * @time: the form of times
 * @has_color: use the colors of out_begin()
 */
struct record_text {
	struct record_time time;
	bool has_color;
};

/*
 * record_text_append() - Appends the line of a record, without a newline
 * @text: the options
 * @output: the output
 * @decoder: any decoder; it is started with the record
 * @record: the record; without a schema, its bytes are shown
 *
 * An EventHeader event is "provider:event", and the rest of its header follows
 * the fields in braces. The fields have at most 1 MiB, because a record can
 * repeat long names.
 *
 * Return: 0; an error of uev_decoder_next(), and the line has the part before
 * it and the reason; -E2BIG, and the line has the part before the limit. Exits
 * without memory.
 */
int record_text_append(struct record_text *text, struct uev_output *output,
		       struct uev_decoder *decoder,
		       const struct format_record *record);

/*
 * record_text_fields() - Appends the line from the first field on, without colors
 * @limit: maximum bytes of the fields
 */
int record_text_fields(struct uev_output *output, struct uev_decoder *decoder,
		       const struct format_record *record, size_t limit);

/* Returns "info", "start", "stop", ..., NULL for others */
const char *record_text_opcode(unsigned int opcode);

#endif
