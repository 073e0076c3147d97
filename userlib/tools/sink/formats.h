/* SPDX-License-Identifier: MIT */
/* user-events: the formats of records, for decode and watch. */
#ifndef USER_EVENTS_SINK_FORMATS_H
#define USER_EVENTS_SINK_FORMATS_H

#include <stddef.h>

#include "pipe/sink.h"
#include "query/columns.h"

extern const struct sink_ops sink_text;
extern const struct sink_ops sink_json;
extern const struct sink_ops sink_columns;
extern const struct sink_ops sink_chrome;
extern const struct sink_ops sink_ctf;

/*
 * struct sink_format - A row of the table of formats
 * @name: its name for --format
 * @ops: its sink
 * @style: of rows of columns, which replace it with --fields
 */
struct sink_format {
	const char *name;
	const struct sink_ops *ops;
	enum query_style style;
};

extern const struct sink_format sink_formats[];
extern const size_t sink_format_count;

/* Returns the format with a name, or NULL. */
const struct sink_format *sink_format_find(const char *name);

#endif
