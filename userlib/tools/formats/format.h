/* SPDX-License-Identifier: MIT */
/*
 * user-events decode: what comes out of a file, and what it is written as.
 */
#ifndef USER_EVENTS_FORMATS_FORMAT_H
#define USER_EVENTS_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>
#include <userevents/session.h>

/*
 * struct format_record - a record, and what is known beside it
 * @sample: the record
 * @schema: of its event; NULL if nobody knows
 * @comm: what its thread is called; NULL if nobody knows
 * @clock: tells its time as a date; NULL if nothing does
 * @lost: records that were lost before it, since the file began
 */
struct format_record {
	const struct uev_sample *sample;
	const struct uev_schema *schema;
	const char *comm;
	const struct uev_clock *clock;
	uint64_t lost;
};

/*
 * struct format_options - how records are written
 * @path: where to; NULL is standard output, where that is possible
 * @lines: JSON is one object a line
 * @file_time: times stay those of the clock of the file
 * @has_colour: text has the colours of out_begin()
 */
struct format_options {
	const char *path;
	bool lines;
	bool file_time;
	bool has_colour;
};

/*
 * struct format_ops - a way to write records
 * @name: what --format calls it
 * @begin: sets *@writer to what the others get first. Return: 0 or -errno,
 *	having said nothing
 * @begin_file: records of another file follow, which is called @name
 * @record: writes one. Return: 0 or what uev_decoder_next() says of a bad one,
 *	of which as much is written as there is
 * @end_file: that was all of it; @lost as in struct format_record
 * @error: 0 or what could not be written, and why
 * @flush: has all of it written that can be by now
 * @finish: makes the output whole and gives @writer back. Return: 0 or -errno
 * @discard: leaves no output and gives @writer back
 * @is_single: there cannot be more than one file
 * @needs_path: there must be a path
 */
struct format_ops {
	const char *name;
	int (*begin)(void **writer, const struct format_options *options);
	void (*begin_file)(void *writer, const char *name);
	int (*record)(void *writer, struct uev_decoder *decoder,
		      const struct format_record *record);
	void (*end_file)(void *writer, uint64_t lost);
	int (*error)(void *writer);
	int (*flush)(void *writer);
	int (*finish)(void *writer);
	void (*discard)(void *writer);
	bool is_single;
	bool needs_path;
};

extern const struct format_ops format_text;
extern const struct format_ops format_json;
extern const struct format_ops format_chrome;
extern const struct format_ops format_ctf;

/* Text in quotes, as JSON has it. */
void format_append_quoted(struct uev_output *to, const char *text, size_t size);

/* As printf() does, at most 256 bytes. */
__attribute__((__format__(__printf__, 2, 3))) void
format_print(struct uev_output *to, const char *format, ...);

/*
 * format_append_json() - a record as uev_decoder_append_json() has it
 * @flags: of enum uev_json_flag
 * @meta: of enum uev_meta
 *
 * One without a schema, too, has its event's name in "n".
 */
int format_append_json(struct uev_output *to, struct uev_decoder *decoder,
		       const struct format_record *record, uint32_t flags,
		       uint32_t meta);

#endif
