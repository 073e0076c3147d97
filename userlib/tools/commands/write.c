// SPDX-License-Identifier: MIT
/* user-events write: writes records of an event, for shells. */
#include <string.h>

#include "events/events.h"
#include "events/header_field.h"
#include "events/writing.h"
#include "formats/record_text.h"
#include "ui/options.h"

/* The opcodes that have names are below it, or UEV_OPCODE_RECEIVE. */
#define OPCODE_MAX UINT8_MAX

static int take_level(void *data, const struct tool_argument *argument)
{
	struct writing *writing = data;

	writing->has_header = true;

	return events_take_level(&writing->level, argument);
}

static int take_keyword(void *data, const struct tool_argument *argument)
{
	struct writing *writing = data;

	writing->has_header = true;

	return payload_number(argument->text, 64, false, &writing->keyword)
		       ? tool_invalid(argument, "a mask of bits, such as 0x3")
		       : TOOL_OK;
}

static int take_opcode(void *data, const struct tool_argument *argument)
{
	struct writing *writing = data;
	const char *name;
	unsigned int i;
	uint64_t number;

	writing->has_header = true;
	for (i = 0; i <= OPCODE_MAX; i++) {
		name = record_text_opcode(i);
		if (name && strcmp(argument->text, name) == 0) {
			writing->opcode = (uint8_t)i;
			return TOOL_OK;
		}
	}
	if (!tool_number(argument->text, 0, OPCODE_MAX, &number))
		return tool_invalid(argument, "info, start, stop, ... or a "
					      "number up to 255");
	writing->opcode = (uint8_t)number;

	return TOOL_OK;
}

static int take_activity(void *data, const struct tool_argument *argument)
{
	struct writing *writing = data;

	writing->has_header = true;
	writing->has_activity = true;

	return header_field_uuid(writing->activity, argument->text)
		       ? tool_invalid(argument, "a UUID")
		       : TOOL_OK;
}

static int run(int argc, char **argv)
{
	struct writing writing = {
		.command = &command_write,
		.level = UEV_LEVEL_INFORMATION,
		.keyword = 1,
	};
	int status = tool_parse_common(&command_write, &writing, argc, argv);

	return status ? status
		      : writing_run(&writing, argc - optind, argv + optind);
}

static const struct tool_option own_options[] = {
	{ "read", 'r', "FILE",
	  "write a record for each line of FIELD=VALUE in FILE; - is standard input",
	  SET_TEXT(struct writing, path, "@file") },
	{ "report", 0, NULL, "print how many records a tracer has taken",
	  SET_FLAG(struct writing, is_reported) },
	{ 0 },
};

static const struct tool_option header_options[] = {
	{ .help = "With PROVIDER:EVENT:" },
	{ "level", 'l', "LEVEL",
	  "set the level: critical, error, warning, information, verbose, or a number (default: information)",
	  SET_WITH(take_level, EVENTS_LEVELS) },
	{ "keyword", 0, "MASK", "set the keyword (default: 0x1)",
	  SET_WITH(take_keyword, NULL) },
	{ "opcode", 0, "OPCODE",
	  "set the opcode: info, start, stop, ..., or a number (default: info)",
	  SET_WITH(take_opcode, "info start stop send receive") },
	{ "activity", 0, "UUID", "set the activity",
	  SET_WITH(take_activity, NULL) },
	{ 0 },
};

const struct tool_command command_write = {
	.name = "write",
	.arguments = "[OPTION...] EVENT [FIELD=VALUE...]",
	.summary = "Write a record of an event",
	.help = "EVENT is the name of an existing event, or a definition as for \"user-events\n"
		"add\", and fields have the values that are given, or 0. Numbers are decimal or\n"
		"hexadecimal (0x1f), and bytes are pairs of hexadecimal digits.\n"
		"With PROVIDER:EVENT, the event is one of EventHeader, and a FIELD is a name of\n"
		"text, or NAME:TYPE, such as size:u32 or sizes:u32[].\n",
	.options = OPTION_TABLES({ own_options }, { header_options }),
	.changes_events = true,
	.run = run,
};
