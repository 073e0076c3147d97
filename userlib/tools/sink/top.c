// SPDX-License-Identifier: MIT
#include "sink/top.h"

#include <time.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/signals.h"
#include "sink/top_view.h"
#include "ui/out.h"
#include "ui/screen.h"
#include "tool.h"

/* What is missing is printed before the screen is drawn. */
static bool handle_keys(void *data)
{
	struct sink_top *top = data;

	if (!top->has_screen)
		return true;
	if (!top->is_drawn)
		screen_begin();
	top->is_drawn = true;
	if (capture_signals.pause) {
		capture_signals.pause = 0;
		screen_pause();
	}
	top->sink.is_full |= screen_quits();

	return !top->sink.is_full;
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_top *top = data;
	const struct uev_sample *sample = record->sample;

	(void)decoder;
	capture_counts_add(&top->counts, top->live->capture.session, sample);
	/* The process could exit before the next update. */
	capture_name(&top->live->names, sample->pid, tool_now());

	return 0;
}

static void take_loss(void *data, const struct format_loss *loss)
{
	struct sink_top *top = data;

	capture_counts_loss(&top->counts, top->live->capture.session,
			    &loss->loss);
}

static void draw(struct sink_top *top, const struct top_view *moment)
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

static void update(void *data)
{
	struct sink_top *top = data;
	uint64_t now = tool_now();
	struct top_view moment = {
		.counts = &top->counts,
		.names = &top->live->names,
		.milliseconds =
			now - (top->last ? top->last : top->pipe->start),
		.wall = capture_clock_time(CLOCK_REALTIME),
	};
	int ret;

	ret = capture_counts_update(&top->counts, top->live->capture.session);
	if (ret) {
		top->sink.status =
			tool_error_of(ret, "session: cannot read counters");
		return;
	}
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
	top->sink.is_full |= !--top->updates;
}

static void begin_part(void *data, const char *name)
{
	struct sink_top *top = data;
	struct capture *capture = &top->live->capture;

	(void)name;
	top->has_screen = !top->is_json && out_is_terminal();
	if (!top->has_screen)
		return;
	capture_signals_add(SIGTSTP);
	capture->input = isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
}

/* The last interval can be shorter than the others. */
static void end_part(void *data)
{
	struct sink_top *top = data;

	if (top->live->capture.is_over &&
	    (!top->last || tool_now() > top->last))
		update(top);
	screen_end();
}

static void release(void *data)
{
	struct sink_top *top = data;

	screen_end();
	capture_counts_release(&top->counts);
	uev_output_release(&top->text);
}

const struct sink_ops sink_top = {
	.begin_part = begin_part,
	.poll = handle_keys,
	.record = take_record,
	.loss = take_loss,
	.tick = update,
	.end_part = end_part,
	.release = release,
};
