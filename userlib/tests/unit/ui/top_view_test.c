// SPDX-License-Identifier: MIT
/* Counters of "top", their order, and the output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/session.h>

#include "lib/fake_sys_perf.h"
#include "sink/top_view.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "terminal.h"
#include "tool.h"

enum {
	ALPHA = 301,
	BETA = 302,
	GAMMA = 303
};

static struct uev_session *session;
static struct capture_counts counts;
static struct capture_names names;
static struct uev_output text;
static char proc[128];

static void setup(void)
{
	fake_perf_begin();
	fake_perf_file("/sys/devices/system/cpu/online", "0\n");
	fake_perf_tracepoint("user_events", "alpha", ALPHA);
	fake_perf_tracepoint("user_events", "beta", BETA);
	fake_perf_tracepoint("user_events", "gamma", GAMMA);
	/* All records are from process 100 and its thread 101. */
	fake_perf_file("/proc/100/comm", "worker\n");
	snprintf(proc, sizeof(proc), "%s/proc", fake_perf.root);
	names = (struct capture_names){ .proc = proc };
	counts = (struct capture_counts){ 0 };
	ck_assert_int_eq(uev_session_open(&session, NULL), 0);
	ck_assert_int_eq(uev_session_add(session, "*", NULL), 3);
	ck_assert_int_eq(uev_session_start(session), 0);
}

static void teardown(void)
{
	capture_counts_release(&counts);
	uev_output_release(&text);
	uev_session_close(session);
	fake_perf_end();
}

TEST_FIXTURE(setup, teardown);

static void emit(uint64_t config, unsigned int times)
{
	static uint64_t time;

	while (times--)
		ck_assert(fake_perf_emit(config, 0, ++time, "12345678", 8));
}

static void update(void)
{
	const struct uev_sample *record;

	ck_assert_int_ge(uev_session_read(session, UEV_READ_DRAIN), 0);
	while (uev_session_next(session, &record))
		capture_counts_add(&counts, session, record);
	ck_assert_int_eq(capture_counts_update(&counts, session), 0);
	capture_counts_sort(&counts);
}

static void expect_order(const char *first, const char *second,
			 const char *third)
{
	ck_assert_uint_eq(counts.count, 3);
	ck_assert_str_eq(counts.order[0]->source->name, first);
	ck_assert_str_eq(counts.order[1]->source->name, second);
	ck_assert_str_eq(counts.order[2]->source->name, third);
}

TEST(most_frequent_first)
{
	emit(BETA, 3);
	emit(GAMMA, 5);
	update();
	expect_order("gamma", "beta", "alpha");

	/* Events of this interval precede those of earlier ones. */
	capture_counts_reset(&counts);
	emit(ALPHA, 1);
	update();
	expect_order("alpha", "gamma", "beta");
	ck_assert_uint_eq(counts.order[1]->hits, 5);
	ck_assert_uint_eq(counts.order[1]->new_hits, 0);
}

TEST(equal_counts_are_sorted_by_name)
{
	emit(GAMMA, 2);
	emit(ALPHA, 2);
	update();
	expect_order("alpha", "gamma", "beta");
}

TEST(losses_are_counted)
{
	unsigned int emitted = 0;

	while (fake_perf_emit(BETA, 0, ++emitted, "12345678", 8))
		continue;
	update();
	ck_assert_uint_eq(counts.order[0]->lost, 1);
	ck_assert_uint_eq(counts.order[0]->hits, emitted);
	ck_assert_uint_eq(counts.order[0]->records, emitted - 1);
}

/* Those that did not fit a buffer are among the losses of the event. */
TEST(reasons_of_losses)
{
	struct uev_loss loss = { .count = 3, .reason = "perf_too_large" };

	emit(BETA, 1);
	update();
	loss.source = uev_session_source(session, 1);
	capture_counts_loss(&counts, session, &loss);
	capture_counts_loss(&counts, session, &loss);
	strcpy(loss.reason, UEV_LOSS_PERF_BUFFER);
	capture_counts_loss(&counts, session, &loss);
	loss.source = NULL;
	capture_counts_loss(&counts, session, &loss);
	update();
	ck_assert_uint_eq(counts.order[0]->loss_count, 2);
	ck_assert_str_eq(counts.order[0]->losses[0].reason, "perf_too_large");
	ck_assert_uint_eq(counts.order[0]->losses[0].count, 6);
	ck_assert_uint_eq(counts.order[0]->losses[1].count, 3);
	ck_assert_uint_eq(counts.order[0]->lost, 6);
}

TEST(processes_are_counted_and_sorted)
{
	struct uev_sample record = { .raw_size = 10 };
	const struct capture_count *count;
	uint32_t pid;

	record.source = uev_session_source(session, 1);
	for (pid = 1; pid <= 5; pid++) {
		record.pid = pid;
		capture_counts_add(&counts, session, &record);
	}
	record.pid = 4;
	capture_counts_add(&counts, session, &record);
	capture_counts_sort(&counts);

	count = counts.counts[1];
	ck_assert_uint_eq(count->process_count, 5);
	ck_assert_uint_eq(count->processes[0].pid, 4);
	ck_assert_uint_eq(count->processes[0].count, 2);
	ck_assert_uint_eq(count->processes[1].pid, 1);
	ck_assert_uint_eq(count->bytes, 60);
	ck_assert(!count->has_more);

	for (pid = 10; pid <= 10 + CAPTURE_PROCESSES_MAX; pid++) {
		record.pid = pid;
		capture_counts_add(&counts, session, &record);
	}
	ck_assert_uint_eq(count->process_count, CAPTURE_PROCESSES_MAX);
	ck_assert(count->has_more);
	capture_counts_reset(&counts);
	ck_assert_uint_eq(count->process_count, 0);
	ck_assert(!count->has_more);
}

/* Line number @number of the text, until the next call. */
static const char *line(unsigned int number)
{
	static char copy[512];
	const char *at = text.text;

	while (number--)
		at = strchr(at, '\n') + 1;
	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(at, "\n"), at);

	return copy;
}

static unsigned int lines(void)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < text.size; i++)
		count += text.text[i] == '\n';

	return count;
}

TEST(formats_lines)
{
	struct top_view top = {
		.counts = &counts,
		.names = &names,
		.milliseconds = 2000,
	};

	emit(BETA, 3);
	update();
	top_view_text(&top, &text);
	ck_assert_uint_eq(lines(), 6);
	ck_assert_str_eq(line(0), "1970-01-01T00:00:00Z  3 events, 1.5/s, "
				  "18/s, 0 lost");
	ck_assert_str_eq(line(2), "  EVENTS/S  BYTES/S    SIZE       TOTAL     "
				  "LOST  EVENT  PROCESSES");
	ck_assert_str_eq(line(3), "       1.5       18      12           3     "
				  "   0  beta   worker/100");
	/* The writers of the others are unknown. */
	ck_assert_str_eq(line(4), "       0.0        0       0           0     "
				  "   0  alpha");
}

/* Bytes have units, and what does not fit a line has numbers. */
TEST(shows_processes_and_losses)
{
	struct uev_loss loss = { .count = 7, .reason = "perf_too_large" };
	struct uev_sample record = { .raw_size = 3 << 19 };
	struct top_view top = {
		.counts = &counts,
		.names = &names,
		.milliseconds = 1000,
	};
	char *json;

	update();
	record.source = uev_session_source(session, 1);
	loss.source = record.source;
	for (record.pid = 1; record.pid <= 5; record.pid++)
		capture_counts_add(&counts, session, &record);
	capture_counts_loss(&counts, session, &loss);
	ck_assert_int_eq(capture_counts_update(&counts, session), 0);
	capture_counts_sort(&counts);
	top_view_text(&top, &text);
	ck_assert_str_eq(line(4) + 10, "     7.5M    1.5M           0        "
				       "7  beta   1 2 3 +2  perf_too_large=7");
	for (; record.pid <= 5 + CAPTURE_PROCESSES_MAX; record.pid++)
		capture_counts_add(&counts, session, &record);
	text.size = 0;
	top_view_text(&top, &text);
	ck_assert_ptr_nonnull(strstr(line(4), " or more  perf_too_large=7"));

	printed_begin(stdout);
	top_view_json(&top);
	json = printed_text(stdout);
	ck_assert_ptr_nonnull(
		strstr(json, "\"lost\":7,\"losses\":{\"perf_too_large\":7},"
			     "\"processes\":[{\"pid\":1,\"count\":1},"));
	free(json);
}

TEST(names_include_another_system)
{
	struct top_view top = { .counts = &counts, .names = &names };

	fake_perf_tracepoint("sched", "sched_switch", 9);
	ck_assert_int_eq(uev_session_add(session, "sched:*", NULL), 1);
	update();
	top_view_text(&top, &text);
	ck_assert_ptr_nonnull(strstr(text.text, "  sched:sched_switch\n"));
	ck_assert_ptr_nonnull(strstr(text.text, "  beta\n"));
}

TEST(truncates_lines)
{
	struct top_view top = {
		.counts = &counts,
		.names = &names,
		.milliseconds = 1000,
		.rows = 6,
		.columns = 60,
	};
	unsigned int i;

	emit(BETA, 3);
	update();
	top_view_text(&top, &text);
	/* One row remains free, because a full screen would scroll. */
	ck_assert_uint_eq(lines(), 5);
	for (i = 0; i < 5; i++)
		ck_assert_uint_le(strlen(line(i)), 60);
	ck_assert_uint_eq(strlen(line(3)), 60);

	text.size = 0;
	top.rows = 2;
	top_view_text(&top, &text);
	ck_assert_uint_eq(lines(), 3);
}

TEST(escapes_names)
{
	struct top_view top = {
		.counts = &counts,
		.names = &names,
		.milliseconds = 1000,
	};

	fake_perf_file("/proc/100/comm", "a\033[2J\xc2\x9b\xc3\xa4\n");
	emit(BETA, 1);
	update();
	top_view_text(&top, &text);
	ck_assert_ptr_nonnull(strstr(line(3), " a\\x1b[2J\\x9b\xc3\xa4/100"));
}

#define WIDE "\xe6\xbc\xa2\xe5\xad\x97"

/* Returns the column of "worker" in the first line with a text. */
static size_t column_of_worker(const char *with)
{
	unsigned int i;

	for (i = 0; i < lines(); i++)
		if (strstr(line(i), with))
			return terminal_width(
				line(i),
				(size_t)(strstr(line(i), "worker") - line(i)));
	ck_abort();
}

/* Of characters with two columns, none is cut. */
TEST(wide_names_are_aligned)
{
	struct top_view top = {
		.counts = &counts,
		.names = &names,
		.milliseconds = 1000,
	};

	fake_perf_tracepoint("user_events", WIDE, 9);
	ck_assert_int_eq(uev_session_add(session, WIDE, NULL), 1);
	emit(9, 2);
	emit(BETA, 1);
	update();
	top_view_text(&top, &text);
	ck_assert_uint_eq(column_of_worker(WIDE), 57);
	ck_assert_uint_eq(column_of_worker("beta"), 57);

	text.size = 0;
	top.columns = 53;
	top_view_text(&top, &text);
	ck_assert_ptr_nonnull(strstr(text.text, "  \xe6\xbc\xa2\n"));
}

TEST(names_are_remembered)
{
	ck_assert_str_eq(capture_name(&names, 100, 0), "worker");
	fake_perf_file("/proc/100/comm", "other\n");
	ck_assert_str_eq(capture_name(&names, 100, 999), "worker");
	ck_assert_str_eq(capture_name(&names, 100, 1000), "other");
	/* It has ended. */
	fake_perf_remove("/proc/100");
	ck_assert_str_eq(capture_name(&names, 100, 9000), "other");
	ck_assert_ptr_null(capture_name(&names, 100 + CAPTURE_NAMES_MAX, 9000));
	ck_assert_ptr_null(capture_name(&names, 100, 9000));
}

TEST(a_long_name)
{
	fake_perf_file("/proc/7/comm", "fifteen_letters\n");
	ck_assert_str_eq(capture_name(&names, 7, 0), "fifteen_letters");
}
