// SPDX-License-Identifier: MIT
#include "tool.h"

static int run(int argc, char **argv)
{
	(void)argc;
	tool_error("%s: not there yet", argv[0]);
	return TOOL_FAILED;
}

const struct tool_command command_top = {
	.name = "top",
	.arguments = "",
	.summary = "",
	.help = "",
	.run = run,
};
