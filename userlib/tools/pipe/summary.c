// SPDX-License-Identifier: MIT
#include "pipe/summary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pipe/pipe.h"
#include "tool.h"

/* Appends ", COUNT WHAT" unless @count is 0. */
static void add(char **line, uint64_t count, const char *what)
{
	char *before = *line;

	if (!count)
		return;
	*line = tool_print("%s, %" PRIu64 " %s", before, count, what);
	free(before);
}

/*
 * Returns the events that the kernel has counted and that are neither read nor
 * lost. With a limit, they were not read on purpose.
 */
static uint64_t count_unknown(const struct pipe *pipe)
{
	const struct source_counts *counts = &pipe->source->counts;
	uint64_t known = counts->read + counts->lost + counts->corrupt;

	if (counts->hits <= known ||
	    (pipe->select && query_select_is_full(pipe->select)))
		return 0;

	return counts->hits - known;
}

int pipe_print_summary(void *data)
{
	const struct pipe *pipe = data;
	const struct source_counts *counts = &pipe->source->counts;
	uint64_t unknown = count_unknown(pipe), unwritten = pipe->unwritten;
	char *line;

	/* Records can have several lines. */
	if (unwritten > pipe->records)
		unwritten = pipe->records;
	line = tool_print("%" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64
			  " lost",
			  pipe->records - unwritten, pipe->bytes,
			  counts->lost + counts->unseen);
	add(&line, pipe->filtered, "not selected");
	add(&line, unwritten, "not written");
	add(&line, pipe->bad + counts->corrupt, "bad");
	add(&line, unknown, "unaccounted for");
	tool_error("%s", line);
	free(line);

	return unknown || pipe->bad || unwritten ? TOOL_INCOMPLETE : TOOL_OK;
}
