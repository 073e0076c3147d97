/* SPDX-License-Identifier: MIT */
/* user-events decode: input records and output formats. */
#ifndef USER_EVENTS_FORMATS_FORMAT_H
#define USER_EVENTS_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>
#include <userevents/session.h>

#include "formats/record_time.h"

struct query_columns;

/*
 * struct format_record - A record and its context
 * @sample: the record
 * @schema: schema of its event; NULL if unknown
 * @comm: name of its thread; NULL if unknown
 * @clock: converts its time to a date; NULL if unknown
 * @lost: number of lost records before it, since the start of the file
 * @mapping: returns the mapping of an address of its stack, or NULL; with
 *        @mapping_data as first argument. NULL if mappings are unknown.
 */
struct format_record {
	const struct uev_sample *sample;
	const struct uev_schema *schema;
	const char *comm;
	const struct uev_clock *clock;
	uint64_t lost;
	const struct uev_mapping *(*mapping)(const void *data, uint32_t pid,
					     uint64_t address);
	const void *mapping_data;
};

/*
 * struct format_options - Options of an output format
 * @path: output path; NULL is standard output, if supported
 * @lines: JSON has one object per line
 * @time: the form of times; json supports dates in UTC and times of the clock
 * @has_colour: use the colors of out_begin() in text
 * @columns: for the formats that have columns; owned by the caller
 */
struct format_options {
	const char *path;
	bool lines;
	enum record_time_form time;
	bool has_colour;
	struct query_columns *columns;
};

/*
 * struct format_ops - An output format
 * @name: its name for --format
 * @begin: sets *@writer, the first argument of the others.
 * Return: 0 or -errno, without a message
 * @begin_file: starts the records of a file, called @name
 * @record: writes one.
 * Return: 0, or an error of uev_decoder_next(); then the part before the error
 * is written
 * @end_file: ends the records of a file; @lost as in struct format_record
 * @error: returns 0 or the error of the output
 * @flush: writes buffered output
 * @finish: completes the output and frees @writer.
 * Return: 0 or -errno
 * @discard: removes the output and frees @writer
 * @is_single: supports only one file
 * @needs_path: requires a path
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

/* Writes text as a JSON string. */
void format_append_quoted(struct uev_output *to, const char *text, size_t size);

/* As printf(), at most 256 bytes. */
__attribute__((__format__(__printf__, 2, 3))) void
format_print(struct uev_output *to, const char *format, ...);

/*
 * format_append_json() - Appends a record as uev_decoder_append_json() does
 * @flags: of enum uev_json_flag
 * @meta: of enum uev_meta
 *
 * A record without a schema has its event's name in "n", too. With any @meta, its
 * stack is in "stack".
 */
int format_append_json(struct uev_output *to, struct uev_decoder *decoder,
		       const struct format_record *record, uint32_t flags,
		       uint32_t meta);

#endif
