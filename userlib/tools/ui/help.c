// SPDX-License-Identifier: MIT
#include "ui/help.h"

#include "ui/out.h"

int tool_help(const struct tool_command *command)
{
	out_print("Usage: user-events %s%s%s\n\n%s.\n\n%s", command->name,
		  command->arguments[0] ? " " : "", command->arguments,
		  command->summary, command->help);

	return TOOL_OK;
}
