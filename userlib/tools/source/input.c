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
	if (!status && capture_has_files(&input->live))
		take_files(input);

	return status;
}

/* Options that only a session has */
static bool has_live_options(const struct capture_options *options)
{
	return options->filter || options->cpu_count || options->buffer_size ||
	       options->duration || options->stacks || options->cgroup_fd >= 0;
}

int source_input_check(struct source_input *input,
		       const struct tool_command *command)
{
	const struct capture_options *live = &input->live;
	struct query_select *select = &input->select;
	size_t i;

	if (!input->files.count)
		return TOOL_OK;
	if (live->command)
		return tool_usage(command, "--read: cannot be combined with a "
					   "command");
	if (has_live_options(live))
		return tool_usage(command,
				  "--read: cannot be combined with --filter, "
				  "--cpu, --buffer-size, --duration, --stacks "
				  "and control groups");
	for (i = 0; i < live->pattern_count && !live->is_default; i++)
		query_list_add(&select->events, live->patterns[i]);
	for (i = 0; i < live->pids.count; i++)
		query_ids_add(&select->pids, (uint32_t)live->pids.pids[i]);

	return TOOL_OK;
}

void source_input_open(struct source_input *input, struct pipe *pipe)
{
	const struct source_files_options files = {
		.names = input->files.texts,
		.count = input->files.count,
	};

	pipe->select = &input->select;
	if (input->files.count) {
		pipe->source = source_files_new(&files);
		return;
	}
	/* Files have only one result. */
	pipe->interval = input->interval;
	input->live.has_names = true;
	pipe->source = &source_live_new(&input->live)->source;
}

void source_input_release(struct source_input *input)
{
	capture_options_release(&input->live);
	query_select_release(&input->select);
	free(input->files.texts);
}
