// SPDX-License-Identifier: MIT
#include "sink/formats.h"

#include <string.h>

#include "tool.h"

const struct sink_format sink_formats[] = {
	{ "text", &sink_text, QUERY_STYLE_TEXT },
	{ "json", &sink_json, QUERY_STYLE_JSON },
	{ "csv", &sink_columns, QUERY_STYLE_CSV },
	{ "logfmt", &sink_columns, QUERY_STYLE_LOGFMT },
	{ "chrome", &sink_chrome, QUERY_STYLE_TEXT },
	{ "ctf", &sink_ctf, QUERY_STYLE_TEXT },
};
const size_t sink_format_count = ARRAY_SIZE(sink_formats);

const struct sink_format *sink_format_find(const char *name)
{
	size_t i;

	for (i = 0; i < sink_format_count; i++)
		if (strcmp(sink_formats[i].name, name) == 0)
			return &sink_formats[i];

	return NULL;
}
