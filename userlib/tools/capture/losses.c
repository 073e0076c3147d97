// SPDX-License-Identifier: MIT
#include "capture/losses.h"

#include <stdlib.h>
#include <string.h>

#include "capture/clock.h"
#include "formats/record.h"
#include "tool.h"
#include "util/tracefs.h"

/*
 * Interval of reading all counters, in milliseconds. READ_SHARE limits its CPU time to
 * a fraction of the total, for any number of events.
 */
#define READ_INTERVAL_MS 1000
#define READ_SHARE 50

/* More losses than these are added to those of the same kind. */
#define FOUND_MAX 4096

static const char absent[] = "perf_absent";
static const char too_large[] = "perf_too_large";
static const char disabled[] = "disabled";

/* ---- Found losses ---- */

/* Returns the time of the clock of the records; 0 if it is not known. */
static uint64_t time_now(const struct capture_losses *losses)
{
	struct uev_clock clock;
	uint64_t now = 0;

	/* Programs cannot read the clock of perf. */
	if (!uev_session_clock(losses->session, &clock))
		now = capture_clock_time(clock.clockid);

	return now ? now : losses->newest;
}

static bool is_same(const struct uev_loss *one, const struct uev_loss *other)
{
	return one->source == other->source && one->flags == other->flags &&
	       one->cpu == other->cpu &&
	       strcmp(one->reason, other->reason) == 0;
}

/* Losses of a session that records nothing, such as before a snapshot. */
static bool add_to_known(struct capture_losses *losses,
			 const struct uev_loss *loss)
{
	struct loss_queue *found = &losses->found;
	size_t i;

	if (found->end - found->first < FOUND_MAX)
		return false;
	for (i = found->first; i < found->end; i++) {
		if (!is_same(&found->losses[i], loss))
			continue;
		found->losses[i].count += loss->count;
		found->losses[i].to = loss->to;
		return true;
	}

	return false;
}

static void add_found(struct capture_losses *losses,
		      const struct uev_loss *loss)
{
	if (loss->count && !add_to_known(losses, loss))
		loss_queue_add(&losses->found, loss);
}

/* Sets the time and the reason. */
static struct uev_loss make_loss(const struct capture_losses *losses,
				 const char *reason, uint64_t since)
{
	struct uev_loss loss = { .to = time_now(losses) };

	loss.from = since < loss.to ? since : loss.to;
	loss.flags = loss.to ? UEV_HAS_TIME : 0;
	snprintf(loss.reason, sizeof(loss.reason), "%s", reason);

	return loss;
}

void capture_losses_add(struct capture_losses *losses,
			const struct uev_source *source, const char *reason,
			uint64_t count)
{
	struct uev_loss loss = make_loss(losses, reason, losses->start);

	loss.source = source;
	loss.count = count;
	add_found(losses, &loss);
}

/* ---- Buffers of perf ---- */

/* Returns the number of lost records of an event in a buffer since the last call. */
static uint64_t new_in_buffer(struct capture_source_losses *source,
			      size_t buffer, uint64_t lost)
{
	uint64_t known;

	while (source->buffer_count <= buffer)
		*tool_add(source->buffers, source->buffer_count) = 0;
	known = source->buffers[buffer];
	if (lost <= known)
		return 0;
	source->buffers[buffer] = lost;

	return lost - known;
}

/* @loss: has all but the event and the number */
static void find_in_sources(struct capture_losses *losses, uint32_t buffer,
			    struct uev_loss *loss)
{
	uint64_t lost;
	uint32_t i;

	for (i = 0; i < losses->source_count; i++) {
		if (uev_session_source_lost(losses->session, i, buffer, &lost))
			continue;
		loss->source = uev_session_source(losses->session, i);
		loss->count = new_in_buffer(&losses->sources[i], buffer, lost);
		add_found(losses, loss);
	}
}

static bool counts_sources(const struct uev_session *session)
{
	uint64_t lost;

	return uev_session_source_lost(session, 0, 0, &lost) == 0;
}

static void find_in_buffer(struct capture_losses *losses, uint32_t index,
			   unsigned int cpu, uint64_t lost)
{
	struct capture_buffer_losses *buffer = &losses->buffers[index];
	struct uev_loss loss =
		make_loss(losses, UEV_LOSS_PERF_BUFFER, buffer->since);

	loss.flags |= UEV_HAS_CPU;
	loss.cpu = cpu;
	if (counts_sources(losses->session)) {
		find_in_sources(losses, index, &loss);
	} else {
		loss.count = lost - buffer->lost;
		add_found(losses, &loss);
	}
	buffer->lost = lost;
	buffer->since = loss.to;
}

static void find_in_buffers(struct capture_losses *losses, bool reads_all)
{
	struct uev_trace_stats counts;
	unsigned int cpu;
	uint32_t i;

	for (i = 0; !uev_session_buffer_stats(losses->session, i, &cpu, &counts,
					      sizeof(counts));
	     i++) {
		if (i == losses->buffer_count)
			*tool_add(losses->buffers, losses->buffer_count) =
				(struct capture_buffer_losses){
					.since = losses->start,
				};
		if (reads_all || counts.lost > losses->buffers[i].lost)
			find_in_buffer(losses, i, cpu, counts.lost);
	}
}

/* ---- Counts of the module ---- */

/* The newest source, if an event was deleted and created again. */
static uint32_t find_source(const struct capture_losses *losses,
			    const char *name)
{
	const struct uev_source *source;
	uint32_t i;

	for (i = (uint32_t)losses->source_count; i > 0; i--) {
		source = uev_session_source(losses->session, i - 1);
		if (strcmp(source->name, name) == 0 &&
		    tool_starts(source->system, "user_events"))
			return i - 1;
	}

	return UINT32_MAX;
}

/*
 * Those of other tracers are not lost here. Perf events of some processes are
 * absent for all others.
 */
static bool is_wanted(const struct capture_options *options,
		      const struct event_loss *loss)
{
	size_t i;

	if (tool_starts(loss->reason, "ftrace_"))
		return false;
	if (strcmp(loss->reason, absent) == 0 ||
	    strcmp(loss->reason, disabled) == 0)
		return capture_sees_all(options);
	if (!options->cpu_count || loss->cpu == EVENTS_ALL_CPUS)
		return true;
	for (i = 0; i < options->cpu_count; i++)
		if (options->cpus[i] == loss->cpu)
			return true;

	return false;
}

static void count_loss(struct capture_losses *losses,
		       struct capture_source_losses *source, const char *reason,
		       uint64_t count)
{
	if (strcmp(reason, absent) == 0) {
		source->absent += count;
		return;
	}
	losses->unseen += count;
	if (strcmp(reason, too_large) == 0)
		source->too_large += count;
}

static void compare_event(struct capture_losses *losses,
			  const struct event *event)
{
	const struct event_loss *now;
	struct uev_loss loss;
	uint64_t before;
	uint32_t index;
	size_t i;

	for (i = 0; i < event->cpu_loss_count; i++) {
		now = &event->cpu_losses[i];
		before = events_loss_count(&losses->before, event->name, now);
		/* A new event starts at 0. */
		if (before > now->count)
			before = 0;
		if (before == now->count || !is_wanted(losses->options, now))
			continue;
		index = find_source(losses, event->name);
		if (index == UINT32_MAX)
			return;
		loss = make_loss(losses, now->reason, losses->since);
		loss.source = uev_session_source(losses->session, index);
		loss.count = now->count - before;
		if (now->cpu != EVENTS_ALL_CPUS) {
			loss.flags |= UEV_HAS_CPU;
			loss.cpu = now->cpu;
		}
		add_found(losses, &loss);
		count_loss(losses, &losses->sources[index], now->reason,
			   loss.count);
	}
}

void capture_losses_read(struct capture_losses *losses)
{
	struct events now;
	size_t i;

	if (!losses->tracefs && uev_tracefs_directory(NULL, &losses->tracefs))
		return;
	/* What was counted before is known, also while the module is replaced. */
	if (!events_read_losses(&now, losses->tracefs)) {
		/* A module that is loaded later starts at 0. */
		losses->removed.has_start = true;
		return;
	}
	for (i = 0; i < now.count; i++)
		compare_event(losses, &now.events[i]);
	capture_removed_compare(&losses->removed, &losses->before, &now,
				losses->options);
	events_free(&losses->before);
	losses->before = now;
	losses->since = time_now(losses);
}

void capture_losses_begin(struct capture_losses *losses)
{
	bool is_first = !losses->start;

	if (is_first)
		losses->start = time_now(losses);
	if (!is_first && !uev_session_source(losses->session,
					     (uint32_t)losses->source_count))
		return;
	/* What was lost before is not of the new ones. */
	capture_losses_read(losses);
	while (uev_session_source(losses->session,
				  (uint32_t)losses->source_count))
		*tool_add(losses->sources, losses->source_count) =
			(struct capture_source_losses){ 0 };
}

void capture_losses_find(struct capture_losses *losses, bool has_stopped)
{
	uint64_t start = tool_now(), used = tool_cpu_time(), pause;
	bool is_due = start >= losses->next_read;

	find_in_buffers(losses, has_stopped || is_due);
	/* Losses after the end are none of the session. */
	if (has_stopped || !is_due)
		return;
	capture_losses_read(losses);
	pause = (tool_cpu_time() - used) * READ_SHARE;
	losses->next_read =
		start + (pause > READ_INTERVAL_MS ? pause : READ_INTERVAL_MS);
}

void capture_losses_release(struct capture_losses *losses)
{
	size_t i;

	for (i = 0; i < losses->source_count; i++)
		free(losses->sources[i].buffers);
	free(losses->sources);
	free(losses->buffers);
	events_free(&losses->before);
	capture_removed_release(&losses->removed);
	free(losses->found.losses);
	free(losses->tracefs);
	*losses = (struct capture_losses){ 0 };
}
