// SPDX-License-Identifier: MIT
/* Opens, starts and stops a recording session. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/bytes.h"
#include "session/alive.h"
#include "session/buffers.h"
#include "session/events.h"
#include "session/names.h"
#include "session/patterns.h"
#include "session/state.h"
#include "session/targets.h"
#include "session/vpids.h"
#include "util/counts.h"
#include "util/options.h"
#include "util/sys_perf.h"
#include "util/time_namespace.h"
#include "util/tracefs.h"

#define DEFAULT_BUFFER_SIZE (128 * 1024)
#define BUFFER_SIZE_MAX (1024 * 1024 * 1024)

#define KNOWN_FLAGS                                                        \
	(UEV_SESSION_OVERWRITE | UEV_SESSION_INHERIT | UEV_SESSION_COMMS | \
	 UEV_SESSION_ALL_STACKS | UEV_SESSION_VPIDS)

/* Number of readings of both clocks, of which the fastest is used. */
#define CLOCK_SAMPLES 5

_Static_assert(CLOCK_MONOTONIC_RAW == 4, "UEV_SESSION_OPTIONS_INIT has it");

static bool options_valid(const struct uev_session_options *options)
{
	bool has_cgroup = options->cgroup_fd >= 0;

	return !(options->flags & ~KNOWN_FLAGS) &&
	       uev_is_zero(options->reserved, sizeof(options->reserved)) &&
	       (options->flags & UEV_SESSION_ALL_STACKS ||
		!options->stack_max) &&
	       !(has_cgroup && options->pid_count) &&
	       (options->pid_count ||
		!(options->flags & UEV_SESSION_INHERIT)) &&
	       !(options->pid_count && !options->pids) &&
	       !(options->cpu_count && !options->cpus) &&
	       options->buffer_size <= BUFFER_SIZE_MAX;
}

static int set_options(struct uev_session *session,
		       const struct uev_session_options *given)
{
	struct uev_session_options *options = &session->options;
	size_t size = uev_sys_perf_page_size();
	int ret;

	*options = (struct uev_session_options)UEV_SESSION_OPTIONS_INIT;
	ret = uev_options_copy(options, sizeof(*options), given);
	if (ret)
		return ret;
	if (!options_valid(options))
		return -EINVAL;

	if (!options->buffer_size)
		options->buffer_size = DEFAULT_BUFFER_SIZE;
	while (size < options->buffer_size)
		size *= 2;
	session->ring_size = size;
	if (!options->watermark)
		options->watermark = (uint32_t)(size / 8);

	return options->watermark < size ? 0 : -EINVAL;
}

static int compare_cpus(const void *one, const void *other)
{
	unsigned int a = *(const unsigned int *)one;
	unsigned int b = *(const unsigned int *)other;

	return (a > b) - (a < b);
}

/* A sorted copy; duplicates are harmless. */
static int copy_cpus(struct uev_session *session)
{
	const struct uev_session_options *options = &session->options;
	size_t size = options->cpu_count * sizeof(*options->cpus);

	if (!options->cpu_count)
		return 0;
	session->cpus.cpus = malloc(size);
	if (!session->cpus.cpus)
		return -ENOMEM;
	memcpy(session->cpus.cpus, options->cpus, size);
	session->cpus.count = options->cpu_count;
	qsort(session->cpus.cpus, session->cpus.count,
	      sizeof(*session->cpus.cpus), compare_cpus);

	return 0;
}

/* Reads the wall clock between two readings of the other. */
static int sample_clock(clockid_t clockid, struct uev_clock *clock,
			uint64_t *took)
{
	uint64_t before;
	uint64_t after;
	int ret;

	ret = uev_sys_perf_clock(clockid, &before);
	if (!ret)
		ret = uev_sys_perf_clock(CLOCK_REALTIME, &clock->wall);
	if (!ret)
		ret = uev_sys_perf_clock(clockid, &after);
	if (ret)
		return ret;
	*took = after - before;
	clock->clock = before + *took / 2;

	return 0;
}

static int calibrate_clock(struct uev_session *session)
{
	struct uev_clock *clock = &session->clock;
	struct uev_clock seen = { .clockid = session->options.clockid };
	uint64_t shortest = UINT64_MAX;
	uint64_t took;
	uint64_t offset;
	int ret;
	int i;

	clock->clockid = seen.clockid;
	if (seen.clockid == UEV_CLOCK_PERF)
		return 0;
	ret = uev_time_namespace_offset(seen.clockid, &offset);
	if (ret)
		return ret;
	for (i = 0; i < CLOCK_SAMPLES; i++) {
		ret = sample_clock(seen.clockid, &seen, &took);
		if (ret)
			return ret;
		if (took < shortest) {
			shortest = took;
			*clock = seen;
		}
	}
	clock->clock -= offset;

	return 0;
}

static int init_session(struct uev_session *session,
			const struct uev_session_options *options)
{
	struct perf_event_attr attr;
	int ret;

	ret = set_options(session, options);
	if (!ret)
		ret = copy_cpus(session);
	if (!ret)
		ret = uev_tracefs_directory(session->options.tracefs,
					    &session->tracefs);
	if (!ret)
		ret = calibrate_clock(session);
	if (!ret)
		ret = uev_session_find_targets(session, &session->options);
	if (ret)
		return ret;

	attr = uev_session_attr(session);
	uev_attr_read(&session->attr, &attr, sizeof(attr), uev_host_is_big());
	session->has_lost = true;
	session->queue.newest_first = session->options.flags &
				      UEV_SESSION_OVERWRITE;
	session->record = malloc(UEV_RING_RECORD_MAX);
	if (!session->record)
		return -ENOMEM;
	session->epoll = uev_sys_perf_epoll();
	if (session->epoll < 0)
		return session->epoll;

	ret = uev_session_make_buffers(session);

	return ret ? ret : uev_session_make_name_rings(session);
}

int uev_session_open(struct uev_session **session,
		     const struct uev_session_options *options)
{
	struct uev_session *opened = calloc(1, sizeof(*opened));
	int ret;

	*session = NULL;
	if (!opened)
		return -ENOMEM;
	opened->epoll = -1;

	ret = init_session(opened, options);
	if (!ret && !opened->buffer_count)
		ret = -ENODEV;
	if (ret) {
		uev_session_close(opened);
		return ret;
	}
	/* Keeps no pointers to memory of the caller. */
	opened->options.cpus = NULL;
	opened->options.pids = NULL;
	opened->options.tracefs = NULL;
	*session = opened;

	return 0;
}

void uev_session_close(struct uev_session *session)
{
	if (!session)
		return;
	uev_session_free_events(session);
	uev_session_free_buffers(session);
	uev_session_free_names(session);
	uev_session_free_vpids(session);
	if (session->epoll >= 0)
		uev_sys_perf_close(session->epoll);
	uev_queue_free(&session->queue);
	uev_id_table_free(&session->by_id);
	uev_id_table_free(&session->late_by_id);
	uev_id_table_free(&session->by_name);
	uev_source_table_free(&session->sources);
	uev_session_free_patterns(session);
	uev_cpu_list_free(&session->cpus);
	free(session->targets);
	free(session->tracefs);
	free(session->record);
	free(session);
}

int uev_session_start(struct uev_session *session)
{
	/* The thread of the first record needs a name, too. */
	int ret = uev_session_start_names(session);

	if (!ret)
		ret = uev_session_control(session, PERF_EVENT_IOC_ENABLE);
	if (ret)
		uev_session_stop(session);
	else
		session->started = session->running = true;

	return ret;
}

int uev_session_stop(struct uev_session *session)
{
	/* No search follows. An error of this one does not keep it running. */
	if (session->running)
		uev_session_count_dead(session);
	session->running = false;
	uev_session_stop_names(session);

	return uev_session_control(session, PERF_EVENT_IOC_DISABLE);
}

int uev_session_fd(const struct uev_session *session)
{
	return session->epoll;
}

int uev_session_clock(const struct uev_session *session,
		      struct uev_clock *clock)
{
	if (session->clock.clockid == UEV_CLOCK_PERF)
		return -ENODATA;
	*clock = session->clock;

	return 0;
}

const struct uev_source *uev_session_source(const struct uev_session *session,
					    uint32_t index)
{
	return uev_source_table_at(&session->sources, index);
}

const char *uev_session_comm(const struct uev_session *session, uint32_t tid)
{
	return uev_comms_get(&session->names.comms, tid);
}

const struct uev_mapping *uev_session_mapping(const struct uev_session *session,
					      uint32_t pid, uint64_t address)
{
	return uev_mappings_find(&session->mappings, pid, address);
}

void uev_session_stats(const struct uev_session *session,
		       struct uev_trace_stats *counts, size_t size)
{
	struct uev_trace_stats sum = { 0 };
	size_t i;

	for (i = 0; i < session->buffer_count; i++)
		uev_counts_add(&sum, &session->buffers[i].counts);
	sum.records -= session->skipped;
	sum.forks_lost = session->forks_lost;
	sum.interrupted = session->interrupted;
	sum.unreadable_maps = session->unreadable_maps;
	uev_counts_copy(counts, size, &sum);
}

int uev_session_buffer_stats(const struct uev_session *session, uint32_t index,
			     unsigned int *cpu, struct uev_trace_stats *counts,
			     size_t size)
{
	if (index >= session->buffer_count)
		return -ENOENT;
	*cpu = session->buffers[index].cpu;
	uev_counts_copy(counts, size, &session->buffers[index].counts);

	return 0;
}
