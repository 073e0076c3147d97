// SPDX-License-Identifier: MIT
#include "ui/options.h"

#include <stdlib.h>
#include <string.h>

#include "ui/out.h"

static size_t count_names(const struct option *names)
{
	size_t count = 0;

	while (names[count].name)
		count++;

	return count;
}

struct option *tool_join_names(const struct option *one,
			       const struct option *other)
{
	size_t first = count_names(one), second = count_names(other);
	struct option *names = tool_alloc((first + second + 1) * sizeof(*one));

	memcpy(names, one, first * sizeof(*one));
	memcpy(names + first, other, second * sizeof(*other));

	return names;
}

int tool_help(const struct tool_command *command)
{
	out_print("Usage: user-events %s%s%s\n\n%s.\n\n%s", command->name,
		  command->arguments[0] ? " " : "", command->arguments,
		  command->summary, command->help);

	return TOOL_OK;
}

static int take(const struct tool_command *command,
		const struct tool_options *options, int option)
{
	switch (option) {
	case 'h':
		tool_help(command);
		return TOOL_HELPED;
	case OPTION_COLOR:
		if (out_set_colour(optarg))
			return TOOL_OK;

		return tool_usage(command,
				  "--color: \"%s\" is not auto, always or "
				  "never",
				  optarg);
	case '?':
		return tool_usage(command, NULL);
	default:
		return options->take(options->data, option, optarg);
	}
}

/* Returns the letters of options, for free(). */
static char *join_letters(const struct tool_options *options)
{
	const struct option *names = options->names;
	/* A letter, and two colons */
	char *letters = tool_alloc(3 * count_names(names) + 2), *end = letters;

	if (options->has_first_argument)
		*end++ = '+';
	for (; names->name; names++) {
		if (names->val >= OPTION_COLOR)
			continue;
		*end++ = (char)names->val;
		if (names->has_arg != no_argument)
			*end++ = ':';
		if (names->has_arg == optional_argument)
			*end++ = ':';
	}

	return letters;
}

int tool_parse_common(const struct tool_command *command,
		      const struct tool_options *options, int argc, char **argv)
{
	char *letters = join_letters(options);
	int option, status = TOOL_OK;

	while (!status && (option = getopt_long(argc, argv, letters,
						options->names, NULL)) != -1)
		status = take(command, options, option);
	free(letters);

	return status;
}

static int take_flag(void *data, int option, const char *argument)
{
	bool *flag = data;

	(void)option;
	(void)argument;
	*flag = true;

	return TOOL_OK;
}

int tool_parse_json(const struct tool_command *command, int argc, char **argv,
		    bool *wants_json)
{
	static const struct option names[] = {
		LONG_OPTION_JSON,
		LONG_OPTION_COLOR,
		LONG_OPTION_HELP,
		{ 0 },
	};
	const struct tool_options options = {
		.names = names,
		.take = take_flag,
		.data = wants_json,
	};

	return tool_parse_common(command, &options, argc, argv);
}
