/* SPDX-License-Identifier: MIT */
/* user-events: one record as a row of columns. */
#ifndef USER_EVENTS_QUERY_COLUMNS_H
#define USER_EVENTS_QUERY_COLUMNS_H

#include <stdbool.h>

#include <userevents/decode.h>

#include "formats/format.h"
#include "formats/record_time.h"
#include "query/fields.h"
#include "query/names.h"
#include "tool.h"

enum query_style {
	QUERY_STYLE_TEXT = 0, /* separated by tabs, "-" for a missing value */
	QUERY_STYLE_CSV,
	QUERY_STYLE_LOGFMT,
	QUERY_STYLE_JSON,
};

/*
 * struct query_columns - The columns of a row; initialized to zeros, released
 * with query_columns_release()
 * @style: how a row is written
 * @fields: the columns; none: the default ones of the style
 * @is_default: @fields are the default ones
 * @time: the form of times
 */
struct query_columns {
	enum query_style style;
	struct query_fields fields;
	bool is_default;
	struct record_time time;
	struct query_compound compound;
	struct uev_output value;
	struct query_names names;
};

/*
 * query_columns_parse() - Parses the argument of --fields
 * @list: names of struct query_fields, and "fields" for the JSON of all fields,
 *        separated by commas
 * Return: TOOL_OK; TOOL_USAGE, and the error is printed
 */
int query_columns_parse(struct query_columns *columns, const char *list);

/* The value of --fields, a struct query_columns */
int query_take_columns(void *columns, const struct tool_argument *argument);

/* Selects the default columns if there are none. */
void query_columns_complete(struct query_columns *columns);

/* Appends the names of the columns with a newline, if the style has them. */
void query_columns_append_titles(struct query_columns *columns,
				 struct uev_output *to);

/*
 * query_columns_append() - Appends a row, without a newline
 * @decoder: any decoder; it is started with the record
 * Return: 0, or an error of uev_decoder_next(), and the row has the values
 *         before it
 */
int query_columns_append(struct query_columns *columns, struct uev_output *to,
			 struct uev_decoder *decoder,
			 const struct format_record *record);

/*
 * query_columns_append_loss() - Appends a row of lost records
 *
 * The columns lost, reason and since have what records have not; the other ones
 * are event, time and cpu. Logfmt has all of them if no columns were chosen.
 *
 * Return: false without the column lost, and nothing is appended: a row would look
 * like a record
 */
bool query_columns_append_loss(struct query_columns *columns,
			       struct uev_output *to,
			       const struct format_loss *loss);

void query_columns_release(struct query_columns *columns);

#endif
