/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small TAP harness. Each test runs in a forked child that leads its own
 * process group, so that processes which the test leaves running are killed
 * with the group. A failed expectation prints one diagnostic line, "#
 * file:line: reason", and marks the test as failed. A failed assertion also
 * ends the test. Threads and children of the test can use both.
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

/* Seconds after which a test is killed and counted as failed. */
#define HARNESS_TIMEOUT 120

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * struct harness_test - one test; made only by TEST() and TEST_TIMEOUT()
 * @name: name in the output and on the command line
 * @run: the test
 * @timeout: in seconds
 * @next: next test in the order of definition
 */
struct harness_test {
	const char *name;
	void (*run)(void);
	unsigned int timeout;
	struct harness_test *next;
};

/*
 * struct harness_hooks - functions that the parent calls around each test; any
 *			  member can be NULL
 * @skip_reason: returns why no test can run on this machine, or NULL; called
 *		 before each test
 * @before: brings the machine to a known state
 * @after: removes what a test left behind, prints a diagnostic for each object
 *	   that should not have been left, and returns their number
 * @allowed_warnings: texts; a kernel warning that contains one of them does not
 *		      fail the test; the last entry is NULL
 */
struct harness_hooks {
	const char *(*skip_reason)(void);
	void (*before)(void);
	unsigned int (*after)(void);
	const char *const *allowed_warnings;
};

void harness_add(struct harness_test *test);

/*
 * harness_main - run the tests that the command line selects
 *
 * The arguments are "-l", which lists the tests, or shell patterns of test
 * names.
 *
 * Return: HARNESS_PASS; HARNESS_FAIL; HARNESS_SKIP if every test was skipped;
 * HARNESS_USAGE if no test has such a name.
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
 * harness_context - describe the current case of a table of similar cases
 *
 * The text precedes the reason of every later failure in this thread until it
 * is replaced; NULL removes it.
 */
void harness_context(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Prints a diagnostic without failing the test. */
void harness_note(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Fails the test, which continues. */
void harness_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Ends the calling process as a failed test. */
void harness_stop(void) __attribute__((noreturn));

/* Ends the test as skipped. Must be called by the test's own process. */
void harness_skip(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

bool harness_failed(void);

/*
 * harness_deadline - tell whether a polling loop can continue
 * @start: 0 before the first call; maintained by this function
 * @seconds: timeout of the whole loop
 *
 * Sleeps for 2 ms per call. Return: false once the timeout has passed.
 */
bool harness_deadline(long long *start, unsigned int seconds);

/*
 * harness_rounds - tell how often a race is repeated
 * @rounds: an even number that is sufficient on a fast kernel
 *
 * Return: @rounds, or a fifth of it if SELFTEST_SHORT is set, which is for
 * kernels that report the first wrong access. The result is even.
 */
unsigned int harness_rounds(unsigned int rounds);

/*
 * Name of an errno value, such as "ENOENT"; "0" for 0. The text stays valid
 * until the thread calls the function again.
 */
const char *harness_errno(int error);

/* --- for programs that are not tests and do the work of harness_main() --- */

/*
 * harness_become_subreaper - adopt the orphaned descendants of this process
 *
 * Blocks SIGCHLD: the signal can only be waited for.
 */
void harness_become_subreaper(void);

/*
 * harness_wait_group - wait for a child that leads a process group, then kill
 *			and reap the rest of the group
 *
 * The rest is reaped as well because a killed process can still hold files
 * open.
 *
 * Return: the wait status, or -1 if the child was killed after @seconds
 * seconds, or if a process does not exit, such as one that loops in the kernel.
 */
int harness_wait_group(pid_t child, unsigned int seconds);

/* Writes a line to the kernel log. */
void harness_kmsg(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/*
 * harness_open_kmsg - log the name of a test and open the kernel log after it
 *
 * Return: a file for harness_kernel_warnings(), which the caller closes, or -1.
 */
int harness_open_kmsg(const char *program, const char *test);

/*
 * harness_kernel_warnings - print the kernel warnings since the last call
 * @log: from harness_open_kmsg()
 * @allowed_warnings: texts; a warning that contains one of them is ignored; the
 *		      last entry is NULL; can be NULL
 *
 * Return: the number of warnings.
 */
unsigned int harness_kernel_warnings(int log,
				     const char *const *allowed_warnings);

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

/* The call must return a value that is not negative. */
#define __OK(stop, call)                                 \
	do {                                             \
		long long __r;                           \
                                                         \
		errno = 0;                               \
		__r = (call);                            \
		__CHECK(stop, __r >= 0, "%s: %s", #call, \
			harness_errno(errno));           \
	} while (0)

/* The call must return -1 and set errno to this value. */
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
