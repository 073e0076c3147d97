// SPDX-License-Identifier: MIT
/*
 * Sessions: arguments for the kernel, processing of its records, and released
 * resources.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <userevents/session.h>

#include "util/common.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "session/records.h"
#include "session/vpids.h"

/* Processors 0, 2 and 5 of eight are online. */
#define ONLINE "/sys/devices/system/cpu/online"

#define SECOND UINT64_C(1000000000)

/* IDs of the existing events. */
enum {
	ALPHA = 301,
	BETA = 302,
	OTHER = 400
};

static void setup(void)
{
	fake_perf_begin();
	fake_perf_file(ONLINE, "0,2,5\n");
	fake_perf_tracepoint("user_events", "alpha", ALPHA);
	fake_perf_tracepoint("user_events", "beta", BETA);
	fake_perf_tracepoint("sched", "other", OTHER);
	/* Every directory of a system has such files, too. */
	fake_perf_file("/sys/kernel/tracing/events/enable", "0\n");
	fake_perf_file("/sys/kernel/tracing/events/user_events/filter", "\n");
}

static void teardown(void)
{
	fake_perf_end();
}

TEST_FIXTURE(setup, teardown);

static struct uev_session *open_session(void)
{
	struct uev_session *session;

	ck_assert_int_eq(uev_session_open(&session, NULL), 0);

	return session;
}

/* Starts a session with the matching events. */
static struct uev_session *start_session(const char *pattern)
{
	struct uev_session *session = open_session();

	ck_assert_int_gt(uev_session_add(session, pattern, NULL), 0);
	ck_assert_int_eq(uev_session_start(session), 0);

	return session;
}

static void close_session(struct uev_session *session)
{
	uev_session_close(session);
	ck_assert_int_eq(fake_perf.open_fds, 0);
	ck_assert_int_eq(fake_perf.maps, 0);
}

/* The next record is of a time. */
static const struct uev_sample *expect(struct uev_session *session,
				       uint64_t time)
{
	const struct uev_sample *record;

	ck_assert_int_eq(uev_session_next(session, &record), 1);
	ck_assert_uint_eq(record->time, time);

	return record;
}

static void expect_none(struct uev_session *session)
{
	const struct uev_sample *record;

	ck_assert_int_eq(uev_session_next(session, &record), 0);
	ck_assert_ptr_null(record);
}

static struct uev_trace_stats counts_of(const struct uev_session *session)
{
	struct uev_trace_stats counts;

	uev_session_stats(session, &counts, sizeof(counts));

	return counts;
}

static void emit(uint64_t config, int cpu, uint64_t time)
{
	ck_assert(fake_perf_emit(config, cpu, time, "raw", 4));
}

TEST(one_buffer_per_online_processor)
{
	struct uev_session *session = open_session();
	struct uev_trace_stats counts;
	static const unsigned int cpus[] = { 0, 2, 5 };
	const struct fake_event *owner;
	unsigned int cpu;
	uint32_t i;

	ck_assert_int_eq(fake_perf.maps, 3);
	ck_assert_int_eq(fake_perf.waits, 3);
	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(uev_session_buffer_stats(session, i, &cpu,
							  &counts,
							  sizeof(counts)),
				 0);
		ck_assert_uint_eq(cpu, cpus[i]);
		owner = fake_perf_owner((int)cpu);
		ck_assert_ptr_nonnull(owner);
		ck_assert_int_eq(owner->pid, -1);
		ck_assert_uint_eq(owner->map_size, 128 * 1024 + 4096);
		ck_assert(owner->writable);
		ck_assert_uint_eq(owner->attr.wakeup_watermark, 16 * 1024);
		ck_assert(owner->attr.watermark);
		ck_assert_int_eq(owner->attr.clockid, CLOCK_MONOTONIC_RAW);
		ck_assert(owner->attr.use_clockid);
	}
	ck_assert_int_eq(uev_session_buffer_stats(session, 3, &cpu, &counts,
						  sizeof(counts)),
			 -ENOENT);
	ck_assert_int_ge(uev_session_fd(session), 0);
	close_session(session);
}

TEST(buffers_match_the_options)
{
	static const unsigned int cpus[] = { 5, 1, 0, 5 };
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;
	struct uev_clock clock;

	options.cpus = cpus;
	options.cpu_count = 4;
	options.buffer_size = 9000;
	options.watermark = 100;
	options.clockid = UEV_CLOCK_PERF;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(fake_perf.maps, 2);
	ck_assert_ptr_nonnull(fake_perf_owner(0));
	ck_assert_ptr_null(fake_perf_owner(2));
	ck_assert_uint_eq(fake_perf_owner(5)->map_size, 16384 + 4096);
	ck_assert_uint_eq(fake_perf_owner(5)->attr.wakeup_watermark, 100);
	ck_assert(!fake_perf_owner(5)->attr.use_clockid);
	ck_assert_int_eq(uev_session_clock(session, &clock), -ENODATA);
	close_session(session);
}

/* Each case differs from the defaults in one member. */
static const struct {
	unsigned int flags;
	uint32_t buffer_size;
	uint32_t watermark;
	int32_t cgroup_fd;
	size_t cpu_count;
	size_t pid_count;
} refused[] = {
	{ 1U << 7, 0, 0, -1, 0, 0 },  { UEV_SESSION_INHERIT, 0, 0, -1, 0, 0 },
	{ 0, 1U << 31, 0, -1, 0, 0 }, { 0, 4096, 4096, -1, 0, 0 },
	{ 0, 0, 0, 3, 0, 1 },	      { 0, 0, 0, -1, 1, 0 },
	{ 0, 0, 0, -1, 0, 1 },
};

TEST_LOOP(rejects_invalid_options, ARRAY_SIZE(refused))
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	static const pid_t pids[] = { 1 };
	struct uev_session *session;

	options.flags = refused[_i].flags;
	options.buffer_size = refused[_i].buffer_size;
	options.watermark = refused[_i].watermark;
	options.cgroup_fd = refused[_i].cgroup_fd;
	options.cpu_count = refused[_i].cpu_count;
	options.pid_count = refused[_i].pid_count;
	if (options.cgroup_fd >= 0)
		options.pids = pids;
	ck_assert_int_eq(uev_session_open(&session, &options), -EINVAL);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

TEST(options_of_other_versions)
{
	struct {
		struct uev_session_options options;
		uint64_t newer;
	} larger = { .options = UEV_SESSION_OPTIONS_INIT };
	struct uev_session_options smaller = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	larger.options.size = sizeof(larger);
	ck_assert_int_eq(uev_session_open(&session, &larger.options), 0);
	close_session(session);
	larger.newer = 1;
	ck_assert_int_eq(uev_session_open(&session, &larger.options), -EINVAL);

	/* Missing members have their defaults. */
	smaller.size = offsetof(struct uev_session_options, buffer_size);
	smaller.buffer_size = 1U << 31;
	ck_assert_int_eq(uev_session_open(&session, &smaller), 0);
	close_session(session);
	smaller.size = 0;
	ck_assert_int_eq(uev_session_open(&session, &smaller), -EINVAL);
}

TEST(rejects_missing_processors_and_processes)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	static const unsigned int cpus[] = { 1, 3 };
	static const pid_t pids[] = { 77 };
	struct uev_session *session;

	options.cpus = cpus;
	options.cpu_count = 2;
	ck_assert_int_eq(uev_session_open(&session, &options), -ENODEV);
	options.cpu_count = 0;
	options.pids = pids;
	options.pid_count = 1;
	ck_assert_int_eq(uev_session_open(&session, &options), -ESRCH);
	fake_perf_remove("/sys/kernel");
	ck_assert_int_eq(uev_session_open(&session, NULL), -ENOENT);
	options.tracefs = "/nowhere";
	ck_assert_int_eq(uev_session_open(&session, &options), -ENOENT);
	ck_assert_int_eq(fake_perf.open_fds, 0);
}

TEST(tracefs_elsewhere)
{
	struct uev_session *session;

	fake_perf_remove("/sys/kernel");
	fake_perf_file("/sys/else where/events/user_events/alpha/id", "301");
	fake_perf_file("/proc/self/mounts",
		       "sysfs /sys sysfs rw 0 0\n"
		       "t /sys/gone tracefs rw 0 0\n"
		       "t /sys/else\\040where tracefs rw 0 0\n");
	/* A directory, which is not readable. */
	fake_perf_file("/sys/else where/events/user_events/alpha/format/file",
		       "");
	session = open_session();
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	ck_assert_ptr_null(uev_session_source(session, 0)->format);
	close_session(session);
}

static const struct {
	const char *pattern;
	int added;
} patterns[] = {
	{ "alpha", 1 },
	{ "user_events:alpha", 1 },
	{ "*a", 2 },
	{ "[ab]*", 2 },
	{ "*:*", 3 },
	{ "sched:*", 1 },
	{ "sched:alpha", 0 },
	{ "gamma", 0 },
	{ "", -EINVAL },
	{ ":alpha", -EINVAL },
	{ "user_events:", -EINVAL },
};

TEST_LOOP(events_are_found_by_pattern, ARRAY_SIZE(patterns))
{
	struct uev_session *session = open_session();
	int ret = uev_session_add(session, patterns[_i].pattern, NULL);
	int i;

	ck_assert_int_eq(ret, patterns[_i].added);
	for (i = 0; i < ret; i++)
		ck_assert_ptr_nonnull(uev_session_source(session, (uint32_t)i));
	ck_assert_ptr_null(uev_session_source(session, ret < 0 ? 0 : ret));
	/* A second scan finds no further events. */
	if (ret >= 0)
		ck_assert_int_eq(uev_session_add(session, patterns[_i].pattern,
						 NULL),
				 0);
	close_session(session);
}

/* Such as those of another version of a program. */
TEST(other_formats_are_found_by_name)
{
	struct uev_session *session = open_session();

	fake_perf_tracepoint("user_events_multi", "alpha.0", 500);
	fake_perf_tracepoint("user_events_multi", "alpha.a", 501);
	fake_perf_tracepoint("user_events_multi", "alphas.1", 502);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 3);
	ck_assert_int_eq(
		uev_session_add(session, "user_events_multi:alpha.0", NULL), 0);
	fake_perf_tracepoint("user_events_multi", "alpha.b", 503);
	ck_assert_int_eq(uev_session_rescan(session), 1);
	close_session(session);
}

TEST(source_matches_tracefs)
{
	struct uev_session *session = open_session();
	const struct uev_source *source;

	ck_assert_int_eq(uev_session_add(session, "beta", NULL), 1);
	source = uev_session_source(session, 0);
	ck_assert_str_eq(source->system, "user_events");
	ck_assert_str_eq(source->name, "beta");
	ck_assert_uint_eq(source->id, BETA);
	ck_assert_uint_eq(source->index, 0);
	ck_assert_str_eq(source->format, "name: beta\nID: 302\nformat:\n");
	ck_assert_uint_eq(source->format_size, strlen(source->format));
	close_session(session);
}

TEST(an_event_is_opened_on_every_processor)
{
	struct uev_session *session = open_session();
	static const int cpus[] = { 0, 2, 5 };
	const struct fake_event *event;
	int i;

	ck_assert_int_eq(uev_session_add(session, "alpha", "count > 3"), 1);
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, ALPHA), 3);
	for (i = 0; i < 3; i++) {
		event = fake_perf_find(ALPHA, cpus[i]);
		ck_assert_ptr_nonnull(event);
		ck_assert_ptr_eq(event->output, fake_perf_owner(cpus[i]));
		ck_assert_str_eq(event->filter, "count > 3");
		ck_assert_uint_eq(event->attr.sample_period, 1);
		ck_assert_int_eq(event->pid, -1);
		ck_assert(!event->enabled);
	}
	ck_assert_int_eq(uev_session_start(session), 0);
	ck_assert(fake_perf_find(ALPHA, 5)->enabled);
	ck_assert_int_eq(uev_session_stop(session), 0);
	ck_assert(!fake_perf_find(ALPHA, 5)->enabled);
	close_session(session);
}

TEST(reports_a_rejected_filter)
{
	struct uev_session *session = open_session();

	ck_assert_int_eq(uev_session_add(session, "alpha", "bad"), -EINVAL);
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, ALPHA), 0);
	/* It is not tried again. */
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_ptr_null(uev_session_source(session, 0));
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	close_session(session);
}

TEST(finds_new_events)
{
	struct uev_session *session = start_session("*");

	ck_assert_int_eq(uev_session_rescan(session), 0);
	fake_perf_tracepoint("user_events", "late", 500);
	ck_assert_int_eq(uev_session_rescan(session), 1);
	ck_assert(fake_perf_find(500, 2)->enabled);
	emit(500, 2, 7);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	ck_assert_str_eq(expect(session, 7)->source->name, "late");
	close_session(session);
}

/* The event was deleted and created again: the first source is unchanged. */
TEST(handles_a_recreated_event)
{
	struct uev_session *session = start_session("alpha");
	const struct uev_sample *record;
	uint64_t hits;
	uint64_t lost;

	emit(ALPHA, 0, 1);
	fake_perf_tracepoint("user_events", "alpha", 501);
	ck_assert_int_eq(uev_session_rescan(session), 1);
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, ALPHA), 0);
	emit(501, 0, 2);
	ck_assert_int_eq(uev_session_read(session, 0), 2);
	record = expect(session, 1);
	ck_assert_uint_eq(record->source->id, ALPHA);
	ck_assert_uint_eq(record->source->index, 0);
	record = expect(session, 2);
	ck_assert_uint_eq(record->source->id, 501);
	ck_assert_uint_eq(record->source->index, 1);
	ck_assert_int_eq(uev_session_source_stats(session, 0, &hits, &lost), 0);
	ck_assert_uint_eq(hits, 1);
	close_session(session);
}

/* Before Linux 6.6 its files appear one after the other, the format last. */
TEST(waits_for_the_format_of_a_new_event)
{
	struct uev_session *session = start_session("*");

	fake_perf_file("/sys/kernel/tracing/events/user_events/late/id",
		       "500\n");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	fake_perf_tracepoint("user_events", "late", 500);
	ck_assert_int_eq(uev_session_rescan(session), 1);
	ck_assert_ptr_nonnull(uev_session_source(session, 2)->format);
	close_session(session);
}

TEST(skips_an_event_deleted_during_the_scan)
{
	struct uev_session *session = open_session();

	/* The kernel knows it no more, its files are still there. */
	fake_perf.missing = ALPHA;
	ck_assert_int_eq(uev_session_add(session, "*", NULL), -EINVAL);
	ck_assert_int_eq(uev_session_add(session, "beta", NULL), 1);
	close_session(session);
}

TEST(record_has_all_members)
{
	struct uev_session *session = start_session("beta");
	const struct uev_sample *record;
	struct uev_clock clock;

	ck_assert(fake_perf_emit(BETA, 2, 1234, "0123456789ab", 12));
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	record = expect(session, 1234);
	ck_assert_ptr_eq(record->source, uev_session_source(session, 0));
	ck_assert_uint_eq(record->cpu, 2);
	ck_assert_uint_eq(record->pid, 100);
	ck_assert_uint_eq(record->tid, 101);
	ck_assert_uint_eq(record->id, fake_perf_id(fake_perf_find(BETA, 2)));
	ck_assert_uint_eq(record->raw_size, 12);
	ck_assert_mem_eq(record->raw, "0123456789ab", 12);
	ck_assert_uint_eq((uintptr_t)record->raw % 8, 0);
	ck_assert_uint_eq(record->flags,
			  UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID);
	expect_none(session);

	ck_assert_int_eq(uev_session_clock(session, &clock), 0);
	ck_assert_int_eq(clock.clockid, CLOCK_MONOTONIC_RAW);
	ck_assert_uint_eq(uev_clock_wall(&clock, 1234), 1234 + 1000000);
	close_session(session);
}

#define OFFSETS \
	"monotonic      100000         5\nboottime           -1 500000000\n"

static const struct {
	clockid_t clock;
	const char *offsets;
	bool is_own;
	uint64_t ahead;
} time_namespaces[] = {
	{ CLOCK_MONOTONIC_RAW, OFFSETS, true, 100000 * SECOND + 5 },
	{ CLOCK_MONOTONIC, OFFSETS, true, 100000 * SECOND + 5 },
	{ CLOCK_BOOTTIME, OFFSETS, true, -(SECOND / 2) },
	{ CLOCK_REALTIME, OFFSETS, true, 0 },
	{ CLOCK_MONOTONIC, OFFSETS, false, 0 },
	{ CLOCK_MONOTONIC, "", true, 0 },
};

/* Records have the clock of the initial time namespace. */
TEST_LOOP(knows_its_time_namespace, ARRAY_SIZE(time_namespaces))
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;
	struct uev_clock clock;

	fake_perf_time_namespace(time_namespaces[_i].offsets,
				 time_namespaces[_i].is_own);
	options.clockid = time_namespaces[_i].clock;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_clock(session, &clock), 0);
	ck_assert_uint_eq(
		uev_clock_wall(&clock, 1234),
		1234 + time_namespaces[_i].ahead +
			(options.clockid == CLOCK_REALTIME ? 0 : 1000000));
	close_session(session);
}

TEST(records_come_in_order_of_time)
{
	struct uev_session *session = start_session("*");
	static const int cpus[] = { 5, 0, 2 };
	uint64_t time;
	int i;

	for (i = 0; i < 300; i++)
		emit(i % 2 ? ALPHA : BETA, cpus[i % 3], 1000 - 3 * (i / 100));
	for (i = 0; i < 300; i++)
		emit(ALPHA, cpus[(i * 7) % 3], 2000 + (uint64_t)(i * 7) % 300);
	ck_assert_int_eq(uev_session_read(session, 0), 600);
	for (i = 0; i < 300; i++)
		expect(session, 994 + 3 * ((uint64_t)i / 100));
	for (time = 2000; time < 2300; time++)
		expect(session, time);
	expect_none(session);
	ck_assert_uint_eq(counts_of(session).records, 600);
	ck_assert_uint_eq(counts_of(session).unordered, 0);
	close_session(session);
}

/*
 * An older record could follow one that was written after its buffer was read.
 */
TEST(queues_records_that_can_be_preceded)
{
	struct uev_session *session = start_session("alpha");

	emit(ALPHA, 0, 10);
	ck_assert_int_eq(uev_session_read_buffer(session, &session->buffers[0]),
			 0);
	expect_none(session);
	emit(ALPHA, 2, 5);
	emit(ALPHA, 2, 12);
	ck_assert_int_eq(uev_session_read(session, 0), 3);
	expect(session, 5);
	expect(session, 10);

	emit(ALPHA, 5, 20);
	ck_assert_int_eq(uev_session_read_buffer(session, &session->buffers[2]),
			 0);
	expect(session, 12);
	expect_none(session);
	ck_assert_int_eq(uev_session_read(session, UEV_READ_DRAIN), 1);
	expect(session, 20);

	/* It comes too late for its place. */
	emit(ALPHA, 5, 19);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect(session, 19);
	ck_assert_uint_eq(counts_of(session).unordered, 1);
	close_session(session);
}

#define WRITTEN 30000

static struct {
	uint64_t count;
	bool ended;
} written;

/* Writes as time advances, to the processors in turn. */
static void *write_on(void *data)
{
	static const int cpus[] = { 5, 0, 2 };
	uint64_t time;

	for (time = 1; time <= WRITTEN; time++)
		written.count +=
			fake_perf_emit(ALPHA, cpus[time % 3], time, "x", 1);
	__atomic_store_n(&written.ended, true, __ATOMIC_RELEASE);

	return data;
}

TEST(reads_while_events_occur)
{
	struct uev_session *session = start_session("alpha");
	const struct uev_sample *sample;
	uint64_t newest = 0;
	uint64_t got = 0;
	pthread_t thread;

	ck_assert(!pthread_create(&thread, NULL, write_on, NULL));
	while (!__atomic_load_n(&written.ended, __ATOMIC_ACQUIRE)) {
		ck_assert_int_ge(uev_session_read(session, 0), 0);
		while (uev_session_next(session, &sample)) {
			if (sample->time <= newest)
				ck_abort_msg("out of order");
			newest = sample->time;
			got++;
		}
	}
	pthread_join(thread, NULL);
	ck_assert_int_ge(uev_session_read(session, UEV_READ_DRAIN), 0);
	while (uev_session_next(session, &sample))
		got++;
	ck_assert_uint_eq(got, written.count);
	ck_assert_uint_eq(counts_of(session).unordered, 0);
	close_session(session);
}

TEST(unknown_flags_of_a_read)
{
	struct uev_session *session = open_session();

	ck_assert_int_eq(uev_session_read(session, 1U << 5), -EINVAL);
	close_session(session);
}

TEST_LOOP(losses_are_counted, 2)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_trace_stats counts;
	struct uev_session *session;
	uint64_t hits;
	uint64_t lost;
	unsigned int cpu;
	int written = 0;
	int i;

	options.buffer_size = 4096;
	fake_perf.no_lost = _i;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	ck_assert_int_eq(uev_session_start(session), 0);
	for (i = 0; i < 200; i++)
		written += fake_perf_emit(ALPHA, 2, (uint64_t)i, "x", 1);
	ck_assert_int_eq(written, 4096 / 48);
	ck_assert_int_eq(uev_session_read(session, 0), written);
	/* The kernel reports it with the next record. */
	emit(ALPHA, 2, 1000);
	ck_assert_int_eq(uev_session_read(session, 0), written + 1);

	ck_assert_int_eq(uev_session_buffer_stats(session, 1, &cpu, &counts,
						  sizeof(counts)),
			 0);
	ck_assert_uint_eq(cpu, 2);
	ck_assert_uint_eq(counts.lost, 200U - (unsigned int)written);
	ck_assert_uint_eq(counts.records, (unsigned int)written + 1);
	ck_assert_uint_eq(counts.bytes, ((unsigned int)written + 1) * 48);
	ck_assert_uint_eq(counts_of(session).lost, counts.lost);

	ck_assert_int_eq(uev_session_source_stats(session, 0, &hits, &lost), 0);
	ck_assert_uint_eq(hits, 201);
	ck_assert_uint_eq(lost, _i ? UINT64_MAX : counts.lost);
	ck_assert_int_eq(uev_session_source_stats(session, 1, &hits, &lost),
			 -ENOENT);
	if (_i) {
		ck_assert_int_eq(uev_session_source_lost(session, 0, 1, &lost),
				 -ENODATA);
		close_session(session);
		return;
	}
	ck_assert_int_eq(uev_session_source_lost(session, 0, 1, &lost), 0);
	ck_assert_uint_eq(lost, counts.lost);
	ck_assert_int_eq(uev_session_source_lost(session, 0, 0, &lost), 0);
	ck_assert_uint_eq(lost, 0);
	ck_assert_int_eq(uev_session_source_lost(session, 0, 3, &lost),
			 -ENOENT);
	ck_assert_int_eq(uev_session_source_lost(session, 1, 0, &lost),
			 -ENOENT);
	close_session(session);
}

static void write_record(int cpu, uint32_t type, uint64_t a, uint64_t b,
			 uint16_t size)
{
	uint64_t record[8] = { 0, a, b };
	struct perf_event_header header = { .type = type, .size = size };

	memcpy(record, &header, sizeof(header));
	ck_assert(fake_perf_write(fake_perf_owner(cpu), record, size));
}

TEST(other_records_are_counted)
{
	struct uev_session *session = start_session("alpha");
	struct uev_trace_stats counts;

	write_record(0, PERF_RECORD_THROTTLE, 1, 2, 32);
	write_record(0, PERF_RECORD_UNTHROTTLE, 1, 2, 32);
	write_record(2, PERF_RECORD_LOST_SAMPLES, 17, 0, 16);
	write_record(2, PERF_RECORD_LOST, 0, 5, 24);
	write_record(2, PERF_RECORD_EXIT, 0, 0, 48);
	/* Records that are too short. */
	write_record(5, PERF_RECORD_LOST, 0, 5, 16);
	write_record(5, PERF_RECORD_SAMPLE, 0, 5, 24);
	/* Records of unknown events. */
	write_record(5, PERF_RECORD_SAMPLE, 999999, 5, 48);
	ck_assert_int_eq(uev_session_read(session, 0), 0);
	counts = counts_of(session);
	ck_assert_uint_eq(counts.throttled, 1);
	ck_assert_uint_eq(counts.other, 2);
	ck_assert_uint_eq(counts.lost, 22);
	ck_assert_uint_eq(counts.corrupt, 3);
	ck_assert_uint_eq(counts.records, 0);
	close_session(session);
}

/* Its event was given up when the last of its parts could not be enabled. */
TEST(skips_records_of_failed_events)
{
	struct uev_session *session = start_session("beta");
	struct fake_event *nearly;
	unsigned int calls;

	fake_perf.calls = 0;
	ck_assert_int_eq(uev_session_add(session, "sched:other", NULL), 1);
	calls = fake_perf.calls;
	nearly = &fake_perf.events[fake_perf.event_count];
	fake_perf.calls = 0;
	fake_perf.fail_at = calls;
	fake_perf.fail_with = -EIO;
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), -EIO);
	ck_assert_uint_eq(nearly->attr.config, ALPHA);
	write_record(0, PERF_RECORD_SAMPLE, fake_perf_id(nearly), 5, 48);
	ck_assert_int_eq(uev_session_read(session, 0), 0);
	ck_assert_uint_eq(counts_of(session).corrupt, 1);
	ck_assert_ptr_null(uev_session_source(session, 2));
	close_session(session);
}

/* Counts of a program that was compiled with fewer, or with more. */
TEST(counts_of_other_versions)
{
	struct uev_session *session = start_session("alpha");
	struct {
		struct uev_trace_stats counts;
		uint64_t newer;
	} larger = { .newer = 5 };
	struct uev_trace_stats smaller = { .bytes = 12345 };

	emit(ALPHA, 0, 1);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	uev_session_stats(session, &larger.counts, sizeof(larger));
	ck_assert_uint_eq(larger.counts.records, 1);
	ck_assert_uint_eq(larger.newer, 0);
	uev_session_stats(session, &smaller,
			  offsetof(struct uev_trace_stats, bytes));
	ck_assert_uint_eq(smaller.records, 1);
	ck_assert_uint_eq(smaller.bytes, 12345);
	smaller.records = 99;
	uev_session_stats(session, &smaller, 0);
	ck_assert_uint_eq(smaller.records, 99);
	close_session(session);
}

TEST(stops_reading_with_a_full_queue)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	const struct uev_sample *record;
	struct uev_session *session;
	uint64_t written = 0;
	uint64_t got = 0;
	int i;

	options.buffer_size = 4096;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	ck_assert_int_eq(uev_session_start(session), 0);
	for (i = 0; i < 10000; i++) {
		written += fake_perf_emit(ALPHA, 0, (uint64_t)i, "x", 1);
		if (i % 50 == 0)
			ck_assert_int_ge(uev_session_read(session, 0), 0);
	}
	ck_assert_uint_lt(written, 1000);
	ck_assert_int_ge(uev_session_read(session, 0), 0);
	do {
		while (uev_session_next(session, &record))
			got++;
	} while (uev_session_read(session, 0) > 0);
	/* No other records were lost. */
	ck_assert_uint_eq(got, written);
	emit(ALPHA, 0, 20000);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	ck_assert_uint_eq(counts_of(session).lost, 10000 - written);
	close_session(session);
}

static struct uev_session *overwriting_session(void)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	options.flags = UEV_SESSION_OVERWRITE;
	options.buffer_size = 4096;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	ck_assert_int_eq(uev_session_start(session), 0);

	return session;
}

TEST(a_snapshot_has_the_newest)
{
	struct uev_session *session = overwriting_session();
	uint64_t time;

	ck_assert(!fake_perf_owner(0)->writable);
	ck_assert(fake_perf_find(ALPHA, 0)->attr.write_backward);
	for (time = 1; time <= 1000; time++)
		emit(ALPHA, time % 2 ? 0 : 5, time);
	/* 85 whole records of 48 bytes fit in each, and 16 bytes of another. */
	ck_assert_int_eq(uev_session_read(session, 0), 170);
	for (time = 831; time <= 1000; time++)
		expect(session, time);
	expect_none(session);
	ck_assert_uint_eq(counts_of(session).corrupt, 0);
	ck_assert(!fake_perf_owner(0)->paused);
	ck_assert(!fake_perf_owner(5)->paused);

	/* The next snapshot has only new records. */
	ck_assert_int_eq(uev_session_read(session, 0), 0);
	emit(ALPHA, 2, 1001);
	emit(ALPHA, 0, 1002);
	ck_assert_int_eq(uev_session_read(session, 0), 2);
	expect(session, 1001);
	expect(session, 1002);
	close_session(session);
}

/* As of a clock with a low resolution */
TEST(a_snapshot_keeps_the_order_of_equal_times)
{
	static const char order[] = "abcdef";
	struct uev_session *session = overwriting_session();
	const struct uev_sample *sample;
	size_t i;

	for (i = 0; order[i]; i++)
		ck_assert(fake_perf_emit(ALPHA, 0, 5 + i / 4, &order[i], 1));
	ck_assert_int_eq(uev_session_read(session, 0), 6);
	for (i = 0; order[i]; i++) {
		ck_assert_int_eq(uev_session_next(session, &sample), 1);
		ck_assert_uint_eq(sample->time, 5 + i / 4);
		ck_assert_int_eq(*(const char *)sample->raw, order[i]);
	}
	close_session(session);
}

TEST(reports_a_failed_snapshot)
{
	struct uev_session *session = overwriting_session();

	emit(ALPHA, 0, 1);
	fake_perf.calls = 0;
	fake_perf.fail_at = 2;
	fake_perf.fail_with = -EIO;
	ck_assert_int_eq(uev_session_read(session, 0), -EIO);
	ck_assert(!fake_perf_owner(0)->paused);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect(session, 1);
	close_session(session);
}

TEST(processors_come_and_go)
{
	struct uev_session *session = start_session("*");
	struct uev_trace_stats counts;
	uint64_t hits;
	uint64_t lost;
	unsigned int cpu;
	int opened;

	emit(ALPHA, 2, 1);
	fake_perf_file(ONLINE, "0,5-6\n");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, ALPHA), 4);
	emit(ALPHA, 6, 2);

	/* Records in its buffer are not lost when it is online again. */
	fake_perf_file(ONLINE, "0,2,5-6\n");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, ALPHA), 4);
	ck_assert_int_eq(fake_perf.maps, 4);
	emit(ALPHA, 2, 3);
	ck_assert_int_eq(uev_session_read(session, 0), 3);
	expect(session, 1);
	expect(session, 2);
	expect(session, 3);
	ck_assert_int_eq(uev_session_source_stats(session, 0, &hits, &lost), 0);
	ck_assert_uint_eq(hits, 3);
	ck_assert_int_eq(uev_session_buffer_stats(session, 3, &cpu, &counts,
						  sizeof(counts)),
			 0);
	ck_assert_uint_eq(cpu, 6);

	/* Now all is as it should be, and stays so. */
	opened = fake_perf.event_count;
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_int_eq(fake_perf.event_count, opened);
	close_session(session);
}

/* Such as by a signal, or if other processes run */
TEST(pause_of_the_process_is_no_restart)
{
	struct uev_session *session = start_session("*");

	fake_perf.time += SECOND;
	fake_perf.pause = 10 * SECOND;
	ck_assert_int_eq(uev_session_rescan(session), 0);
	fake_perf.time += SECOND;
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_uint_eq(counts_of(session).interrupted, 0);
	close_session(session);
}

/* The last look of a search is up to 100 ms old, and no other follows. */
TEST(counts_a_processor_that_restarts_before_the_end)
{
	struct uev_session *session = start_session("*");

	ck_assert_int_eq(uev_session_rescan(session), 0);
	fake_perf_restart(2, SECOND / 1000);
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_uint_eq(counts_of(session).interrupted, 0);
	ck_assert_int_eq(uev_session_stop(session), 0);
	ck_assert_uint_eq(counts_of(session).interrupted, 1);
	uev_session_close(session);
}

/* All but one are restarted while the machine is suspended. */
TEST(opens_events_again_of_a_restarted_processor)
{
	struct uev_session *session = start_session("*");
	uint64_t hits;
	uint64_t lost;
	int opened;

	emit(ALPHA, 2, 1);
	fake_perf_restart(2, SECOND);
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_uint_eq(counts_of(session).interrupted, 1);
	emit(ALPHA, 2, 2);
	ck_assert_int_eq(uev_session_read(session, 0), 2);
	expect(session, 1);
	expect(session, 2);
	ck_assert_int_eq(uev_session_source_stats(session, 0, &hits, &lost), 0);
	ck_assert_uint_eq(hits, 2);

	/* The others were left alone, and so are all from now on. */
	opened = fake_perf.event_count;
	ck_assert_int_eq(opened, 3 + 2 * 3 + 1 + 2);
	fake_perf.time += SECOND;
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_int_eq(fake_perf.event_count, opened);
	close_session(session);
}

/* It went offline after the list of those online was read. */
TEST(handles_a_processor_offline_between_scans)
{
	struct uev_session *session;

	fake_perf.offline = 2;
	session = start_session("alpha");
	ck_assert_int_eq(fake_perf.maps, 2);
	fake_perf.offline = -1;
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_int_eq(fake_perf.maps, 3);
	emit(ALPHA, 2, 1);
	fake_perf.offline = 2;
	fake_perf_tracepoint("user_events", "late", 500);
	ck_assert_int_eq(uev_session_add(session, "late", NULL), 1);
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, 500), 2);
	close_session(session);
}

TEST(threads_of_processes)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	static const pid_t pids[] = { 50, 77, 60, 50 };
	struct uev_session *session;
	const struct fake_event *event;

	fake_perf_file("/proc/50/task/50/comm", "a\n");
	fake_perf_file("/proc/50/task/51/comm", "a\n");
	fake_perf_file("/proc/60/task/60/comm", "b\n");
	fake_perf_file("/proc/60/task/strange/comm", "b\n");
	options.pids = pids;
	options.pid_count = 4;
	options.flags = UEV_SESSION_INHERIT;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(fake_perf_owner(0)->pid, 4321);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	/* Three threads on three processors. */
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, ALPHA), 9);
	event = fake_perf_find(ALPHA, 5);
	ck_assert_int_eq(event->pid, 50);
	ck_assert_int_eq(event[1].pid, 51);
	ck_assert_int_eq(event[2].pid, 60);
	ck_assert(event->attr.inherit);
	close_session(session);
}

TEST(tasks_of_a_cgroup)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;
	const struct fake_event *event;

	options.cgroup_fd = 33;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(fake_perf_owner(0)->pid, -1);
	ck_assert_uint_eq(fake_perf_owner(0)->flags, 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	event = fake_perf_find(ALPHA, 2);
	ck_assert_int_eq(event->pid, 33);
	ck_assert_uint_eq(event->flags, PERF_FLAG_PID_CGROUP);
	close_session(session);
}

/* The kernel's error for an event that was deleted. */
TEST(rejects_a_cgroup_without_perf)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	options.cgroup_fd = 33;
	fake_perf.no_cgroup = true;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), -ENOENT);
	close_session(session);
}

/* ---- Names of threads ---- */

/* Its records are of thread 101, which was there before; 102 was not. */
static struct uev_session *naming_session(unsigned int flags)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	fake_perf_file("/proc/100/task/100/comm", "main\n");
	fake_perf_file("/proc/100/task/101/comm", "worker\n");
	fake_perf_file("/proc/100/comm", "main\n");
	fake_perf_file("/proc/101/comm", "a\nworker\n");
	fake_perf_file("/proc/meminfo", "none of them\n");
	options.flags = UEV_SESSION_COMMS | flags;
	options.buffer_size = 4096;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	ck_assert_int_eq(uev_session_start(session), 0);

	return session;
}

static void expect_name(struct uev_session *session, uint64_t time,
			const char *name)
{
	const struct uev_sample *record = expect(session, time);
	const char *found = uev_session_comm(session, record->tid);

	ck_assert_str_eq(found ? found : "(none)", name);
}

TEST(names_are_those_of_the_time)
{
	struct uev_session *session = naming_session(0);

	ck_assert_str_eq(uev_session_comm(session, 100), "main");
	ck_assert_str_eq(uev_session_comm(session, 101), "a\nworker");
	ck_assert_ptr_null(uev_session_comm(session, 102));

	emit(ALPHA, 0, 10);
	ck_assert(fake_perf_comm(2, 11, 101, "second"));
	emit(ALPHA, 5, 12);
	/* On another processor it is found first, and is later. */
	ck_assert(fake_perf_comm(0, 15, 101, "fourth"));
	emit(ALPHA, 0, 16);
	ck_assert(fake_perf_comm(5, 13, 101, "third"));
	emit(ALPHA, 5, 14);
	ck_assert_int_eq(uev_session_read(session, 0), 4);
	expect_name(session, 10, "a\nworker");
	expect_name(session, 12, "second");
	expect_name(session, 14, "third");
	expect_name(session, 16, "fourth");
	expect_none(session);
	ck_assert_uint_eq(counts_of(session).other, 0);
	close_session(session);
}

/* It has the name of its creator at that time, and keeps it. */
TEST(new_thread_has_the_name_of_its_creator)
{
	struct uev_session *session = naming_session(0);

	ck_assert(fake_perf_comm(2, 1, 100, "maker"));
	ck_assert(fake_perf_fork(2, 2, 102, 100));
	ck_assert(fake_perf_comm(2, 3, 100, "other"));
	ck_assert(fake_perf_fork(2, 4, 103, 102));
	/* The name is unknown: the previous thread with this ID has exited. */
	ck_assert(fake_perf_fork(2, 5, 101, 999));
	emit(ALPHA, 0, 6);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect_name(session, 6, "(none)");
	ck_assert_str_eq(uev_session_comm(session, 100), "other");
	ck_assert_str_eq(uev_session_comm(session, 102), "maker");
	ck_assert_str_eq(uev_session_comm(session, 103), "maker");
	close_session(session);
}

/* ---- PIDs in containers ---- */

static void expect_vpid(struct uev_session *session, uint64_t time,
			uint32_t vpid)
{
	const struct uev_sample *record = expect(session, time);

	ck_assert_uint_eq(record->vpid, vpid);
	ck_assert_int_eq(!(record->flags & UEV_HAS_VPID), !vpid);
}

/* All records are of process 100. */
static struct uev_session *vpid_session(unsigned int flags, const char *status)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	fake_perf_file("/proc/100/status", status);
	options.flags = flags;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	ck_assert_int_eq(uev_session_start(session), 0);

	return session;
}

static const struct {
	unsigned int flags;
	const char *status;
	uint32_t vpid;
} statuses[] = {
	{ UEV_SESSION_VPIDS, "Name:\ta\nNStgid:\t100\t7\nNSpid:\t1\n", 7 },
	{ UEV_SESSION_VPIDS, "Name:\ta\nNStgid:\t100\t31\t1\n", 1 },
	{ UEV_SESSION_VPIDS, "Name:\ta\nNStgid:\t100\nNSpid:\t1\t2\n", 0 },
	{ UEV_SESSION_VPIDS, "Name:\ta\nNStgid:", 0 },
	{ UEV_SESSION_VPIDS, "", 0 },
	{ 0, "Name:\ta\nNStgid:\t100\t7\n", 0 },
};

TEST_LOOP(record_has_the_pid_in_its_own_namespace, ARRAY_SIZE(statuses))
{
	struct uev_session *session =
		vpid_session(statuses[_i].flags, statuses[_i].status);

	emit(ALPHA, 0, 10);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect_vpid(session, 10, statuses[_i].vpid);
	close_session(session);
}

/* It is kept after the exit, until another process has the PID. */
TEST(vpid_is_read_once_a_second)
{
	struct uev_session *session =
		vpid_session(UEV_SESSION_VPIDS, "\nNStgid:\t100\t7\n");

	emit(ALPHA, 0, 10);
	uev_session_read(session, 0);
	fake_perf_file("/proc/100/status", "\nNStgid:\t100\t8\n");
	emit(ALPHA, 0, 10 + SECOND);
	uev_session_read(session, 0);
	emit(ALPHA, 0, 11 + SECOND);
	uev_session_read(session, 0);
	fake_perf_remove("/proc/100/status");
	emit(ALPHA, 0, 20 + 2 * SECOND);
	uev_session_read(session, 0);
	fake_perf_file("/proc/100/status", "\nNStgid:\t100\n");
	emit(ALPHA, 0, 30 + 3 * SECOND);
	uev_session_read(session, UEV_READ_DRAIN);
	expect_vpid(session, 10, 7);
	expect_vpid(session, 10 + SECOND, 7);
	expect_vpid(session, 11 + SECOND, 8);
	expect_vpid(session, 20 + 2 * SECOND, 8);
	expect_vpid(session, 30 + 3 * SECOND, 0);
	close_session(session);
}

/* Return: the calls for it */
static unsigned int look_up(struct uev_session *session, uint32_t pid,
			    uint32_t vpid)
{
	struct uev_sample record = { .pid = pid, .time = 1 };
	unsigned int before = fake_perf.calls;

	uev_session_set_vpid(session, &record);
	ck_assert_uint_eq(record.vpid, vpid);

	return fake_perf.calls - before;
}

/* With one more than the limit, all others are forgotten. */
TEST(each_process_is_looked_up_once)
{
	struct uev_session session = { .options.flags = UEV_SESSION_VPIDS };
	uint32_t pid;

	fake_perf_file("/proc/100/status", "\nNStgid:\t100\t7\n");
	for (pid = 1; pid <= UEV_SESSION_VPIDS_MAX; pid++)
		ck_assert_uint_gt(look_up(&session, pid, pid == 100 ? 7 : 0),
				  0);
	for (pid = 1; pid <= UEV_SESSION_VPIDS_MAX; pid++)
		ck_assert_uint_eq(look_up(&session, pid, pid == 100 ? 7 : 0),
				  0);
	ck_assert_uint_gt(look_up(&session, pid, 0), 0);
	ck_assert_uint_gt(look_up(&session, 100, 7), 0);
	ck_assert_uint_eq(look_up(&session, 100, 7), 0);
	uev_session_free_vpids(&session);
}

/* ---- Stacks ---- */

#define MAPS                                                                \
	"00400000-00402000 r-xp 00001000 08:02 77                         " \
	"  /a/program\n"                                                    \
	"00600000-00602000 rw-p 00003000 08:02 77 /a/program\n"             \
	"7f00000-7f02000 r-xs 00000000 00:00 0 \n"                          \
	"not a mapping\n"                                                   \
	"7ffff000-80000000 r-xp 00000000 00:00 0 [vdso]"

static struct uev_session *stack_session(const pid_t *pids, size_t count)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	fake_perf_file("/proc/100/maps", MAPS);
	fake_perf_file("/proc/100/task/100/comm", "main\n");
	fake_perf_file("/proc/100/task/101/comm", "main\n");
	fake_perf_file("/proc/101/status", "Name:\ta\nTgid:\t100\n");
	fake_perf_file("/proc/101/maps", MAPS);
	fake_perf_file("/proc/200/maps", MAPS);
	options.flags = UEV_SESSION_STACKS;
	options.stack_max = 10;
	options.pids = pids;
	options.pid_count = count;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	ck_assert_int_eq(uev_session_start(session), 0);

	return session;
}

/* Returns the path at an address, or "". */
static const char *path_at(const struct uev_session *session, uint32_t pid,
			   uint64_t address)
{
	const struct uev_mapping *mapping =
		uev_session_mapping(session, pid, address);

	return mapping ? mapping->path : "";
}

/* A directory cannot be read either. */
TEST(counts_unreadable_mappings)
{
	struct uev_trace_stats counts;
	struct uev_session *session;

	fake_perf_file("/proc/7/maps/none", "");
	fake_perf_file("/proc/8/comm", "exited\n");
	session = stack_session(NULL, 0);
	uev_session_stats(session, &counts, sizeof(counts));
	ck_assert_uint_eq(counts.unreadable_maps, 1);
	uev_session_close(session);
}

/* Process 100 maps another file at the address of the stacks. */
static void map_another(uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, size, offset, device, inode, generation;
		uint32_t protection, flags;
		char path[8];
		uint64_t time;
	} record = {
		.header = { PERF_RECORD_MMAP2, 0, sizeof(record) },
		.pid = 100,
		.tid = 100,
		.start = 0x401000,
		.size = 0x1000,
		.path = "/other",
		.time = time,
	};

	ck_assert(fake_perf_write(fake_perf_names(2), &record, sizeof(record)));
}

TEST(stacks_have_mappings)
{
	struct uev_session *session = stack_session(NULL, 0);
	const struct perf_event_attr *attr = &fake_perf_find(ALPHA, 0)->attr;
	const struct uev_sample *record;

	ck_assert(attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	ck_assert(attr->exclude_callchain_kernel);
	ck_assert_uint_eq(attr->sample_max_stack, 10);
	attr = &fake_perf_names(0)->attr;
	ck_assert(attr->mmap && attr->mmap2 && attr->task);
	ck_assert_uint_eq(fake_perf_names(0)->map_size, 512 * 1024 + 4096);

	emit(ALPHA, 0, 10);
	map_another(11);
	emit(ALPHA, 0, 12);
	ck_assert_int_eq(uev_session_read(session, 0), 2);
	record = expect(session, 10);
	ck_assert_uint_eq(record->stack_size, 2);
	ck_assert(uev_stack_is_mark(record->stack[0]));
	ck_assert(!uev_stack_is_mark(record->stack[1]));
	ck_assert_uint_eq(record->stack[1], FAKE_ADDRESS);
	ck_assert_str_eq(path_at(session, record->pid, FAKE_ADDRESS),
			 "/a/program");
	expect(session, 12);
	ck_assert_str_eq(path_at(session, 100, FAKE_ADDRESS), "/other");
	ck_assert_str_eq(path_at(session, 200, FAKE_ADDRESS), "/a/program");
	close_session(session);
}

TEST(mappings_match_proc)
{
	struct uev_session *session = stack_session(NULL, 0);
	const struct uev_mapping *mapping =
		uev_session_mapping(session, 100, 0x400000);

	ck_assert_uint_eq(mapping->start, 0x400000);
	ck_assert_uint_eq(mapping->end, 0x402000);
	ck_assert_uint_eq(mapping->offset, 0x1000);
	ck_assert_uint_eq(mapping->major, 8);
	ck_assert_uint_eq(mapping->minor, 2);
	ck_assert_uint_eq(mapping->inode, 77);
	ck_assert_uint_eq(mapping->protection, PROT_READ | PROT_EXEC);
	ck_assert_uint_eq(mapping->flags, MAP_PRIVATE);
	ck_assert_str_eq(path_at(session, 100, 0x600000), "");
	ck_assert_str_eq(path_at(session, 100, 0x7f00000), "//anon");
	ck_assert_str_eq(path_at(session, 100, 0x7fffffff), "[vdso]");
	close_session(session);
}

/* Only of these processes, once each. */
TEST(mappings_of_processes)
{
	static const pid_t pid = 100;
	struct uev_session *session = stack_session(&pid, 1);

	ck_assert_str_eq(path_at(session, 100, FAKE_ADDRESS), "/a/program");
	ck_assert_str_eq(path_at(session, 101, FAKE_ADDRESS), "");
	ck_assert_str_eq(path_at(session, 200, FAKE_ADDRESS), "");
	close_session(session);
}

static const struct {
	unsigned int flags;
	bool excludes_kernel;
	bool excludes_user;
} stack_rows[] = {
	{ UEV_SESSION_STACKS, true, false },
	{ UEV_SESSION_KERNEL_STACKS, false, true },
	{ UEV_SESSION_STACKS | UEV_SESSION_KERNEL_STACKS, false, false },
};

TEST_LOOP(collects_stacks_of_the_kernel, ARRAY_SIZE(stack_rows))
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	const struct perf_event_attr *attr;
	struct uev_session *session;

	options.flags = stack_rows[_i].flags;
	options.stack_max = 10;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, "alpha", NULL), 1);
	attr = &fake_perf_find(ALPHA, 0)->attr;
	ck_assert(attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	ck_assert_uint_eq(attr->exclude_callchain_kernel,
			  stack_rows[_i].excludes_kernel);
	ck_assert_uint_eq(attr->exclude_callchain_user,
			  stack_rows[_i].excludes_user);
	ck_assert_uint_eq(attr->sample_max_stack, 10);
	close_session(session);
}

TEST(rejects_a_depth_without_stacks)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session;

	options.stack_max = 1;
	ck_assert_int_eq(uev_session_open(&session, &options), -EINVAL);
	options.stack_max = 0;
	options.reserved[0] = 1;
	ck_assert_int_eq(uev_session_open(&session, &options), -EINVAL);
}

TEST_LOOP(names_have_separate_rings, 2)
{
	struct uev_session *session = naming_session((unsigned int)_i);
	struct uev_trace_stats counts;
	const struct fake_event *names;
	unsigned int cpu;

	ck_assert_int_eq(fake_perf.maps, 6);
	ck_assert_int_eq(fake_perf.waits, _i & UEV_SESSION_OVERWRITE ? 3 : 6);
	ck_assert_int_eq(uev_session_buffer_stats(session, 3, &cpu, &counts,
						  sizeof(counts)),
			 -ENOENT);
	names = fake_perf_names(5);
	ck_assert_ptr_nonnull(names);
	ck_assert_ptr_ne(names, fake_perf_owner(5));
	ck_assert(names->enabled && names->writable);
	ck_assert(!names->attr.write_backward);
	ck_assert_int_eq(names->pid, -1);
	ck_assert_uint_eq(names->attr.use_clockid, 1);
	ck_assert_int_eq(names->attr.clockid, CLOCK_MONOTONIC_RAW);
	ck_assert_int_eq(uev_session_stop(session), 0);
	ck_assert(!names->enabled);
	close_session(session);
}

TEST(no_names_without_the_flag)
{
	struct uev_session *session = start_session("alpha");

	ck_assert_ptr_null(fake_perf_names(0));
	ck_assert_int_eq(fake_perf.maps, 3);
	emit(ALPHA, 0, 1);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect_name(session, 1, "(none)");
	close_session(session);
}

TEST(no_names_without_permission)
{
	struct uev_session *session;

	fake_perf.no_comms = true;
	session = naming_session(0);
	ck_assert_int_eq(fake_perf.maps, 3);
	emit(ALPHA, 0, 1);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect_name(session, 1, "(none)");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	close_session(session);
}

/* With selected processes, names of other processes are not read. */
TEST(names_of_processes)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	static const pid_t pid = 100;
	struct uev_session *session;

	close_session(naming_session(0));
	fake_perf_file("/proc/7/task/7/comm", "other\n");
	fake_perf_file("/proc/7/comm", "other\n");
	options.flags = UEV_SESSION_COMMS | UEV_SESSION_INHERIT;
	options.pids = &pid;
	options.pid_count = 1;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_start(session), 0);
	ck_assert_str_eq(uev_session_comm(session, 100), "main");
	ck_assert_str_eq(uev_session_comm(session, 101), "a\nworker");
	ck_assert_ptr_null(uev_session_comm(session, 7));
	close_session(session);
}

/* Records of a snapshot can be old, and their thread can have exited. */
TEST(names_outlive_their_ring)
{
	struct uev_session *session = naming_session(UEV_SESSION_OVERWRITE);
	uint64_t time;

	emit(ALPHA, 0, 1);
	ck_assert(fake_perf_comm(0, 2, 101, "second"));
	emit(ALPHA, 0, 3);
	for (time = 10; time < 20010; time++) {
		ck_assert(fake_perf_comm(0, time, 1000, "another"));
		if (time % 1000 == 0)
			ck_assert_int_eq(uev_session_rescan(session), 0);
	}
	ck_assert(fake_perf_comm(0, 30000, 101, "third"));
	ck_assert_int_eq(uev_session_read(session, 0), 2);
	expect_name(session, 1, "a\nworker");
	expect_name(session, 3, "second");
	emit(ALPHA, 0, 30001);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect_name(session, 30001, "third");
	close_session(session);
}

TEST(missed_names_are_not_lost_records)
{
	struct uev_session *session = naming_session(0);
	uint64_t lost[7] = { 0 };
	const struct perf_event_header header = {
		.type = PERF_RECORD_LOST,
		.size = sizeof(lost),
	};
	uint64_t time = 0;

	while (fake_perf_comm(0, ++time, 101, "kept"))
		;
	ck_assert_int_eq(uev_session_read(session, 0), 0);
	memcpy(lost, &header, sizeof(header));
	lost[2] = 5;
	ck_assert(fake_perf_write(fake_perf_names(0), lost, sizeof(lost)));
	emit(ALPHA, 0, time + 1);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect_name(session, time + 1, "kept");
	ck_assert_uint_eq(counts_of(session).lost, 0);
	ck_assert_uint_eq(counts_of(session).corrupt, 0);
	close_session(session);
}

/* ---- Children ---- */

/*
 * Follows process 50, its thread 51 and its children 60 and 61, which exist. All
 * records are of thread 101, which does not exist yet.
 */
static struct uev_session *following_session(const char *pattern)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	static const pid_t pid = 50;
	struct uev_session *session;

	fake_perf_file("/proc/1/task/1/comm", "init\n");
	fake_perf_file("/proc/1/stat", "1 (init) S 0 1 1\n");
	fake_perf_file("/proc/50/task/50/comm", "a\n");
	fake_perf_file("/proc/50/task/51/comm", "a\n");
	fake_perf_file("/proc/50/stat", "50 (a) S 1 1 1\n");
	fake_perf_file("/proc/59/task/59/comm", "other\n");
	fake_perf_file("/proc/59/stat", "59 (other) S 1 50 50\n");
	/* The child of a child is found first. */
	fake_perf_file("/proc/60/task/60/comm", "c\n");
	fake_perf_file("/proc/60/stat", "60 (c) S 61 1 1\n");
	fake_perf_file("/proc/61/task/61/comm", "b) S 9\n");
	fake_perf_file("/proc/61/stat", "61 (b) S 9) R 50 1 1\n");
	options.pids = &pid;
	options.pid_count = 1;
	options.flags = UEV_SESSION_INHERIT;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_eq(uev_session_add(session, pattern, NULL), 1);

	return session;
}

static struct uev_session *started_following_session(void)
{
	struct uev_session *session = following_session("[ag]*");

	ck_assert_int_eq(uev_session_start(session), 0);

	return session;
}

/* An event that appears while the session runs. */
enum {
	GAMMA = 303
};

static void add_late(struct uev_session *session)
{
	fake_perf_tracepoint("user_events", "gamma", GAMMA);
	ck_assert_int_eq(uev_session_rescan(session), 1);
}

TEST(children_that_exist)
{
	struct uev_session *session = following_session("alpha");
	const struct fake_event *event = fake_perf_find(ALPHA, 0);
	bool seen[62] = { false };
	int i;

	/* Four threads on three processors. */
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, ALPHA),
			 12);
	for (i = 0; i < 4; i++) {
		ck_assert_int_lt(event[i].pid, 62);
		seen[event[i].pid] = true;
	}
	ck_assert(seen[50] && seen[51] && seen[60] && seen[61]);
	close_session(session);
}

TEST(late_event_is_filtered_by_descent)
{
	struct uev_session *session = started_following_session();
	const struct fake_event *event;
	uint64_t hits;
	uint64_t lost;

	add_late(session);
	ck_assert(!uev_session_source_is_late(session, 0));
	ck_assert(uev_session_source_is_late(session, 1));
	ck_assert(!uev_session_source_is_late(session, 2));
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, GAMMA), 3);
	event = fake_perf_find(GAMMA, 2);
	ck_assert_int_eq(event->pid, -1);
	ck_assert(!event->attr.inherit);

	emit(GAMMA, 0, 10);
	/* It is known to be a child later than its records are read. */
	ck_assert(fake_perf_fork(5, 12, 101, 70));
	ck_assert(fake_perf_fork(2, 11, 70, 60));
	emit(GAMMA, 2, 13);
	emit(GAMMA, 0, 14);
	/* Another process has the ID of the child. */
	ck_assert(fake_perf_fork(5, 15, 101, 59));
	emit(GAMMA, 5, 16);
	ck_assert_int_ge(uev_session_read(session, UEV_READ_DRAIN), 2);
	expect(session, 13);
	expect(session, 14);
	expect_none(session);
	ck_assert_uint_eq(counts_of(session).records, 2);
	ck_assert_int_eq(uev_session_source_stats(session, 1, &hits, &lost), 0);
	ck_assert_uint_eq(hits, 2);
	close_session(session);
}

/* Kernels before 6.0 say that records were lost with the next one only. */
TEST(late_event_whose_last_records_are_lost)
{
	struct uev_session *session;
	const struct uev_sample *sample;
	uint64_t hits, lost;
	uint32_t all = 3000, written = 0, i;

	fake_perf.no_lost = true;
	session = started_following_session();
	add_late(session);
	for (i = 0; i < all; i++)
		written += fake_perf_emit(GAMMA, 2, 10, "x", 1);
	ck_assert_uint_lt(written, all);
	ck_assert_int_eq(uev_session_stop(session), 0);
	ck_assert_int_eq(uev_session_read(session, UEV_READ_DRAIN), written);
	while (uev_session_next(session, &sample))
		continue;
	ck_assert_uint_eq(counts_of(session).lost, 0);
	ck_assert_int_eq(uev_session_source_stats(session, 1, &hits, &lost), 0);
	ck_assert_uint_eq(hits, counts_of(session).records + all - written);
	uev_session_close(session);
}

/* What newer records have overwritten can be of any process. */
TEST(late_event_whose_records_are_overwritten)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	static const pid_t pid = 50;
	struct uev_session *session;
	const struct uev_sample *sample;
	uint64_t hits, lost, time;

	fake_perf.no_lost = true;
	fake_perf_file("/proc/50/task/50/comm", "a\n");
	fake_perf_file("/proc/50/stat", "50 (a) S 1 1 1\n");
	options.pids = &pid;
	options.pid_count = 1;
	options.flags = UEV_SESSION_INHERIT | UEV_SESSION_OVERWRITE;
	options.buffer_size = 4096;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	ck_assert_int_ge(uev_session_add(session, "[ag]*", NULL), 1);
	ck_assert_int_eq(uev_session_start(session), 0);
	add_late(session);
	for (time = 1; time <= 1000; time++)
		emit(GAMMA, 2, time);
	ck_assert_int_eq(uev_session_stop(session), 0);
	ck_assert_int_ge(uev_session_read(session, UEV_READ_DRAIN), 0);
	while (uev_session_next(session, &sample))
		continue;
	ck_assert_int_eq(uev_session_source_stats(session, 1, &hits, &lost), 0);
	ck_assert_uint_eq(hits, counts_of(session).records);
	uev_session_close(session);
}

/* Those of processes are as they were, with those of their children. */
TEST(late_event_of_a_restarted_processor)
{
	struct uev_session *session = started_following_session();
	const struct fake_event *early = fake_perf_find(ALPHA, 2);

	add_late(session);
	ck_assert_uint_eq(counts_of(session).interrupted, 0);
	fake_perf_restart(2, SECOND);
	/* A child of this one appeared meanwhile. */
	fake_perf_file("/proc/101/task/101/comm", "d\n");
	fake_perf_file("/proc/101/stat", "101 (d) S 50 1 1\n");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_uint_eq(counts_of(session).interrupted, 1);
	ck_assert_ptr_eq(fake_perf_find(ALPHA, 2), early);
	ck_assert(fake_perf_names(2)->enabled);
	emit(GAMMA, 2, 10);
	ck_assert_int_eq(uev_session_read(session, UEV_READ_DRAIN), 1);
	expect(session, 10);
	close_session(session);
}

/* The kernel filters them. */
TEST(early_event_is_not_filtered)
{
	struct uev_session *session = started_following_session();

	add_late(session);
	ck_assert(fake_perf_emit(ALPHA, 0, 10, "raw", 4));
	/* One of each thread. */
	ck_assert_int_eq(uev_session_read(session, UEV_READ_DRAIN), 4);
	expect(session, 10);
	close_session(session);
}

/* Without forks there is no descent. */
TEST(late_event_without_permission)
{
	struct uev_session *session;

	fake_perf.no_comms = true;
	session = started_following_session();
	add_late(session);
	ck_assert_int_eq(fake_perf_open_events(PERF_TYPE_TRACEPOINT, GAMMA),
			 12);
	emit(GAMMA, 0, 10);
	ck_assert_int_eq(uev_session_read(session, UEV_READ_DRAIN), 4);
	expect(session, 10);
	close_session(session);
}

/* The permission ends while the session runs: a new processor has no names. */
TEST(late_event_after_loss_of_permission)
{
	struct uev_session *session = started_following_session();

	add_late(session);
	fake_perf.no_comms = true;
	fake_perf_file(ONLINE, "0,2,5-6\n");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_ptr_null(fake_perf_names(0));
	emit(GAMMA, 0, 10);
	ck_assert_int_eq(uev_session_read(session, 0), 1);
	expect(session, 10);
	ck_assert_uint_eq(counts_of(session).records, 1);
	close_session(session);
}

TEST(lost_forks_are_counted_and_replaced)
{
	struct uev_session *session = started_following_session();
	uint64_t lost[7] = { 0 };
	const struct perf_event_header header = {
		.type = PERF_RECORD_LOST,
		.size = sizeof(lost),
	};

	add_late(session);
	ck_assert_uint_eq(counts_of(session).forks_lost, 0);
	memcpy(lost, &header, sizeof(header));
	lost[2] = 5;
	ck_assert(fake_perf_write(fake_perf_names(0), lost, sizeof(lost)));
	fake_perf_file("/proc/101/task/101/comm", "d\n");
	fake_perf_file("/proc/101/stat", "101 (d) S 50 1 1\n");
	emit(GAMMA, 0, 10);
	ck_assert_int_eq(uev_session_read(session, UEV_READ_DRAIN), 1);
	expect(session, 10);
	ck_assert_uint_eq(counts_of(session).forks_lost, 5);
	ck_assert_uint_eq(counts_of(session).lost, 0);
	close_session(session);
}

TEST(names_while_processors_come_and_go)
{
	struct uev_session *session = naming_session(0);

	ck_assert(fake_perf_comm(2, 1, 101, "second"));
	fake_perf_file("/proc/101/comm", "second\n");
	fake_perf_file(ONLINE, "0,5-6\n");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert_ptr_null(fake_perf_names(2));
	ck_assert(fake_perf_names(6)->enabled);
	emit(ALPHA, 0, 2);
	ck_assert(fake_perf_comm(6, 3, 101, "third"));
	emit(ALPHA, 0, 4);
	fake_perf_file("/proc/101/comm", "third\n");
	fake_perf_file(ONLINE, "0,2,5-6\n");
	ck_assert_int_eq(uev_session_rescan(session), 0);
	ck_assert(fake_perf_comm(2, 5, 101, "fourth"));
	emit(ALPHA, 0, 6);
	ck_assert_int_eq(uev_session_read(session, 0), 3);
	expect_name(session, 2, "second");
	expect_name(session, 4, "third");
	expect_name(session, 6, "fourth");
	close_session(session);
}

/* Names are read again, and earlier changes apply before that. */
TEST(names_after_a_pause)
{
	struct uev_session *session = naming_session(0);

	emit(ALPHA, 0, 1);
	ck_assert(fake_perf_comm(2, 2, 101, "second"));
	ck_assert_int_eq(uev_session_stop(session), 0);
	ck_assert(!fake_perf_comm(2, 3, 101, "unheard"));
	fake_perf_file("/proc/101/comm", "third\n");
	ck_assert_int_eq(uev_session_start(session), 0);
	emit(ALPHA, 0, 4);
	ck_assert_int_eq(uev_session_read(session, 0), 2);
	expect_name(session, 1, "a\nworker");
	expect_name(session, 4, "third");
	close_session(session);
}

/* Opens a session in which a call fails. Return: how many there were */
static unsigned int calls_of_open(unsigned int flags, unsigned int fail_at)
{
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session = NULL;
	unsigned int calls;
	int cpu;

	options.flags = flags;
	fake_perf.calls = 0;
	fake_perf.fail_at = fail_at;
	fake_perf.fail_with = -EPERM;
	ck_assert_int_eq(uev_session_open(&session, &options), 0);
	calls = fake_perf.calls;
	fake_perf.fail_at = 0;
	for (cpu = 0; fail_at && cpu < 8; cpu++)
		ck_assert_ptr_null(fake_perf_names(cpu));
	ck_assert_int_eq(uev_session_rescan(session), 0);
	for (cpu = 0; fail_at && cpu < 8; cpu++)
		ck_assert_ptr_null(fake_perf_names(cpu));
	ck_assert_int_eq(uev_session_start(session), 0);
	if (fail_at)
		ck_assert_ptr_null(uev_session_comm(session, 101));
	uev_session_close(session);

	return calls;
}

/* Names of some processors only would become outdated. */
TEST(names_of_all_processors_or_none)
{
	/* Each of three is opened, mapped and polled, last of all. */
	unsigned int last = calls_of_open(UEV_SESSION_COMMS, 0);
	unsigned int call;

	fake_perf_file("/proc/101/comm", "third\n");
	fake_perf_file("/proc/101/task/101/comm", "third\n");
	for (call = last - 8; call <= last; call++)
		calls_of_open(UEV_SESSION_COMMS, call);
}

/*
 * All that a session does, with a call in it that fails.
 *
 * Return: whether it noticed
 */
static bool do_everything(unsigned int flags)
{
	static const pid_t followed = 101;
	struct uev_session_options options = UEV_SESSION_OPTIONS_INIT;
	struct uev_session *session = NULL;
	const struct uev_sample *record;
	bool failed = false;
	int bad = 0;
	uint64_t hits;
	uint64_t lost;

	options.flags = flags;
	if (flags & UEV_SESSION_INHERIT) {
		options.pids = &followed;
		options.pid_count = 1;
	}
	if (uev_session_open(&session, &options))
		return true;
	failed |= uev_session_add(session, "*", "a == 1") < 0;
	failed |= uev_session_start(session) < 0;
	fake_perf_emit(ALPHA, 0, 1, "x", 1);
	fake_perf_fork(0, 1, 102, 101);
	fake_perf_comm(0, 1, 102, "another");
	fake_perf_emit(BETA, 2, 2, "x", 1);
	failed |= uev_session_read(session, 0) < 0;
	while (uev_session_next(session, &record))
		bad += !record->source->system;
	fake_perf_file(ONLINE, "2,5-6\n");
	fake_perf_tracepoint("user_events", "late", 500);
	failed |= uev_session_rescan(session) < 0;
	fake_perf_file(ONLINE, "0,2,5-6\n");
	failed |= uev_session_rescan(session) < 0;
	fake_perf_emit(ALPHA, 0, 3, "x", 1);
	failed |= uev_session_read(session, UEV_READ_DRAIN) < 0;
	while (uev_session_next(session, &record))
		bad += !record->source->system;
	if (uev_session_source(session, 0))
		failed |= uev_session_source_stats(session, 0, &hits, &lost) <
			  0;
	failed |= uev_session_stop(session) < 0;
	uev_session_close(session);
	if (bad)
		ck_abort_msg("record of an unknown event");

	return failed;
}

static void again(void)
{
	teardown();
	setup();
	fake_perf_file("/proc/101/task/101/comm", "name\n");
	fake_perf_file("/proc/101/maps", MAPS);
}

static const unsigned int kinds[] = { 0,
				      UEV_SESSION_STACKS,
				      UEV_SESSION_OVERWRITE,
				      UEV_SESSION_COMMS,
				      UEV_SESSION_INHERIT,
				      UEV_SESSION_VPIDS };

TEST_LOOP(survives_any_failed_call, ARRAY_SIZE(kinds))
{
	unsigned int calls;
	unsigned int at;
	unsigned int noticed = 0;

	again();
	do_everything(kinds[_i]);
	calls = fake_perf.calls;
	ck_assert_uint_gt(calls, 100);
	for (at = 1; at <= calls; at++) {
		again();
		fake_perf.fail_at = at;
		fake_perf.fail_with = -EMFILE;
		noticed += do_everything(kinds[_i]);
		ck_assert_int_eq(fake_perf.open_fds, 0);
		ck_assert_int_eq(fake_perf.maps, 0);
	}
	/*
	 * Everything that must succeed: not formats, and not counters of closed
	 * descriptors.
	 */
	ck_assert_uint_gt(noticed, calls * 3 / 4);
}

TEST_LOOP(survives_any_failed_allocation, ARRAY_SIZE(kinds))
{
	unsigned int after = 0;
	bool failed;

	do {
		again();
		fake_alloc_fail(after++);
		do_everything(kinds[_i]);
		failed = fake_alloc_end();
		ck_assert_int_eq(fake_perf.open_fds, 0);
		ck_assert_int_eq(fake_perf.maps, 0);
	} while (failed);
	ck_assert_uint_gt(after, 20);
}
