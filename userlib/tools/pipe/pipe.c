// SPDX-License-Identifier: MIT
#include "pipe/pipe.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "capture/capture.h"
#include "events/events.h"
#include "formats/loss.h"
#include "tool.h"

#define NANOSECONDS 1e9
#define MILLISECONDS 1e3

/* Calls a function of all sinks that have it, with its other arguments. */
#define call_sinks(pipe, function, ...)                              \
	do {                                                         \
		struct sink *sink_ = (pipe)->sinks;                  \
		for (; sink_; sink_ = sink_->next)                   \
			if (sink_->ops->function)                    \
				sink_->ops->function(sink_->data,    \
						     ##__VA_ARGS__); \
	} while (0)

void pipe_add(struct pipe *pipe, struct sink *sink)
{
	struct sink **end = &pipe->sinks;

	while (*end)
		end = &(*end)->next;
	*end = sink;
}

int pipe_worse(int a, int b)
{
	static const int by_weight[] = { TOOL_OK, TOOL_INCOMPLETE,
					 TOOL_NOT_FOUND };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(by_weight); i++) {
		if (a == by_weight[i])
			return b;
		if (b == by_weight[i])
			return a;
	}

	return a;
}

/* ---- Sinks ---- */

static int error_of(const struct sink *sink)
{
	return sink->file ? output_file_error(sink->file) : sink->error;
}

/* Return: an exit status: that of a sink that cannot go on */
static int sink_status(const struct pipe *pipe)
{
	const struct sink *sink;

	for (sink = pipe->sinks; sink; sink = sink->next) {
		if (sink->status)
			return sink->status;
		if (error_of(sink))
			return TOOL_FAILED;
	}

	return TOOL_OK;
}

/* Tests whether no sink takes more records. */
static bool is_done(const struct pipe *pipe)
{
	const struct sink *sink;

	for (sink = pipe->sinks; sink; sink = sink->next)
		if (sink->is_full)
			return true;

	return (pipe->select && query_select_is_full(pipe->select)) ||
	       sink_status(pipe);
}

/* Tests whether a sink ends the session. */
static bool is_over(const struct pipe *pipe)
{
	const struct sink *sink;

	for (sink = pipe->sinks; sink; sink = sink->next)
		if (sink->is_over)
			return true;

	return is_done(pipe);
}

static bool wants_records(const struct pipe *pipe)
{
	bool wants = pipe->has_readers;
	const struct sink *sink;

	for (sink = pipe->sinks; sink; sink = sink->next)
		if (sink->ops->poll && !sink->ops->poll(sink->data))
			wants = false;

	return wants;
}

static void flush(void *data)
{
	const struct pipe *pipe = data;
	const struct sink *sink;

	call_sinks(pipe, flush);
	for (sink = pipe->sinks; sink; sink = sink->next)
		if (sink->file)
			output_file_flush(sink->file);
}

static void tick(struct pipe *pipe)
{
	pipe->seconds = (double)(tool_now() - pipe->start) / MILLISECONDS;
	call_sinks(pipe, tick);
	pipe->last = tool_now();
}

/* ---- Losses ---- */

static void take_loss(struct pipe *pipe, const struct format_loss *loss)
{
	_cleanup_(uev_output_release) struct uev_output group = UEV_OUTPUT_INIT;
	const char *text = events_loss_text(loss->loss.reason);

	loss_append_event(&group, loss);
	format_print(&group, "%s%s (%s)", loss->loss.source ? ": " : "",
		     text ? text : "lost", loss->loss.reason);
	query_groups_get(&pipe->loss_groups, group.text, group.size)->count +=
		loss->loss.count;
	pipe->lost += loss->loss.count;
	pipe->part_lost += loss->loss.count;
	call_sinks(pipe, loss, loss);
}

/* Takes those that ended until a time. */
static void take_losses(struct pipe *pipe, uint64_t until)
{
	struct source *source = pipe->source;
	struct format_loss loss;

	while (source->ops->next_loss &&
	       source->ops->next_loss(source, until, &loss))
		take_loss(pipe, &loss);
}

/* Takes those that the source has counted only. */
static void take_other_losses(struct pipe *pipe)
{
	const struct capture_totals *counts = &pipe->source->counts;
	uint64_t all = counts->lost + counts->unseen + pipe->source->missing;
	struct format_loss loss = { .loss.reason = UEV_LOSS_PERF_BUFFER };

	if (pipe->source->loss_reason)
		snprintf(loss.loss.reason, sizeof(loss.loss.reason), "%s",
			 pipe->source->loss_reason);
	if (all <= pipe->part_lost)
		return;
	loss.loss.count = all - pipe->part_lost;
	take_loss(pipe, &loss);
}

/* Prints why records were lost, unless only their number is known. */
static void print_reasons(struct pipe *pipe)
{
	const struct query_groups *groups = &pipe->loss_groups;
	const struct query_group *group;
	size_t i;

	query_groups_sort(&pipe->loss_groups);
	for (i = 0; i < groups->count; i++) {
		group = groups->groups[i];
		if (groups->count == 1 && !strchr(group->name, ':'))
			return;
		tool_error("%" PRIu64 " records lost: %s", group->count,
			   group->name);
	}
	if (groups->other.count)
		tool_error("%" PRIu64 " records lost: of other events",
			   groups->other.count);
}

/* ---- Records ---- */

static void take_time(struct pipe *pipe, const struct uev_sample *sample)
{
	if (!(sample->flags & UEV_HAS_TIME))
		return;
	if (!pipe->has_time)
		pipe->first_time = sample->time;
	pipe->has_time = true;
	if (sample->time > pipe->last_time)
		pipe->last_time = sample->time;
}

static void report_bad(struct pipe *pipe, const struct format_record *record,
		       int error)
{
	struct source *source = pipe->source;

	pipe->bad++;
	if (!source->ops->bad_record)
		return;
	/* A later sink can have read a part of the record without the error. */
	format_check(pipe->decoder, record);
	source->ops->bad_record(source, record, pipe->decoder, error);
}

static void take_record(struct pipe *pipe, const struct format_record *record)
{
	const struct sink *sink;
	int error = 0, ret;

	if (pipe->select &&
	    !query_select_test(pipe->select, pipe->decoder, record)) {
		pipe->filtered++;
		return;
	}
	pipe->records++;
	pipe->bytes += record->sample->raw_size;
	take_time(pipe, record->sample);
	for (sink = pipe->sinks; sink; sink = sink->next) {
		if (!sink->ops->record)
			continue;
		ret = sink->ops->record(sink->data, pipe->decoder, record);
		error = error ? error : ret;
	}
	if (error)
		report_bad(pipe, record, error);
	/* Readers of a pipe wait for the record. */
	if (pipe->is_slow || pipe->source->is_slow)
		flush(pipe);
}

static void take_ready(struct pipe *pipe)
{
	struct source *source = pipe->source;
	struct format_record record;

	while (!is_done(pipe) && source->ops->next(source, &record)) {
		if (record.sample->flags & UEV_HAS_TIME)
			take_losses(pipe, record.sample->time);
		take_record(pipe, &record);
	}
	/* Those after the last record, unless there are more records. */
	if (source->is_live || !is_done(pipe))
		take_losses(pipe, UINT64_MAX);
	flush(pipe);
}

/* Return: an exit status */
static int read_records(struct pipe *pipe)
{
	struct source *source = pipe->source;
	/* Records of their time are read after that. */
	if (source->ops->find_losses)
		source->ops->find_losses(source);
	if (wants_records(pipe)) {
		if (source->ops->read(source, 0) < 0)
			return TOOL_FAILED;
		take_ready(pipe);
		return sink_status(pipe);
	}
	if (!pipe->has_readers)
		take_losses(pipe, UINT64_MAX);

	return TOOL_OK;
}

/* Reads the buffers, and the records that were queued in memory before. */
static int drain(struct pipe *pipe)
{
	struct source *source = pipe->source;
	ssize_t ready = 1;

	call_sinks(pipe, drain);
	while (ready && pipe->has_readers && !is_done(pipe)) {
		ready = source->ops->read(source, UEV_READ_DRAIN);
		if (ready < 0)
			return TOOL_FAILED;
		take_ready(pipe);
	}
	/* The last buffers can have some, and nothing follows. */
	if (source->ops->find_losses)
		source->ops->find_losses(source);
	if (source->is_live)
		take_losses(pipe, UINT64_MAX);

	return sink_status(pipe);
}

static int time_left(const struct pipe *pipe)
{
	return capture_time_left(pipe->last, pipe->interval);
}

/* Moves the records of a part. Return: an exit status */
static int move(struct pipe *pipe)
{
	struct source *source = pipe->source;
	int status = sink_status(pipe);

	if (!status && source->ops->start)
		status = source->ops->start(source);
	pipe->start = tool_now();
	pipe->last = pipe->start;
	while (!status && !is_over(pipe) &&
	       source->ops->wait(source, time_left(pipe))) {
		status = read_records(pipe);
		if (!status && pipe->interval && !time_left(pipe))
			tick(pipe);
	}
	if (!status)
		status = sink_status(pipe);
	if (!status && source->ops->stop)
		status = source->ops->stop(source);

	return status ? status : drain(pipe);
}

/* ---- Parts ---- */

static void set_seconds(struct pipe *pipe)
{
	if (pipe->source->is_live)
		pipe->seconds =
			(double)(tool_now() - pipe->start) / MILLISECONDS;
	else
		pipe->seconds += (double)(pipe->last_time - pipe->first_time) /
				 NANOSECONDS;
}

/* Losses make the result of a session incomplete. Return: an exit status */
static int report_losses(struct pipe *pipe)
{
	const struct capture_totals *counts = &pipe->source->counts;
	uint64_t lost = counts->lost + counts->unseen;

	if (pipe->source->is_live || !is_done(pipe))
		take_other_losses(pipe);
	if (!pipe->source->is_live || pipe->has_own_losses)
		return TOOL_OK;
	if (!pipe->shows_losses && lost)
		tool_error("%" PRIu64 " lost", lost);

	return lost || counts->corrupt ? TOOL_INCOMPLETE : TOOL_OK;
}

/* Return: an exit status */
static int end(struct pipe *pipe)
{
	struct source *source = pipe->source;
	int status = source->ops->count(source);

	if (status)
		return status;
	status = report_losses(pipe);
	call_sinks(pipe, end_part);
	flush(pipe);

	return pipe_worse(status, source->ops->end(source));
}

/* Return: an exit status */
static int run_part(struct pipe *pipe, size_t part)
{
	struct source *source = pipe->source;
	int status = source->ops->open(source, part);

	if (status)
		return status;
	pipe->part_lost = 0;
	pipe->has_time = false;
	pipe->first_time = pipe->last_time = 0;
	if (pipe->select)
		query_select_begin(pipe->select);
	call_sinks(pipe, begin_part, source->name);
	status = move(pipe);
	if (status)
		return status;
	set_seconds(pipe);
	status = end(pipe);
	pipe->has_result |= status != TOOL_FAILED;

	return status;
}

/* A failure of one part leaves the others valid. Return: an exit status */
static int run_parts(struct pipe *pipe)
{
	struct source *source = pipe->source;
	int status = TOOL_OK, ret;
	size_t part;

	for (part = 0; part < source->parts; part++) {
		/* The first one might be missing. */
		if (part && is_done(pipe))
			break;
		ret = run_part(pipe, part);
		status = part && status != ret ? TOOL_INCOMPLETE : ret;
	}

	return status;
}

/* ---- Result ---- */

int pipe_end_sink(struct sink *sink, bool has_result)
{
	const struct sink_ops *ops = sink->ops;
	int ret = error_of(sink);
	bool is_complete = has_result && !ret;

	if (is_complete && ops->finish)
		ret = ops->finish(sink->data);
	else if (!is_complete && ops->discard)
		ops->discard(sink->data);
	if (ops->release)
		ops->release(sink->data);
	if (is_complete && sink->file)
		ret = output_file_finish(sink->file);
	else
		output_file_discard(sink->file);
	if (ret < 0)
		ret = tool_error_of(ret, "%s: cannot write",
				    sink->path ? sink->path
					       : "standard output");

	return ret;
}

/* Return: an exit status */
static int finish(struct pipe *pipe, int status)
{
	int failed = TOOL_OK;
	struct sink *sink;

	/* Summaries are the last messages. */
	print_reasons(pipe);
	for (sink = pipe->sinks; sink; sink = sink->next) {
		if (sink->file)
			pipe->unwritten += output_file_unwritten(sink->file);
		failed = pipe_worse(failed, pipe_end_sink(sink, true));
	}
	if (!failed && pipe->summary)
		failed = pipe->summary(pipe);

	return pipe_worse(status, failed);
}

/* Prints what can be missing in the result. Return: an exit status */
static int report(struct pipe *pipe)
{
	struct source *source = pipe->source;
	int status = TOOL_OK;

	if (source->ops->report)
		status = source->ops->report(source);
	if (!pipe->select)
		return status;
	status = pipe_worse(status, query_select_report(pipe->select));
	/* A session has patterns of its own. */
	if (!source->ops->report)
		status = pipe_worse(status,
				    query_select_report_events(pipe->select));

	return status;
}

static void start_pipe(struct pipe *pipe)
{
	const struct sink *sink;

	pipe->has_readers = false;
	pipe->shows_losses = false;
	for (sink = pipe->sinks; sink; sink = sink->next) {
		pipe->has_readers |= sink->ops->record != NULL;
		pipe->shows_losses |= sink->ops->loss != NULL;
	}
	pipe->source->before_message = flush;
	pipe->source->data = pipe;
}

int pipe_run(struct pipe *pipe)
{
	struct source *source = pipe->source;
	int status, number;
	struct sink *sink;

	start_pipe(pipe);
	tool_need(uev_decoder_new(&pipe->decoder));
	status = run_parts(pipe);
	number = source->ops->signal ? source->ops->signal(source) : 0;
	if (pipe->has_result && !number && !sink_status(pipe)) {
		status = finish(pipe, status);
		status = pipe_worse(status, report(pipe));
	} else {
		for (sink = pipe->sinks; sink; sink = sink->next)
			if (pipe_end_sink(sink, false))
				status = TOOL_FAILED;
	}
	status = source->ops->close(source, status);
	uev_decoder_free(pipe->decoder);
	query_groups_release(&pipe->loss_groups);
	if (number) {
		signal(number, SIG_DFL);
		raise(number);
	}

	return status;
}

/* ---- The summary of a session ---- */

/* Appends ", COUNT WHAT" unless @count is 0. */
static void add_number(struct uev_output *line, uint64_t count,
		       const char *what)
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

int pipe_print_summary(const struct pipe *pipe)
{
	_cleanup_(uev_output_release) struct uev_output line = UEV_OUTPUT_INIT;
	const struct capture_totals *counts = &pipe->source->counts;
	uint64_t unknown = count_unknown(pipe), unwritten = pipe->unwritten;

	/* Records can have several lines. */
	if (unwritten > pipe->records)
		unwritten = pipe->records;
	format_print(&line,
		     "%" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64 " lost",
		     pipe->records - unwritten, pipe->bytes,
		     counts->lost + counts->unseen);
	add_number(&line, pipe->filtered, "not selected");
	add_number(&line, unwritten, "not written");
	add_number(&line, pipe->bad + counts->corrupt, "bad");
	add_number(&line, unknown, "unaccounted for");
	tool_error("%s", line.text);

	return unknown || pipe->bad || unwritten ? TOOL_INCOMPLETE : TOOL_OK;
}
