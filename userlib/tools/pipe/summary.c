// SPDX-License-Identifier: MIT
#include "pipe/summary.h"

#include <inttypes.h>

#include "pipe/pipe.h"
#include "tool.h"

/* Appends ", COUNT WHAT" unless @count is 0. */
static void add(struct uev_output *line, uint64_t count, const char *what)
{
	if (count)
		format_print(line, ", %" PRIu64 " %s", count, what);
}

/*
 * Returns the events that the kernel has counted and that are neither read nor
 * lost. With a limit, they were not read on purpose.
 */
static uint64_t count_unknown(const struct pipe *pipe)
{
	const struct capture_totals *counts = &pipe->source->counts;
	uint64_t known = counts->read + counts->lost + counts->corrupt;

	if (counts->hits <= known ||
	    (pipe->select && query_select_is_full(pipe->select)))
		return 0;

	return counts->hits - known;
}

int pipe_print_summary(void *data)
{
	_cleanup_(uev_output_release) struct uev_output line = UEV_OUTPUT_INIT;
	const struct pipe *pipe = data;
	const struct capture_totals *counts = &pipe->source->counts;
	uint64_t unknown = count_unknown(pipe), unwritten = pipe->unwritten;

	/* Records can have several lines. */
	if (unwritten > pipe->records)
		unwritten = pipe->records;
	format_print(&line,
		     "%" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64 " lost",
		     pipe->records - unwritten, pipe->bytes,
		     counts->lost + counts->unseen);
	add(&line, pipe->filtered, "not selected");
	add(&line, unwritten, "not written");
	add(&line, pipe->bad + counts->corrupt, "bad");
	add(&line, unknown, "unaccounted for");
	tool_error("%s", line.text);

	return unknown || pipe->bad || unwritten ? TOOL_INCOMPLETE : TOOL_OK;
}
