// SPDX-License-Identifier: MIT
#include "query/csv.h"

#include "terminal.h"
#include "tool.h"

/* Return: the bytes before the next quote, newline or tab */
static size_t part_of(const char *text, size_t size)
{
	size_t i = 0;

	while (i < size && text[i] != '"' && text[i] != '\n' && text[i] != '\t')
		i++;

	return i;
}

void query_csv_append(struct uev_output *to, const char *text, size_t size,
		      unsigned int flags)
{
	size_t i, part;

	if (flags & QUERY_CSV_QUOTED)
		tool_append(to, "\"", 1);
	for (i = 0; i < size; i += part + 1) {
		part = part_of(text + i, size - i);
		if (flags & QUERY_CSV_SANITIZED)
			terminal_append(to, text + i, part);
		else
			tool_append(to, text + i, part);
		if (i + part == size)
			break;
		if (text[i + part] == '"')
			tool_append(to, "\"", 1);
		tool_append(to, text + i + part, 1);
	}
	if (flags & QUERY_CSV_QUOTED)
		tool_append(to, "\"", 1);
}
