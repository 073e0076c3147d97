// SPDX-License-Identifier: MIT
#include "export/metrics.h"

#include <inttypes.h>
#include <string.h>

#include "query/value.h"
#include "terminal.h"
#include "tool.h"

#define OTHER "(other)"
#define SECOND 1e9

/* Powers of two of nanoseconds: 1 microsecond to 69 seconds, by four */
#define FIRST_POWER 10
#define LAST_POWER 36
#define POWER_STEP 2

static void put(struct uev_output *to, const char *text)
{
	tool_need(uev_output_append(to, text, strlen(text)));
}

/* ---- Labels ---- */

/*
 * Sets the label of a name, which can be any bytes. Different names can have the
 * same label, but series have different ones.
 */
static void set_label(struct export_metrics *metrics)
{
	metrics->label.size = 0;
	terminal_append(&metrics->label, metrics->name.text,
			metrics->name.size);
}

static struct query_group *group_of(struct export_metrics *metrics,
				    struct query_groups *groups)
{
	const struct uev_output *label = &metrics->label;

	set_label(metrics);
	if (!label->size || strcmp(label->text, OTHER) == 0)
		return &groups->other;

	return query_groups_get(groups, label->text, label->size);
}

/* ---- Records ---- */

/* Keeps the size of the name, the name, and what @begin of the metrics keeps. */
static void begin_span(void *data, struct uev_output *to,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct export_metrics *metrics = data;
	struct uev_output *name = &metrics->name;

	name->size = 0;
	query_event_name(name, record->sample, uev_decoder_info(decoder));
	tool_need(uev_output_append(to, (const char *)&name->size,
				    sizeof(name->size)));
	tool_need(uev_output_append(to, name->text, name->size));
	if (metrics->begin)
		metrics->begin(metrics->data, to, decoder, record);
}

static void end_span(void *data, struct query_text kept, uint64_t duration,
		     const struct format_record *record)
{
	struct export_metrics *metrics = data;
	struct query_group *group;
	struct query_text name;

	memcpy(&name.size, kept.text, sizeof(name.size));
	name.text = kept.text + sizeof(name.size);
	metrics->name.size = 0;
	tool_need(uev_output_append(&metrics->name, name.text, name.size));
	group = group_of(metrics, &metrics->latencies);
	group->count++;
	query_histogram_add(&group->values, (double)duration);
	kept.text = name.text + name.size;
	kept.size -= sizeof(name.size) + name.size;
	if (metrics->end)
		metrics->end(metrics->data, name, kept, duration, record);
}

void export_metrics_take(struct export_metrics *metrics,
			 struct uev_decoder *decoder,
			 const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;

	metrics->name.size = 0;
	uev_decoder_start(decoder, record->schema, sample->raw,
			  sample->raw_size);
	query_event_name(&metrics->name, sample, uev_decoder_info(decoder));
	group_of(metrics, &metrics->events)->count++;
	query_spans_take(&metrics->spans, decoder, record);
}

void export_metrics_begin(struct export_metrics *metrics)
{
	metrics->spans.begin = begin_span;
	metrics->spans.end = end_span;
	metrics->spans.data = metrics;
	metrics->events.limit = EXPORT_EVENTS_MAX;
	metrics->latencies.limit = EXPORT_LATENCIES_MAX;
}

/* ---- Output ---- */

static void put_title(struct uev_output *to, const char *name, const char *type,
		      const char *help)
{
	format_print(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
		     type);
}

static void put_counter(struct uev_output *to, const char *name,
			const char *help, uint64_t number)
{
	put_title(to, name, "counter", help);
	format_print(to, "%s %" PRIu64 "\n", name, number);
}

/* In quotes, with the escapes of the format. Labels have no newline. */
static void put_label(struct uev_output *to, const struct query_group *group)
{
	const char *text = group->name ? group->name : OTHER;
	size_t size;

	put(to, "\"");
	while (*text) {
		size = strcspn(text, "\\\"");
		tool_need(uev_output_append(to, text, size));
		text += size;
		if (!*text)
			break;
		put(to, "\\");
		tool_need(uev_output_append(to, text++, 1));
	}
	put(to, "\"");
}

static void put_event(struct uev_output *to, const struct query_group *group)
{
	put(to, "user_events_records_total{event=");
	put_label(to, group);
	format_print(to, "} %" PRIu64 "\n", group->count);
}

/* A label is also that of a bucket. */
static void put_sample(struct uev_output *to, const struct query_group *group,
		       const char *suffix, const char *bucket, double number)
{
	put(to, "user_events_latency_seconds");
	put(to, suffix);
	put(to, "{start=");
	put_label(to, group);
	put(to, bucket);
	format_print(to, "} %.17g\n", number);
}

/* Limits are inclusive, and times are integers of nanoseconds. */
static void put_latency(struct uev_output *to, const struct query_group *group)
{
	const struct query_histogram *values = &group->values;
	char bucket[40];
	uint64_t count = 0, limit;
	unsigned int i;

	for (i = 0; i < LAST_POWER; i++) {
		count += query_histogram_power(values, i);
		if (i + 1 < FIRST_POWER || (i + 1 - FIRST_POWER) % POWER_STEP)
			continue;
		limit = (UINT64_C(1) << (i + 1)) - 1;
		snprintf(bucket, sizeof(bucket), ",le=\"%.9f\"",
			 (double)limit / SECOND);
		put_sample(to, group, "_bucket", bucket, (double)count);
	}
	put_sample(to, group, "_bucket", ",le=\"+Inf\"", (double)values->count);
	put_sample(to, group, "_sum", "", values->sum / SECOND);
	put_sample(to, group, "_count", "", (double)values->count);
}

static void put_groups(struct uev_output *to, const struct query_groups *groups,
		       void (*put_group)(struct uev_output *to,
					 const struct query_group *group))
{
	size_t i;

	for (i = 0; i < groups->count; i++)
		put_group(to, groups->groups[i]);
	if (groups->other.count)
		put_group(to, &groups->other);
}

void export_metrics_append(const struct export_metrics *metrics, uint64_t lost,
			   struct uev_output *to)
{
	const struct query_pairs *pairs = &metrics->spans.pairs;

	put_title(to, "user_events_build_info", "gauge",
		  "Version of the program user-events.");
	put(to, "user_events_build_info{version=\"" TOOL_VERSION "\"} 1\n");
	put_counter(to, "user_events_lost_records_total",
		    "Records that did not fit the buffers of the kernel.",
		    lost);
	put_counter(to, "user_events_unmatched_stops_total",
		    "Stops without a start.", pairs->unmatched);
	put_counter(to, "user_events_evicted_starts_total",
		    "Oldest starts that were dropped for newer ones.",
		    pairs->evicted);
	put_title(to, "user_events_records_total", "counter",
		  "Records by event.");
	put_groups(to, &metrics->events, put_event);
	put_title(to, "user_events_latency_seconds", "histogram",
		  "Times between starts and stops by event of the start.");
	put_groups(to, &metrics->latencies, put_latency);
}

void export_metrics_release(struct export_metrics *metrics)
{
	query_spans_release(&metrics->spans);
	query_groups_release(&metrics->events);
	query_groups_release(&metrics->latencies);
	uev_output_release(&metrics->name);
	uev_output_release(&metrics->label);
}
