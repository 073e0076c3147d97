// SPDX-License-Identifier: MIT
#include "source/input.h"

#include <stdlib.h>

#include "source/files.h"
#include "source/live.h"

/* Minimum of --interval */
#define INTERVAL_MIN_MS 10

int source_take_interval(void *interval, const struct tool_argument *argument)
{
	uint64_t *time = interval;

	return tool_time(argument->text, time) && *time >= INTERVAL_MIN_MS
		       ? TOOL_OK
		       : tool_invalid(argument, "a time from 10ms, such as 0.5 "
						"or 500ms");
}

/* Files that are given without --read */
static void take_files(struct source_input *input)
{
	struct capture_options *live = &input->live;
	size_t i;

	for (i = 0; i < live->pattern_count && !live->is_default; i++)
		query_list_add(&input->files, live->patterns[i]);
	live->is_default = true;
}

int source_input_parse(struct source_input *input,
		       const struct tool_command *command, void *members,
		       int argc, char **argv)
{
	int status;

	input->live.takes_command = true;
	status = capture_parse(command, members, argc, argv, &input->live);
	if (!status && !source_flight_is_set(&input->flight) &&
	    capture_has_files(&input->live))
		take_files(input);

	return status;
}

bool source_input_is_session(const struct source_input *input)
{
	return !input->files.count && !source_flight_is_set(&input->flight);
}

const char *source_input_name(const struct source_input *input)
{
	return input->files.count ? input->files.texts[0] : input->flight.name;
}

/* Options that only a session has, and --duration one that follows a recorder */
static bool has_live_options(const struct source_input *input)
{
	const struct capture_options *live = &input->live;

	return live->filter || live->cpu_count || live->buffer_size ||
	       (live->duration && !input->flight.follows) || live->stacks ||
	       live->elfs.count || live->everywhere || live->cgroup_fd >= 0;
}

/*
 * Tests the options of another source than a session
 * @source: the option that selects it
 * Return: an exit status
 */
static int check_live_options(const struct source_input *input,
			      const struct tool_command *command,
			      const char *source)
{
	if (input->live.command)
		return tool_usage(command,
				  "%s: cannot be combined with a command",
				  source);
	if (has_live_options(input))
		return tool_usage(command,
				  "%s: cannot be combined with --filter, "
				  "--cpu, --buffer-size, --duration, --stacks, "
				  "--elf, --all and control groups",
				  source);

	return TOOL_OK;
}

/* Return: an exit status */
static int check_flight(struct source_input *input,
			const struct tool_command *command)
{
	struct source_flight_options *flight = &input->flight;
	int status;

	if (!flight->name && !flight->instance)
		return tool_usage(command, "--follow and --consume: require "
					   "--flight or --instance");
	if (input->files.count)
		return tool_usage(command, "--read: cannot be combined with "
					   "--flight and --instance");
	status = check_live_options(input, command,
				    flight->name ? "--flight" : "--instance");
	flight->duration = input->live.duration;

	return status ? status : source_flight_check(flight, command, NULL, 0);
}

/* Sets what the driver selects instead of the session. */
static void select_records(struct source_input *input)
{
	const struct capture_options *live = &input->live;
	struct query_select *select = &input->select;
	size_t i;

	for (i = 0; i < live->pattern_count && !live->is_default; i++)
		query_list_add(&select->events, live->patterns[i]);
	for (i = 0; i < live->pids.count; i++)
		query_ids_add(&select->pids, (uint32_t)live->pids.pids[i]);
}

int source_input_check(struct source_input *input,
		       const struct tool_command *command)
{
	int status;

	if (source_input_is_session(input))
		return TOOL_OK;
	if (input->interval && !input->flight.follows)
		return tool_usage(command, "--interval: only with a session or "
					   "--follow");
	status = source_flight_is_set(&input->flight)
			 ? check_flight(input, command)
			 : check_live_options(input, command, "--read");
	if (!status)
		select_records(input);

	return status;
}

int source_input_check_output(const struct source_input *input,
			      const char *path)
{
	return source_files_check_output(path, input->files.texts,
					 input->files.count);
}

static struct source *new_source(struct source_input *input)
{
	const struct source_files_options files = {
		.names = input->files.texts,
		.count = input->files.count,
	};

	if (files.count)
		return source_files_new(&files);
	if (source_flight_is_set(&input->flight))
		return source_flight_new(&input->flight);
	input->live.has_names = true;

	return &source_live_new(&input->live)->source;
}

void source_input_open(struct source_input *input, struct pipe *pipe)
{
	pipe->select = &input->select;
	pipe->source = new_source(input);
	pipe->interval = input->interval;
}

void source_input_release(struct source_input *input)
{
	capture_options_release(&input->live);
	query_select_release(&input->select);
	free(input->files.texts);
}
