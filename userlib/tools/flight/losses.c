// SPDX-License-Identifier: MIT
#include "flight/losses.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flight/describe.h"
#include "tool.h"

static const char too_large[] = "ftrace_too_large";
static const char rejected[] = "ftrace_buffer";

/* struct flight_loss_source - An event that has losses */
struct flight_loss_source {
	struct flight_loss_source *next;
	char *name;
	struct uev_source source;
};

int flight_losses_save(const struct flight *flight)
{
	int ret = flight_save(flight, flight->tracefs, "user_events_profile");

	/* The user_events of the kernel count nothing. */
	return ret == -ENOENT ? 0 : ret;
}

/* ---- The start ---- */

static uint64_t time_now(const struct flight *flight)
{
	return flight->has_dates ? flight_clock_now(flight) : 0;
}

/* Tests whether the counters of the kernel are those of the recorder. */
static bool has_counters(const struct flight *flight)
{
	return flight->condition == FLIGHT_RECORDING ||
	       flight->condition == FLIGHT_STOPPED;
}

static uint64_t read_rejected(const struct flight_losses *losses, size_t cpu)
{
	const struct flight_pages *pages = losses->pages;
	struct flight_stats stats;

	flight_stats_read(&stats, pages->flight, pages->cpus[cpu].number);

	return stats.lost;
}

static void begin_now(struct flight_losses *losses)
{
	const struct flight *flight = losses->pages->flight;
	size_t i;

	losses->since = time_now(flight);
	events_read_losses(&losses->before, flight->tracefs);
	for (i = 0; i < losses->pages->cpu_count; i++)
		losses->rejected[i] = read_rejected(losses, i);
}

/* An instance of others has no directory. */
static void begin_at_start(struct flight_losses *losses)
{
	const struct flight *flight = losses->pages->flight;

	if (!flight->is_foreign)
		losses->since = flight->clock.clock;
	if (flight->is_foreign ||
	    !events_read_losses(&losses->before, flight->directory))
		events_read_losses(&losses->before, flight->tracefs);
}

void flight_losses_begin(struct flight_losses *losses,
			 const struct flight_pages *pages, bool from_now)
{
	*losses = (struct flight_losses){ .pages = pages };
	losses->rejected =
		tool_alloc((pages->cpu_count + 1) * sizeof(*losses->rejected));
	if (!has_counters(pages->flight))
		return;
	if (from_now)
		begin_now(losses);
	else
		begin_at_start(losses);
}

/* ---- Found losses ---- */

static const struct uev_source *find_source(struct flight_losses *losses,
					    const char *name)
{
	struct flight_loss_source *source;

	for (source = losses->sources; source; source = source->next)
		if (strcmp(source->name, name) == 0)
			return &source->source;
	source = tool_alloc(sizeof(*source));
	*source = (struct flight_loss_source){
		.next = losses->sources,
		.name = tool_copy(name),
	};
	source->source.system = "user_events";
	source->source.name = source->name;
	losses->sources = source;

	return &source->source;
}

static void add_found(struct flight_losses *losses, const char *event,
		      const char *reason, uint32_t cpu, uint64_t count)
{
	uint64_t now = time_now(losses->pages->flight);
	struct uev_loss loss = {
		.source = event ? find_source(losses, event) : NULL,
		.count = count,
		.from = losses->since < now ? losses->since : now,
		.to = now,
		.flags = now ? UEV_HAS_TIME : 0,
	};

	if (cpu != EVENTS_ALL_CPUS) {
		loss.flags |= UEV_HAS_CPU;
		loss.cpu = cpu;
	}
	snprintf(loss.reason, sizeof(loss.reason), "%s", reason);
	loss_queue_add(&losses->found, &loss);
	losses->sum += count;
}

static void find_rejected(struct flight_losses *losses)
{
	const struct flight_pages *pages = losses->pages;
	uint64_t now;
	size_t i;

	for (i = 0; i < pages->cpu_count; i++) {
		now = read_rejected(losses, i);
		if (now > losses->rejected[i])
			add_found(losses, NULL, rejected, pages->cpus[i].number,
				  now - losses->rejected[i]);
		losses->rejected[i] = now;
	}
}

static void find_in_event(struct flight_losses *losses,
			  const struct event *event)
{
	const struct event_loss *loss;
	uint64_t before;
	size_t i;

	for (i = 0; i < event->cpu_loss_count; i++) {
		loss = &event->cpu_losses[i];
		if (strcmp(loss->reason, too_large) != 0)
			continue;
		before = events_loss_count(&losses->before, event->name, loss);
		/* A new event starts at 0, as after the module was replaced. */
		if (before > loss->count)
			before = 0;
		if (loss->count > before &&
		    flight_has_event(losses->pages->flight, event->name))
			add_found(losses, event->name, too_large, loss->cpu,
				  loss->count - before);
	}
}

static void find_too_large(struct flight_losses *losses)
{
	const struct flight *flight = losses->pages->flight;
	struct events now;
	size_t i;

	if (!events_read_losses(&now, flight->tracefs))
		return;
	for (i = 0; i < now.count; i++)
		find_in_event(losses, &now.events[i]);
	events_free(&losses->before);
	losses->before = now;
}

void flight_losses_find(struct flight_losses *losses)
{
	if (!has_counters(losses->pages->flight))
		return;
	find_rejected(losses);
	find_too_large(losses);
	losses->since = time_now(losses->pages->flight);
}

/* ---- Changes by others ---- */

int flight_losses_pause(const struct flight *flight)
{
	size_t disabled;

	/* The recorder can have been stopped meanwhile. */
	if (!has_counters(flight) ||
	    flight_inode(flight->instance) != flight->inode)
		return TOOL_OK;
	if (!flight_is_tracing(flight)) {
		tool_error("%s: paused: newer records are missing",
			   flight->name);
		tool_hint("echo 1 >%s/tracing_on", flight->instance);
		return TOOL_INCOMPLETE;
	}
	disabled = flight_disabled_events(flight);
	if (!disabled)
		return TOOL_OK;
	tool_error("%s: others have disabled %zu of its events: newer records "
		   "are missing",
		   flight->name, disabled);

	return TOOL_INCOMPLETE;
}

static void print_loss(const struct flight *flight, const struct uev_loss *loss)
{
	_cleanup_free_ char *cpu =
		loss->flags & UEV_HAS_CPU
			? tool_print(" on cpu%" PRIu32, loss->cpu)
			: tool_copy("");

	tool_error("%s: %" PRIu64 " records%s%s lost%s: %s (%s)", flight->name,
		   loss->count, loss->source ? " of " : "",
		   loss->source ? loss->source->name : "", cpu,
		   events_loss_text(loss->reason), loss->reason);
}

int flight_losses_report(const struct flight_pages *pages)
{
	struct flight_losses losses;
	int status;
	size_t i;

	flight_losses_begin(&losses, pages, false);
	flight_losses_find(&losses);
	for (i = 0; i < losses.found.end; i++)
		print_loss(pages->flight, &losses.found.losses[i]);
	status = losses.found.end ? TOOL_INCOMPLETE : TOOL_OK;
	flight_losses_release(&losses);

	return flight_losses_pause(pages->flight) ? TOOL_INCOMPLETE : status;
}

void flight_losses_release(struct flight_losses *losses)
{
	struct flight_loss_source *source, *next;

	for (source = losses->sources; source; source = next) {
		next = source->next;
		free(source->name);
		free(source);
	}
	free(losses->rejected);
	free(losses->found.losses);
	events_free(&losses->before);
	*losses = (struct flight_losses){ 0 };
}
