// SPDX-License-Identifier: MIT
#include "flight/list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "events/report.h"
#include "files.h"
#include "flight/describe.h"
#include "flight/pages.h"
#include "tool.h"
#include "ui/out.h"

#define KIB 1024

/*
 * struct row - Numbers of a flight recorder
 * @used: bytes of records in the buffers and the rings
 * @stats: of each of @cpu_count processors
 */
struct row {
	struct flight flight;
	size_t events;
	uint64_t used;
	struct flight_stats *stats;
	size_t cpu_count;
};

struct rows {
	struct row *rows;
	size_t count;
};

static const char *const conditions[] = {
	[FLIGHT_RECORDING] = "recording",
	[FLIGHT_STOPPED] = "paused",
	[FLIGHT_EARLIER] = "earlier boot",
	[FLIGHT_GONE] = "ended",
};

/* ---- Numbers ---- */

static void read_cpus(struct row *row, const struct flight_pages *pages)
{
	size_t i;

	row->cpu_count = pages->cpu_count;
	row->stats = tool_alloc((pages->cpu_count + 1) * sizeof(*row->stats));
	for (i = 0; i < pages->cpu_count; i++) {
		flight_stats_read(&row->stats[i], &row->flight,
				  pages->cpus[i].number);
		row->used += row->stats[i].bytes;
	}
}

static void read_row(struct row *row)
{
	struct flight_pages pages;

	if (row->flight.condition != FLIGHT_GONE)
		row->events = flight_events(&row->flight);
	if (flight_pages_open(&pages, &row->flight))
		return;
	row->used = flight_pages_used(&pages);
	read_cpus(row, &pages);
	flight_pages_close(&pages);
}

/* Return: 0, also for one that was stopped meanwhile; or -errno */
static int add_row(struct rows *rows, const char *tracefs, const char *name)
{
	struct row row = { 0 };
	int ret;

	flight_init(&row.flight, tracefs, name);
	ret = flight_read(&row.flight);
	if (ret) {
		flight_release(&row.flight);
		return ret == -ENOENT ? 0 : ret;
	}
	read_row(&row);
	*tool_add(rows->rows, rows->count) = row;

	return 0;
}

/* Return: 0 or -errno */
static int add_rows(struct rows *rows, const char *tracefs, const char *root)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	int ret = files_names(root, &names);
	size_t i;

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (i = 0; i < names.count && !ret; i++)
		if (!flight_name_check(names.names[i]))
			ret = add_row(rows, tracefs, names.names[i]);

	return ret;
}

static void free_rows(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++) {
		flight_release(&rows->rows[i].flight);
		free(rows->rows[i].stats);
	}
	free(rows->rows);
}

/* ---- Output ---- */

/* "3 on cpu0, 4 on cpu2"; "0"; for free() */
static char *describe_lost(const struct row *row)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < row->cpu_count; i++)
		if (row->stats[i].lost)
			tool_list_add(&text, "%" PRIu64 " on cpu%" PRIu32,
				      row->stats[i].lost, row->stats[i].cpu);
	if (!text.size)
		tool_put(&text, "0");

	return text.text;
}

static uint64_t overwritten(const struct row *row)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < row->cpu_count; i++)
		sum += row->stats[i].overwritten;

	return sum;
}

static void print_row(struct out_table *table, const struct row *row)
{
	_cleanup_free_ char *lost = describe_lost(row);
	const struct flight *flight = &row->flight;

	out_table_cell(table, OUT_PLAIN, flight->name);
	out_table_print(table, OUT_PLAIN, "%s%s", conditions[flight->condition],
			flight->is_persistent ? ", persistent" : "");
	out_table_print(table, OUT_PLAIN, "%zu", row->events);
	out_table_print(table, OUT_PLAIN, "%" PRIu64 "K", flight->size / KIB);
	out_table_print(table, OUT_PLAIN, "%" PRIu64 "K",
			(row->used + KIB - 1) / KIB);
	out_table_print(table, OUT_PLAIN, "%" PRIu64, overwritten(row));
	out_table_cell(table, OUT_PLAIN, lost);
}

static void print_table(const struct rows *rows)
{
	static const struct out_column columns[] = {
		{ "NAME", false }, { "STATE", false }, { "EVENTS", true },
		{ "SIZE", true },  { "USED", true },   { "OVERWRITTEN", true },
		{ "LOST", false },
	};
	struct out_table *table = out_table_begin(columns, ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < rows->count; i++)
		print_row(table, &rows->rows[i]);
	out_table_end(table);
}

static void json_cpus(struct uev_output *json, const struct row *row)
{
	size_t i;

	out_json_array(json, "cpus");
	for (i = 0; i < row->cpu_count; i++) {
		out_json_object(json, NULL);
		out_json_unsigned(json, "cpu", row->stats[i].cpu);
		out_json_unsigned(json, "overwritten",
				  row->stats[i].overwritten);
		out_json_unsigned(json, "lost", row->stats[i].lost);
		out_json_object_end(json);
	}
	out_json_array_end(json);
}

static void print_json(const struct rows *rows)
{
	struct uev_output text = UEV_OUTPUT_INIT, *json = &text;
	const struct row *row;
	size_t i;

	out_json_array(json, NULL);
	for (i = 0; i < rows->count; i++) {
		row = &rows->rows[i];
		out_json_object(json, NULL);
		out_json_string(json, "name", row->flight.name);
		out_json_string(json, "state",
				conditions[row->flight.condition]);
		out_json_bool(json, "persistent", row->flight.is_persistent);
		out_json_unsigned(json, "events", row->events);
		out_json_unsigned(json, "size", row->flight.size);
		out_json_unsigned(json, "used", row->used);
		out_json_string(json, "on", row->flight.on);
		json_cpus(json, row);
		out_json_object_end(json);
	}
	out_json_array_end(json);
	out_json_end(json);
}

int flight_list(bool is_json)
{
	struct rows rows = { 0 };
	_cleanup_free_ char *tracefs = NULL;
	int status = events_find_tracefs(&tracefs), ret;

	if (status)
		return status;
	ret = add_rows(&rows, tracefs, FLIGHT_VOLATILE);
	if (!ret)
		ret = add_rows(&rows, tracefs, FLIGHT_PERSISTENT);
	if (ret)
		status = tool_error_of(ret, "flight recorders: cannot be read");
	else if (is_json)
		print_json(&rows);
	else
		print_table(&rows);
	free_rows(&rows);

	return status;
}
