// SPDX-License-Identifier: MIT
#include "export/module.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "capture/clock.h"
#include "export/metrics.h"
#include "export/otlp_json.h"
#include "formats/append.h"
#include "terminal.h"
#include "tool.h"
#include "ui/out.h"
#include "util/tracefs.h"

#define SECOND_NS UINT64_C(1000000000)
#define OTHER "(other)"
#define USER_EVENTS "user_events"

static const char hits_help[] =
	"Records that the module has offered to tracers since it was loaded.";
static const char losses_help[] =
	"Records that tracers did not get since the module was loaded, by "
	"reason.";

/*
 * struct number - A number of the events with a name
 * @event: the name, for a label
 * @reason: of losses; NULL: hits
 */
struct number {
	const char *event;
	const char *reason;
	uint64_t count;
};

/* ---- Reading ---- */

/* The module creates the file when it is loaded, and never changes it. */
static uint64_t start_of(const char *tracefs)
{
	_cleanup_free_ char *path =
		tool_print("%s/user_events_profile", tracefs);
	struct stat status;

	if (stat(path, &status))
		return 0;

	return (uint64_t)status.st_mtim.tv_sec * SECOND_NS +
	       (uint64_t)status.st_mtim.tv_nsec;
}

static bool has_numbers(const struct event *event)
{
	bool has_losses = false;
	size_t i;

	for (i = 0; i < event->loss_count; i++)
		has_losses |= strcmp(event->losses[i].reason, "removed") != 0;

	return event->hits || has_losses;
}

/* Tests the line of a removed event: "/NAME", or "/" for all of them together. */
static bool is_wanted(const struct export_module *module,
		      const struct event *removed)
{
	const char *name = removed->name + 1;
	bool is_wanted = !module->pattern_count;
	size_t i;

	for (i = 0; i < module->pattern_count; i++)
		is_wanted |= uev_tracefs_matches(module->patterns[i],
						 USER_EVENTS, name);

	return *name && is_wanted;
}

static void select_events(struct export_module *module)
{
	struct event *event;
	size_t i;

	for (i = 0; i < module->events.count; i++) {
		event = &module->events.events[i];
		event->is_selected = event->is_selected && event->has_profile &&
				     has_numbers(event);
	}
	for (i = 0; i < module->removed.count; i++) {
		event = &module->removed.events[i];
		event->is_selected = is_wanted(module, event) &&
				     has_numbers(event);
	}
}

bool export_module_read(struct export_module *module)
{
	events_free(&module->events);
	events_free(&module->removed);
	module->labels.limit = EXPORT_MODULE_EVENTS_MAX;
	if (!module->tracefs && uev_tracefs_directory(NULL, &module->tracefs)) {
		module->tracefs = NULL;
		return false;
	}
	module->start = start_of(module->tracefs);
	if (!module->start || events_read(&module->events, module->tracefs))
		return false;
	module->now = capture_clock_time(CLOCK_REALTIME);
	events_match(&module->events, module->patterns, module->pattern_count);
	events_counts(&module->events, &module->removed);
	select_events(module);

	return true;
}

/* ---- Numbers ---- */

static uint64_t count_of(const struct event *event, const char *reason)
{
	size_t i;

	if (!reason)
		return event->hits;
	for (i = 0; i < event->loss_count; i++)
		if (strcmp(event->losses[i].reason, reason) == 0)
			return event->losses[i].count;

	return 0;
}

/* Returns the group of the name of an event. Names can have any bytes but a slash. */
static struct query_group *group_of(struct export_module *module,
				    const struct event *event)
{
	_cleanup_(uev_output_release) struct uev_output label = UEV_OUTPUT_INIT;
	_cleanup_free_ char *text = tool_print(
		"%s:%s", *event->system ? event->system : USER_EVENTS,
		event->name + (event->name[0] == '/'));

	terminal_append(&label, text, strlen(text));

	return query_groups_get(&module->labels, label.text, label.size);
}

/* An event that was removed and created again has both numbers. */
static void add_numbers(struct export_module *module,
			const struct events *events, const char *reason,
			bool *is_seen)
{
	struct query_group *group;
	uint64_t count;
	size_t i;

	for (i = 0; i < events->count; i++) {
		count = count_of(&events->events[i], reason);
		if (!events->events[i].is_selected || (reason && !count))
			continue;
		group = group_of(module, &events->events[i]);
		group->count += count;
		if (group->name)
			is_seen[group->index] = true;
	}
}

/* Returns the number of removed events whose names the module has forgotten. */
static uint64_t count_forgotten(const struct export_module *module,
				const char *reason)
{
	const struct events *removed = &module->removed;
	uint64_t all = 0, named = 0, count;
	size_t i;

	for (i = 0; i < removed->count; i++) {
		count = count_of(&removed->events[i], reason);
		if (removed->events[i].name[1])
			named += count;
		else
			all = count;
	}

	return all > named ? all - named : 0;
}

/*
 * Calls a function for the hits of each event, or for its losses by a reason, and
 * for the sum of the events after the maximum.
 */
static void visit(struct export_module *module, const char *reason,
		  void (*put)(const struct export_module *module,
			      struct uev_output *to,
			      const struct number *number),
		  struct uev_output *to)
{
	bool is_seen[EXPORT_MODULE_EVENTS_MAX] = { false };
	struct number number = { .reason = reason };
	struct query_groups *labels = &module->labels;
	size_t i;

	for (i = 0; i < labels->count; i++)
		labels->groups[i]->count = 0;
	labels->other.count = count_forgotten(module, reason);
	add_numbers(module, &module->events, reason, is_seen);
	add_numbers(module, &module->removed, reason, is_seen);
	for (i = 0; i < labels->count; i++) {
		number.event = labels->groups[i]->name;
		number.count = labels->groups[i]->count;
		if (is_seen[i])
			put(module, to, &number);
	}
	number.event = OTHER;
	number.count = labels->other.count;
	if (number.count)
		put(module, to, &number);
}

static void visit_losses(struct export_module *module,
			 void (*put)(const struct export_module *module,
				     struct uev_output *to,
				     const struct number *number),
			 struct uev_output *to)
{
	const char *reason;
	size_t i;

	for (i = 0; (reason = events_loss_reason(i)); i++)
		visit(module, reason, put, to);
}

/* ---- Prometheus ---- */

static void put_sample(const struct export_module *module,
		       struct uev_output *to, const struct number *number)
{
	(void)module;
	tool_put(to, number->reason ? "user_events_module_losses_total{event="
				    : "user_events_module_hits_total{event=");
	export_metrics_append_label(to, number->event);
	if (number->reason)
		format_print(to, ",reason=\"%s\"", number->reason);
	format_print(to, "} %" PRIu64 "\n", number->count);
}

void export_module_append(struct export_module *module, struct uev_output *to)
{
	tool_put(to, "# HELP user_events_module_start_time_seconds When the "
		     "module was loaded.\n"
		     "# TYPE user_events_module_start_time_seconds gauge\n");
	format_print(to,
		     "user_events_module_start_time_seconds %" PRIu64
		     ".%03" PRIu64 "\n",
		     module->start / SECOND_NS,
		     module->start % SECOND_NS / 1000000);
	format_print(to,
		     "# HELP user_events_module_hits_total %s\n"
		     "# TYPE user_events_module_hits_total counter\n",
		     hits_help);
	visit(module, NULL, put_sample, to);
	format_print(to,
		     "# HELP user_events_module_losses_total %s\n"
		     "# TYPE user_events_module_losses_total counter\n",
		     losses_help);
	visit_losses(module, put_sample, to);
}

/* ---- OpenTelemetry ---- */

static void put_point(const struct export_module *module, struct uev_output *to,
		      const struct number *number)
{
	out_json_comma(to);
	tool_put(to, "{\"attributes\":[");
	otlp_put_text(to, "user_events.event", number->event);
	if (number->reason)
		otlp_put_text(to, "user_events.reason", number->reason);
	format_print(to,
		     "],\"startTimeUnixNano\":\"%" PRIu64
		     "\",\"timeUnixNano\":\"%" PRIu64 "\",\"asInt\":\"%" PRIu64
		     "\"}",
		     module->start, module->now, number->count);
}

static void begin_sum(struct uev_output *to, const char *name, const char *help)
{
	format_print(to,
		     "{\"name\":\"%s\",\"unit\":\"{record}\",\"description\":"
		     "\"%s\",",
		     name, help);
	tool_put(to, "\"sum\":{\"aggregationTemporality\":2,"
		     "\"isMonotonic\":true,\"dataPoints\":[");
}

void export_module_append_otlp(struct export_module *module,
			       struct uev_output *to)
{
	begin_sum(to, "user_events.hits", hits_help);
	visit(module, NULL, put_point, to);
	tool_put(to, "]}},");
	begin_sum(to, "user_events.losses", losses_help);
	visit_losses(module, put_point, to);
	tool_put(to, "]}}");
}

static uint64_t sum_of(const struct event *event)
{
	uint64_t sum = event->hits;
	size_t i;

	for (i = 0; i < event->loss_count; i++)
		sum += event->losses[i].count;

	return sum;
}

uint64_t export_module_sum(const struct export_module *module)
{
	const struct events *removed = &module->removed;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < module->events.count; i++)
		if (module->events.events[i].is_selected)
			sum += sum_of(&module->events.events[i]);
	for (i = 0; i < removed->count; i++)
		if (!removed->events[i].name[1])
			sum += sum_of(&removed->events[i]);

	return sum;
}

void export_module_release(struct export_module *module)
{
	events_free(&module->events);
	events_free(&module->removed);
	query_groups_release(&module->labels);
	free(module->tracefs);
	*module = (struct export_module){ 0 };
}
