// SPDX-License-Identifier: MIT
/*
 * Live collection: arguments for the kernel, the end of a capture, counters,
 * commands, and output to slow readers.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/fake_sys.h"
#include "lib/fake_sys_perf.h"
#include "capture/capture.h"
#include "capture/clock.h"
#include "capture/detached.h"
#include "capture/execs.h"
#include "capture/file.h"
#include "capture/known.h"
#include "capture/missing.h"
#include "capture/names.h"
#include "capture/nearest.h"
#include "capture/output.h"
#include "capture/signals.h"
#include "files.h"
#include "formats/schemas.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "source/live.h"
#include "tool.h"
#include "ui/out.h"

enum {
	ALPHA = 301,
	BETA = 302
};

static const char *const all[] = { "*" };
static struct capture_options options;
static struct capture capture;

static void setup(void)
{
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	fake_perf_begin();
	fake_perf_file("/sys/devices/system/cpu/online", "0\n");
	fake_perf_tracepoint("user_events", "alpha", ALPHA);
	options = (struct capture_options)CAPTURE_OPTIONS_INIT;
	options.is_default = true;
	options.patterns = all;
	options.pattern_count = 1;
}

static void teardown(void)
{
	capture_options_release(&options);
	fake_perf_end();
}

TEST_FIXTURE(setup, teardown);

static void begin(void)
{
	ck_assert_int_eq(capture_open(&capture, &options), TOOL_OK);
	ck_assert_int_eq(capture_start(&capture), TOOL_OK);
	/* The fake has no descriptor to wait for. */
	capture.is_passive = true;
}

static void end(void)
{
	capture_close(&capture);
	ck_assert_int_eq(fake_perf.open_fds, 0);
	ck_assert_int_eq(fake_perf.maps, 0);
}

static void end_by_signal(void)
{
	ck_assert(capture_wait(&capture, 0));
	raise(SIGTERM);
	ck_assert(!capture_wait(&capture, 0));
	ck_assert_int_eq(capture_signals.stop_signal, SIGTERM);
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	end();
}

TEST(runs_until_a_signal)
{
	begin();
	end_by_signal();
}

/* As with nohup(1) */
TEST(runs_until_another_signal_than_an_ignored_one)
{
	signal(SIGHUP, SIG_IGN);
	begin();
	raise(SIGHUP);
	end_by_signal();
	signal(SIGHUP, SIG_DFL);
}

TEST(runs_for_a_duration)
{
	options.duration = 1;
	begin();
	while (capture_wait(&capture, 1000))
		continue;
	ck_assert(capture.is_over);
	ck_assert_uint_ge(tool_now(), capture.until);
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	end();
}

TEST(duration_terminates_the_command)
{
	char *command[4] = { "sleep", "9999", NULL };
	int status;

	options.command = command;
	options.everywhere = true;
	options.duration = 1;
	begin();
	while (capture_wait(&capture, 1000))
		continue;
	ck_assert_int_eq(waitpid(capture.workload.pid, &status, 0),
			 capture.workload.pid);
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
	end();
}

/* Such as at --count */
TEST(stop_terminates_the_command)
{
	char *command[4] = { "sleep", "9999", NULL };
	int status;

	options.command = command;
	options.everywhere = true;
	begin();
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	ck_assert_int_eq(waitpid(capture.workload.pid, &status, 0),
			 capture.workload.pid);
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
	end();
}

/* Such as those of losses */
TEST(times_are_those_of_the_initial_time_namespace)
{
	uint64_t now = capture_clock_time(CLOCK_MONOTONIC_RAW);

	fake_perf_time_namespace("monotonic   -100000   0\n", true);
	ck_assert_uint_ge(capture_clock_time(CLOCK_MONOTONIC),
			  now + UINT64_C(99999000000000));
	ck_assert_uint_ge(capture_clock_time(CLOCK_MONOTONIC),
			  now + UINT64_C(99999000000000));
}

/* Timeouts are integers, and intervals of days are longer. */
TEST(bounds_timeouts)
{
	uint64_t now = tool_now(), max = (uint64_t)TOOL_TIME_MAX;

	ck_assert_int_eq(capture_time_left(now, 0), INT_MAX);
	ck_assert_int_eq(capture_time_left(now, max), INT_MAX);
	ck_assert_int_eq(capture_time_left(now - 5, 5), 0);
	ck_assert_int_gt(capture_time_left(now, 3600 * 1000), 0);
}

/* Another process holds them until they are closed here. */
TEST(closes_many_events)
{
	int own, said, i;
	char name[16];

	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "many_%d", i);
		fake_perf_tracepoint("user_events", name, 1000 + i);
	}
	begin();
	said = memfd_create("said", MFD_CLOEXEC);
	own = dup(STDERR_FILENO);
	ck_assert(said >= 0 && own >= 0);
	dup2(said, STDERR_FILENO);
	end();
	dup2(own, STDERR_FILENO);
	/* On a busy machine, the process that closes them can be left, but named. */
	if (waitpid(-1, NULL, 0) > 0)
		ck_assert_int_gt(lseek(said, 0, SEEK_END), 0);
	else
		ck_assert_int_eq(errno, ECHILD);
	close(own);
	close(said);
}

TEST(new_events_are_found)
{
	begin();
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, BETA), 0);
	fake_perf_tracepoint("user_events", "beta", BETA);
	capture.next_scan = 0;
	ck_assert(capture_wait(&capture, 0));
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, BETA), 1);
	ck_assert_uint_gt(capture.next_scan, tool_now());
	end();
}

/* As when the kernel opens events again, or reads them, after a suspend. */
TEST(waiting_for_the_kernel_does_not_delay_the_next_search)
{
	begin();
	fake_perf_tracepoint("user_events", "beta", BETA);
	fake_perf.wait_us = 100000;
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, false);
	ck_assert_uint_lt(capture.losses.next_read, tool_now() + 2000);
	capture.next_scan = 0;
	ck_assert(capture_wait(&capture, 0));
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, BETA), 1);
	ck_assert_uint_lt(capture.next_scan, tool_now() + 2000);
	end();
}

TEST(continues_after_a_failed_new_event)
{
	begin();
	fake_perf_tracepoint("user_events", "beta", BETA);
	fake_perf.missing = BETA;
	capture.next_scan = 0;
	ck_assert(capture_wait(&capture, 0));
	ck_assert_int_eq(capture.scan_error, -EINVAL);
	end();
}

TEST(reports_missing_events)
{
	static const char *const patterns[] = { "al*", "beta" };

	options.patterns = patterns;
	options.pattern_count = 2;
	options.is_default = false;
	begin();
	ck_assert_int_eq(capture_missing_at_end(&options, capture.session),
			 TOOL_NOT_FOUND);
	options.pattern_count = 1;
	ck_assert_int_eq(capture_missing_at_end(&options, capture.session),
			 TOOL_OK);
	end();
}

/* One that appears between two searches is no mistake. */
TEST(finds_the_nearest_other_event)
{
	_cleanup_free_ char *nearest = capture_nearest("user_events:alpa");

	ck_assert_str_eq(nearest, "user_events:alpha");
	ck_assert_ptr_null(capture_nearest("alpha"));
	ck_assert_ptr_null(capture_nearest("user_events:alpha"));
}

TEST(reports_a_bad_filter)
{
	options.filter = "bad";
	ck_assert_int_eq(capture_open(&capture, &options), TOOL_USAGE);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

TEST(reports_a_missing_tracefs)
{
	fake_perf_remove("/sys/kernel");
	ck_assert_int_eq(capture_open(&capture, &options), TOOL_FAILED);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

/* Return: whether there is a message with @text */
static bool has_message(const char *text)
{
	_cleanup_free_ char *messages = printed_text(stderr);

	return strstr(messages, text);
}

/* tracefs, or the events of perf */
TEST_LOOP(reports_missing_permission, 3)
{
	printed_begin(stderr);
	fake_perf.fail_at = _i == 0;
	fake_perf.fail_with = -EACCES;
	fake_perf.denied = _i == 1 ? -EACCES : -EPERM;
	ck_assert_int_eq(capture_open(&capture, &options), TOOL_FAILED);
	ck_assert_int_eq(fake_perf.open_fds, 0);
	ck_assert(has_message("CAP_PERFMON"));
	ck_assert(has_message("user-events doctor"));
}

/* Returns the number of lost records that were found since the last call. */
static uint64_t new_losses(void)
{
	struct uev_loss loss;
	uint64_t sum = 0;

	capture_losses_find(&capture.losses, capture.has_stopped);
	while (loss_queue_take(&capture.losses.found, UINT64_MAX, &loss)) {
		ck_assert_uint_eq(loss.flags, UEV_HAS_TIME | UEV_HAS_CPU);
		ck_assert_uint_eq(loss.cpu, 0);
		ck_assert_uint_le(loss.from, loss.to);
		ck_assert_str_eq(loss.reason, UEV_LOSS_PERF_BUFFER);
		/* Before Linux 6.0, buffers count, and not events. */
		if (fake_perf.no_lost)
			ck_assert_ptr_null(loss.source);
		else
			ck_assert_str_eq(loss.source->name, "alpha");
		sum += loss.count;
	}

	return sum;
}

/* Everything that happens is read or lost, and that adds up. */
static void check_sum(void)
{
	struct capture_totals totals;
	uint64_t emitted = 0;

	begin();
	while (fake_perf_emit(ALPHA, 0, ++emitted, "12345678", 8))
		continue;
	fake_perf_emit(ALPHA, 0, ++emitted, "12345678", 8);
	ck_assert_int_gt(capture_read(&capture, 0), 0);
	capture.losses.next_read = UINT64_MAX;
	ck_assert_uint_eq(new_losses(), 0);
	/* Now the record fits, and the kernel reports lost records. */
	fake_perf_emit(ALPHA, 0, ++emitted, "12345678", 8);
	ck_assert_int_gt(capture_read(&capture, 0), 0);
	ck_assert_uint_eq(new_losses(), 2);
	ck_assert_uint_eq(new_losses(), 0);
	ck_assert_int_eq(capture_totals(&capture, &totals), TOOL_OK);
	ck_assert_uint_eq(totals.hits, emitted);
	ck_assert_uint_eq(totals.lost, 2);
	ck_assert_uint_eq(totals.read, emitted - 2);
	end();
}

TEST(records_and_losses_add_up)
{
	check_sum();
}

TEST(records_and_losses_add_up_before_linux_6_0)
{
	fake_perf.no_lost = true;
	check_sum();
}

TEST_LOOP(counts_losses_missing_from_buffers, 2)
{
	struct capture_totals totals;
	uint64_t emitted = 0;

	fake_perf.no_lost = _i;
	begin();
	while (fake_perf_emit(ALPHA, 0, ++emitted, "12345678", 8))
		continue;
	ck_assert_int_gt(capture_read(&capture, UEV_READ_DRAIN), 0);
	capture.losses.next_read = UINT64_MAX;
	ck_assert_uint_eq(new_losses(), 0);
	ck_assert_int_eq(capture_totals(&capture, &totals), TOOL_OK);
	ck_assert_uint_eq(totals.lost, 1);
	/* At the end, the counters are read in any case. */
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	ck_assert_uint_eq(new_losses(), _i ? 0 : 1);
	end();
}

/* Such as those after the last one of --count */
TEST_LOOP(records_that_are_not_read_are_not_lost, 2)
{
	struct capture_totals totals;
	uint64_t time = 0;

	fake_perf.no_lost = _i;
	begin();
	ck_assert(fake_perf_emit(ALPHA, 0, ++time, "12345678", 8));
	ck_assert_int_ge(capture_read(&capture, 0), 0);
	ck_assert(fake_perf_emit(ALPHA, 0, ++time, "12345678", 8));
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	ck_assert_int_eq(capture_totals(&capture, &totals), TOOL_OK);
	ck_assert_uint_eq(totals.hits, 2);
	ck_assert_uint_eq(totals.read, 1);
	ck_assert_uint_eq(totals.lost, 0);
	end();
}

/* ---- Losses that the module counts ---- */

#define PROFILE "/sys/kernel/tracing/user_events_profile"

static void begin_with_profile(const char *profile)
{
	fake_perf_file(PROFILE, profile);
	capture = (struct capture){ 0 };
	ck_assert_int_eq(capture_open(&capture, &options), TOOL_OK);
	capture.losses.tracefs =
		tool_print("%s/sys/kernel/tracing", fake_perf.root);
	capture.gaps.tracefs = tool_copy(capture.losses.tracefs);
	ck_assert_int_eq(capture_start(&capture), TOOL_OK);
	capture.is_passive = true;
}

static void expect_loss(uint64_t count, const char *reason, uint32_t cpu)
{
	struct uev_loss loss;

	ck_assert(loss_queue_take(&capture.losses.found, UINT64_MAX, &loss));
	ck_assert_str_eq(loss.source->name, "alpha");
	ck_assert_uint_eq(loss.count, count);
	ck_assert_str_eq(loss.reason, reason);
	ck_assert_uint_le(loss.from, loss.to);
	ck_assert_uint_gt(loss.from, 0);
	ck_assert_uint_eq(loss.flags,
			  UEV_HAS_TIME |
				  (cpu == EVENTS_ALL_CPUS ? 0 : UEV_HAS_CPU));
	if (cpu != EVENTS_ALL_CPUS)
		ck_assert_uint_eq(loss.cpu, cpu);
}

static void expect_no_loss(void)
{
	struct uev_loss loss;

	ck_assert(!loss_queue_take(&capture.losses.found, UINT64_MAX, &loss));
}

TEST(losses_of_the_module_are_differences)
{
	struct capture_totals totals;

	begin_with_profile("  alpha 9 4 fault=1 perf_too_large=4 fault@0=1 "
			   "perf_too_large@0=3 perf_too_large@1=1\n");
	capture_losses_find(&capture.losses, capture.has_stopped);
	expect_no_loss();
	fake_perf_file(PROFILE,
		       "  alpha 19 6 fault=1 perf_too_large=6 perf_absent=2 "
		       "ftrace_filtered=7 fault@0=1 perf_too_large@0=3 "
		       "perf_too_large@1=3 ftrace_filtered@1=7 "
		       "perf_absent@3=2\n"
		       "  other 19 6 fault=1 fault@0=1\n");
	capture_losses_find(&capture.losses, capture.has_stopped);
	expect_no_loss();
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	expect_loss(2, "perf_too_large", 1);
	expect_loss(2, "perf_absent", 3);
	expect_no_loss();
	ck_assert_int_eq(capture_totals(&capture, &totals), TOOL_OK);
	/* No perf event was offered the others: they are missing. */
	ck_assert_uint_eq(totals.unseen, 2);

	/* Deleted and created again */
	fake_perf_file(PROFILE, "  alpha 0 0 nomem=1 nomem@0=1\n");
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	expect_loss(1, "nomem", 0);
	/* Not readable for a while */
	fake_perf_remove(PROFILE);
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	expect_no_loss();
	fake_perf_file(PROFILE, "  alpha 0 0 nomem=3 nomem@0=3\n");
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	expect_loss(2, "nomem", 0);
	expect_no_loss();
	end();
}

/* A module that does not tell the processors */
TEST(losses_of_all_processors)
{
	begin_with_profile("  alpha 0 0\n");
	fake_perf_file(PROFILE, "  alpha 0 0 invalid=5\n");
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	expect_loss(5, "invalid", EVENTS_ALL_CPUS);
	end();
}

/* Perf events are absent for all processes that are not asked for. */
TEST(losses_of_a_filter)
{
	options.filter = "value > 1";
	begin_with_profile("  alpha 0 0\n");
	fake_perf_file(PROFILE,
		       "  alpha 5 0 disabled=3 perf_too_large=1 perf_absent=4 "
		       "disabled@0=3 perf_too_large@0=1 perf_absent@0=4\n");
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	expect_loss(1, "perf_too_large", 0);
	expect_no_loss();
	end();
}

/* A record is counted where it is written, and the others are not captured. */
TEST(losses_of_some_processors)
{
	options.cpus = tool_alloc(sizeof(*options.cpus));
	options.cpu_count = 1;
	begin_with_profile("  alpha 0 0\n");
	fake_perf_file(PROFILE, "  alpha 5 0 fault=5 perf_absent=2 fault@0=2 "
				"fault@1=3 perf_absent@0=2\n");
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	expect_loss(2, "fault", 0);
	expect_no_loss();
	end();
}

/* As many as are kept */
#define LOSSES 4096

/* Such as those before a snapshot, which are not taken. */
TEST(many_losses_are_added_to_those_of_the_same_kind)
{
	struct uev_output profile = UEV_OUTPUT_INIT;
	struct uev_loss loss;
	uint32_t i;

	tool_put(&profile, "  alpha 0 0");
	for (i = 0; i < LOSSES; i++)
		tool_join(&profile, " ", "fault@%u=1", i);
	begin_with_profile("  alpha 0 0\n");
	fake_perf_file(PROFILE, profile.text);
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	tool_join(&profile, " ", "fault@%u=3 nomem@7=1", LOSSES - 1);
	fake_perf_file(PROFILE, profile.text);
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	for (i = 0; i < LOSSES - 1; i++)
		expect_loss(1, "fault", i);
	ck_assert(loss_queue_take(&capture.losses.found, UINT64_MAX, &loss));
	ck_assert_uint_eq(loss.cpu, LOSSES - 1);
	ck_assert_uint_eq(loss.count, 3);
	expect_loss(1, "nomem", 7);
	expect_no_loss();
	uev_output_release(&profile);
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	end();
}

/* ---- Records that perf does not have ---- */

#define DATA "/sys/kernel/tracing/user_events_data"

static int stop_with_profile(const char *profile);

TEST(records_that_perf_does_not_have_are_missing)
{
	fake_perf_file(DATA, "");
	begin_with_profile("  alpha 5 0\n");
	printed_begin(stderr);
	ck_assert(fake_perf_emit(ALPHA, 0, 1, "12345678", 8));
	ck_assert_int_eq(stop_with_profile("  alpha 9 0\n"), TOOL_INCOMPLETE);
	expect_loss(3, "missing", EVENTS_ALL_CPUS);
	expect_no_loss();
	ck_assert(has_message("alpha: 3 of 4 records are missing"));
	end();
}

/* The counts of an event that was created again say nothing about the first. */
TEST(records_of_an_event_that_is_created_again)
{
	uint64_t i;

	fake_perf_file(DATA, "");
	begin_with_profile("  alpha 5 0\n");
	fake_perf_file(PROFILE, "  alpha 0 0\n");
	fake_perf_tracepoint("user_events", "alpha", BETA);
	capture.next_scan = 0;
	ck_assert(capture_wait(&capture, 0));
	for (i = 1; i <= 9; i++)
		ck_assert(fake_perf_emit(BETA, 0, i, "12345678", 8));
	ck_assert_int_eq(stop_with_profile("  alpha 9 0\n"), TOOL_OK);
	expect_no_loss();
	end();
}

static const struct {
	const char *message;
	unsigned int stacks;
	int status;
} losses_of_names[] = {
	{ "2 new threads and names lost, records of children can be missing", 0,
	  TOOL_INCOMPLETE },
	{ "2 new threads, names and mappings lost, functions can be missing",
	  UEV_SESSION_STACKS, TOOL_INCOMPLETE },
	{ "memory maps of 1 processes not readable", UEV_SESSION_STACKS,
	  TOOL_OK },
};

TEST_LOOP(lost_names, ARRAY_SIZE(losses_of_names))
{
	struct {
		struct perf_event_header header;
		uint64_t id, count;
	} lost = {
		.header = { .type = PERF_RECORD_LOST, .size = sizeof(lost) },
		.count = 2,
	};

	options.stacks = losses_of_names[_i].stacks;
	if (!options.stacks) {
		fake_perf_file("/proc/50/task/50/comm", "parent\n");
		*tool_add(options.pids.pids, options.pids.count) = 50;
	}
	/* A directory cannot be read. */
	if (_i == 2)
		fake_perf_file("/proc/7/maps/none", "");
	begin();
	printed_begin(stderr);
	if (_i < 2)
		ck_assert(fake_perf_write(fake_perf_names(0), &lost,
					  sizeof(lost)));
	ck_assert_int_ge(capture_read(&capture, UEV_READ_DRAIN), 0);
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);
	ck_assert_int_eq(capture_report_gaps(&capture),
			 losses_of_names[_i].status);
	ck_assert(has_message(losses_of_names[_i].message));
	end();
}

/* ---- Events that were removed ---- */

/* Changes the profile while the capture runs, and stops it. */
static int stop_with_profile(const char *profile)
{
	fake_perf_file(PROFILE, profile);
	ck_assert_int_eq(capture_stop(&capture), TOOL_OK);

	return capture_report_gaps(&capture);
}

static void expect_removed(size_t index, const char *name, uint64_t count)
{
	const struct capture_removed *removed = &capture.losses.removed;

	ck_assert_uint_lt(index, removed->name_count);
	ck_assert_str_eq(removed->names[index].name, name);
	ck_assert_uint_eq(removed->names[index].count, count);
}

TEST(events_that_come_and_go_are_missing)
{
	static const char *const patterns[] = { "alpha", "b*" };

	options.patterns = patterns;
	options.pattern_count = ARRAY_SIZE(patterns);
	begin_with_profile("  alpha 0 0\n  / 0 0 removed=7\n"
			   "  /beta 0 0 removed=2\n");
	fake_perf_file(PROFILE, "  alpha 0 0\n  / 0 0 removed=8\n"
				"  /beta 0 0 removed=3\n");
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	ck_assert_int_eq(stop_with_profile("  alpha 0 0\n"
					   "  / 9 0 removed=12 fault=3\n"
					   "  /beta 9 0 removed=4 fault=3\n"
					   "  /bond 0 0 removed=1\n"
					   "  /other 0 0 removed=2\n"),
			 TOOL_INCOMPLETE);
	ck_assert_uint_eq(capture.losses.removed.name_count, 2);
	expect_removed(0, "beta", 2);
	expect_removed(1, "bond", 1);
	ck_assert_uint_eq(capture.losses.removed.unnamed, 0);
	end();
}

/* The module remembers only some names. */
TEST(events_with_forgotten_names_are_counted)
{
	begin_with_profile("  / 0 0 removed=70\n  /beta 0 0 removed=60\n");
	ck_assert_int_eq(stop_with_profile("  / 0 0 removed=100\n"
					   "  /beta 0 0 removed=1\n"),
			 TOOL_INCOMPLETE);
	expect_removed(0, "beta", 1);
	ck_assert_uint_eq(capture.losses.removed.unnamed, 29);
	end();
}

/* A module that is loaded later, or replaced, starts at 0. */
TEST(events_of_a_new_module_are_counted)
{
	capture = (struct capture){ 0 };
	begin();
	fake_perf_file(PROFILE, "  / 0 0 removed=3\n  /beta 0 0 removed=3\n");
	free(capture.losses.tracefs);
	capture.losses.tracefs =
		tool_print("%s/sys/kernel/tracing", fake_perf.root);
	capture.losses.next_read = 0;
	capture_losses_find(&capture.losses, capture.has_stopped);
	ck_assert_int_eq(stop_with_profile("  / 0 0 removed=2\n"
					   "  /beta 0 0 removed=2\n"),
			 TOOL_INCOMPLETE);
	expect_removed(0, "beta", 5);
	ck_assert_uint_eq(capture.losses.removed.unnamed, 0);
	end();
}

/* Nothing else is a reason to report: before the start, other names, --cgroup. */
TEST_LOOP(other_removed_events_are_not_reported, 3)
{
	static const char *const patterns[] = { "alpha" };

	options.patterns = patterns;
	options.is_default = false;
	if (_i == 1)
		options.patterns = all;
	if (_i == 2) {
		options.patterns = all;
		options.cgroup_fd = open("/", O_RDONLY | O_CLOEXEC);
	}
	begin_with_profile("  alpha 0 0\n  / 0 0 removed=7\n"
			   "  /beta 0 0 removed=2\n");
	ck_assert_int_eq(
		stop_with_profile(_i == 1 ? "  alpha 0 0\n  / 0 0 removed=7\n"
					    "  /beta 0 0 removed=2\n"
					  : "  alpha 0 0\n  / 0 0 removed=8\n"
					    "  /beta 0 0 removed=3\n"),
		TOOL_OK);
	end();
}

/* ---- Names of threads ---- */

TEST_LOOP(looks_up_names, 2)
{
	options.has_names = _i;
	begin();
	ck_assert_int_eq(!!fake_perf_names(0), _i);
	end();
}

/* An unreported thread might exist, with a name in /proc. */
TEST(looks_up_unreported_names)
{
	static struct capture_names names;
	struct uev_sample record = { .tid = 101 };
	const struct uev_sample *given;

	names.proc = fake_perf.root;
	fake_perf_file("/101/comm", "looked up\n");
	fake_perf_file("/102/comm", "looked up\n");
	options.has_names = true;
	begin();
	ck_assert_str_eq(capture_comm(&names, capture.session, &record),
			 "looked up");
	ck_assert(fake_perf_comm(0, 1, 101, "known"));
	ck_assert(fake_perf_emit(ALPHA, 0, 2, "12345678", 8));
	ck_assert_int_eq(capture_read(&capture, 0), 1);
	ck_assert_int_eq(uev_session_next(capture.session, &given), 1);
	ck_assert_str_eq(capture_comm(&names, capture.session, &record),
			 "known");
	record.tid = 102;
	ck_assert_str_eq(capture_comm(&names, capture.session, &record),
			 "looked up");
	record.tid = 103;
	ck_assert_ptr_null(capture_comm(&names, capture.session, &record));
	end();
}

/* Writes the ready records. */
static void write_ready(struct capture_file *file)
{
	static struct capture_names names;
	const struct uev_sample *sample;
	struct format_record record = { 0 };

	while (uev_session_next(capture.session, &sample)) {
		record.sample = sample;
		record.comm = capture_comm(&names, capture.session, sample);
		ck_assert_int_eq(capture_file_add(file, &record), TOOL_OK);
	}
	ck_assert_int_eq(capture_file_end_round(file), TOOL_OK);
}

/* Each file has the names of its own threads. */
TEST_LOOP(writes_names_to_files, 2)
{
	struct capture_file file;
	struct uev_perf_reader *reader;
	const struct uev_sample *record;
	char path[128];
	uint64_t time;

	snprintf(path, sizeof(path), "%s/out.data", fake_perf.root);
	options.has_names = true;
	options.is_snapshot = _i;
	begin();
	ck_assert(fake_perf_comm(0, 1, 101, "first"));
	for (time = 2; time < 10; time += 2) {
		ck_assert_int_eq(capture_file_open(&file, path, capture.session,
						   false),
				 TOOL_OK);
		ck_assert(fake_perf_emit(ALPHA, 0, time, "12345678", 8));
		ck_assert_int_eq(capture_read(&capture, UEV_READ_DRAIN), 1);
		write_ready(&file);
		ck_assert_uint_eq(file.records, 1);
		ck_assert_int_eq(capture_file_finish(&file, capture.session),
				 TOOL_OK);
		ck_assert_int_eq(uev_perf_reader_open(&reader, path, NULL), 0);
		ck_assert_int_eq(uev_perf_reader_next(reader, &record), 1);
		ck_assert_str_eq(uev_perf_reader_comm(reader, record->tid),
				 time < 6 ? "first" : "second");
		uev_perf_reader_close(reader);
		if (time == 4)
			ck_assert(fake_perf_comm(0, 5, 101, "second"));
	}
	end();
}

/* The kernel has given the ID of a deleted event to another one. */
TEST(file_has_one_event_per_id)
{
	_cleanup_free_ char *path = tool_print("%s/out.data", fake_perf.root);
	struct uev_sample sample = {
		.raw = "12345678",
		.raw_size = 8,
		.flags = UEV_HAS_TIME,
		.time = 1,
	};
	const struct format_record record = { .sample = &sample };
	struct uev_loss loss = {
		.count = 3,
		.reason = UEV_LOSS_PERF_BUFFER,
	};
	struct uev_perf_reader *reader;
	const struct uev_sample *found;
	struct capture_file file;
	uint32_t i;

	begin();
	fake_perf_tracepoint("user_events", "beta", ALPHA);
	capture.next_scan = 0;
	ck_assert(capture_wait(&capture, 0));
	ck_assert_int_eq(capture_file_open(&file, path, capture.session, 0),
			 TOOL_OK);
	for (i = 0; i < 2; i++) {
		sample.source = uev_session_source(capture.session, i);
		ck_assert_int_eq(capture_file_add(&file, &record), TOOL_OK);
	}
	ck_assert_uint_eq(file.records, 1);
	ck_assert_uint_eq(file.skipped, 1);
	loss.source = sample.source;
	ck_assert_int_eq(capture_file_loss(&file, &loss), TOOL_OK);
	ck_assert_int_eq(capture_file_finish(&file, capture.session), TOOL_OK);
	end();

	ck_assert_int_eq(uev_perf_reader_open(&reader, path, NULL), 0);
	ck_assert_int_eq(uev_perf_reader_next(reader, &found), 1);
	ck_assert_str_eq(found->source->name, "alpha");
	ck_assert_int_eq(uev_perf_reader_next(reader, &found), 0);
	ck_assert(uev_perf_reader_next_loss(reader, UINT64_MAX, &loss));
	ck_assert_uint_eq(loss.count, 3);
	ck_assert_ptr_null(loss.source);
	uev_perf_reader_close(reader);
}

TEST(has_the_size_of_its_records)
{
	struct capture_file file;
	char path[128];
	uint64_t time;

	snprintf(path, sizeof(path), "%s/out.data", fake_perf.root);
	begin();
	ck_assert_int_eq(capture_file_open(&file, path, capture.session, false),
			 TOOL_OK);
	for (time = 1; time < 4; time++)
		ck_assert(fake_perf_emit(ALPHA, 0, time, "12345678", 8));
	ck_assert_int_eq(capture_read(&capture, UEV_READ_DRAIN), 3);
	write_ready(&file);
	ck_assert_uint_eq(file.records, 3);
	ck_assert_uint_gt(capture_file_size(&file), 3 * 52);
	ck_assert_int_eq(capture_file_finish(&file, capture.session), TOOL_OK);
	end();
}

TEST_LOOP(parses_times, 19)
{
	static const struct {
		const char *text;
		uint64_t milliseconds;
	} rows[] = {
		{ "1", 1000 },	    { "0.5", 500 },    { "250ms", 250 },
		{ "1.5s", 1500 },   { "2m", 120000 },  { "2h", 7200000 },
		{ "1d", 86400000 }, { "", 0 },	       { "0", 0 },
		{ "0.0001", 0 },    { "-1", 0 },       { ".5", 0 },
		{ "1x", 0 },	    { "1 s", 0 },      { "1e3", 0 },
		{ "0x10", 0 },	    { "9999999d", 0 }, { "1.5.5", 0 },
		{ "nan", 0 },
	};
	uint64_t got = 0;

	ck_assert_int_eq(tool_time(rows[_i].text, &got),
			 rows[_i].milliseconds != 0);
	if (rows[_i].milliseconds)
		ck_assert_uint_eq(got, rows[_i].milliseconds);
}

/* ---- Commands ---- */

static int run(char **command)
{
	struct capture_workload workload = { 0 };
	int ret;

	ck_assert_int_eq(capture_workload_fork(&workload, command), 0);
	ck_assert(!capture_workload_poll(&workload));
	capture_workload_go(&workload);
	ret = capture_workload_result(&workload);
	while (!capture_workload_poll(&workload))
		usleep(1000);
	capture_workload_finish(&workload);

	return ret ? ret : workload.status;
}

TEST(returns_the_status_of_the_command)
{
	char *exits[4] = { "sh", "-c", "exit 7", NULL };
	char *dies[4] = { "sh", "-c", "kill -TERM $$", NULL };

	ck_assert_int_eq(run(exits), 7);
	ck_assert_int_eq(run(dies), 128 + SIGTERM);
}

TEST(reports_a_command_that_cannot_run)
{
	char *missing[4] = { "/nonexistent/program", NULL };
	char *directory[4] = { "/", NULL };
	struct capture_workload workload = { 0 };

	ck_assert_int_eq(run(missing), -ENOENT);
	ck_assert_int_eq(run(directory), -EACCES);
	ck_assert_int_eq(capture_workload_fork(&workload, directory), 0);
	capture_workload_go(&workload);
	capture_workload_result(&workload);
	ck_assert_int_eq(workload.status, 126);
}

/* Appends the name of a program. */
static void note_program(void *data, const char *path, pid_t pid)
{
	char file[PATH_MAX] = "", *names = data;

	ck_assert_int_gt(pid, 0);
	ck_assert_int_gt(readlink(path, file, sizeof(file) - 1), 0);
	if (strstr(file, "/note_program_"))
		strcat(names, strstr(file, "_program_") + strlen("_program_"));
}

/* Makes a program whose name tells it from others. Return: for free() */
static char *make_program(const char *name)
{
	char *path = tool_print("%s/note_program_%s", fake_perf.root, name);
	int from = open("/bin/true", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	struct stat file;

	ck_assert_int_eq(fstat(from, &file), 0);
	ck_assert_int_eq(sendfile(to, from, NULL, (size_t)file.st_size),
			 file.st_size);
	close(to);
	close(from);

	return path;
}

TEST(programs_of_a_command_wait)
{
	char *one = make_program("1"), *two = make_program("2");
	char *command[] = { "sh", "-c", "$0; ($1; true); true", one, two, NULL };
	struct capture_workload workload = { .execs = capture_execs_open() };
	struct pollfd fd = { .fd = workload.execs, .events = POLLIN };
	char names[8] = "";

	/* Only a privileged process can let others wait. */
	ck_assert(workload.execs >= 0 || geteuid());
	if (workload.execs < 0) {
		free(one);
		free(two);
		return;
	}
	ck_assert_int_eq(capture_workload_fork(&workload, command), 0);
	ck_assert(workload.is_apart);
	ck_assert_int_ge(capture_execs_watch(fd.fd, workload.pid), 0);
	capture_workload_go(&workload);
	while (!capture_workload_poll(&workload))
		if (poll(&fd, 1, 10) > 0)
			capture_execs_serve(fd.fd, note_program, names);
	ck_assert_int_eq(capture_workload_result(&workload), 0);
	ck_assert_int_eq(workload.status, 0);
	ck_assert_str_eq(names, "12");
	capture_execs_close(&fd.fd);
	free(one);
	free(two);
}

/* ---- Outputs that wait ---- */

/* Makes a program wait for the capture. Return: where its answer arrives */
static int wait_for_program(struct capture *waiting)
{
	struct fanotify_event_metadata event = {
		.event_len = FAN_EVENT_METADATA_LEN,
		.metadata_len = FAN_EVENT_METADATA_LEN,
		.vers = FANOTIFY_METADATA_VERSION,
		.mask = FAN_OPEN_EXEC_PERM,
		.fd = open("/dev/null", O_RDONLY | O_CLOEXEC),
		.pid = getpid(),
	};
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0,
				    pair),
			 0);
	waiting->execs = pair[0];
	ck_assert_int_eq(write(pair[1], &event, sizeof(event)), sizeof(event));

	return pair[1];
}

TEST(programs_start_while_an_output_waits)
{
	struct fanotify_response response = { 0 };
	int answers;

	begin();
	answers = wait_for_program(&capture);
	ck_assert(!capture_serve());
	ck_assert_int_eq(read(answers, &response, sizeof(response)),
			 sizeof(response));
	ck_assert_uint_eq(response.response, FAN_ALLOW);
	close(answers);
	end();
}

/* The program reads the output that waits for it. */
static void *read_pipe(void *data)
{
	const int *fds = data;
	struct fanotify_response response;
	char text[PIPE_BUF];

	if (read(fds[0], &response, sizeof(response)) == sizeof(response))
		while (read(fds[1], text, sizeof(text)) > 0)
			continue;

	return NULL;
}

TEST(programs_start_while_standard_output_waits)
{
	struct source *source = &source_live_new(&options)->source;
	static const char line[] = "a line of a result\n";
	int pair[2], fds[2], i;
	pthread_t reader;

	ck_assert_int_eq(pipe(pair), 0);
	ck_assert_int_eq(source->ops->open(source, 0), TOOL_OK);
	ck_assert_int_eq(source->ops->start(source), TOOL_OK);
	fds[0] = wait_for_program(&((struct source_live *)source)->capture);
	fds[1] = pair[0];
	ck_assert_int_eq(fcntl(fds[0], F_SETFL, 0), 0);
	ck_assert_int_eq(dup2(pair[1], STDOUT_FILENO), STDOUT_FILENO);
	close(pair[1]);
	ck_assert_int_eq(pthread_create(&reader, NULL, read_pipe, fds), 0);
	/* More than a pipe has room for. */
	for (i = 0; i < 100000; i++)
		out_print("%s", line);
	out_flush();
	ck_assert_int_eq(close(STDOUT_FILENO), 0);
	ck_assert_int_eq(pthread_join(reader, NULL), 0);
	close(fds[0]);
	close(fds[1]);
	source->ops->close(source, TOOL_OK);
}

/* Such as a full disk. */
TEST(a_failure_terminates_the_command)
{
	char *command[4] = { "sleep", "9999", NULL };
	int status;

	options.command = command;
	options.everywhere = true;
	begin();
	end();
	ck_assert_int_eq(waitpid(capture.workload.pid, &status, 0),
			 capture.workload.pid);
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
}

/* The kernel still writes to an event that it could not unregister. */
TEST(keeps_events_that_are_still_registered)
{
	static struct capture_known_event *kept;
	struct capture_known known = { 0 };
	struct definitions definitions = { 0 };

	fake_reset(FAKE_ENABLER);
	ck_assert(definitions_add(&definitions, "door u32 a", NULL, 0));
	capture_known_register(&known, &definitions);
	definitions_free(&definitions);
	ck_assert_uint_eq(known.count, 1);
	kept = known.events[0];
	fake_fail(FAKE_IOCTL, 0, 1, -ENOMEM);
	capture_known_release(&known);
	ck_assert_uint_eq(fake_enablers(), 1);
	fake_enable("door", true);
	ck_assert_int_eq(uev_event_unregister((struct uev_event *)kept), 0);
}

/* A command that runs gets the signal, and its end is that of the capture. */
TEST(outputs_that_wait_forward_signals)
{
	char *command[4] = { "sleep", "9999", NULL };

	options.command = command;
	options.everywhere = true;
	begin();
	ck_assert(!capture_serve());
	capture_signals.stop_signal = SIGTERM;
	capture_signals.stop_was_sent = 1;
	capture_signals.stop_requests = 1;
	ck_assert(capture_serve());
	while (!capture.workload.has_ended)
		capture_serve();
	ck_assert_int_eq(capture.workload.status, 128 + SIGTERM);
	capture_signals.stop_requests = 0;
	ck_assert(capture_serve());
	end();
	ck_assert(!capture_serve());
}

/* Without rights, as the user "nobody" has them. Return: its process */
static pid_t make_process(uid_t user)
{
	const gid_t groups[] = { 65530, 65531 };
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid)
		return pid;
	if (setgroups(ARRAY_SIZE(groups), groups) ||
	    setresgid(user, user, user) || setresuid(user, user, user))
		_exit(1);
	raise(SIGSTOP);
	_exit(0);
}

/* Set-ID bits do not count everywhere, and not at all if all can be dumped. */
static bool can_be_detached(const char *path, mode_t mode)
{
	_cleanup_free_ char *line = files_line("/proc/sys/fs/suid_dumpable");
	struct statvfs mount;

	ck_assert_int_eq(statvfs(path, &mount), 0);

	return strcmp(line, "1") != 0 &&
	       !(mode & (S_ISUID | S_ISGID) && mount.f_flag & ST_NOSUID);
}

TEST(programs_that_perf_does_not_follow)
{
	static const struct {
		mode_t mode;
		uid_t user;
		gid_t group;
		bool is_detached;
	} rows[] = {
		{ 0755, 0, 65532, false },     { 0711, 0, 65532, true },
		{ 04755, 0, 65532, true },     { 02755, 0, 65532, true },
		{ 0754, 65534, 65532, false }, { 0751, 65534, 65532, true },
		{ 0751, 65534, 65533, false }, { 0715, 65534, 65533, true },
		{ 0751, 65534, 65531, false }, { 0715, 65534, 65531, true },
	};
	pid_t pid;
	int status;
	size_t i;
	char *path;

	/* Others cannot change their user. */
	if (geteuid())
		return;
	pid = make_process(65533);
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert(WIFSTOPPED(status));
	path = make_program("3");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		ck_assert_int_eq(chown(path, rows[i].user, rows[i].group), 0);
		ck_assert_int_eq(chmod(path, rows[i].mode), 0);
		ck_assert_msg(capture_is_detached(pid, path) ==
				      (rows[i].is_detached &&
				       can_be_detached(path, rows[i].mode)),
			      "row %zu", i);
	}
	/* The bits of a script do not count. */
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert_int_eq(files_write(path, "#!/bin/true\n"), 0);
	ck_assert_int_eq(chown(path, 0, 0), 0);
	ck_assert_int_eq(chmod(path, 06755), 0);
	ck_assert(!capture_is_detached(pid, path));
	/* The owner, and a process that can read all files */
	ck_assert_int_eq(chown(path, 65533, 0), 0);
	ck_assert_int_eq(chmod(path, 0711), 0);
	ck_assert(!capture_is_detached(pid, path));
	ck_assert_int_eq(chown(path, 0, 0), 0);
	ck_assert(!capture_is_detached(getpid(), path));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	free(path);
}

TEST(command_waits_for_the_start)
{
	char *command[4] = { "true", NULL };
	struct capture_workload workload = { 0 };
	pid_t pid;

	ck_assert_int_eq(capture_workload_fork(&workload, command), 0);
	pid = workload.pid;
	capture_workload_finish(&workload);
	ck_assert_int_eq(workload.status, 127);
	/* It was waited for. */
	ck_assert_int_eq(waitpid(pid, NULL, 0), -1);
}

/* ---- Slow readers ---- */

static int pipes[2];
static struct capture_output output;

static void make_pipe(void)
{
	ck_assert_int_eq(pipe(pipes), 0);
	/* With larger pages, it would have room for more. */
	ck_assert_int_eq(fcntl(pipes[1], F_SETPIPE_SZ, 65536), 65536);
	signal(SIGPIPE, SIG_IGN);
	capture_signals = (struct capture_signals){ 0 };
	output = (struct capture_output){ .fd = pipes[1],
					  .stall_timeout_ms = 1 };
}

static void add_lines(unsigned int count)
{
	while (count--)
		ck_assert_int_eq(uev_output_append(&output.text, "a line\n", 7),
				 0);
}

TEST(writes_lines)
{
	char text[16];

	make_pipe();
	add_lines(2);
	ck_assert_int_eq(capture_output_write(&output), 0);
	ck_assert_uint_eq(output.unwritten, 0);
	ck_assert_uint_eq(output.text.size, 0);
	ck_assert_int_eq(read(pipes[0], text, sizeof(text)), 14);
	ck_assert_mem_eq(text, "a line\na line\n", 14);
	uev_output_release(&output.text);
}

TEST_LOOP(counts_unwritten_lines, 2)
{
	const unsigned int count = 100000;
	uint64_t taken = 0;
	char text[4096];
	ssize_t size, i;

	make_pipe();
	add_lines(count);
	/* Asked once, it waits for a while; asked twice, it does not. */
	capture_signals.stop_requests = _i + 1;
	if (_i == 1)
		output.stall_timeout_ms = UINT_MAX;
	ck_assert_int_eq(capture_output_write(&output), 0);
	ck_assert(output.has_timed_out);
	add_lines(3);
	ck_assert_int_eq(capture_output_write(&output), 0);

	close(pipes[1]);
	while ((size = read(pipes[0], text, sizeof(text))) > 0)
		for (i = 0; i < size; i++)
			taken += text[i] == '\n';
	ck_assert_uint_gt(taken, 0);
	ck_assert_uint_eq(taken + output.unwritten, count + 3);
	uev_output_release(&output.text);
}

TEST(reports_a_closed_pipe)
{
	make_pipe();
	close(pipes[0]);
	add_lines(1);
	ck_assert_int_eq(capture_output_write(&output), -EPIPE);
	uev_output_release(&output.text);
}

/* ---- Files and formats ---- */

TEST(keeps_names_of_snapshots)
{
	struct timespec time = { .tv_sec = 1709210096, .tv_nsec = 987654321 };
	char *name;

	setenv("TZ", "UTC", 1);
	name = capture_file_name("a.data", &time, 0);
	ck_assert_str_eq(name, "a.data.2024022912345698");
	free(name);
	name = capture_file_name("a.data", &time, 2);
	ck_assert_str_eq(name, "a.data.2024022912345700");
	free(name);
}

TEST(schemas_of_events)
{
	static const char format[] =
		"name: Prov_L4K1\nID: 9\nformat:\n"
		"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n";
	static const char plain[] =
		"name: Plain_L4K1\nID: 9\nformat:\n"
		"\tfield:u8 number;\toffset:8;\tsize:1;\tsigned:0;\n";
	struct uev_source source = {
		.system = "user_events",
		.name = "Prov_L4K1",
		.format = format,
		.format_size = strlen(format),
		.index = 40,
	};
	struct schemas schemas = { 0 };
	const struct uev_schema *schema;

	schema = schemas_get(&schemas, &source, 0);
	ck_assert(uev_schema_is_eventheader(schema));
	source.index = 2;
	source.name = "Plain_L4K1";
	source.format = plain;
	source.format_size = strlen(plain);
	ck_assert(
		!uev_schema_is_eventheader(schemas_get(&schemas, &source, 0)));
	source.index = 3;
	source.format = NULL;
	ck_assert_ptr_null(schemas_get(&schemas, &source, 0));
	source.index = 40;
	ck_assert_ptr_eq(schemas_get(&schemas, &source, 0), schema);
	schemas_release(&schemas);
}
