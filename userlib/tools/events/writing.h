/* SPDX-License-Identifier: MIT */
/* user-events write: records of an event from texts. */
#ifndef USER_EVENTS_EVENTS_WRITING_H
#define USER_EVENTS_EVENTS_WRITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/eventheader-dynamic.h>
#include <userevents/userevents.h>

#include "events/payload.h"
#include "tool.h"

/*
 * struct writing - The options, and the event. The command sets the members up to
 * @words.
 * @command: for messages
 * @level, @keyword, @opcode, @activity: of an EventHeader event
 * @has_header: one of them was given
 * @path: has a record in each line; NULL: one record
 * @is_reported: print how many records a tracer has taken
 * @words: "FIELD=VALUE" of each record
 * @name: the event, for messages; for free()
 * @set: the event, if it is one of EventHeader, with @provider and @builder
 * @own: the event otherwise, with @payload
 * @line: number of the line, or 0
 * @count: number of records
 * @status: the worst exit status so far
 */
struct writing {
	const struct tool_command *command;
	unsigned int level;
	uint64_t keyword;
	uint8_t opcode;
	uint8_t activity[UEV_ACTIVITY_SIZE];
	bool has_activity;
	bool has_header;
	const char *path;
	bool is_reported;
	char **words;
	int word_count;

	char *name;
	struct uev_dynamic_provider *provider;
	struct uev_event_set *set;
	struct uev_builder *builder;
	const char *event_name;
	struct uev_event own;
	struct payload payload;
	size_t line;
	uint64_t count;
	int status;
};

/*
 * writing_run() - Registers the event, and writes its records
 * @arguments: @count: the event, and "FIELD=VALUE" of all records
 * Return: an exit status; TOOL_INCOMPLETE if a line of @path was not written, or,
 *         with @is_reported, a record not taken
 */
int writing_run(struct writing *writing, int count, char **arguments);

#endif
