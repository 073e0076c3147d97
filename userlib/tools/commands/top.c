// SPDX-License-Identifier: MIT
/* user-events top: shows the rates of events. */
#include "sink/top.h"
#include "ui/options.h"
#include "tool.h"

#define INTERVAL_MIN_MS 100
#define INTERVAL_MAX_MS (86400 * 1000)

/*
 * struct top - The options of the command
 * @interval: milliseconds between two updates
 */
struct top {
	struct capture_options options;
	uint64_t interval;
	struct sink_top sink;
};

static int execute(struct top *top)
{
	struct sink_top *sink = &top->sink;
	struct pipe pipe = {
		.interval = top->interval,
		.has_own_losses = true,
	};

	sink->live = source_live_new(&top->options);
	sink->pipe = &pipe;
	sink->sink.ops = &sink_top;
	sink->sink.data = sink;
	pipe.source = &sink->live->source;
	pipe_add(&pipe, &sink->sink);

	return pipe_run(&pipe);
}

static int run(int argc, char **argv)
{
	struct top top = {
		.options = CAPTURE_OPTIONS_INIT,
		.interval = 1000,
		.sink = { .updates = UINT64_MAX },
	};
	int status =
		capture_parse(&command_top, &top, argc, argv, &top.options);

	if (!status)
		status = execute(&top);
	capture_options_release(&top.options);

	return status;
}

static const struct tool_option own_options[] = {
	CAPTURE_BUFFER_SIZE(struct top, options, "512K"),
	{ "interval", 'i', "TIME",
	  "update every TIME, such as 0.5, 500ms or 1m (default: 1)",
	  SET_TIME(struct top, interval, INTERVAL_MIN_MS, INTERVAL_MAX_MS) },
	{ "updates", 0, "N", "exit after N updates",
	  SET_NUMBER(struct top, sink.updates, 1, UINT64_MAX - 1) },
	{ "json", 'j', NULL, "print one JSON object per interval",
	  SET_FLAG(struct top, sink.is_json) },
	{ 0 },
};

const struct tool_command command_top = {
	.name = "top",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...]",
	.summary = "Show event rates by process",
	.help = "EVENT is a name or a shell pattern (default: all events). SYSTEM is user_events\n"
		"by default. The most frequent events are on top. On a terminal, q quits.\n"
		"Otherwise one block of lines is printed per interval.\n",
	.options = OPTION_TABLES({ own_options },
				 { capture_option_rows,
				   offsetof(struct top, options) }),
	.run = run,
};
