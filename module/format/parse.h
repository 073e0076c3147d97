/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The grammar of commands: name[:flags] [type name [size]][;...]
 *
 * Pure: text in, plain data out.
 */
#ifndef USER_EVENTS_FORMAT_PARSE_H
#define USER_EVENTS_FORMAT_PARSE_H

#include <linux/types.h>

struct event_desc;

/**
 * struct event_command - the three pieces of a command
 * @name: name of the event, valid
 * @name_key: ue_name_key() of @name
 * @flags: text behind the ':' of the name, or NULL
 * @args: text of the fields, or NULL
 *
 * All texts are parts of the text that was passed to ue_command_split().
 */
struct event_command {
	const char *name;
	u32 name_key;
	const char *flags;
	const char *args;
};

int ue_command_split(char *text, struct event_command *command);
struct event_desc *ue_desc_parse(const struct event_command *command);

#endif /* USER_EVENTS_FORMAT_PARSE_H */
