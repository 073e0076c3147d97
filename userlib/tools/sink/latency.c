// SPDX-License-Identifier: MIT
#include "sink/latency.h"

#include <inttypes.h>
#include <math.h>

#include "formats/format.h"
#include "ui/out.h"
#include "tool.h"

#define MICROSECOND 1e3
#define MILLISECOND 1e6
#define SECOND 1e9

/* The longest bar of a histogram */
#define BAR_WIDTH 40
static const char bar[BAR_WIDTH + 1] =
	"########################################";

/* ---- Records ---- */

/* Keeps the name of the result. */
static void begin_span(void *data, struct uev_output *name,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_latency *latency = data;
	bool has_all;

	if (!latency->by.count) {
		query_spans_name(&latency->spans, name, decoder,
				 record->sample);
		return;
	}
	query_fields_join(&latency->by, decoder, record, name, &has_all);
	latency->unnamed += !has_all;
}

static void end_span(void *data, struct query_text name, uint64_t duration,
		     const struct format_record *record)
{
	struct sink_latency *latency = data;
	struct query_group *group;

	(void)record;
	group = query_groups_get(&latency->groups, name.text, name.size);
	group->count++;
	query_histogram_add(&group->values, (double)duration);
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_latency *latency = data;

	query_spans_take(&latency->spans, decoder, record);

	return format_check(decoder, record);
}

static void begin_part(void *data, const char *name)
{
	struct sink_latency *latency = data;

	(void)name;
	latency->spans.begin = begin_span;
	latency->spans.end = end_span;
	latency->spans.data = latency;
}

static void end_part(void *data)
{
	struct sink_latency *latency = data;

	query_spans_end(&latency->spans);
}

/* ---- Output ---- */

/* Prints nanoseconds with a unit, 10 columns wide. */
static void print_duration(double time)
{
	if (time < MICROSECOND)
		out_print("%7.0f ns", time);
	else if (time < MILLISECOND)
		out_print("%7.2f us", time / MICROSECOND);
	else if (time < SECOND)
		out_print("%7.2f ms", time / MILLISECOND);
	else
		out_print("%7.2f s ", time / SECOND);
}

static void print_name(const struct query_group *group)
{
	if (group->name)
		out_text(group->name, group->name_size);
	else
		out_print("(other)");
	out_print("\n");
}

static void print_row(const struct query_group *group)
{
	static const double percents[] = { 50, 90, 99 };
	const struct query_histogram *values = &group->values;
	size_t i;

	out_print("%10" PRIu64 "  ", values->count);
	print_duration(values->min);
	for (i = 0; i < ARRAY_SIZE(percents); i++) {
		out_print("  ");
		print_duration(query_histogram_percentile(values, percents[i]));
	}
	out_print("  ");
	print_duration(values->max);
	out_print("  ");
	print_name(group);
}

static void print_histogram(const struct query_group *group)
{
	unsigned int i, first = 0, last = QUERY_POWERS - 1;
	uint64_t count, largest = 1;

	while (first < last && !query_histogram_power(&group->values, first))
		first++;
	while (last > first && !query_histogram_power(&group->values, last))
		last--;
	for (i = first; i <= last; i++) {
		count = query_histogram_power(&group->values, i);
		largest = count > largest ? count : largest;
	}
	out_print("\n");
	print_name(group);
	for (i = first; i <= last; i++) {
		count = query_histogram_power(&group->values, i);
		print_duration(i ? ldexp(1, (int)i) : 0);
		out_print(" - ");
		print_duration(ldexp(1, (int)i + 1));
		out_print(" %10" PRIu64 " %.*s\n", count,
			  (int)((double)count / (double)largest * BAR_WIDTH),
			  bar);
	}
}

static void print_text(const struct sink_latency *latency)
{
	const struct query_groups *groups = &latency->groups;
	const struct query_group *group;
	size_t i;

	out_print("%10s  %10s  %10s  %10s  %10s  %10s  %s\n", "COUNT", "MIN",
		  "P50", "P90", "P99", "MAX",
		  latency->by.count ? "VALUE" : "START");
	for (i = 0; (group = query_groups_at(groups, i)); i++)
		print_row(group);
	for (i = 0; (group = query_groups_at(groups, i)); i++)
		print_histogram(group);
}

static void put_buckets(struct uev_output *json,
			const struct query_group *group)
{
	unsigned int i;
	uint64_t count;

	out_json_array(json, "buckets");
	for (i = 0; i < QUERY_POWERS; i++) {
		count = query_histogram_power(&group->values, i);
		if (!count)
			continue;
		out_json_object(json, NULL);
		out_json_unsigned(json, "below", UINT64_C(1) << (i + 1));
		out_json_unsigned(json, "count", count);
		out_json_object_end(json);
	}
	out_json_array_end(json);
}

static void put_group(struct uev_output *json, const struct query_group *group)
{
	const struct query_histogram *values = &group->values;

	out_json_object(json, NULL);
	out_json_string_n(json, "name", group->name, group->name_size);
	out_json_unsigned(json, "count", values->count);
	out_json_real(json, "sum", values->sum);
	out_json_real(json, "min", values->min);
	out_json_real(json, "p50", query_histogram_percentile(values, 50));
	out_json_real(json, "p90", query_histogram_percentile(values, 90));
	out_json_real(json, "p99", query_histogram_percentile(values, 99));
	out_json_real(json, "max", values->max);
	put_buckets(json, group);
	out_json_object_end(json);
}

static void print_json(const struct sink_latency *latency)
{
	const struct query_group *group;
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t i;

	out_json_object(&json, NULL);
	out_json_string(&json, "unit", "ns");
	out_json_array(&json, "latencies");
	for (i = 0; (group = query_groups_at(&latency->groups, i)); i++)
		put_group(&json, group);
	out_json_array_end(&json);
	out_json_unsigned(&json, "stops_without_start",
			  latency->spans.pairs.unmatched);
	out_json_unsigned(&json, "starts_without_stop",
			  latency->spans.left + latency->spans.pairs.waiting);
	out_json_unsigned(&json, "evicted", latency->spans.pairs.evicted);
	out_json_unsigned(&json, "skipped", latency->spans.skipped);
	out_json_unsigned(&json, "lost", latency->pipe->lost);
	out_json_object_end(&json);
	out_json_end(&json);
}

static void print_latencies(void *data)
{
	struct sink_latency *latency = data;

	query_groups_sort(&latency->groups);
	if (latency->is_json)
		print_json(latency);
	else
		print_text(latency);
	out_flush();
}

static void print_summary(const struct sink_latency *latency)
{
	const struct query_pairs *pairs = &latency->spans.pairs;

	tool_error("%" PRIu64 " pairs, %" PRIu64
		   " stops without start, %" PRIu64
		   " starts without stop, %" PRIu64 " evicted",
		   pairs->matched, pairs->unmatched, latency->spans.left,
		   pairs->evicted);
	if (latency->spans.skipped)
		tool_error("%" PRIu64 " starts or stops without key",
			   latency->spans.skipped);
}

/* Prints mistakes in options. Return: TOOL_OK or another status */
static int report_options(const struct sink_latency *latency)
{
	const struct query_spans *spans = &latency->spans;
	const struct pipe *pipe = latency->pipe;
	int status =
		query_spans_report(spans, pipe->select, pipe->source->is_live);

	/* Starts without a key have no name. */
	if (!status && spans->pairs.slots)
		status =
			query_fields_report(&latency->by, "--by", pipe->select);
	if (status)
		return status;
	if (latency->unnamed)
		tool_error("--by: %" PRIu64 " starts do not have the field",
			   latency->unnamed);

	return spans->pairs.evicted || spans->skipped || latency->unnamed
		       ? TOOL_INCOMPLETE
		       : TOOL_OK;
}

static int finish(void *data)
{
	const struct sink_latency *latency = data;

	print_latencies(data);
	print_summary(latency);

	return report_options(latency);
}

const struct sink_ops sink_latency = {
	.begin_part = begin_part,
	.record = take_record,
	.tick = print_latencies,
	.end_part = end_part,
	.finish = finish,
};

void sink_latency_release(struct sink_latency *latency)
{
	query_spans_release(&latency->spans);
	query_groups_release(&latency->groups);
	query_fields_release(&latency->by);
}
