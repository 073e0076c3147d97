// SPDX-License-Identifier: MIT
#include "export/counters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events/report.h"
#include "export/metrics.h"
#include "terminal.h"
#include "tool.h"

/*
 * struct series - Entries with the same labels
 * @labels: ',KEY="VALUE"' of each key
 */
struct series {
	char *labels;
	uint64_t count;
	uint64_t sums[HIST_SUMS_MAX];
};

/* struct reading - What a counter had, with @count @series */
struct reading {
	const struct counter *counter;
	struct series *series;
	size_t count;
	uint64_t lost;
};

/* ---- Labels ---- */

/* Tests whether a label of the counter, or an earlier key, has the name. */
static bool is_taken(const struct uev_output *names, const char *name)
{
	_cleanup_free_ char *whole = tool_print(",%s,", name);

	return strstr(names->text, whole);
}

/*
 * Appends ",NAME" of a label for a key, and a comma. Names are letters, digits
 * and '_', as the kernel requires it of keys. Those that start with "__" are
 * Prometheus's own.
 */
static void add_name(struct uev_output *names, const char *key)
{
	bool is_reserved = strncmp(key, "__", 2) == 0;
	_cleanup_free_ char *name = tool_copy(key);
	char *longer;

	while (is_reserved || is_taken(names, name)) {
		longer = tool_print("key_%s", name);
		free(name);
		name = longer;
		is_reserved = false;
	}
	tool_put(names, name);
	tool_put(names, ",");
}

/* Return: the names of the labels of the keys: ",counter,field,KEY,KEY," */
static char *label_names(const struct hist *hist, size_t *keys)
{
	struct uev_output names = UEV_OUTPUT_INIT;
	size_t i;

	tool_put(&names, ",counter,field,");
	*keys = names.size;
	for (i = 0; i < hist->key_count; i++)
		add_name(&names, hist_key_name(&hist->keys[i]));

	return names.text;
}

static char *labels_of(const struct hist *hist, const char *names,
		       const struct hist_entry *entry)
{
	struct uev_output labels = UEV_OUTPUT_INIT, value = UEV_OUTPUT_INIT;
	size_t i, size;

	for (i = 0; i < hist->key_count; i++) {
		size = strcspn(names, ",");
		value.size = 0;
		terminal_append(&value, entry->keys[i], strlen(entry->keys[i]));
		tool_put(&labels, ",");
		tool_append(&labels, names, size);
		tool_put(&labels, "=");
		export_metrics_append_label(&labels,
					    value.size ? value.text : "");
		names += size + 1;
	}
	uev_output_release(&value);

	return labels.text;
}

/* ---- Reading ---- */

static int compare_series(const void *a, const void *b)
{
	return strcmp(((const struct series *)a)->labels,
		      ((const struct series *)b)->labels);
}

/* Different texts can have the same label; Prometheus rejects equal series. */
static void merge_series(struct reading *reading)
{
	struct series *last = reading->series, *one;
	size_t i, j;

	if (!reading->count)
		return;
	tool_sort(last, reading->count, compare_series);
	for (i = 1; i < reading->count; i++) {
		one = &reading->series[i];
		if (compare_series(last, one)) {
			*++last = *one;
			continue;
		}
		last->count += one->count;
		for (j = 0; j < HIST_SUMS_MAX; j++)
			last->sums[j] += one->sums[j];
		free(one->labels);
	}
	reading->count = (size_t)(last - reading->series) + 1;
}

static void take_values(struct reading *reading,
			const struct hist_values *values)
{
	_cleanup_free_ char *names = NULL;
	const struct hist *hist = &reading->counter->hist;
	const struct hist_entry *entry;
	size_t keys, i;

	names = label_names(hist, &keys);
	reading->lost = values->lost + values->too_large;
	reading->count = values->count;
	reading->series =
		tool_alloc((values->count + 1) * sizeof(*reading->series));
	for (i = 0; i < values->count; i++) {
		entry = &values->entries[i];
		reading->series[i].labels =
			labels_of(hist, names + keys, entry);
		reading->series[i].count = entry->count;
		memcpy(reading->series[i].sums, entry->sums,
		       sizeof(entry->sums));
	}
	merge_series(reading);
}

/*
 * Reads the counter that was found before. To search it in all events takes
 * longer.
 */
static int read_found(const struct export_counters *counters, size_t index,
		      struct hist_values *values)
{
	const struct counters *found = &counters->found[index];

	return found->count ? counter_read(counters->tracefs,
					   &found->counters[0], values)
			    : -ENOENT;
}

/* Return: 0 or a negative errno */
static int read_counter(struct export_counters *counters, size_t index,
			struct reading *reading)
{
	struct counters *found = &counters->found[index];
	struct hist_values values;
	int err = read_found(counters, index, &values);

	if (err == -ENOENT) {
		counters_free(found);
		err = counters_find(found, counters->tracefs,
				    counters->names.texts[index]);
		if (!err)
			err = read_found(counters, index, &values);
	}
	if (err)
		return err;
	reading->counter = &found->counters[0];
	take_values(reading, &values);
	hist_values_release(&values);

	return 0;
}

static void release_reading(struct reading *reading)
{
	size_t i;

	for (i = 0; i < reading->count; i++)
		free(reading->series[i].labels);
	free(reading->series);
}

/* ---- Output ---- */

static void put_counts(struct uev_output *to, const struct reading *reading)
{
	const struct series *series;
	size_t i;

	for (i = 0; i < reading->count; i++) {
		series = &reading->series[i];
		tool_put(to, "user_events_count_total{counter=\"");
		tool_put(to, reading->counter->hist.name);
		tool_put(to, "\"");
		tool_put(to, series->labels);
		format_print(to, "} %" PRIu64 "\n", series->count);
	}
}

static void put_sum(struct uev_output *to, const struct reading *reading,
		    const struct series *series, size_t sum)
{
	const struct hist_field *field = &reading->counter->hist.sums[sum];
	uint64_t value = series->sums[sum];
	_cleanup_free_ char *line = tool_print(
		"user_events_count_value{counter=\"%s\","
		"field=\"%s\"%s} ",
		reading->counter->hist.name, field->name, series->labels);
	_cleanup_free_ char *number =
		field->is_signed ? tool_print("%" PRId64 "\n", (int64_t)value)
				 : tool_print("%" PRIu64 "\n", value);

	tool_put(to, line);
	tool_put(to, number);
}

static void put_sums(struct uev_output *to, const struct reading *reading)
{
	size_t i, j;

	for (i = 0; i < reading->count; i++)
		for (j = 0; j < reading->counter->hist.sum_count; j++)
			put_sum(to, reading, &reading->series[i], j);
}

static void put_lost(struct uev_output *to, const struct reading *reading)
{
	_cleanup_free_ char *line =
		tool_print("user_events_count_lost_total{counter=\"%s\"} "
			   "%" PRIu64 "\n",
			   reading->counter->hist.name, reading->lost);

	tool_put(to, line);
}

/* The lines of a metric follow each other. */
static const struct {
	const char *title;
	void (*put)(struct uev_output *to, const struct reading *reading);
} metrics[] = {
	{ "# HELP user_events_count_total Records by counter of the kernel.\n"
	  "# TYPE user_events_count_total counter\n",
	  put_counts },
	{ "# HELP user_events_count_value Sums of fields by counter of the "
	  "kernel.\n"
	  "# TYPE user_events_count_value gauge\n",
	  put_sums },
	{ "# HELP user_events_count_lost_total Records that the kernel could "
	  "not count.\n"
	  "# TYPE user_events_count_lost_total counter\n",
	  put_lost },
};

static void report_error(struct export_counters *counters, size_t index,
			 int err)
{
	const char *name = counters->names.texts[index];

	if (err && err != counters->errors[index]) {
		if (err == -ENOENT)
			tool_error("%s: no such counter", name);
		else
			tool_error_of(err, "%s: cannot read", name);
	}
	counters->errors[index] = err;
}

void export_counters_append(struct export_counters *counters,
			    struct uev_output *to)
{
	_cleanup_free_ struct reading *readings = NULL;
	size_t count = counters->names.count, i, j;
	int err;

	readings = tool_alloc((count + 1) * sizeof(*readings));
	counters->status = TOOL_OK;
	for (i = 0; i < count; i++) {
		err = read_counter(counters, i, &readings[i]);
		report_error(counters, i, err);
		if (err)
			counters->status = TOOL_FAILED;
		else if (readings[i].lost && !counters->status)
			counters->status = TOOL_INCOMPLETE;
	}
	for (j = 0; count && j < ARRAY_SIZE(metrics); j++) {
		tool_put(to, metrics[j].title);
		for (i = 0; i < count; i++)
			if (!counters->errors[i])
				metrics[j].put(to, &readings[i]);
	}
	for (i = 0; i < count; i++)
		release_reading(&readings[i]);
}

int export_counters_open(struct export_counters *counters)
{
	struct counters *found;
	size_t i;
	int status = TOOL_OK, err;

	if (!counters->names.count)
		return TOOL_OK;
	status = events_find_tracefs(&counters->tracefs);
	counters->found =
		tool_alloc(counters->names.count * sizeof(*counters->found));
	counters->errors =
		tool_alloc(counters->names.count * sizeof(*counters->errors));
	for (i = 0; !status && i < counters->names.count; i++) {
		found = &counters->found[i];
		err = counters_find(found, counters->tracefs,
				    counters->names.texts[i]);
		if (err)
			return events_report_unread(err, counters->tracefs);
		if (!found->count) {
			tool_error("%s: no such counter",
				   counters->names.texts[i]);
			tool_hint("see \"user-events count list\"");
			status = TOOL_NOT_FOUND;
		}
	}

	return status;
}

void export_counters_release(struct export_counters *counters)
{
	size_t i;

	for (i = 0; counters->found && i < counters->names.count; i++)
		counters_free(&counters->found[i]);
	free(counters->found);
	free(counters->names.texts);
	free(counters->tracefs);
	free(counters->errors);
}
