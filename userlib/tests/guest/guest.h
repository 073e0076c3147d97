/* SPDX-License-Identifier: MIT */
/*
 * Functions for tests on a real kernel. A failed test prints the reason and
 * exits.
 */
#ifndef UEV_TESTS_GUEST_H
#define UEV_TESTS_GUEST_H

#include <stdbool.h>
#include <stddef.h>

/* Exit status of a test of a feature that the kernel or machine lacks. */
#define SKIPPED 4

#define TRACING "/sys/kernel/tracing"
#define EVENTS TRACING "/events/user_events"

__attribute__((__noreturn__, __format__(__printf__, 1, 2))) void
fail(const char *format, ...);
__attribute__((__noreturn__, __format__(__printf__, 1, 2))) void
skip(const char *format, ...);

/* check() - fails with the error unless @result is at least 0; returns it */
long check(long result, const char *what);

/* Sleeps, and fails with @what after 30 seconds of sleep. @tries: starts at 0 */
void wait_a_moment(unsigned int *tries, const char *what);

void write_file(const char *path, const char *text);
/* Returns the NUL-terminated content of a file, for free(). */
char *read_text(const char *path, size_t *size);
void enable(const char *event, bool is_enabled);
void stay_on(unsigned int cpu);

/* Tests by subject. */
void test_closed(void);
void test_ftrace(void);
void test_session(void);
void test_perf_data(void);
void test_plain(void);
void test_pids(void);
void test_inherited(void);
void test_cgroup(void);
void test_cpus(void);
void test_offline(void);
void test_filter(void);
void test_overwrite(void);
void test_losses(void);
void test_late(void);
void test_wake_up(void);
void test_versions(void);
void test_semaphores(void);

/*
 * Programs with one name and with several, which also execute another path of
 * themselves.
 */
void write_name(void);
void write_names(const char *program);

/* Two records of EventHeader, of which one is malformed */
void write_malformed(void);

/* Records of "request" with a status, a path and a number of bytes */
void write_one_request(char **values);
void write_requests(const char *count);

/*
 * Registers events with a text of each kind, waits until one is enabled, and writes
 * @count records to each that is.
 */
void write_kinds(const char *count);

/* Versions of a program, for test_versions(). */
void be_old_version(void);
void be_new_version(void);

/*
 * Writes a record for each number from @first to @last. @end is "segv" to end by
 * SIGSEGV, "stop" to be stopped then by SIGSTOP, or NULL.
 */
void write_large(const char *count, const char *bytes);
void write_numbers(const char *first, const char *last, const char *end);

/* Writes logs, spans and metrics of OpenTelemetry, after a line of input. */
void write_otel_records(void);

/* Writes records while the module is replaced. */
void write_through_reload(void);

/*
 * For perf: registration only, writing once enabled, and checking of the
 * records.
 */
void hold_vectors(void);
void write_vectors_when_heard(void);
void read_vectors_of(const char *path);

#endif
