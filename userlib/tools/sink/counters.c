// SPDX-License-Identifier: MIT
#include "sink/counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/append.h"
#include "query/csv.h"
#include "ui/out.h"
#include "tool.h"

/* ---- All counters ---- */

static char *names_of(const struct hist_field *fields, size_t count)
{
	struct uev_output list = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < count; i++)
		tool_list_add(&list, "%s", hist_key_name(&fields[i]));

	return list.size ? list.text : tool_copy("-");
}

static void print_counter(struct out_table *table,
			  const struct counter *counter)
{
	_cleanup_free_ char *event = counter_event(counter);
	_cleanup_free_ char *keys =
		names_of(counter->hist.keys, counter->hist.key_count);
	_cleanup_free_ char *sums =
		names_of(counter->hist.sums, counter->hist.sum_count);
	const struct hist *hist = &counter->hist;

	out_table_cell(table, OUT_PLAIN, hist->name);
	out_table_cell(table, OUT_PLAIN, event);
	out_table_cell(table, OUT_PLAIN, keys);
	out_table_cell(table, OUT_PLAIN, sums);
	out_table_print(table, OUT_PLAIN, "%" PRIu64, hist->entries);
	out_table_cell(table, OUT_PLAIN, hist->filter ? hist->filter : "-");
}

static void print_table(const struct counters *counters)
{
	static const struct out_column columns[] = {
		{ "NAME", false }, { "EVENT", false },	{ "BY", false },
		{ "SUM", false },  { "ENTRIES", true }, { "FILTER", false },
	};
	struct out_table *table = out_table_begin(columns, ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < counters->count; i++)
		print_counter(table, &counters->counters[i]);
	out_table_end(table);
}

static void json_names(struct uev_output *json, const char *key,
		       const struct hist_field *fields, size_t count)
{
	size_t i;

	out_json_array(json, key);
	for (i = 0; i < count; i++)
		out_json_string(json, NULL, hist_key_name(&fields[i]));
	out_json_array_end(json);
}

/* The members that list and read have, in an open object */
static void json_counter(struct uev_output *json, const struct counter *counter)
{
	const struct hist *hist = &counter->hist;
	_cleanup_free_ char *event = counter_event(counter);

	out_json_string(json, "name", hist->name);
	out_json_string(json, "event", event);
	json_names(json, "by", hist->keys, hist->key_count);
	json_names(json, "sum", hist->sums, hist->sum_count);
	out_json_string(json, "filter", hist->filter);
	out_json_unsigned(json, "max_entries", hist->entries);
}

static void print_json(const struct counters *counters)
{
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t i;

	out_json_array(&json, NULL);
	for (i = 0; i < counters->count; i++) {
		out_json_object(&json, NULL);
		json_counter(&json, &counters->counters[i]);
		out_json_object_end(&json);
	}
	out_json_array_end(&json);
	out_json_end(&json);
}

void sink_counters_list(const struct counters *counters,
			enum sink_counters_format format)
{
	if (format == SINK_COUNTERS_JSON)
		print_json(counters);
	else
		print_table(counters);
}

/* ---- The values of one ---- */

/* A sum as a text, for free() */
static char *sum_of(const struct hist_field *field, uint64_t sum)
{
	return field->is_signed ? tool_print("%" PRId64, (int64_t)sum)
				: tool_print("%" PRIu64, sum);
}

static void print_entry(struct out_table *table, const struct hist *hist,
			const struct hist_entry *entry)
{
	size_t i;

	for (i = 0; i < hist->key_count; i++)
		out_table_cell(table, OUT_PLAIN, entry->keys[i]);
	out_table_print(table, OUT_PLAIN, "%" PRIu64, entry->count);
	for (i = 0; i < hist->sum_count; i++) {
		_cleanup_free_ char *sum =
			sum_of(&hist->sums[i], entry->sums[i]);

		out_table_cell(table, OUT_PLAIN, sum);
	}
}

static void print_values(const struct counter *counter,
			 const struct hist_values *values)
{
	struct out_column columns[HIST_KEYS_MAX + 1 + HIST_SUMS_MAX];
	const struct hist *hist = &counter->hist;
	char *titles[HIST_SUMS_MAX];
	struct out_table *table;
	size_t i, count = 0;

	for (i = 0; i < hist->key_count; i++)
		columns[count++] =
			(struct out_column){ hist_key_name(&hist->keys[i]),
					     !hist->keys[i].is_text };
	columns[count++] = (struct out_column){ "COUNT", true };
	for (i = 0; i < hist->sum_count; i++) {
		titles[i] = tool_print("SUM(%s)", hist->sums[i].name);
		columns[count++] = (struct out_column){ titles[i], true };
	}
	table = out_table_begin(columns, count);
	for (i = 0; i < values->count; i++)
		print_entry(table, hist, &values->entries[i]);
	out_table_end(table);
	for (i = 0; i < hist->sum_count; i++)
		free(titles[i]);
}

static void json_entry(struct uev_output *json, const struct hist *hist,
		       const struct hist_entry *entry)
{
	const char *name;
	size_t i;

	out_json_object(json, NULL);
	out_json_object(json, "keys");
	for (i = 0; i < hist->key_count; i++) {
		name = hist_key_name(&hist->keys[i]);
		if (hist->keys[i].is_text)
			out_json_string(json, name, entry->keys[i]);
		else
			out_json_raw(json, name, entry->keys[i],
				     strlen(entry->keys[i]));
	}
	out_json_object_end(json);
	out_json_unsigned(json, "count", entry->count);
	out_json_object(json, "sums");
	for (i = 0; i < hist->sum_count; i++) {
		_cleanup_free_ char *sum =
			sum_of(&hist->sums[i], entry->sums[i]);

		out_json_raw(json, hist->sums[i].name, sum, strlen(sum));
	}
	out_json_object_end(json);
	out_json_object_end(json);
}

static void json_values(const struct counter *counter,
			const struct hist_values *values)
{
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t i;

	out_json_object(&json, NULL);
	json_counter(&json, counter);
	out_json_unsigned(&json, "lost", values->lost);
	out_json_array(&json, "entries");
	for (i = 0; i < values->count; i++)
		json_entry(&json, &counter->hist, &values->entries[i]);
	out_json_array_end(&json);
	out_json_object_end(&json);
	out_json_end(&json);
}

static void csv_titles(struct uev_output *to, const struct hist *hist)
{
	size_t i;

	for (i = 0; i < hist->key_count; i++) {
		tool_put(to, hist_key_name(&hist->keys[i]));
		tool_put(to, ",");
	}
	tool_put(to, "count");
	for (i = 0; i < hist->sum_count; i++) {
		tool_put(to, ",sum_");
		tool_put(to, hist->sums[i].name);
	}
	tool_put(to, "\n");
}

static void csv_entry(struct uev_output *to, const struct hist *hist,
		      const struct hist_entry *entry)
{
	size_t i;

	for (i = 0; i < hist->key_count; i++) {
		query_csv_append(
			to, entry->keys[i], strlen(entry->keys[i]),
			QUERY_CSV_SANITIZED |
				(hist->keys[i].is_text ? QUERY_CSV_QUOTED : 0));
		tool_put(to, ",");
	}
	format_append_number(to, entry->count, 1);
	for (i = 0; i < hist->sum_count; i++) {
		_cleanup_free_ char *sum =
			sum_of(&hist->sums[i], entry->sums[i]);

		tool_put(to, ",");
		tool_put(to, sum);
	}
	tool_put(to, "\n");
}

static void csv_values(const struct counter *counter,
		       const struct hist_values *values)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	csv_titles(&text, &counter->hist);
	for (i = 0; i < values->count; i++)
		csv_entry(&text, &counter->hist, &values->entries[i]);
	out_bytes(text.text, text.size);
}

void sink_counters_values(const struct counter *counter,
			  const struct hist_values *values,
			  enum sink_counters_format format)
{
	static void (*const print[])(const struct counter *counter,
				     const struct hist_values *values) = {
		[SINK_COUNTERS_TEXT] = print_values,
		[SINK_COUNTERS_JSON] = json_values,
		[SINK_COUNTERS_CSV] = csv_values,
	};

	print[format](counter, values);
}
