/* SPDX-License-Identifier: MIT */
/*
 * user-events export: counters and latencies for Prometheus, in a bounded number
 * of series.
 */
#ifndef USER_EVENTS_EXPORT_METRICS_H
#define USER_EVENTS_EXPORT_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "query/groups.h"
#include "query/spans.h"

/* Maximum numbers of label values; all others have the label "(other)". */
#define EXPORT_EVENTS_MAX 256
#define EXPORT_LATENCIES_MAX 64

/* Maximum number of buckets of a histogram, besides that without a limit */
#define EXPORT_BUCKETS_MAX 64

/*
 * struct export_latency - Latencies of a label
 * @sum: of nanoseconds
 * @counts: by the first limit that is not less
 */
struct export_latency {
	double sum;
	uint64_t counts[EXPORT_BUCKETS_MAX];
};

/*
 * struct export_metrics - Everything that was counted; released with
 * export_metrics_release()
 * @spans: what to pair; options are set by the caller
 * @begin, @end: take starts and stops, too, as those of struct query_spans; or
 *        NULL. The name of the start's event is not in what @begin keeps.
 * @data: first argument of @begin and @end
 * @events: records by label
 * @losses: lost records by the labels of event and reason
 * @latencies: numbers of latencies by label of the start, whose @values are at
 *        the index of the group; the last are those of "(other)"
 * @limits: @limit_count limits of buckets in nanoseconds, ascending
 * @name, @label: memory
 */
struct export_metrics {
	struct query_spans spans;
	void (*begin)(void *data, struct uev_output *kept,
		      struct uev_decoder *decoder,
		      const struct format_record *record);
	void (*end)(void *data, struct query_text name, struct query_text kept,
		    uint64_t duration, const struct format_record *record);
	void *data;
	struct query_groups events;
	struct query_groups losses;
	struct query_groups latencies;
	struct export_latency *values;
	uint64_t limits[EXPORT_BUCKETS_MAX];
	size_t limit_count;
	struct uev_output name;
	struct uev_output label;
};

/*
 * export_metrics_set_buckets() - Sets the limits of buckets, which are inclusive
 * @list: ascending times, separated by commas: seconds such as 0.005, or numbers
 *        with the unit ns, us, ms or s
 * Return: whether it is valid
 */
bool export_metrics_set_buckets(struct export_metrics *metrics,
				const char *list);

/*
 * export_metrics_begin() - Prepares the counters
 *
 * Without limits, sets 1, 2 and 5 microseconds, and so on up to 100 seconds.
 */
void export_metrics_begin(struct export_metrics *metrics);

/* export_metrics_take() - Counts a record; @decoder is any decoder */
void export_metrics_take(struct export_metrics *metrics,
			 struct uev_decoder *decoder,
			 const struct format_record *record);

/* export_metrics_loss() - Counts lost records */
void export_metrics_loss(struct export_metrics *metrics,
			 const struct format_loss *loss);

/*
 * export_metrics_append() - Appends the text exposition format
 * @lost: number of lost records
 */
void export_metrics_append(const struct export_metrics *metrics, uint64_t lost,
			   struct uev_output *to);

/*
 * export_metrics_append_label() - Appends the value of a label, in quotes
 * @text: of terminal_append(): it has no newline
 */
void export_metrics_append_label(struct uev_output *to, const char *text);

void export_metrics_release(struct export_metrics *metrics);

#endif
