/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small TAP harness. Every test runs in a forked child that leads a process
 * group of its own; whatever the test leaves running is killed with it. A
 * failed expectation is one diagnostic line, "# file:line: reason", and marks
 * the test as failed; a failed assertion also ends it. Both may be used from
 * threads and from children of the test.
 */
#ifndef SELFTESTS_HARNESS_H
#define SELFTESTS_HARNESS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define HARNESS_PASS 0
#define HARNESS_FAIL 1
#define HARNESS_USAGE 2
#define HARNESS_SKIP 4

/* Seconds that a test may take before it is killed and counted as failed. */
#define HARNESS_TIMEOUT 120

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * struct harness_test - one test; made by TEST() and TEST_TIMEOUT() alone
 * @name: what it is called in the output and on the command line
 * @run: the test
 * @timeout: in seconds
 * @next: in the order of definition
 */
struct harness_test {
	const char *name;
	void (*run)(void);
	unsigned int timeout;
	struct harness_test *next;
};

/*
 * struct harness_hooks - what a family of tests does around each test, in the
 *			  parent; any member may be NULL
 * @unable: why no test can run here, or NULL; asked before each test
 * @before: brings the machine to a known state
 * @after: removes what a test left behind, prints a diagnostic for everything
 *	   that should not have been there, and returns how many there were
 * @pardoned: texts; a complaint of the kernel that has one of them fails
 *	      nothing; ends with NULL
 */
struct harness_hooks {
	const char *(*unable)(void);
	void (*before)(void);
	unsigned int (*after)(void);
	const char *const *pardoned;
};

void harness_add(struct harness_test *test);

/*
 * harness_main - run the tests that the command line asks for
 *
 * Arguments are "-l", which lists the tests, or shell patterns of names.
 *
 * Return: an exit status: HARNESS_PASS, HARNESS_FAIL, HARNESS_SKIP when every
 * test was skipped, HARNESS_USAGE when no test has such a name.
 */
int harness_main(int argc, char **argv, const struct harness_hooks *hooks);

#define TEST_TIMEOUT(id, seconds)                                       \
	static void test_##id(void);                                    \
	static struct harness_test harness_test_##id = {                \
		.name = #id,                                            \
		.run = test_##id,                                       \
		.timeout = (seconds),                                   \
	};                                                              \
	static void __attribute__((constructor)) harness_add_##id(void) \
	{                                                               \
		harness_add(&harness_test_##id);                        \
	}                                                               \
	static void test_##id(void)

#define TEST(id) TEST_TIMEOUT(id, HARNESS_TIMEOUT)

/*
 * harness_context - say which of many similar cases is being tried
 *
 * The text is put before the reason of every following failure of this thread
 * until it is replaced; NULL takes it away.
 */
void harness_context(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* A diagnostic that fails nothing. */
void harness_note(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Fails the test; the caller goes on. */
void harness_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Ends the process as a failed test. */
void harness_stop(void) __attribute__((noreturn));

/* Ends the test as skipped; only from the test itself. */
void harness_skip(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

bool harness_failed(void);

/*
 * harness_deadline - whether a loop that waits for something may go on
 * @start: 0 at first; kept by this function
 * @seconds: how long the loop may take altogether
 *
 * Sleeps for a moment. Return: false once the time is over.
 */
bool harness_deadline(long long *start, unsigned int seconds);

/* "ENOENT" and the like; "0" for 0. Valid until the program ends. */
const char *harness_errno(int error);

/* --- for programs that are no tests but do what harness_main() does --- */

/*
 * harness_own_children - whoever a child leaves behind is a child of ours, too
 *
 * From here on SIGCHLD is only waited for.
 */
void harness_own_children(void);

/*
 * harness_await - wait for a child that leads a process group, end the rest of
 *		   the group, and wait for all of that: a killed process may still
 *		   hold files open
 *
 * Return: the wait status, or -1 if it was killed after so many seconds.
 */
int harness_await(pid_t child, unsigned int seconds);

/* Writes a line to the kernel log. */
void harness_tell_kernel(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/*
 * harness_log - open the kernel log at its end, after telling it what begins
 *
 * Return: to be given to harness_complaints() and closed, or -1.
 */
int harness_log(const char *program, const char *test);

/*
 * harness_complaints - how often the kernel complained since the last call, each
 *			of them with a note
 * @pardoned: texts; a complaint that has one of them is none; ends with NULL, or
 *	      is NULL
 */
unsigned int harness_complaints(int log, const char *const *pardoned);

#define SKIP(...) harness_skip(__VA_ARGS__)

#define FAIL(...) harness_fail(__FILE__, __LINE__, __VA_ARGS__)

#define __CHECK(stop, condition, ...)           \
	do {                                    \
		if (!(condition)) {             \
			FAIL(__VA_ARGS__);      \
			if (stop)               \
				harness_stop(); \
		}                               \
	} while (0)

#define __COMPARE(stop, a, op, b)                                        \
	do {                                                             \
		__auto_type __a = (a);                                   \
		__auto_type __b = (b);                                   \
                                                                         \
		__CHECK(stop, (long long)__a op(long long) __b,          \
			"expected %s " #op " %s, but they are %lld and " \
			"%lld",                                          \
			#a, #b, (long long)__a, (long long)__b);         \
	} while (0)

/* The call must return what is not negative. */
#define __OK(stop, call)                                 \
	do {                                             \
		long long __r;                           \
                                                         \
		errno = 0;                               \
		__r = (call);                            \
		__CHECK(stop, __r >= 0, "%s: %s", #call, \
			harness_errno(errno));           \
	} while (0)

/* The call must return -1 and leave this errno. */
#define __ERRNO(stop, call, error)                                         \
	do {                                                               \
		long long __r;                                             \
		int __e;                                                   \
                                                                           \
		errno = 0;                                                 \
		__r = (call);                                              \
		__e = errno;                                               \
		if (__r != -1)                                             \
			__CHECK(stop, false,                               \
				"%s: expected %s, returned "               \
				"%lld",                                    \
				#call, harness_errno(error), __r);         \
		else                                                       \
			__CHECK(stop, __e == (error),                      \
				"%s: expected %s, failed with %s", #call,  \
				harness_errno(error), harness_errno(__e)); \
	} while (0)

#define __STREQ(stop, a, b)                                                 \
	do {                                                                \
		const char *__a = (a);                                      \
		const char *__b = (b);                                      \
                                                                            \
		__CHECK(stop, __a &&__b && !strcmp(__a, __b),               \
			"expected %s\n     \"%s\"\nto be\n     \"%s\"", #a, \
			__a ?: "(none)", __b ?: "(none)");                  \
	} while (0)

#define __CONTAINS(stop, text, part, yes)                                      \
	do {                                                                   \
		const char *__t = (text);                                      \
		const char *__p = (part);                                      \
                                                                               \
		__CHECK(stop, __t && !!strstr(__t, __p) == (yes),              \
			"expected %s\n     \"%s\"\n%s contain\n     \"%s\"",   \
			#text, __t ?: "(none)", (yes) ? "to" : "not to", __p); \
	} while (0)

#define EXPECT_TRUE(c) __CHECK(false, c, "expected %s", #c)
#define EXPECT_FALSE(c) __CHECK(false, !(c), "expected not %s", #c)
#define EXPECT_EQ(a, b) __COMPARE(false, a, ==, b)
#define EXPECT_NE(a, b) __COMPARE(false, a, !=, b)
#define EXPECT_LT(a, b) __COMPARE(false, a, <, b)
#define EXPECT_LE(a, b) __COMPARE(false, a, <=, b)
#define EXPECT_GT(a, b) __COMPARE(false, a, >, b)
#define EXPECT_GE(a, b) __COMPARE(false, a, >=, b)
#define EXPECT_OK(call) __OK(false, call)
#define EXPECT_ERRNO(call, error) __ERRNO(false, call, error)
#define EXPECT_STREQ(a, b) __STREQ(false, a, b)
#define EXPECT_CONTAINS(text, part) __CONTAINS(false, text, part, true)
#define EXPECT_LACKS(text, part) __CONTAINS(false, text, part, false)

#define ASSERT_TRUE(c) __CHECK(true, c, "expected %s", #c)
#define ASSERT_FALSE(c) __CHECK(true, !(c), "expected not %s", #c)
#define ASSERT_EQ(a, b) __COMPARE(true, a, ==, b)
#define ASSERT_NE(a, b) __COMPARE(true, a, !=, b)
#define ASSERT_LT(a, b) __COMPARE(true, a, <, b)
#define ASSERT_LE(a, b) __COMPARE(true, a, <=, b)
#define ASSERT_GT(a, b) __COMPARE(true, a, >, b)
#define ASSERT_GE(a, b) __COMPARE(true, a, >=, b)
#define ASSERT_OK(call) __OK(true, call)
#define ASSERT_ERRNO(call, error) __ERRNO(true, call, error)
#define ASSERT_STREQ(a, b) __STREQ(true, a, b)
#define ASSERT_CONTAINS(text, part) __CONTAINS(true, text, part, true)

#endif /* SELFTESTS_HARNESS_H */
