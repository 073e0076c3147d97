// SPDX-License-Identifier: MIT
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/loss.h"
#include "formats/record_text.h"
#include "query/metadata.h"
#include "report/page.h"
#include "pipe/output_file.h"
#include "terminal.h"
#include "tool.h"
#include "ui/out.h"

/* Limits of a page: threads, rows of each table, and bytes of a row's fields */
#define THREADS_MAX 4096
#define ROWS_MAX 1000000
#define FIELDS_MAX 1000

/* Parts of the page for records and for pairs of start and stop */
#define ROWS_PART .75
#define BARS_PART .25

/* Rows that are not read have other sizes than those of the sample. */
#define FULL_RESERVE 1.1

#define MEBIBYTE ((uint64_t)1 << 20)

/* struct pending_span - What is kept of a start; the name of its event follows */
struct pending_span {
	uint64_t time;
	size_t thread;
	bool has_activity;
};

/* Returns nanoseconds since the first record, at most those of the last one. */
static uint64_t time_of(const struct report *report, uint32_t flags,
			uint64_t time)
{
	uint64_t first = report->pipe->first_time;
	uint64_t last = report->pipe->last_time;

	if (!(flags & UEV_HAS_TIME) || time > last)
		return last - first;

	return time > first ? time - first : 0;
}

/* Counts a record. Returns the index of its group */
static size_t add_to(struct query_groups *groups, const struct uev_output *name)
{
	struct query_group *group =
		query_groups_get(groups, name->text, name->size);

	group->count++;

	return group->index;
}

/* ---- Starts and stops ---- */

static void set_thread(struct report *report,
		       const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	bool is_known = sample->flags & UEV_HAS_TID;
	const uint32_t ids[] = { is_known ? sample->pid : 0,
				 is_known ? sample->tid : 0 };

	report->name.size = 0;
	tool_append(&report->name, (const char *)ids, sizeof(ids));
	if (record->comm)
		tool_put(&report->name, record->comm);
}

/* Other tracks of a thread do not nest in its slices. */
static bool is_across_threads(const struct query_spans *spans,
			      const struct uev_decoder *decoder)
{
	const struct query_track *track = &spans->track;

	if (track->kind)
		return track->scope != QUERY_SCOPE_THREAD || track->has_name;

	return uev_decoder_info(decoder)->activity;
}

static void begin_span(void *data, struct uev_output *to,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct report *report = data;
	struct pending_span kept = { 0 };
	const struct query_group *thread;

	set_thread(report, record);
	thread = query_groups_get(&report->threads, report->name.text,
				  report->name.size);
	kept.time =
		time_of(report, record->sample->flags, record->sample->time);
	kept.thread = thread->index;
	kept.has_activity = report->spans.key.count ||
			    is_across_threads(&report->spans, decoder);
	tool_append(to, (const char *)&kept, sizeof(kept));
	query_spans_name(&report->spans, to, decoder, record->sample);
}

/* By order of magnitude, so that rare long ones are in the sample. */
static size_t kind_of_bar(const struct query_group *latencies,
			  uint64_t duration)
{
	unsigned int power = 63 - (unsigned int)__builtin_clzll(duration | 1);

	return latencies->index * 64 + power;
}

static void end_span(void *data, struct query_text text, uint64_t duration,
		     const struct format_record *record)
{
	struct report *report = data;
	struct query_group *group;
	struct pending_span kept;

	(void)record;
	memcpy(&kept, text.text, sizeof(kept));
	group = query_groups_get(&report->latencies, text.text + sizeof(kept),
				 text.size - sizeof(kept));
	group->count++;
	query_histogram_add(&group->values, (double)duration);
	if (!report_sample_wants(&report->bars, kept.thread,
				 kind_of_bar(group, duration)))
		return;
	format_print(&report->bars.text, "[%" PRIu64 ",%" PRIu64 ",%zu,%zu,%d]",
		     kept.time, duration, kept.thread, group->index,
		     kept.has_activity);
	report_sample_add(&report->bars);
}

/* ---- Records ---- */

static void set_clock(struct report *report, const struct format_record *record)
{
	if (!record->clock || report->has_clock)
		return;
	report->has_clock = true;
	report->clock = *record->clock;
}

static void take_loss(void *data, const struct format_loss *loss)
{
	struct report *report = data;
	struct uev_output *name = &report->name;

	report_rates_add(&report->rates, 0,
			 time_of(report, loss->loss.flags, loss->loss.to),
			 loss->loss.count);
	name->size = 0;
	loss_append_event(name, loss);
	format_print(name, "%s%s", name->size ? " " : "", loss->loss.reason);
	query_groups_get(&report->losses, name->text, name->size)->count +=
		loss->loss.count;
}

static void put_row(struct report *report, struct uev_decoder *decoder,
		    const struct format_record *record, size_t event,
		    size_t thread)
{
	const struct uev_sample *sample = record->sample;
	struct uev_output *row = &report->rows.text;

	if (!report_sample_wants(&report->rows, thread, event))
		return;
	report->line.size = 0;
	record_text_fields(&report->line, decoder, record, FIELDS_MAX);
	format_print(row, "[%" PRIu64 ",%d,%zu,%zu,",
		     time_of(report, sample->flags, sample->time),
		     sample->flags & UEV_HAS_CPU ? (int)sample->cpu : -1,
		     thread, event);
	tool_put_quoted(row, report->line.text, report->line.size);
	tool_put(row, "]");
	report_sample_add(&report->rows);
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	struct report *report = data;
	size_t event, thread;
	uint64_t time;

	set_clock(report, record);
	time = time_of(report, sample->flags, sample->time);
	query_spans_take(&report->spans, decoder, record);
	report->name.size = 0;
	format_start(decoder, record);
	query_event_name(&report->name, sample, uev_decoder_info(decoder));
	report->malformed += format_check_rest(decoder) < 0;
	event = add_to(&report->events, &report->name);
	set_thread(report, record);
	thread = add_to(&report->threads, &report->name);
	report_rates_add(&report->rates, event + 1, time, 1);
	put_row(report, decoder, record, event, thread);

	return 0;
}

static void begin_part(void *data, const char *name)
{
	struct report *report = data;

	(void)name;
	report->spans.begin = begin_span;
	report->spans.end = end_span;
	report->spans.data = report;
	report->threads.limit = THREADS_MAX;
	report->events.limit = QUERY_GROUPS_MAX;
	report->latencies.limit = QUERY_GROUPS_MAX;
	report->rows.limit = (size_t)((double)report->size * ROWS_PART);
	report->bars.limit = (size_t)((double)report->size * BARS_PART);
	report->rows.row_limit = ROWS_MAX;
	report->bars.row_limit = ROWS_MAX;
}

static void end_part(void *data)
{
	struct report *report = data;

	query_spans_end(&report->spans);
	report_sample_end(&report->rows);
	report_sample_end(&report->bars);
}

/* ---- The data of the page ---- */

/* The page shows names as they are on a terminal. */
static void put_name(struct uev_output *to, const char *key, const char *name,
		     size_t size)
{
	_cleanup_(uev_output_release) struct uev_output shown = UEV_OUTPUT_INIT;

	tool_put(&shown, "");
	if (name)
		terminal_append(&shown, name, size);
	out_json_string_n(to, key, name ? shown.text : NULL, shown.size);
}

/* Calls a function for each group, and for the others last. */
static void put_groups(struct uev_output *to, const char *key,
		       const struct query_groups *groups,
		       void (*put_group)(struct uev_output *to,
					 const struct query_group *group))
{
	size_t i;

	out_json_array(to, key);
	for (i = 0; i < groups->count; i++)
		put_group(to, groups->groups[i]);
	put_group(to, &groups->other);
	out_json_array_end(to);
}

static void put_event(struct uev_output *to, const struct query_group *event)
{
	out_json_array(to, NULL);
	put_name(to, NULL, event->name, event->name_size);
	out_json_unsigned(to, NULL, event->count);
	out_json_array_end(to);
}

static void put_thread(struct uev_output *to, const struct query_group *thread)
{
	uint32_t ids[2] = { 0 };
	size_t skipped = thread->name ? sizeof(ids) : 0;

	if (thread->name)
		memcpy(ids, thread->name, sizeof(ids));
	out_json_array(to, NULL);
	out_json_unsigned(to, NULL, ids[0]);
	out_json_unsigned(to, NULL, ids[1]);
	put_name(to, NULL, thread->name ? thread->name + skipped : NULL,
		 thread->name_size - skipped);
	out_json_unsigned(to, NULL, thread->count);
	out_json_array_end(to);
}

static void put_buckets(struct uev_output *to,
			const struct query_histogram *values)
{
	unsigned int i;
	uint64_t count;

	out_json_array(to, "buckets");
	for (i = 0; i < QUERY_POWERS; i++) {
		count = query_histogram_power(values, i);
		if (!count)
			continue;
		out_json_comma(to);
		format_print(to, "[%u,%" PRIu64 "]", i, count);
	}
	out_json_array_end(to);
}

static void put_latency(struct uev_output *to, const struct query_group *group)
{
	const struct query_histogram *values = &group->values;

	out_json_object(to, NULL);
	put_name(to, "name", group->name, group->name_size);
	out_json_unsigned(to, "count", values->count);
	out_json_real(to, "sum", values->sum);
	out_json_real(to, "min", values->min);
	out_json_real(to, "p50", query_histogram_percentile(values, 50));
	out_json_real(to, "p90", query_histogram_percentile(values, 90));
	out_json_real(to, "p99", query_histogram_percentile(values, 99));
	out_json_real(to, "max", values->max);
	put_buckets(to, values);
	out_json_object_end(to);
}

static void put_rates(struct uev_output *to, const struct report_rates *rates)
{
	size_t i, j;

	out_json_unsigned(to, "width", rates->width);
	out_json_array(to, "rates");
	for (i = 0; i < rates->count; i++) {
		out_json_array(to, NULL);
		for (j = 0; j < REPORT_COLUMNS; j++)
			out_json_unsigned(to, NULL, rates->series[i][j]);
		out_json_array_end(to);
	}
	out_json_array_end(to);
}

/* Returns about the limit that a sample requires for all rows. */
static double full_limit(const struct report_sample *sample)
{
	if (sample->count == sample->offered)
		return 0;
	if (!sample->count)
		return INFINITY;

	return (double)sample->text.size / (double)sample->count *
	       (double)sample->offered;
}

/*
 * Estimates the limit of a page with all records.
 * Return: bytes; 0 if no page can have them
 */
static uint64_t full_size(const struct report *report)
{
	double rows = full_limit(&report->rows) / ROWS_PART;
	double bars = full_limit(&report->bars) / BARS_PART;
	double size = rows > bars ? rows : bars;

	if (report->rows.offered > ROWS_MAX ||
	    report->bars.offered > ROWS_MAX ||
	    size > (double)REPORT_SIZE_MAX / FULL_RESERVE)
		return 0;

	return (uint64_t)(size * FULL_RESERVE);
}

/* The time of the first record as a string, because it is no double. */
static void put_start(const struct report *report, struct uev_output *to)
{
	uint64_t start = report->pipe->first_time;

	if (report->has_clock)
		start = uev_clock_wall(&report->clock, start);
	out_json_key(to, "start");
	format_print(to, "\"%" PRIu64 "\"", start);
	out_json_bool(to, "has_date", report->has_clock);
}

static void append_json(const struct report *report, struct uev_output *to)
{
	const struct query_spans *spans = &report->spans;
	const struct pipe *pipe = report->pipe;

	out_json_object(to, NULL);
	put_name(to, "file", report->title, strlen(report->title));
	out_json_string(to, "version", TOOL_VERSION);
	put_start(report, to);
	out_json_unsigned(to, "span", pipe->last_time - pipe->first_time);
	out_json_unsigned(to, "records", pipe->records);
	out_json_unsigned(to, "lost", pipe->lost);
	out_json_unsigned(to, "malformed", report->malformed);
	out_json_unsigned(to, "stops_without_start", spans->pairs.unmatched);
	out_json_unsigned(to, "starts_without_stop", spans->left);
	out_json_unsigned(to, "evicted", spans->pairs.evicted);
	put_groups(to, "losses", &report->losses, put_event);
	put_groups(to, "events", &report->events, put_event);
	put_groups(to, "threads", &report->threads, put_thread);
	put_groups(to, "latencies", &report->latencies, put_latency);
	put_rates(to, &report->rates);
	out_json_unsigned(to, "full_size", full_size(report));
	out_json_key(to, "bars");
	report_sample_append(&report->bars, to);
	out_json_key(to, "rows");
	report_sample_append(&report->rows, to);
	out_json_object_end(to);
}

/* ---- The page ---- */

/* Return: 0 or -errno */
static int write_page(const struct report *report)
{
	_cleanup_(uev_output_release) struct uev_output json = UEV_OUTPUT_INIT;
	struct output_file *file;
	int ret = output_file_open(&file, report->path, report->like);

	if (ret)
		return ret;
	append_json(report, &json);
	report_page_write(file, &json);

	return output_file_finish(file);
}

static void print_summary(const struct report *report)
{
	uint64_t size = full_size(report), records = report->pipe->records;

	tool_error("%s: %" PRIu64 " events, %" PRIu64 " lost", report->path,
		   records, report->pipe->lost);
	if (report->rows.count == records)
		return;
	tool_error("%s: has a sample of %zu of %" PRIu64 " records",
		   report->path, report->rows.count, records);
	if (size)
		tool_hint("--max-size=%" PRIu64 "M for all of them",
			  size / MEBIBYTE + 1);
	else
		tool_hint("select fewer records, such as with --since, --until "
			  "or --event");
}

/* Return: as query_spans_report(); TOOL_INCOMPLETE for malformed records */
static int report_mistakes(const struct report *report)
{
	const struct pipe *pipe = report->pipe;
	int status = query_spans_report(&report->spans, pipe->select,
					pipe->source->is_live);

	return !status && report->malformed ? TOOL_INCOMPLETE : status;
}

static int finish(void *data)
{
	const struct report *report = data;
	int ret = write_page(report);

	if (ret)
		return tool_error_of(ret, "%s: cannot write", report->path);
	print_summary(report);

	return report_mistakes(report);
}

const struct sink_ops sink_report = {
	.begin_part = begin_part,
	.record = take_record,
	.loss = take_loss,
	.end_part = end_part,
	.finish = finish,
};

void report_release(struct report *report)
{
	query_spans_release(&report->spans);
	query_groups_release(&report->losses);
	query_groups_release(&report->events);
	query_groups_release(&report->threads);
	query_groups_release(&report->latencies);
	report_rates_release(&report->rates);
	report_sample_release(&report->rows);
	report_sample_release(&report->bars);
	uev_output_release(&report->name);
	uev_output_release(&report->line);
}
