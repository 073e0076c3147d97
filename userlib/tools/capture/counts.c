// SPDX-License-Identifier: MIT
#include "capture/counts.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* Adds new sources of the session. */
static void find_sources(struct capture_counts *counts,
			 const struct uev_session *session)
{
	const struct uev_source *source;
	struct capture_count *count;
	size_t size;

	while ((source =
			uev_session_source(session, (uint32_t)counts->count))) {
		size = (counts->count + 1) * sizeof(struct capture_count *);
		counts->counts = tool_grow(counts->counts, size);
		counts->order = tool_grow(counts->order, size);
		count = tool_alloc(sizeof(*count));
		count->source = source;
		counts->counts[counts->count] = count;
		counts->order[counts->count++] = count;
	}
}

int capture_counts_update(struct capture_counts *counts,
			  const struct uev_session *session)
{
	struct capture_count *count;
	uint64_t hits, lost;
	size_t i;
	int ret;

	find_sources(counts, session);
	for (i = 0; i < counts->count; i++) {
		ret = uev_session_source_stats(session, (uint32_t)i, &hits,
					       &lost);
		if (ret)
			return ret;
		count = counts->counts[i];
		count->new_hits += hits - count->hits;
		count->hits = hits;
		count->lost = (lost == UINT64_MAX ? 0 : lost) + count->others;
	}

	return 0;
}

static void take_process(struct capture_count *count, uint32_t pid)
{
	size_t i;

	for (i = 0; i < count->process_count; i++) {
		if (count->processes[i].pid == pid) {
			count->processes[i].count++;
			return;
		}
	}
	if (i == CAPTURE_PROCESSES_MAX) {
		count->has_more = true;
		return;
	}
	count->processes[i] =
		(struct capture_process){ .pid = pid, .count = 1 };
	count->process_count++;
}

static struct capture_count *count_of(struct capture_counts *counts,
				      const struct uev_session *session,
				      const struct uev_source *source)
{
	if (source->index >= counts->count)
		find_sources(counts, session);

	return counts->counts[source->index];
}

void capture_counts_add(struct capture_counts *counts,
			const struct uev_session *session,
			const struct uev_sample *record)
{
	struct capture_count *count = count_of(counts, session, record->source);

	count->records++;
	count->bytes += record->raw_size;
	take_process(count, record->pid);
}

static struct capture_loss *find_loss(struct capture_count *count,
				      const char *reason)
{
	struct capture_loss *loss;
	size_t i;

	for (i = 0; i < count->loss_count; i++)
		if (strcmp(count->losses[i].reason, reason) == 0)
			return &count->losses[i];
	loss = tool_add(count->losses, count->loss_count);
	*loss = (struct capture_loss){ .count = 0 };
	strcpy(loss->reason, reason);

	return loss;
}

void capture_counts_loss(struct capture_counts *counts,
			 const struct uev_session *session,
			 const struct uev_loss *loss)
{
	struct capture_count *count;

	if (!loss->source)
		return;
	count = count_of(counts, session, loss->source);
	find_loss(count, loss->reason)->count += loss->count;
	if (strcmp(loss->reason, UEV_LOSS_PERF_BUFFER) == 0)
		return;
	count->others += loss->count;
	count->lost += loss->count;
}

void capture_counts_reset(struct capture_counts *counts)
{
	struct capture_count *count;
	size_t i;

	for (i = 0; i < counts->count; i++) {
		count = counts->counts[i];
		count->new_hits = 0;
		count->records = 0;
		count->bytes = 0;
		count->process_count = 0;
		count->has_more = false;
	}
}

static int compare(uint64_t one, uint64_t other)
{
	return (one < other) - (one > other);
}

static int compare_counts(const void *one, const void *other)
{
	const struct capture_count *a = *(struct capture_count *const *)one;
	const struct capture_count *b = *(struct capture_count *const *)other;
	int order = compare(a->new_hits, b->new_hits);

	if (!order)
		order = compare(a->hits, b->hits);
	if (!order)
		order = strcmp(a->source->system, b->source->system);
	if (!order)
		order = strcmp(a->source->name, b->source->name);

	/* The event was deleted and created again. */
	return order ? order : compare(b->source->index, a->source->index);
}

static int compare_processes(const void *one, const void *other)
{
	const struct capture_process *a = one, *b = other;
	int order = compare(a->count, b->count);

	return order ? order : compare(b->pid, a->pid);
}

void capture_counts_sort(struct capture_counts *counts)
{
	size_t i;

	tool_sort(counts->order, counts->count, compare_counts);
	for (i = 0; i < counts->count; i++)
		tool_sort(counts->counts[i]->processes,
			  counts->counts[i]->process_count, compare_processes);
}

void capture_counts_release(struct capture_counts *counts)
{
	size_t i;

	for (i = 0; i < counts->count; i++) {
		free(counts->counts[i]->losses);
		free(counts->counts[i]);
	}
	free(counts->counts);
	free(counts->order);
}
