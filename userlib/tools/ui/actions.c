// SPDX-License-Identifier: MIT
#include "ui/actions.h"

#include <string.h>

#include <userevents/decode.h>

/*
 * struct parse - Arguments of tool_run_action()
 * @refused: for each action, the first option that it does not have, or NULL
 */
struct parse {
	const struct tool_actions *actions;
	void *data;
	const char *refused[TOOL_ACTIONS_MAX];
};

static void check_option(void *data, const struct tool_option *option)
{
	struct parse *parse = data;
	unsigned int allowed = option->actions ? option->actions
					       : parse->actions->common;
	size_t i;

	for (i = 0; i < parse->actions->count; i++)
		if (!(allowed & 1U << i) && !parse->refused[i])
			parse->refused[i] = option->name;
}

static int report_names(const struct tool_command *command,
			const struct tool_actions *actions, const char *name)
{
	_cleanup_(uev_output_release) struct uev_output names = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < actions->count; i++)
		tool_list_add(&names, "%s", actions->actions[i].name);

	return tool_usage(command, "%s: %s: %.*s", name ? name : command->name,
			  name ? "unknown action, not one of"
			       : "requires an action",
			  (int)names.size, names.text);
}

static int run(const struct tool_command *command, const struct parse *parse,
	       char **arguments, size_t count)
{
	const struct tool_actions *actions = parse->actions;
	const struct tool_action *action;
	size_t i;

	for (i = 0; count && i < actions->count; i++)
		if (strcmp(arguments[0], actions->actions[i].name) == 0)
			break;
	if (!count || i == actions->count)
		return report_names(command, actions,
				    count ? arguments[0] : NULL);
	action = &actions->actions[i];
	if (parse->refused[i])
		return tool_usage(command, "--%s: no option of %s",
				  parse->refused[i], action->name);
	count--;
	if (count < action->min || count > action->max)
		return tool_usage(command, "%s: requires %s", action->name,
				  action->required);

	return action->run(parse->data, arguments + 1, count);
}

int tool_run_action(const struct tool_command *command,
		    const struct tool_actions *actions, void *data, int argc,
		    char **argv)
{
	struct parse parse = {
		.actions = actions,
		.data = data,
	};
	int status = tool_parse_checked(command, data, argc, argv, check_option,
					&parse);

	return status ? status
		      : run(command, &parse, argv + optind,
			    (size_t)(argc - optind));
}
