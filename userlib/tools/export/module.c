// SPDX-License-Identifier: MIT
#include "export/module.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "export/metrics.h"
#include "formats/append.h"
#include "terminal.h"
#include "tool.h"
#include "util/tracefs.h"

#define SECOND_NS UINT64_C(1000000000)
#define OTHER "(other)"

static const char hits_help[] =
	"Records that the module has offered to tracers since it was loaded.";
static const char losses_help[] =
	"Records that tracers did not get since the module was loaded, by "
	"reason.";

/* struct number - A number of an event, or the sum of all others */
struct number {
	const struct event *event;
	const char *reason;
	uint64_t count;
};

/* ---- Reading ---- */

static uint64_t nanoseconds(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * SECOND_NS + (uint64_t)time->tv_nsec;
}

/* The module creates the file when it is loaded, and never changes it. */
static uint64_t start_of(const char *tracefs)
{
	_cleanup_free_ char *path =
		tool_print("%s/user_events_profile", tracefs);
	struct stat status;

	return stat(path, &status) ? 0 : nanoseconds(&status.st_mtim);
}

static bool has_numbers(const struct event *event)
{
	return event->is_selected && event->has_profile &&
	       (event->hits || event->loss_count);
}

bool export_module_read(struct export_module *module)
{
	struct timespec now;
	size_t i;

	events_free(&module->events);
	if (!module->tracefs && uev_tracefs_directory(NULL, &module->tracefs)) {
		module->tracefs = NULL;
		return false;
	}
	module->start = start_of(module->tracefs);
	if (!module->start || events_read(&module->events, module->tracefs))
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	module->now = nanoseconds(&now);
	events_match(&module->events, module->patterns, module->pattern_count);
	events_counts(&module->events);
	for (i = 0; i < module->events.count; i++)
		module->events.events[i].is_selected =
			has_numbers(&module->events.events[i]);

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

/*
 * Calls a function for the hits of each event, or for its losses by a reason, and
 * for the sum of the events after the maximum.
 */
static void visit(const struct export_module *module, const char *reason,
		  void (*put)(const struct export_module *module,
			      struct uev_output *to,
			      const struct number *number),
		  struct uev_output *to)
{
	struct number other = { .reason = reason }, number = other;
	size_t i, selected = 0;

	for (i = 0; i < module->events.count; i++) {
		number.event = &module->events.events[i];
		if (!number.event->is_selected)
			continue;
		number.count = count_of(number.event, reason);
		if (selected++ >= EXPORT_MODULE_EVENTS_MAX)
			other.count += number.count;
		else if (number.count || !reason)
			put(module, to, &number);
	}
	if (other.count)
		put(module, to, &other);
}

static void visit_losses(const struct export_module *module,
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

/* Names can have any bytes but a slash. */
static void set_name(struct uev_output *name, const struct number *number)
{
	const struct event *event = number->event;
	_cleanup_free_ char *text = NULL;

	if (!event) {
		tool_put(name, OTHER);
		return;
	}
	text = tool_print("%s:%s", event->system, event->name);
	terminal_append(name, text, strlen(text));
}

/* ---- Prometheus ---- */

static void put_sample(const struct export_module *module,
		       struct uev_output *to, const struct number *number)
{
	_cleanup_(uev_output_release) struct uev_output name = UEV_OUTPUT_INIT;

	(void)module;
	set_name(&name, number);
	tool_put(to, number->reason ? "user_events_module_losses_total{event="
				    : "user_events_module_hits_total{event=");
	export_metrics_append_label(to, name.text);
	if (number->reason)
		format_print(to, ",reason=\"%s\"", number->reason);
	format_print(to, "} %" PRIu64 "\n", number->count);
}

void export_module_append(const struct export_module *module,
			  struct uev_output *to)
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

static void put_attribute(struct uev_output *to, const char *key,
			  const char *text, size_t size)
{
	format_print(to, "{\"key\":\"%s\",\"value\":{\"stringValue\":", key);
	format_append_quoted(to, text, size);
	tool_put(to, "}}");
}

static void put_point(const struct export_module *module, struct uev_output *to,
		      const struct number *number)
{
	_cleanup_(uev_output_release) struct uev_output name = UEV_OUTPUT_INIT;

	set_name(&name, number);
	if (to->text[to->size - 1] != '[')
		tool_put(to, ",");
	tool_put(to, "{\"attributes\":[");
	put_attribute(to, "user_events.event", name.text, name.size);
	if (number->reason) {
		tool_put(to, ",");
		put_attribute(to, "user_events.reason", number->reason,
			      strlen(number->reason));
	}
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

void export_module_append_otlp(const struct export_module *module,
			       struct uev_output *to)
{
	begin_sum(to, "user_events.hits", hits_help);
	visit(module, NULL, put_point, to);
	tool_put(to, "]}},");
	begin_sum(to, "user_events.losses", losses_help);
	visit_losses(module, put_point, to);
	tool_put(to, "]}}");
}

uint64_t export_module_sum(const struct export_module *module)
{
	const struct event *event;
	uint64_t sum = 0;
	size_t i, j;

	for (i = 0; i < module->events.count; i++) {
		event = &module->events.events[i];
		if (!event->is_selected)
			continue;
		sum += event->hits;
		for (j = 0; j < event->loss_count; j++)
			sum += event->losses[j].count;
	}

	return sum;
}

void export_module_release(struct export_module *module)
{
	events_free(&module->events);
	free(module->tracefs);
	*module = (struct export_module){ 0 };
}
