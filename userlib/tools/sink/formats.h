/* SPDX-License-Identifier: MIT */
/* user-events: the formats of records, and their options of decode and watch. */
#ifndef USER_EVENTS_SINK_FORMATS_H
#define USER_EVENTS_SINK_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "pipe/pipe.h"
#include "query/columns.h"
#include "query/select.h"
#include "ui/options.h"

/* All formats, in the order of the help: ROW(NAME) for each sink_NAME */
#define SINK_FORMATS(ROW) \
	ROW(text)         \
	ROW(json)         \
	ROW(csv)          \
	ROW(logfmt)       \
	ROW(chrome)       \
	ROW(perfetto)     \
	ROW(folded)       \
	ROW(ctf)

#define SINK_DECLARE(name) extern const struct sink_ops sink_##name;
SINK_FORMATS(SINK_DECLARE)

/* Forms of --time: all, and the time of the clock */
#define SINK_ANY_TIME (~0U)
#define SINK_CLOCK_TIME (1U << RECORD_TIME_CLOCK)

/*
 * struct sink_output - The output of a command; initialized with
 * SINK_OUTPUT_INIT, released with sink_output_release()
 * @format: the format
 * @options: its options
 * @columns: of --fields, or the default ones
 */
struct sink_output {
	const struct sink_ops *format;
	struct sink_options options;
	struct query_columns columns;
};

#define SINK_OUTPUT_INIT              \
	{                             \
		.format = &sink_text, \
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
 * sink_open() - Creates a sink of a format
 * Return: 0; or an error of the output, as -errno, without a message
 */
int sink_open(struct sink *sink, const struct sink_ops *format,
	      const struct sink_options *options);

/*
 * sink_output_open() - Creates the sink
 * Return: TOOL_OK; TOOL_FAILED, and the error is printed
 */
int sink_output_open(const struct sink_output *output, struct sink *sink);

/*
 * sink_output_report() - Prints fields of --fields that no record had
 * @pipe: has a struct sink_output as its @data
 * Return: as query_fields_report()
 */
int sink_output_report(const struct pipe *pipe);

/* Tests whether the format has a row of columns per record. */
bool sink_output_has_columns(const struct sink_output *output);

void sink_output_release(struct sink_output *output);

#endif
