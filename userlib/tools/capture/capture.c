// SPDX-License-Identifier: MIT
#include "capture/capture.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "capture/signals.h"

/* A record waits so long at most, in milliseconds, before it is shown. */
#define LOOK_EVERY 100

/*
 * How often new events are looked for, in milliseconds: a command that has just
 * begun is about to register some. It takes no more than such a share of the
 * time, however many there are.
 */
#define SCAN_EVERY 250
#define SCAN_EVERY_OF_COMMAND 50
#define SCAN_SHARE 50

uint64_t live_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Every event takes a descriptor on every processor. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int cannot_open(int error)
{
	switch (error) {
	case -ENOENT:
		tool_error("there is no tracefs, or no right to read it: see "
			   "\"user-events doctor\"");
		return TOOL_FAILED;
	case -ESRCH:
		tool_error("there is no such process");
		return TOOL_FAILED;
	case -ENODEV:
		tool_error("none of these processors is online");
		return TOOL_FAILED;
	case -EACCES:
	case -EPERM:
		return tool_error_of(error, "cannot collect events, which "
					    "root may, and who has CAP_PERFMON "
					    "and may read tracefs");
	default:
		return tool_error_of(error, "cannot collect events");
	}
}

static int open_session(struct live *live)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	const struct live_options *given = live->options;
	pid_t child = live->workload.pid;
	int ret;

	options.buffer_size = given->buffer_size;
	options.clockid = given->clockid;
	options.cpus = given->cpus;
	options.cpu_count = given->cpu_count;
	options.pids = given->pids;
	options.pid_count = given->pid_count;
	if (child && !given->everywhere) {
		options.pids = &child;
		options.pid_count = 1;
	}
	if (options.pid_count)
		options.flags |= UEV_SESSION_INHERIT;
	if (given->is_snapshot)
		options.flags |= UEV_SESSION_OVERWRITE;
	if (given->has_names)
		options.flags |= UEV_SESSION_COMMS;

	ret = uev_session_open(&live->session, &options);

	return ret ? cannot_open(ret) : TOOL_OK;
}

static int add_pattern(struct live *live, const char *pattern)
{
	const char *filter = live->options->filter;
	int ret = uev_session_add(live->session, pattern, filter);

	if (ret == -EINVAL && filter) {
		tool_error("the kernel does not take \"%s\" for a filter of "
			   "\"%s\"",
			   filter, pattern);
		return TOOL_USAGE;
	}
	if (ret < 0)
		return tool_error_of(ret, "cannot collect \"%s\"", pattern);

	return TOOL_OK;
}

static int prepare(struct live *live)
{
	const struct live_options *options = live->options;
	int status = open_session(live);
	size_t i;

	for (i = 0; i < options->pattern_count && !status; i++)
		status = add_pattern(live, options->patterns[i]);

	return status;
}

int live_begin(struct live *live, const struct live_options *options)
{
	int status, ret;

	*live = (struct live){ .options = options, .input = -1 };
	if (options->command) {
		ret = live_workload_make(&live->workload, options->command);
		if (ret)
			return tool_error_of(ret, "cannot make a process");
	}
	/* What is changed from here on is not the business of the command. */
	live_signals_begin();
	if (options->command)
		live_signals_add(SIGCHLD);
	raise_limit();

	status = prepare(live);
	if (status)
		live_end(live);

	return status;
}

static uint64_t scan_every(const struct live *live)
{
	return live->options->command ? SCAN_EVERY_OF_COMMAND : SCAN_EVERY;
}

int live_start(struct live *live)
{
	int ret = uev_session_start(live->session);

	if (ret)
		return tool_error_of(ret, "cannot begin to collect");
	live->next_scan = live_now() + scan_every(live);
	if (!live->options->command)
		return TOOL_OK;
	ret = live_workload_go(&live->workload);
	if (!ret)
		return TOOL_OK;
	tool_error_of(ret, "cannot run \"%s\"", live->options->command[0]);

	return live->workload.status;
}

/* What is wrong with a new event is no reason to leave the others alone. */
static void scan(struct live *live)
{
	uint64_t began = live_now(), took;
	int ret = uev_session_rescan(live->session);

	if (ret < 0 && ret != live->scan_error) {
		tool_error_of(ret, "cannot collect all events that are new");
		live->scan_error = ret;
	}
	took = (live_now() - began) * SCAN_SHARE;
	live->next_scan = began + scan_every(live);
	if (live->next_scan < began + took)
		live->next_scan = began + took;
}

/* The processes that were asked for are gone, each of them. */
static bool all_gone(const struct live_options *options)
{
	size_t i;

	for (i = 0; i < options->pid_count; i++)
		if (kill(options->pids[i], 0) == 0 || errno != ESRCH)
			return false;

	return options->pid_count;
}

/*
 * The command goes on until it has ended, which it is told to: by a terminal it
 * was. Who asks twice is not to be kept waiting.
 */
static bool is_over(struct live *live)
{
	struct live_workload *workload = &live->workload;
	int ends = live_signals.ends;

	live_signals.child = 0;
	if (!workload->pid)
		return ends > 0;
	if (live_workload_look(workload))
		return true;
	if (ends > live->ends_seen && (live_signals.end_was_sent || ends > 1))
		kill(workload->pid, ends > 1 ? SIGTERM : live_signals.end);
	live->ends_seen = ends;

	return ends > 1;
}

bool live_wait(struct live *live, int timeout)
{
	struct pollfd fds[] = {
		{ .fd = live->input, .events = POLLIN },
		{ .fd = live->is_passive ? -1 : uev_session_fd(live->session),
		  .events = POLLIN },
	};

	if (is_over(live))
		return false;
	if (timeout > LOOK_EVERY)
		timeout = LOOK_EVERY;
	poll(fds, ARRAY_SIZE(fds), timeout);
	if (is_over(live))
		return false;
	if (live_now() < live->next_scan)
		return true;
	scan(live);

	return !all_gone(live->options);
}

ssize_t live_read(struct live *live, unsigned int flags)
{
	ssize_t ret = uev_session_read(live->session, flags);

	if (ret < 0) {
		tool_error_of((int)ret, "cannot read the buffers");
		return -1;
	}

	return ret;
}

int live_stop(struct live *live)
{
	int ret;

	/* A process may have ended with what it had registered just before. */
	scan(live);
	ret = uev_session_stop(live->session);

	return ret ? tool_error_of(ret, "cannot stop to collect") : TOOL_OK;
}

uint64_t live_new_losses(struct live *live)
{
	struct uev_counts counts = { .size = sizeof(counts) };
	uint64_t told = live->told_lost;

	uev_session_counts(live->session, &counts);
	if (counts.lost <= told)
		return 0;
	live->told_lost = counts.lost;

	return counts.lost - told;
}

uint64_t live_last_losses(struct live *live, const struct live_totals *totals)
{
	uint64_t told = live->told_lost;

	if (totals->lost <= told)
		return 0;
	live->told_lost = totals->lost;

	return totals->lost - told;
}

int live_totals(const struct live *live, struct live_totals *totals)
{
	struct uev_counts counts = { .size = sizeof(counts) };
	uint64_t hits, lost, exact = 0;
	bool is_exact = true;
	uint32_t i;
	int ret;

	*totals = (struct live_totals){ 0 };
	for (i = 0; uev_session_source(live->session, i); i++) {
		ret = uev_session_source_counts(live->session, i, &hits, &lost);
		if (ret)
			return tool_error_of(ret, "cannot read what the kernel "
						  "has counted");
		totals->hits += hits;
		is_exact = is_exact && lost != UINT64_MAX;
		exact += lost;
	}
	uev_session_counts(live->session, &counts);
	totals->read = counts.records;
	totals->bytes = counts.bytes;
	totals->corrupt = counts.corrupt;
	totals->lost = is_exact ? exact : counts.lost;
	/* Kernels before 6.0 tell no more than how many there were. */
	if (!is_exact && !live->options->is_snapshot &&
	    totals->lost + totals->read + totals->corrupt < totals->hits)
		totals->lost = totals->hits - totals->read - totals->corrupt;

	return TOOL_OK;
}

static bool is_there(const struct live *live, const char *pattern)
{
	const struct uev_source *source;
	uint32_t i;

	for (i = 0; (source = uev_session_source(live->session, i)); i++)
		if (live_matches(pattern, source->system, source->name))
			return true;

	return false;
}

int live_missing(const struct live *live)
{
	const struct live_options *options = live->options;
	int status = TOOL_OK;
	size_t i;

	for (i = 0; i < options->pattern_count && !options->is_default; i++) {
		if (is_there(live, options->patterns[i]))
			continue;
		tool_error("there is no event \"%s\"", options->patterns[i]);
		status = TOOL_NOT_FOUND;
	}

	return status;
}

int live_status(const struct live *live, int status)
{
	const struct live_workload *workload = &live->workload;

	if (workload->pid && workload->has_ended && workload->status)
		return workload->status;

	return status;
}

void live_end(struct live *live)
{
	live_workload_end(&live->workload);
	uev_session_close(live->session);
}
