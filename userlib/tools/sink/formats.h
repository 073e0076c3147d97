/* SPDX-License-Identifier: MIT */
/* user-events: the formats of records, and their options of decode and watch. */
#ifndef USER_EVENTS_SINK_FORMATS_H
#define USER_EVENTS_SINK_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "pipe/sink.h"
#include "query/columns.h"
#include "query/select.h"
#include "ui/options.h"

extern const struct sink_ops sink_text;
extern const struct sink_ops sink_json;
extern const struct sink_ops sink_columns;
extern const struct sink_ops sink_chrome;
extern const struct sink_ops sink_ctf;
extern const struct sink_ops sink_perfetto;
extern const struct sink_ops sink_folded;

/*
 * struct sink_format - A row of the table of formats
 * @name: its name for --format
 * @summary: what it is, for the help
 * @ops: its sink
 * @has_rows: --fields selects columns, in @style
 * @style: of rows of columns
 * @times: forms of --time besides utc, bits of 1 << enum record_time_form
 * @times_text: the same for a message: "utc", ...
 */
struct sink_format {
	const char *name;
	const char *summary;
	const struct sink_ops *ops;
	bool has_rows;
	enum query_style style;
	unsigned int times;
	const char *times_text;
};

/*
 * struct sink_output - The output of a command; initialized with
 * SINK_OUTPUT_INIT, released with sink_output_release()
 * @format: the format
 * @options: its options
 * @columns: of --fields, or the default ones
 * @select: selects the records, for sink_output_report(); set by the command
 */
struct sink_output {
	const struct sink_format *format;
	struct sink_options options;
	struct query_columns columns;
	const struct query_select *select;
};

/* The first row: text */
extern const struct sink_format sink_formats[];
#define SINK_OUTPUT_INIT                \
	{                               \
		.format = sink_formats, \
	}

/* For the help: the formats of files, and those of a session */
void sink_formats_list(struct uev_output *to);
void sink_formats_list_live(struct uev_output *to);

/* Values of --format and --json: @format */
int sink_take_format(void *format, const struct tool_argument *argument);
int sink_take_json(void *format, const struct tool_argument *argument);

/*
 * Rows of options of a command; @output is a struct sink_output in @type,
 * @help a string literal, @take such as sink_take_format(), and @actions are those that have the option, as in
 * struct tool_option
 */
#define SINK_OPTION_FORMAT(type, output, help, take)               \
	{                                                          \
		"format", 't', "FORMAT", help " (default: text):", \
			SET_BY(type, output.format, take, NULL)    \
	}
#define SINK_OPTION_JSON(type, output, help, actions)                      \
	{                                                                  \
		"json", 'j', NULL, help,                                   \
			SET_BY(type, output.format, sink_take_json, NULL), \
			actions                                            \
	}
#define SINK_OPTION_LINES(type, output, help, actions)                        \
	{                                                                     \
		"lines", 0, NULL, help, SET_FLAG(type, output.options.lines), \
			actions                                               \
	}
#define SINK_OPTION_OUTPUT(type, output, help, actions)                                            \
	{                                                                                          \
		"output", 'o', "OUT",                                                              \
			help                                                                       \
			" when complete; ctf requires a new directory (default: standard output)", \
			SET_TEXT(type, output.options.path, "@file"), actions                      \
	}
#define SINK_OPTION_FIELDS(type, output)                                                                         \
	{                                                                                                        \
		"fields", 'F', "LIST",                                                                           \
			"print these fields only, such as time,comm,path; only with text, json, csv and logfmt", \
			SET_BY(type, output.columns, query_take_columns,                                         \
			       QUERY_COLUMN_FIELDS)                                                              \
	}
#define SINK_OPTION_TIME(type, output, clock, utc)                                                       \
	{                                                                                                \
		"time", 0, "FORM",                                                                       \
			"print times as utc or local dates, of " clock                                   \
			", relative to the first record, or as delta to the previous one (default: " utc \
			")",                                                                             \
			SET_WORD(type, output.options.time, RECORD_TIME_FORMS)                           \
	}

/*
 * sink_output_check() - Tests the options together, and completes the columns
 * @parts: number of files that are not merged, or 1
 * Return: TOOL_OK; TOOL_USAGE, and the error is printed
 */
int sink_output_check(struct sink_output *output,
		      const struct tool_command *command, size_t parts);

/*
 * sink_output_open() - Creates the sink
 * Return: as sink_open()
 */
int sink_output_open(const struct sink_output *output, struct sink *sink);

/*
 * sink_output_report() - Prints fields of --fields that no record had
 * @data: a struct sink_output
 * Return: as query_fields_report()
 */
int sink_output_report(void *data);

/* Tests whether the format has a row of columns per record. */
bool sink_output_has_columns(const struct sink_output *output);

void sink_output_release(struct sink_output *output);

#endif
