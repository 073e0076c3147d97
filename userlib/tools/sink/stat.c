// SPDX-License-Identifier: MIT
#include "sink/stat.h"

#include <inttypes.h>
#include <string.h>

#include "sink/top_view.h"
#include "ui/out.h"
#include "tool.h"

#define SECOND 1000.0

static double per_second(uint64_t count, uint64_t milliseconds)
{
	return milliseconds ? (double)count * SECOND / (double)milliseconds : 0;
}

/*
 * struct block - A block of output
 * @seconds: since the start
 * @length: milliseconds of the interval
 * @is_total: the interval is the whole time
 */
struct block {
	double seconds;
	uint64_t length;
	bool is_total;
};

static uint64_t count_of(const struct capture_count *count,
			 const struct block *block)
{
	return block->is_total ? count->hits : count->new_hits;
}

static void print_json(const struct sink_stat *stat, const struct block *block)
{
	struct uev_output json = UEV_OUTPUT_INIT;
	const struct capture_count *count;
	size_t i;

	out_json_object(&json, NULL);
	out_json_real(&json, "time", block->seconds);
	out_json_bool(&json, "total", block->is_total);
	out_json_array(&json, "events");
	for (i = 0; i < stat->counts.count; i++) {
		_cleanup_free_ char *name = NULL;

		count = stat->counts.counts[i];
		out_json_object(&json, NULL);
		name = tool_print("%s:%s", count->source->system,
				  count->source->name);
		out_json_string(&json, "event", name);
		out_json_unsigned(&json, "count", count_of(count, block));
		out_json_real(&json, "rate",
			      per_second(count_of(count, block),
					 block->length));
		if (block->is_total) {
			out_json_unsigned(&json, "lost", count->lost);
			top_view_losses(count, &json);
		}
		out_json_object_end(&json);
	}
	out_json_array_end(&json);
	out_json_object_end(&json);
	out_json_end(&json);
}

static void print_event(const struct uev_source *source)
{
	out_text(source->system, strlen(source->system));
	out_print(":");
	out_text(source->name, strlen(source->name));
	out_print("\n");
}

static void print_losses(const struct capture_count *count)
{
	size_t i;

	for (i = 0; i < count->loss_count; i++) {
		out_print("%16" PRIu64 "  lost: %s  ", count->losses[i].count,
			  count->losses[i].reason);
		print_event(count->source);
	}
}

static void print_text(const struct sink_stat *stat, const struct block *block)
{
	const struct capture_count *count;
	size_t i;

	if (block->is_total)
		out_print("\n");
	for (i = 0; i < stat->counts.count; i++) {
		count = stat->counts.counts[i];
		if (!block->is_total)
			out_print("%12.3f ", block->seconds);
		out_print("%16" PRIu64 "  %14.1f/s  ", count_of(count, block),
			  per_second(count_of(count, block), block->length));
		print_event(count->source);
		if (block->is_total)
			print_losses(count);
	}
	if (block->is_total)
		out_print("\n%16.3f  seconds\n", block->seconds);
}

/* Return: an exit status */
static int print_block(struct sink_stat *stat, bool is_total)
{
	uint64_t now = tool_now();
	struct block block = {
		.seconds = (double)(now - stat->pipe->start) / SECOND,
		.length = now - (is_total || !stat->last ? stat->pipe->start
							 : stat->last),
		.is_total = is_total,
	};
	int ret;

	ret = capture_counts_update(&stat->counts, stat->live->capture.session);
	if (ret)
		return tool_error_of(ret, "session: cannot read counters");
	if (stat->is_json)
		print_json(stat, &block);
	else
		print_text(stat, &block);
	out_flush();
	capture_counts_reset(&stat->counts);
	stat->last = now;

	return TOOL_OK;
}

/* Return: TOOL_INCOMPLETE if late events have lost records, which is printed */
static int report_losses(const struct sink_stat *stat)
{
	const struct capture *capture = &stat->live->capture;
	uint64_t hits, lost, all = 0;
	uint32_t i;

	for (i = 0; uev_session_source(capture->session, i); i++)
		if (uev_session_source_is_late(capture->session, i) &&
		    !uev_session_source_stats(capture->session, i, &hits,
					      &lost) &&
		    lost != UINT64_MAX)
			all += lost;
	if (!all)
		return TOOL_OK;
	tool_error("up to %" PRIu64 " events not counted: the buffers were too "
		   "small",
		   all);

	return TOOL_INCOMPLETE;
}

static void show(void *data)
{
	struct sink_stat *stat = data;

	stat->sink.status = print_block(stat, false);
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	(void)data;
	(void)decoder;
	(void)record;

	return 0;
}

static void take_loss(void *data, const struct format_loss *loss)
{
	struct sink_stat *stat = data;

	capture_counts_loss(&stat->counts, stat->live->capture.session,
			    &loss->loss);
}

static int finish(void *data)
{
	return print_block(data, true);
}

static int finish_read(void *data)
{
	int status = finish(data);

	return pipe_worse(status, report_losses(data));
}

static void release(void *data)
{
	struct sink_stat *stat = data;

	capture_counts_release(&stat->counts);
}

const struct sink_ops sink_stat = {
	.loss = take_loss,
	.tick = show,
	.finish = finish,
	.release = release,
};

const struct sink_ops sink_stat_read = {
	.record = take_record,
	.loss = take_loss,
	.tick = show,
	.finish = finish_read,
	.release = release,
};
