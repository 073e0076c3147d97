// SPDX-License-Identifier: MIT
#include "query/input.h"

#include <stdlib.h>

/* Arguments of query_input_parse(). */
struct parse {
	struct query_input *input;
	const struct tool_command *command;
	int (*take)(void *data, int option, const char *argument);
	void *data;
};

static int take_interval(struct query_input *input,
			 const struct tool_command *command, const char *text)
{
	if (tool_time(text, &input->interval) &&
	    input->interval >= QUERY_INTERVAL_MIN_MS)
		return TOOL_OK;

	return tool_usage(command,
			  "--interval: \"%s\" is not a time from 10ms, such "
			  "as 0.5 or 500ms",
			  text);
}

static bool is_selection(int option)
{
	return option == 'l' || option == 'n' ||
	       (option >= OPTION_SELECT_WHERE && option < OPTION_SELECT_END);
}

static int take(void *data, int option, const char *argument)
{
	const struct parse *parse = data;
	struct query_input *input = parse->input;

	switch (option) {
	case 'r':
		return query_list_add(&input->files, argument);
	case 'a':
		input->live.everywhere = true;
		return TOOL_OK;
	case 'i':
		return take_interval(input, parse->command, argument);
	case 'j':
		input->is_json = true;
		return TOOL_OK;
	default:
		if (!is_selection(option))
			return parse->take(parse->data, option, argument);
		input->has_selection = true;
		return query_select_take(&input->select, parse->command, option,
					 argument);
	}
}

int query_input_parse(struct query_input *input,
		      const struct tool_command *command,
		      const struct option *names,
		      int (*take_own)(void *data, int option,
				      const char *argument),
		      void *data, int argc, char **argv)
{
	static const struct option common[] = {
		{ "read", required_argument, NULL, 'r' },
		{ "all", no_argument, NULL, 'a' },
		{ "interval", required_argument, NULL, 'i' },
		LONG_OPTION_JSON,
		{ 0 },
	};
	struct parse parse = { input, command, take_own, data };
	struct option *some = tool_join_names(common, names);
	struct option *all = query_select_names(some);
	const struct tool_options options = {
		.letters = "r:ai:j" SELECT_LETTERS,
		.names = all,
		.take = take,
		.data = &parse,
	};
	int status;

	input->live.takes_command = true;
	status = capture_parse(command, &options, argc, argv, &input->live);
	free(all);
	free(some);

	return status;
}

int query_input_read(struct query_input *input, struct query_reader *reader)
{
	reader->select = &input->select;
	reader->interval = input->interval;
	if (input->files.count)
		return query_read_files(reader, input->files.texts,
					input->files.count);

	return query_read_live(reader, &input->live);
}

void query_input_release(struct query_input *input)
{
	capture_options_release(&input->live);
	query_select_release(&input->select);
	free(input->files.texts);
}
