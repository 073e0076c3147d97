// SPDX-License-Identifier: MIT
#include "export/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/loss.h"
#include "query/value.h"
#include "terminal.h"
#include "tool.h"

#define OTHER "(other)"
#define SECOND 1e9

/* Factors of 2 to 2.5 are enough for percentiles, and their limits readable. */
#define DEFAULT_BUCKETS                                         \
	"1us,2us,5us,10us,20us,50us,100us,200us,500us,1ms,2ms," \
	"5ms,10ms,20ms,50ms,100ms,200ms,500ms,1,2,5,10,20,50,100"
#define LIMIT_MAX (1e6 * SECOND)

/* ---- Buckets ---- */

/* Return: nanoseconds, or 0 if it is not a time */
static uint64_t parse_limit(const char *text)
{
	static const char digits[] = "0123456789";
	static const struct {
		const char *unit;
		double factor;
	} units[] = { { "ns", 1 },
		      { "us", 1e3 },
		      { "ms", 1e6 },
		      { "s", SECOND },
		      { "", SECOND } };
	size_t length = strspn(text, digits), i;
	double limit = strtod(text, NULL);

	if (!length)
		return 0;
	if (text[length] == '.')
		length += 1 + strspn(text + length + 1, digits);
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (strcmp(text + length, units[i].unit) == 0) {
			limit *= units[i].factor;
			return limit <= LIMIT_MAX ? (uint64_t)llround(limit)
						  : 0;
		}

	return 0;
}

bool export_metrics_set_buckets(struct export_metrics *metrics,
				const char *list)
{
	_cleanup_free_ char *copy = tool_copy(list);
	char *rest = copy, *one;
	uint64_t last = 0, limit;
	bool is_valid = true;

	metrics->limit_count = 0;
	while (is_valid && (one = strsep(&rest, ","))) {
		limit = parse_limit(one);
		is_valid = limit > last &&
			   metrics->limit_count < EXPORT_BUCKETS_MAX;
		if (is_valid)
			metrics->limits[metrics->limit_count++] = limit;
		last = limit;
	}

	return is_valid;
}

static void add_latency(const struct export_metrics *metrics,
			struct query_group *group, uint64_t duration)
{
	struct export_latency *latency = &metrics->values[group->index];
	size_t i = 0;

	group->count++;
	latency->sum += (double)duration;
	while (i < metrics->limit_count && metrics->limits[i] < duration)
		i++;
	if (i < metrics->limit_count)
		latency->counts[i]++;
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
	query_spans_name(&metrics->spans, name, decoder, record->sample);
	tool_append(to, (const char *)&name->size, sizeof(name->size));
	tool_append(to, name->text, name->size);
	if (metrics->begin)
		metrics->begin(metrics->data, to, decoder, record);
}

static void end_span(void *data, struct query_text kept, uint64_t duration,
		     const struct format_record *record)
{
	struct export_metrics *metrics = data;
	struct query_text name;

	memcpy(&name.size, kept.text, sizeof(name.size));
	name.text = kept.text + sizeof(name.size);
	metrics->name.size = 0;
	tool_append(&metrics->name, name.text, name.size);
	add_latency(metrics, group_of(metrics, &metrics->latencies), duration);
	kept.text = name.text + name.size;
	kept.size -= sizeof(name.size) + name.size;
	if (metrics->end)
		metrics->end(metrics->data, name, kept, duration, record);
}

void export_metrics_take(struct export_metrics *metrics,
			 struct uev_decoder *decoder,
			 const struct format_record *record)
{
	metrics->name.size = 0;
	format_start(decoder, record);
	query_event_name(&metrics->name, record->sample,
			 uev_decoder_info(decoder));
	group_of(metrics, &metrics->events)->count++;
	query_spans_take(&metrics->spans, decoder, record);
}

void export_metrics_loss(struct export_metrics *metrics,
			 const struct format_loss *loss)
{
	_cleanup_(uev_output_release) struct uev_output labels =
		UEV_OUTPUT_INIT;

	metrics->name.size = 0;
	loss_append_event(&metrics->name, loss);
	set_label(metrics);
	tool_append(&metrics->label, "", 1);
	tool_put(&labels, "event=");
	export_metrics_append_label(&labels, metrics->label.text);
	format_print(&labels, ",reason=\"%s\"", loss->loss.reason);
	query_groups_get(&metrics->losses, labels.text, labels.size)->count +=
		loss->loss.count;
}

void export_metrics_begin(struct export_metrics *metrics)
{
	metrics->spans.begin = begin_span;
	metrics->spans.end = end_span;
	metrics->spans.data = metrics;
	metrics->events.limit = EXPORT_EVENTS_MAX;
	metrics->losses.limit = EXPORT_EVENTS_MAX;
	metrics->latencies.limit = EXPORT_LATENCIES_MAX;
	metrics->latencies.other.index = EXPORT_LATENCIES_MAX;
	metrics->values = tool_alloc((EXPORT_LATENCIES_MAX + 1) *
				     sizeof(*metrics->values));
	if (!metrics->limit_count)
		export_metrics_set_buckets(metrics, DEFAULT_BUCKETS);
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

void export_metrics_append_label(struct uev_output *to, const char *text)
{
	size_t size;

	tool_put(to, "\"");
	while (*text) {
		size = strcspn(text, "\\\"");
		tool_append(to, text, size);
		text += size;
		if (!*text)
			break;
		tool_put(to, "\\");
		tool_append(to, text++, 1);
	}
	tool_put(to, "\"");
}

static void put_label(struct uev_output *to, const struct query_group *group)
{
	export_metrics_append_label(to, group->name ? group->name : OTHER);
}

static void put_event(struct uev_output *to, const struct query_group *group)
{
	tool_put(to, "user_events_records_total{event=");
	put_label(to, group);
	format_print(to, "} %" PRIu64 "\n", group->count);
}

/* The name of a group is its labels. */
static void put_loss(struct uev_output *to, const struct query_group *group)
{
	tool_put(to, "user_events_losses_total{");
	tool_put(to, group->name ? group->name
				 : "event=\"" OTHER "\",reason=\"" OTHER "\"");
	format_print(to, "} %" PRIu64 "\n", group->count);
}

/* A label is also that of a bucket. */
static void put_sample(struct uev_output *to, const struct query_group *group,
		       const char *suffix, const char *bucket, double number)
{
	tool_put(to, "user_events_latency_seconds");
	tool_put(to, suffix);
	tool_put(to, "{start=");
	put_label(to, group);
	tool_put(to, bucket);
	format_print(to, "} %.17g\n", number);
}

/* In the fewest digits that are the same number, as Prometheus has it. */
static void put_limit(char *to, size_t size, uint64_t limit)
{
	double seconds = (double)limit / SECOND;
	int digits = 6;

	do
		snprintf(to, size, ",le=\"%.*g\"", digits, seconds);
	while (strtod(to + strlen(",le=\""), NULL) != seconds && digits++ < 17);
}

static void put_latency(const struct export_metrics *metrics,
			struct uev_output *to, const struct query_group *group)
{
	const struct export_latency *latency = &metrics->values[group->index];
	char bucket[40];
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < metrics->limit_count; i++) {
		count += latency->counts[i];
		put_limit(bucket, sizeof(bucket), metrics->limits[i]);
		put_sample(to, group, "_bucket", bucket, (double)count);
	}
	put_sample(to, group, "_bucket", ",le=\"+Inf\"", (double)group->count);
	put_sample(to, group, "_sum", "", latency->sum / SECOND);
	put_sample(to, group, "_count", "", (double)group->count);
}

void export_metrics_append(const struct export_metrics *metrics, uint64_t lost,
			   struct uev_output *to)
{
	const struct query_pairs *pairs = &metrics->spans.pairs;
	const struct query_group *group;
	size_t i;

	put_title(to, "user_events_build_info", "gauge",
		  "Version of the program user-events.");
	tool_put(to,
		 "user_events_build_info{version=\"" TOOL_VERSION "\"} 1\n");
	put_counter(to, "user_events_lost_records_total",
		    "Lost records of this program.", lost);
	put_counter(to, "user_events_unmatched_stops_total",
		    "Stops without a start.", pairs->unmatched);
	put_counter(to, "user_events_evicted_starts_total",
		    "Oldest starts that were dropped for newer ones.",
		    pairs->evicted);
	put_title(to, "user_events_records_total", "counter",
		  "Records by event.");
	for (i = 0; (group = query_groups_at(&metrics->events, i)); i++)
		put_event(to, group);
	put_title(to, "user_events_losses_total", "counter",
		  "Lost records by event and reason.");
	for (i = 0; (group = query_groups_at(&metrics->losses, i)); i++)
		put_loss(to, group);
	put_title(to, "user_events_latency_seconds", "histogram",
		  "Times between starts and stops by event of the start.");
	for (i = 0; (group = query_groups_at(&metrics->latencies, i)); i++)
		put_latency(metrics, to, group);
}

void export_metrics_release(struct export_metrics *metrics)
{
	query_spans_release(&metrics->spans);
	query_groups_release(&metrics->events);
	query_groups_release(&metrics->losses);
	query_groups_release(&metrics->latencies);
	uev_output_release(&metrics->name);
	uev_output_release(&metrics->label);
	free(metrics->values);
}
