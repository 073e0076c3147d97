// SPDX-License-Identifier: MIT
/* user-events top: shows the rates of events. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/counts.h"
#include "ui/screen.h"
#include "capture/signals.h"
#include "ui/top_view.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

#define NANOSECONDS UINT64_C(1000000000)
#define BUFFER_SIZE (512 * 1024)

#define INTERVAL_MIN_MS 100
#define INTERVAL_MAX_MS (86400 * 1000)

/*
 * struct top - State of the display
 * @interval: milliseconds between two updates
 * @limit: remaining number of updates; UINT64_MAX: unlimited
 * @last: time of the last update in milliseconds
 */
struct top {
	struct capture_options options;
	struct capture capture;
	struct capture_counts counts;
	struct capture_names names;
	struct uev_output text;
	bool is_json;
	bool has_screen;
	uint64_t interval;
	uint64_t limit;
	uint64_t last;
};

/* Return: an exit status */
static int take(struct top *top)
{
	struct uev_session *session = top->capture.session;
	const struct uev_sample *record;
	uint64_t now = capture_now();

	if (capture_read(&top->capture, 0) < 0)
		return TOOL_FAILED;
	while (uev_session_next(session, &record)) {
		capture_counts_add(&top->counts, session, record);
		/* The process could exit before the next update. */
		capture_name(&top->names, record->pid, now);
	}

	return TOOL_OK;
}

static uint64_t wall(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);

	return (uint64_t)time.tv_sec * NANOSECONDS + (uint64_t)time.tv_nsec;
}

static void draw(struct top *top, const struct top_view *moment)
{
	top->text.size = 0;
	top_view_text(moment, &top->text);
	if (top->has_screen) {
		screen_draw(top->text.text, top->text.size);
		return;
	}
	out_bytes(top->text.text, top->text.size);
	out_print("\n");
}

/* Return: an exit status */
static int show(struct top *top)
{
	uint64_t now = capture_now();
	struct top_view moment = {
		.counts = &top->counts,
		.names = &top->names,
		.milliseconds = now - top->last,
		.wall = wall(),
	};
	int ret;

	ret = capture_counts_update(&top->counts, top->capture.session);
	if (ret)
		return tool_error_of(ret, "session: cannot read counters");
	capture_counts_sort(&top->counts);
	if (top->has_screen) {
		moment.rows = out_rows();
		moment.columns = out_columns();
	}
	if (top->is_json)
		top_view_json(&moment);
	else
		draw(top, &moment);
	out_flush();
	capture_counts_reset(&top->counts);
	top->last = now;
	top->limit--;

	return TOOL_OK;
}

static int time_left(const struct top *top)
{
	return capture_time_left(top->last, top->interval);
}

/* Handles keys and the pause signal. Return: false to quit */
static bool handle_key(struct top *top)
{
	if (!top->has_screen)
		return true;
	if (capture_signals.pause) {
		capture_signals.pause = 0;
		screen_pause();
	}

	return !screen_quits();
}

static int collect(struct top *top)
{
	int status = capture_start(&top->capture);

	/* What is missing is printed before. */
	if (!status && top->has_screen)
		screen_begin();
	top->last = capture_now();
	while (!status && capture_wait(&top->capture, time_left(top)) &&
	       handle_key(top)) {
		status = take(top);
		if (!status && !time_left(top))
			status = show(top);
		if (!top->limit)
			break;
	}
	/* The last interval can be shorter than the others. */
	if (!status && top->capture.is_over && capture_now() > top->last) {
		status = take(top);
		if (!status)
			status = show(top);
	}
	screen_end();
	if (!status)
		status = capture_report_missing(&top->capture);

	return status;
}

static int execute(struct top *top)
{
	struct capture_options *options = &top->options;
	int status;

	if (!options->buffer_size)
		options->buffer_size = BUFFER_SIZE;
	status = capture_open(&top->capture, options);
	if (status)
		return status;
	top->has_screen = !top->is_json && out_is_terminal();
	if (top->has_screen) {
		capture_signals_add(SIGTSTP);
		top->capture.input = isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
	}
	status = collect(top);
	capture_close(&top->capture);
	capture_counts_release(&top->counts);
	uev_output_release(&top->text);

	return status;
}

enum {
	OPTION_UPDATES = OPTION_FIRST,
};

static int take_option(void *data, int option, const char *argument)
{
	struct top *top = data;

	switch (option) {
	case 'i':
		if (!tool_time(argument, &top->interval) ||
		    top->interval < INTERVAL_MIN_MS ||
		    top->interval > INTERVAL_MAX_MS)
			return tool_usage(&command_top,
					  "--interval: \"%s\" is not a time "
					  "from 0.1 seconds to a day",
					  argument);
		return TOOL_OK;
	case OPTION_UPDATES:
		if (!tool_number(argument, 1, UINT64_MAX - 1, &top->limit))
			return tool_usage(&command_top,
					  "--updates: \"%s\" is not a number "
					  "of updates",
					  argument);
		return TOOL_OK;
	default:
		top->is_json = true;
		return TOOL_OK;
	}
}

static int run(int argc, char **argv)
{
	static const struct option names[] = {
		{ "interval", required_argument, NULL, 'i' },
		{ "updates", required_argument, NULL, OPTION_UPDATES },
		LONG_OPTION_JSON,
		{ 0 },
	};
	static struct top top = {
		.options = CAPTURE_OPTIONS_INIT,
		.interval = 1000,
		.limit = UINT64_MAX,
	};
	const struct tool_options options = {
		.letters = "i:j",
		.names = names,
		.take = take_option,
		.data = &top,
	};
	int status;

	status =
		capture_parse(&command_top, &options, argc, argv, &top.options);
	if (!status)
		status = execute(&top);
	capture_options_release(&top.options);

	return status;
}

const struct tool_command command_top = {
	.name = "top",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...]",
	.summary = "Show event rates by process",
	.help = "EVENT is a name or a shell pattern (default: all events). SYSTEM is user_events\n"
		"by default. The most frequent events are on top. On a terminal, q quits.\n"
		"Otherwise one block of lines is printed per interval.\n\n"
		"Options:\n" CAPTURE_HELP(
			"512K") "  -i, --interval TIME      update every TIME, such as 0.5, 500ms or 1m (default: 1)\n"
				"      --updates N          exit after N updates\n"
				"  -j, --json               print one JSON object per interval\n"
				"  -h, --help               print this help\n",
	.run = run,
};
