// SPDX-License-Identifier: MIT
#include "capture/capture.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/close.h"
#include "capture/detached.h"
#include "capture/execs.h"
#include "events/filter.h"
#include "capture/missing.h"
#include "capture/signals.h"
#include "files.h"

/* Maximum delay of a record before it is processed, in milliseconds. */
#define POLL_INTERVAL_MS 100

/*
 * Intervals of searches for new events, in milliseconds. They are shorter with
 * a command, which registers its events soon after its start. SCAN_SHARE limits
 * the CPU time of searches to a fraction of the total, for any number of events;
 * a larger one with a command, whose events exist only while it runs.
 */
#define SCAN_INTERVAL_MS 250
#define SCAN_INTERVAL_COMMAND_MS 10
#define SCAN_SHARE 50
#define SCAN_SHARE_COMMAND 5

/* The capture between its start and its end, for capture_serve() */
static struct capture *running;

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* Each event takes a descriptor per processor. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void hint_at_permission(int error)
{
	_cleanup_free_ char *paranoid = NULL;

	if (error != -EACCES && error != -EPERM)
		return;
	paranoid = files_line(PARANOID);
	tool_hint("run as root, or with CAP_PERFMON and permission to read "
		  "tracefs (perf_event_paranoid is %s); see \"user-events "
		  "doctor\"",
		  paranoid ? paranoid : "unknown");
}

static int report_open_error(int error)
{
	switch (error) {
	case -ENOENT:
		tool_error("tracefs: not mounted or not readable");
		tool_hint("run \"user-events doctor\"");
		return TOOL_FAILED;
	case -ESRCH:
		tool_error("--pid: no such process");
		return TOOL_FAILED;
	case -ENODEV:
		tool_error("--cpu: no such processor online");
		return TOOL_FAILED;
	default:
		tool_error_of(error, "session: cannot open");
		hint_at_permission(error);
		return TOOL_FAILED;
	}
}

static int open_session(struct capture *capture)
{
	struct uev_session_options options;
	int ret;

	capture_session_options(&options, capture->options,
				&capture->workload.pid);
	ret = uev_session_open(&capture->session, &options);
	if (ret)
		return report_open_error(ret);
	capture->losses.session = capture->session;
	capture->losses.options = capture->options;
	capture->gaps.session = capture->session;
	capture->gaps.options = capture->options;

	return TOOL_OK;
}

static int add_pattern(struct capture *capture, const char *pattern)
{
	const char *filter = capture->options->filter;
	int ret = uev_session_add(capture->session, pattern, filter);

	if (ret == -EINVAL && filter) {
		events_filter_explain(pattern, filter);
		return TOOL_USAGE;
	}
	if (ret < 0)
		tool_error_of(ret, "%s: cannot collect", pattern);
	hint_at_permission(ret);
	if (ret == -ENOENT && capture->options->cgroup_fd >= 0)
		tool_hint("enable the controller of perf with any other: echo "
			  "+memory >/sys/fs/cgroup/cgroup.subtree_control");

	return ret < 0 ? TOOL_FAILED : TOOL_OK;
}

static int prepare(struct capture *capture)
{
	const struct capture_options *options = capture->options;
	int status = open_session(capture);
	size_t i;

	for (i = 0; i < options->pattern_count && !status; i++)
		status = add_pattern(capture, options->patterns[i]);

	return status;
}

/* Its programs are known before they run, if that is possible. */
static int fork_command(struct capture *capture)
{
	struct capture_workload *workload = &capture->workload;
	int ret;

	capture->execs = capture_execs_open();
	if (capture->execs > 0)
		workload->execs = capture->execs;
	ret = capture_workload_fork(workload, capture->options->command);
	if (!ret && workload->is_apart)
		capture->execs =
			capture_execs_watch(capture->execs, workload->pid);
	else
		capture_execs_close(&capture->execs);

	return ret ? tool_error_of(ret, "cannot fork") : TOOL_OK;
}

int capture_open(struct capture *capture, const struct capture_options *options)
{
	int status;

	*capture = (struct capture){
		.options = options,
		.input = -1,
		.execs = -1,
	};
	if (options->command) {
		status = fork_command(capture);
		if (status)
			return status;
	}
	/* Changes from here on must not affect the command. */
	capture_signals_catch();
	if (options->command)
		capture_signals_add(SIGCHLD);
	raise_limit();

	status = capture_known_options(&capture->known, options);
	if (!status)
		status = prepare(capture);
	if (status)
		capture_close(capture);

	return status;
}

static uint64_t scan_interval(const struct capture *capture)
{
	return capture->options->command ? SCAN_INTERVAL_COMMAND_MS
					 : SCAN_INTERVAL_MS;
}

static void report_scan_error(struct capture *capture, int error)
{
	const struct capture_options *options = capture->options;
	size_t i;

	tool_error_of(error, "session: cannot add new events");
	hint_at_permission(error);
	for (i = 0; i < options->pattern_count; i++)
		if (error == -EINVAL && options->filter)
			events_filter_explain(options->patterns[i],
					      options->filter);
	capture->scan_error = error;
}

/* An error of a new event must not stop the others. */
static void scan(struct capture *capture)
{
	uint64_t start = tool_now(), used = tool_cpu_time(), pause;
	int ret = uev_session_rescan(capture->session);

	if (ret < 0 && ret != capture->scan_error)
		report_scan_error(capture, ret);
	capture_gaps_begin(&capture->gaps);
	capture_losses_begin(&capture->losses);
	pause = (tool_cpu_time() - used) *
		(capture->options->command ? SCAN_SHARE_COMMAND : SCAN_SHARE);
	capture->next_scan = start + scan_interval(capture);
	if (capture->next_scan < start + pause)
		capture->next_scan = start + pause;
}

/* ---- Programs of the command ---- */

static void report_detached(struct capture *capture, const char *path)
{
	char name[PATH_MAX];
	ssize_t length = readlink(path, name, sizeof(name));

	tool_error("%.*s: has other rights than its user, or is not readable: "
		   "perf does not follow it",
		   (int)(length > 0 ? length : 0), name);
	tool_hint("record all processes");
	capture->misses_program = true;
}

/*
 * Registers the events of a program before it runs. Those that exist already are
 * found first, because records of these can be missing.
 */
static void take_program(void *data, const char *path, pid_t pid)
{
	_cleanup_(definitions_free) struct definitions definitions = { 0 };
	struct capture *capture = data;
	struct capture_losses *losses = &capture->losses;
	size_t source;

	if (capture_follows(capture->options) && !capture->misses_program &&
	    capture_is_detached(pid, path))
		report_detached(capture, path);
	capture_known_find(&capture->known, capture->options, path,
			   &definitions);
	if (definitions.count) {
		scan(capture);
		source = losses->source_count;
		capture_known_register(&capture->known, &definitions);
		scan(capture);
		for (; source < losses->source_count; source++)
			losses->sources[source].is_complete = true;
	}
}

static void serve_programs(struct capture *capture)
{
	capture_execs_serve(capture->execs, take_program, capture);
}

/* The command is a program, too. */
static int start_command(struct capture *capture)
{
	struct pollfd fds[] = {
		{ .fd = capture->execs, .events = POLLIN },
		{ .fd = capture->workload.failed, .events = POLLIN },
	};

	capture_workload_go(&capture->workload);
	while (capture->execs >= 0 && !fds[1].revents) {
		poll(fds, ARRAY_SIZE(fds), -1);
		serve_programs(capture);
	}

	return capture_workload_result(&capture->workload);
}

int capture_start(struct capture *capture)
{
	int ret = uev_session_start(capture->session);

	if (ret)
		return tool_error_of(ret, "session: cannot start");
	running = capture;
	capture_gaps_begin(&capture->gaps);
	capture_losses_begin(&capture->losses);
	capture->next_scan = tool_now() + scan_interval(capture);
	capture->until = tool_now() + capture->options->duration;
	capture_missing_at_start(capture->options, capture->session);
	if (!capture->options->command)
		return TOOL_OK;
	ret = start_command(capture);
	if (!ret)
		return TOOL_OK;
	tool_error_of(ret, "%s: cannot run", capture->options->command[0]);

	return capture->workload.status;
}

/* Tests whether all processes of --pid have exited. */
static bool all_exited(const struct capture_options *options)
{
	size_t i;

	for (i = 0; i < options->pids.count; i++)
		if (kill(options->pids.pids[i], 0) == 0 || errno != ESRCH)
			return false;

	return options->pids.count;
}

/*
 * The command is not waited for, and its status does not count. It gets one
 * signal, since some programs clean up after the first and stop at the second.
 */
static void terminate(struct capture *capture)
{
	const struct capture_workload *workload = &capture->workload;

	if (workload->pid && !workload->has_ended && !capture->is_terminated)
		kill(workload->pid, SIGTERM);
	capture->is_terminated = true;
}

/*
 * The capture continues until the command exits. A terminal sends a stop signal
 * to the command as well; any other is forwarded. The second one terminates the
 * command.
 */
static bool is_finished(struct capture *capture)
{
	struct capture_workload *workload = &capture->workload;
	int stop_requests = capture_signals.stop_requests;

	if (!workload->pid)
		return stop_requests > 0;
	if (capture_workload_poll(workload))
		return true;
	if (stop_requests > 1)
		terminate(capture);
	else if (stop_requests > capture->stop_requests_seen &&
		 capture_signals.stop_was_sent)
		kill(workload->pid, capture_signals.stop_signal);
	capture->stop_requests_seen = stop_requests;

	return stop_requests > 1;
}

static bool is_over(struct capture *capture)
{
	if (!capture->options->duration || tool_now() < capture->until)
		return false;
	terminate(capture);
	capture->is_over = true;

	return true;
}

bool capture_serve(void)
{
	if (!running)
		return capture_signals.stop_requests;
	serve_programs(running);

	return is_finished(running) || is_over(running) ||
	       all_exited(running->options) || capture_signals.stop_requests;
}

void capture_abandon(void)
{
	if (running)
		terminate(running);
}

/* Returns @timeout, or the milliseconds until @due if shorter. */
static int until(uint64_t due, int timeout)
{
	uint64_t now = tool_now(), left = due > now ? due - now : 0;

	return left < (uint64_t)timeout ? (int)left : timeout;
}

int capture_time_left(uint64_t last, uint64_t interval)
{
	return interval ? until(last + interval, INT_MAX) : INT_MAX;
}

/*
 * Returns @timeout, or the time until the next search, the next read or the end
 * if shorter.
 */
static int poll_timeout(const struct capture *capture, int timeout)
{
	if (timeout > POLL_INTERVAL_MS)
		timeout = POLL_INTERVAL_MS;
	if (capture->options->duration)
		timeout = until(capture->until, timeout);

	return until(capture->next_scan, timeout);
}

bool capture_wait(struct capture *capture, int timeout)
{
	struct pollfd fds[] = {
		{ .fd = capture->input, .events = POLLIN },
		{ .fd = capture->is_passive ? -1
					    : uev_session_fd(capture->session),
		  .events = POLLIN },
		{ .fd = capture->execs, .events = POLLIN },
	};

	if (is_finished(capture) || is_over(capture))
		return false;
	poll(fds, ARRAY_SIZE(fds), poll_timeout(capture, timeout));
	serve_programs(capture);
	if (is_finished(capture) || is_over(capture))
		return false;
	if (tool_now() < capture->next_scan)
		return true;
	scan(capture);

	return !all_exited(capture->options);
}

ssize_t capture_read(struct capture *capture, unsigned int flags)
{
	ssize_t ret = uev_session_read(capture->session, flags);

	if (ret < 0) {
		tool_error_of((int)ret, "session: cannot read buffers");
		return -1;
	}
	capture->has_drained |= flags & UEV_READ_DRAIN;

	return ret;
}

int capture_stop(struct capture *capture)
{
	int ret;

	/* A limit of the sink can end the capture earlier. */
	terminate(capture);
	/* Of processes that outlive the command */
	capture_execs_close(&capture->execs);
	/* A process might have registered an event just before it exited. */
	scan(capture);
	capture_gaps_end(&capture->gaps);
	capture_losses_read(&capture->losses);
	ret = uev_session_stop(capture->session);
	capture->has_stopped = true;
	capture_gaps_count(&capture->gaps, &capture->losses);

	return ret ? tool_error_of(ret, "session: cannot stop") : TOOL_OK;
}

int capture_totals(const struct capture *capture, struct capture_totals *totals)
{
	struct uev_trace_stats counts;
	uint64_t hits, lost, exact = 0;
	bool is_exact = true;
	uint32_t i;
	int ret;

	*totals = (struct capture_totals){ 0 };
	for (i = 0; uev_session_source(capture->session, i); i++) {
		ret = uev_session_source_stats(capture->session, i, &hits,
					       &lost);
		if (ret)
			return tool_error_of(ret, "session: cannot read "
						  "counters");
		totals->hits += hits;
		is_exact = is_exact && lost != UINT64_MAX;
		exact += lost;
	}
	uev_session_stats(capture->session, &counts, sizeof(counts));
	totals->unseen = capture->losses.unseen;
	totals->read = counts.records;
	totals->corrupt = counts.corrupt;
	totals->lost = is_exact ? exact : counts.lost;
	/*
	 * Kernels before 6.0 report only the number of events. At a limit, such
	 * as that of --count, the buffers are not read to the end.
	 */
	if (!is_exact && capture->has_drained &&
	    !capture->options->is_snapshot &&
	    totals->lost + totals->read + totals->corrupt < totals->hits)
		totals->lost = totals->hits - totals->read - totals->corrupt;

	return TOOL_OK;
}

int capture_report_gaps(const struct capture *capture)
{
	int status = capture_removed_report(&capture->losses.removed);
	int gaps = capture_gaps_report(&capture->gaps, &capture->losses);

	/* These were printed. */
	if (capture->scan_error || capture->misses_program)
		return TOOL_INCOMPLETE;

	return gaps ? gaps : status;
}

int capture_status(const struct capture *capture, int status)
{
	const struct capture_workload *workload = &capture->workload;

	if (workload->pid && workload->has_ended && workload->status)
		return workload->status;

	return status;
}

void capture_close(struct capture *capture)
{
	running = NULL;
	/* After a failure */
	terminate(capture);
	capture_execs_close(&capture->execs);
	capture_workload_finish(&capture->workload);
	capture_close_session(capture->session);
	capture_known_release(&capture->known);
	capture_gaps_release(&capture->gaps);
	capture_losses_release(&capture->losses);
}
