// SPDX-License-Identifier: MIT
#include "sink/top_view.h"

#include <inttypes.h>
#include <string.h>

#include "capture/capture.h"
#include "formats/append.h"
#include "ui/out.h"
#include "terminal.h"
#include "tool.h"

#define NANOSECONDS UINT64_C(1000000000)
#define MILLISECONDS 1000.0

/* Maximum number of named processes in a line; others are counted. */
#define NAMED 3

/* Number of lines before the events. */
#define ABOVE 3

#define DEFAULT_SYSTEM "user_events"

/* Longer names shift the following columns. */
#define EVENT_WIDTH_MAX 40

static double per_second(const struct top_view *top, uint64_t count)
{
	return top->milliseconds ? (double)count * MILLISECONDS /
					   (double)top->milliseconds
				 : 0;
}

/* Formats bytes as three digits and a unit. */
static const char *with_unit(double bytes, char *text, size_t size)
{
	static const char units[] = " KMGT";
	size_t unit = 0;

	while (bytes >= 1024 && unit < sizeof(units) - 2) {
		bytes /= 1024;
		unit++;
	}
	if (unit)
		snprintf(text, size, "%.1f%c", bytes, units[unit]);
	else
		snprintf(text, size, "%.0f", bytes);

	return text;
}

static void add_name(struct uev_output *to, const char *name)
{
	terminal_append(to, name, strlen(name));
}

static void add_processes(const struct top_view *top,
			  const struct capture_count *count,
			  struct uev_output *to)
{
	const struct capture_process *process;
	const char *name;
	size_t i;

	for (i = 0; i < count->process_count && i < NAMED; i++) {
		process = &count->processes[i];
		name = capture_name(top->names, process->pid, tool_now());
		tool_append(to, "  ", i ? 1 : 2);
		if (name) {
			add_name(to, name);
			tool_append(to, "/", 1);
		}
		format_print(to, "%" PRIu32, process->pid);
	}
	if (count->process_count > NAMED)
		format_print(to, " +%zu%s", count->process_count - NAMED,
			     count->has_more ? " or more" : "");
}

static void add_losses(const struct capture_count *count, struct uev_output *to)
{
	size_t i;

	for (i = 0; i < count->loss_count; i++)
		format_print(to, "  %s=%" PRIu64, count->losses[i].reason,
			     count->losses[i].count);
}

/* Truncates a line to the columns, and appends a newline. */
static void cut_line(struct uev_output *to, size_t begin, unsigned int columns)
{
	if (columns && to->size > begin)
		to->size = begin + terminal_fit(to->text + begin,
						to->size - begin, columns);
	tool_append(to, "\n", 1);
}

/* The usual system is left out to save space. */
static void add_event(struct uev_output *to, const struct uev_source *source)
{
	if (strcmp(source->system, DEFAULT_SYSTEM) != 0) {
		add_name(to, source->system);
		tool_append(to, ":", 1);
	}
	add_name(to, source->name);
}

/* Returns the width of names of events, at least the usual one. */
static size_t event_width(const struct top_view *top, struct uev_output *to)
{
	size_t begin = to->size, width = strlen("EVENT"), one, i;

	for (i = 0; i < top->counts->count; i++) {
		to->size = begin;
		add_event(to, top->counts->counts[i]->source);
		one = terminal_width(to->text + begin, to->size - begin);
		if (one > width)
			width = one;
	}
	to->size = begin;

	return width < EVENT_WIDTH_MAX ? width : EVENT_WIDTH_MAX;
}

static void add_above(const struct top_view *top, size_t width,
		      struct uev_output *to)
{
	uint64_t hits = 0, bytes = 0, lost = 0;
	const struct capture_count *count;
	size_t begin = to->size, i;
	struct uev_decoded_value time = {
		.type = UEV_DECODED_TIME,
		.i64 = (int64_t)(top->wall / NANOSECONDS),
	};
	char unit[16];

	for (i = 0; i < top->counts->count; i++) {
		count = top->counts->counts[i];
		hits += count->new_hits;
		bytes += count->bytes;
		lost += count->lost;
	}
	tool_need(uev_decoded_value_append_text(&time, to));
	format_print(to, "Z  %zu events, %.1f/s, %s/s, %" PRIu64 " lost",
		     top->counts->count, per_second(top, hits),
		     with_unit(per_second(top, bytes), unit, sizeof(unit)),
		     lost);
	cut_line(to, begin, top->columns);
	tool_append(to, "\n", 1);
	begin = to->size;
	format_print(to, "%10s %8s %7s %11s %8s  %-*s  %s", "EVENTS/S",
		     "BYTES/S", "SIZE", "TOTAL", "LOST", (int)width, "EVENT",
		     "PROCESSES");
	cut_line(to, begin, top->columns);
}

static void add_row(const struct top_view *top,
		    const struct capture_count *count, size_t width,
		    struct uev_output *to)
{
	uint64_t size = count->records ? count->bytes / count->records : 0;
	size_t begin = to->size, name;
	char unit[16], average[16];

	with_unit(per_second(top, count->bytes), unit, sizeof(unit));
	with_unit((double)size, average, sizeof(average));
	format_print(to, "%10.1f %8s %7s %11" PRIu64 " %8" PRIu64 "  ",
		     per_second(top, count->new_hits), unit, average,
		     count->hits, count->lost);
	name = to->size;
	add_event(to, count->source);
	if (count->process_count || count->loss_count) {
		name = terminal_width(to->text + name, to->size - name);
		format_print(to, "%*s", name < width ? (int)(width - name) : 0,
			     "");
		add_processes(top, count, to);
		add_losses(count, to);
	}
	cut_line(to, begin, top->columns);
}

void top_view_text(const struct top_view *top, struct uev_output *to)
{
	size_t room = top->counts->count, width = event_width(top, to), i;

	add_above(top, width, to);
	if (top->rows && top->rows < room + ABOVE + 1)
		room = top->rows > ABOVE + 1 ? top->rows - ABOVE - 1 : 0;
	for (i = 0; i < room; i++)
		add_row(top, top->counts->order[i], width, to);
}

static void print_processes(const struct top_view *top,
			    const struct capture_count *count,
			    struct uev_output *json)
{
	const char *name;
	size_t i;

	out_json_array(json, "processes");
	for (i = 0; i < count->process_count; i++) {
		name = capture_name(top->names, count->processes[i].pid,
				    tool_now());
		out_json_object(json, NULL);
		out_json_unsigned(json, "pid", count->processes[i].pid);
		if (name)
			out_json_string(json, "name", name);
		out_json_unsigned(json, "count", count->processes[i].count);
		out_json_object_end(json);
	}
	out_json_array_end(json);
}

void top_view_losses(const struct capture_count *count, struct uev_output *json)
{
	size_t i;

	out_json_object(json, "losses");
	for (i = 0; i < count->loss_count; i++)
		out_json_unsigned(json, count->losses[i].reason,
				  count->losses[i].count);
	out_json_object_end(json);
}

static void print_event(const struct top_view *top,
			const struct capture_count *count,
			struct uev_output *json)
{
	_cleanup_free_ char *name =
		tool_print("%s:%s", count->source->system, count->source->name);

	out_json_object(json, NULL);
	out_json_string(json, "event", name);
	out_json_real(json, "rate", per_second(top, count->new_hits));
	out_json_unsigned(json, "count", count->new_hits);
	out_json_unsigned(json, "records", count->records);
	out_json_unsigned(json, "bytes", count->bytes);
	out_json_unsigned(json, "total", count->hits);
	out_json_unsigned(json, "lost", count->lost);
	top_view_losses(count, json);
	print_processes(top, count, json);
	out_json_object_end(json);
}

void top_view_json(const struct top_view *top)
{
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t i;

	out_json_object(&json, NULL);
	out_json_real(&json, "interval",
		      (double)top->milliseconds / MILLISECONDS);
	out_json_array(&json, "events");
	for (i = 0; i < top->counts->count; i++)
		print_event(top, top->counts->order[i], &json);
	out_json_array_end(&json);
	out_json_object_end(&json);
	out_json_end(&json);
}
