/* SPDX-License-Identifier: MIT */
/* user-events: records of a session of perf. */
#ifndef USER_EVENTS_SOURCE_LIVE_H
#define USER_EVENTS_SOURCE_LIVE_H

#include <stdbool.h>

#include "capture/capture.h"
#include "capture/names.h"
#include "formats/schemas.h"
#include "pipe/source.h"

/* As many bytes as the library keeps of the name of a thread */
#define SOURCE_COMM_SIZE 64

/*
 * struct source_live - A session; its sinks can use @capture from begin_part()
 * to the last call of the driver
 * @options: owned by the command; names of threads are read if @has_names is set
 * @is_passive: records are not read during the session; set by the command
 * @needs_events: an event must exist at the start, unless a command will register
 *        it; set by the command
 * @missing: TOOL_NOT_FOUND if a pattern matched no event, which was printed
 * @schemas, @names, @clock: of the records; @has_clock: it can be read
 * @comm: of the last record: the session can forget it while a sink waits
 */
struct source_live {
	struct source source;
	struct capture_options *options;
	bool is_passive;
	bool needs_events;
	struct capture capture;
	int missing;
	struct schemas schemas;
	struct capture_names names;
	struct uev_clock clock;
	bool has_clock;
	char comm[SOURCE_COMM_SIZE];
};

/*
 * source_live_new() - Creates a source
 * @options: a size of buffers is set if there is none
 *
 * A part is the session, until a stop signal, --duration, or the end of the
 * command or of the processes of --pid.
 *
 * Return: the source, freed by its close()
 */
struct source_live *source_live_new(struct capture_options *options);

#endif
