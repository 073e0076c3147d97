// SPDX-License-Identifier: MIT
#include "capture/gaps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <linux/membarrier.h>

#include "events/events.h"
#include "formats/record.h"
#include "tool.h"
#include "util/tracefs.h"

/* Time in microseconds in which a record is passed to all tracers. */
#define WRITE_TIME_US 20000

/* ---- Counts of the module ---- */

static int compare(const void *one, const void *other)
{
	const struct uev_source *source = one;
	const struct event *event = other;
	int order = strcmp(source->system, event->system);

	return order ? order : strcmp(source->name, event->name);
}

static void read_count(struct capture_gap *gap, bool is_new,
		       const struct events *events,
		       const struct uev_source *source)
{
	const struct event *event =
		tool_find(source, events->events, events->count, compare);
	bool is_known = event && event->has_profile;

	if (is_new) {
		gap->is_known = is_known;
		gap->before = is_known ? event->hits : 0;
	}
	gap->is_known = gap->is_known && is_known;
	gap->after = is_known ? event->hits : 0;
}

/* Reads the counts of the sources from @first on. */
static void read_counts(struct capture_gaps *gaps, size_t first, bool is_new)
{
	_cleanup_(events_free) struct events events = { 0 };
	size_t i;

	if (first == gaps->count || events_read(&events, gaps->tracefs))
		return;
	events_select(&events, NULL, 0);
	events_counts(&events, NULL);
	for (i = first; i < gaps->count; i++)
		read_count(&gaps->gaps[i], is_new, &events,
			   uev_session_source(gaps->session, (uint32_t)i));
}

void capture_gaps_begin(struct capture_gaps *gaps)
{
	size_t first = gaps->count;

	if (!gaps->tracefs && uev_tracefs_directory(NULL, &gaps->tracefs))
		return;
	while (uev_session_source(gaps->session, (uint32_t)gaps->count))
		*tool_add(gaps->gaps, gaps->count) = (struct capture_gap){ 0 };
	read_counts(gaps, first, true);
}

/*
 * A record is counted first and then passed to perf, without preemption. It is
 * there when all processors have been preempted.
 */
void capture_gaps_end(struct capture_gaps *gaps)
{
	capture_gaps_begin(gaps);
	read_counts(gaps, 0, false);
	if (gaps->count &&
	    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) < 0)
		usleep(WRITE_TIME_US);
}

/* ---- Missing records ---- */

/* Tests for an event that was deleted, and created again. */
static bool is_replaced(const struct uev_session *session,
			const struct uev_source *source)
{
	const struct uev_source *other;
	uint32_t i;

	for (i = source->index + 1; (other = uev_session_source(session, i));
	     i++)
		if (strcmp(other->name, source->name) == 0 &&
		    strcmp(other->system, source->system) == 0)
			return true;

	return false;
}

/* Returns what the module has counted; 0 if it was loaded again. */
static uint64_t count_written(const struct capture_gap *gap)
{
	return gap->after > gap->before ? gap->after - gap->before : 0;
}

/*
 * Records that perf was not offered are missing for certain. If more were written
 * while the counts were read, perf has more than the module, and the difference
 * does not have them. Return: whether the difference is exact
 */
static bool count_missing(struct capture_gaps *gaps, uint32_t index,
			  const struct capture_source_losses *known)
{
	struct capture_gap *gap = &gaps->gaps[index];
	uint64_t lost, written = count_written(gap), missing = 0;

	if (!gap->is_known ||
	    uev_session_source_stats(gaps->session, index, &gap->hits, &lost) ||
	    is_replaced(gaps->session,
			uev_session_source(gaps->session, index)))
		return true;
	if (written > gap->hits + known->too_large)
		missing = written - gap->hits - known->too_large;
	gap->missing = missing > known->absent ? missing : known->absent;

	return gap->hits <= written;
}

void capture_gaps_count(struct capture_gaps *gaps,
			struct capture_losses *losses)
{
	const struct capture_source_losses *known;
	struct capture_gap *gap;
	uint32_t i;

	for (i = 0; capture_sees_all(gaps->options) && i < gaps->count; i++) {
		gap = &gaps->gaps[i];
		known = &losses->sources[i];
		if (!count_missing(gaps, i, known))
			gaps->is_inexact = true;
		gaps->missing += gap->missing;
		if (gap->missing > known->absent)
			capture_losses_add(losses,
					   uev_session_source(gaps->session, i),
					   FORMAT_LOSS_MISSING,
					   gap->missing - known->absent);
	}
}

static void report_missing(const struct capture_gaps *gaps)
{
	const struct uev_source *source;
	const struct capture_gap *gap;
	uint64_t written;
	uint32_t i;

	for (i = 0; i < gaps->count; i++) {
		source = uev_session_source(gaps->session, i);
		gap = &gaps->gaps[i];
		written = count_written(gap);
		/* Some can be written after that count was read. */
		if (gap->missing)
			tool_error("%s:%s: %" PRIu64 " of %" PRIu64
				   " records are missing",
				   source->system, source->name, gap->missing,
				   written > gap->missing ? written
							  : gap->missing);
	}
}

/* ---- Records that can be missing ---- */

/*
 * Tests whether earlier records of an event can be missing. One without records
 * of the captured processes can have been written before it was found, unless
 * others wrote all that the module counted.
 */
static bool is_late(const struct capture_gaps *gaps, uint32_t index,
		    const struct capture_losses *losses)
{
	uint64_t hits, lost;

	if (!uev_session_source_is_late(gaps->session, index) ||
	    losses->sources[index].is_complete ||
	    uev_session_source_stats(gaps->session, index, &hits, &lost))
		return false;

	return hits || index >= gaps->count || !gaps->gaps[index].is_known ||
	       !gaps->gaps[index].after;
}

static int report_late(const struct capture_gaps *gaps,
		       const struct capture_losses *losses)
{
	const struct uev_source *source;
	int status = TOOL_OK;
	uint32_t i;

	for (i = 0; (source = uev_session_source(gaps->session, i)); i++) {
		if (!is_late(gaps, i, losses))
			continue;
		tool_error("%s:%s: found after it was registered, earlier "
			   "records are missing",
			   source->system, source->name);
		status = TOOL_INCOMPLETE;
	}

	return status;
}

static void report_forks(uint64_t lost, bool follows, bool has_mappings)
{
	if (has_mappings)
		tool_error("%" PRIu64 " new threads, names and mappings lost, "
			   "functions%s can be missing",
			   lost, follows ? " and records of children" : "");
	else
		tool_error("%" PRIu64 " new threads and names lost, records of "
			   "children can be missing",
			   lost);
}

/* All records have been read, so this is no failure. */
static void report_maps(uint64_t unreadable)
{
	if (!unreadable)
		return;
	tool_error("memory maps of %" PRIu64 " processes not readable: their "
		   "functions have no names",
		   unreadable);
	tool_hint("use root or CAP_SYS_PTRACE");
}

/* Return: whether all sources are compared, exactly */
static bool is_compared(const struct capture_gaps *gaps)
{
	bool is_known = capture_sees_all(gaps->options) && !gaps->is_inexact;
	size_t i;

	for (i = 0; i < gaps->count; i++)
		is_known = is_known && gaps->gaps[i].is_known;

	return is_known;
}

int capture_gaps_report(const struct capture_gaps *gaps,
			const struct capture_losses *losses)
{
	bool follows = capture_follows(gaps->options);
	bool has_mappings = gaps->options->stacks & UEV_SESSION_STACKS;
	int status = gaps->missing ? TOOL_INCOMPLETE : TOOL_OK;
	struct uev_trace_stats counts;

	if (gaps->missing)
		report_missing(gaps);
	if (follows && report_late(gaps, losses))
		status = TOOL_INCOMPLETE;
	uev_session_stats(gaps->session, &counts, sizeof(counts));
	if (counts.interrupted && (gaps->missing || !is_compared(gaps))) {
		tool_error("%" PRIu64 " restarts of processors or of their "
			   "events, as by a suspend: records can be missing",
			   counts.interrupted);
		status = TOOL_INCOMPLETE;
	}
	report_maps(counts.unreadable_maps);
	if (!counts.forks_lost || !(follows || has_mappings))
		return status;
	report_forks(counts.forks_lost, follows, has_mappings);

	return TOOL_INCOMPLETE;
}

void capture_gaps_release(struct capture_gaps *gaps)
{
	free(gaps->gaps);
	free(gaps->tracefs);
	*gaps = (struct capture_gaps){ 0 };
}
