/* SPDX-License-Identifier: MIT */
/* user-events: the stack of a record as text and JSON. */
#ifndef USER_EVENTS_FORMATS_STACK_H
#define USER_EVENTS_FORMATS_STACK_H

#include <stdbool.h>

#include <userevents/decode.h>

#include "formats/record.h"

/*
 * struct stack_frame - A call of a stack
 * @file: path or name of the mapping; NULL if unknown
 * @symbol: name of the function, and @distance from its start; NULL if unknown
 */
struct stack_frame {
	uint64_t address;
	const char *file;
	const char *symbol;
	uint64_t distance;
};

/*
 * stack_each() - Calls a function for each call of a record's stack, the innermost
 * first
 */
void stack_each(const struct format_record *record,
		void (*take)(void *data, const struct stack_frame *frame),
		void *data);

/*
 * stack_append_text() - Appends the stack of a record, as perf script does
 *
 * A line starts with a newline and a tab, and has an address, the function
 * with the distance to its start, and the file. Without a stack it appends nothing.
 */
void stack_append_text(struct uev_output *to,
		       const struct format_record *record);

/*
 * stack_append_json() - Appends a member "stack" to a JSON object that has
 * members and no closing bracket. Without a stack it appends nothing.
 * @is_compact: without spaces
 */
void stack_append_json(struct uev_output *to,
		       const struct format_record *record, bool is_compact);

#endif
