// SPDX-License-Identifier: MIT
#include "events/recorded.h"

#include <string.h>

#include <userevents/session.h>

#include "events/events.h"
#include "tool.h"

static void add_source(struct definitions *definitions,
		       const struct uev_source *source, const char *path)
{
	_cleanup_free_ char *text = NULL;
	struct event event = { .name = (char *)source->name };

	if (!source->system || strcmp(source->system, "user_events") != 0 ||
	    !source->format ||
	    uev_schema_parse(&event.schema, source->system, source->format,
			     source->format_size, 0, NULL))
		return;
	text = events_definition(&event);
	definitions_add(definitions, text, path, 0);
	uev_schema_free(event.schema);
}

int recorded_definitions(struct definitions *definitions, const char *path)
{
	const struct uev_source *source;
	struct uev_perf_reader *reader;
	int err = uev_perf_reader_open(&reader, path, NULL);
	uint32_t i;

	if (err)
		return err;
	for (i = 0; (source = uev_perf_reader_source(reader, i)); i++)
		add_source(definitions, source, path);
	uev_perf_reader_close(reader);

	return 0;
}
