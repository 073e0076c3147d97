/* SPDX-License-Identifier: MIT */
/* user-events: options of the commands that summarize records. */
#ifndef USER_EVENTS_SOURCE_INPUT_H
#define USER_EVENTS_SOURCE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/options.h"
#include "pipe/pipe.h"
#include "query/select.h"
#include "source/flight.h"

/*
 * struct source_input - Where records come from, and when results are printed;
 * initialized with SOURCE_INPUT_INIT, released with source_input_release()
 * @live: the session
 * @select: which records
 * @files: arguments of --read, and those of the command if @live takes files
 * @flight: a flight recorder, or another instance of ftrace
 * @interval: milliseconds between two results; 0: only one at the end
 * @is_json: the output is JSON
 */
struct source_input {
	struct capture_options live;
	struct query_select select;
	struct query_list files;
	struct source_flight_options flight;
	uint64_t interval;
	bool is_json;
};

#define SOURCE_INPUT_INIT                                                  \
	{                                                                  \
		.live = CAPTURE_OPTIONS_INIT, .select = QUERY_SELECT_INIT, \
	}

/*
 * source_input_parse() - Parses the arguments of a command
 * @members: the options of the command, of which @input is a part
 * Return: as capture_parse()
 */
int source_input_parse(struct source_input *input,
		       const struct tool_command *command, void *members,
		       int argc, char **argv);

/* The value of --interval, milliseconds */
int source_take_interval(void *interval, const struct tool_argument *argument);

/*
 * Rows of options of a command; @input is a struct source_input in @type. And the
 * tables of the session and of the selection
 */
#define SOURCE_OPTION_READ(type, input, help)                               \
	{                                                                   \
		"read", 'r', "FILE", help,                                  \
			SET_BY(type, input.files, query_take_text, "@file") \
	}
#define SOURCE_OPTION_ALL(type, input, verb)                           \
	{                                                              \
		"all", 'a', NULL,                                      \
			"with COMMAND, " verb " other processes, too", \
			SET_FLAG(type, input.live.everywhere)          \
	}
#define SOURCE_OPTION_INTERVAL(type, input, help)                          \
	{                                                                  \
		"interval", 'i', "TIME", help,                             \
			SET_BY(type, input.interval, source_take_interval, \
			       NULL)                                       \
	}
#define SOURCE_OPTION_JSON(type, input, help)                          \
	{                                                              \
		"json", 'j', NULL, help, SET_FLAG(type, input.is_json) \
	}
#define SOURCE_TABLE_LIVE(type, input)                          \
	{                                                       \
		capture_option_rows, offsetof(type, input.live) \
	}
#define SOURCE_TABLE_RECORDER(type, input)                         \
	{                                                          \
		source_flight_choice, offsetof(type, input.flight) \
	}
#define SOURCE_TABLE_FLIGHT(type, input)                         \
	{                                                        \
		source_flight_rows, offsetof(type, input.flight) \
	}
#define SOURCE_TABLE_SELECT(type, input)                           \
	{                                                          \
		query_select_options, offsetof(type, input.select) \
	}

/*
 * source_input_check() - Tests the options
 *
 * Patterns of events and --pid select records of files and recorders.
 *
 * Return: TOOL_OK; another status for two sources, for an option that needs a
 *         session, for an interval without records to come, and as
 *         source_flight_check(), and an error is printed
 */
int source_input_check(struct source_input *input,
		       const struct tool_command *command);

/* Tests whether the records are those of a session, which starts now. */
bool source_input_is_session(const struct source_input *input);

/* Returns the first file, or the name of the recorder; NULL: a session. */
const char *source_input_name(const struct source_input *input);

/* Return: as source_files_check_output() for the files of the source */
int source_input_check_output(const struct source_input *input,
			      const char *path);

/* source_input_open() - Sets the source, selection and interval of a pipe */
void source_input_open(struct source_input *input, struct pipe *pipe);

void source_input_release(struct source_input *input);

#endif
