/* SPDX-License-Identifier: MIT */
/*
 * The runner of unit tests. Each program has the tests that its files define,
 * and main() of runner.c, which runs them in the order of definition and
 * reports in TAP. The last line is "N passed, N failed, N skipped". CK_FORK=no
 * in the environment runs everything in one process, for a debugger.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include <check.h>

/*
 * TEST_LOOP() - Defines a test that runs several times
 * @id: name of the test
 * @count: number of runs; _i of the test is 0 in the first one
 */
#define TEST_LOOP(id, count)                                                  \
	static void run_##id(int _i);                                         \
	static const TTest test_##id = { #id, run_##id, __FILE__, __LINE__ }; \
	static void __attribute__((constructor)) register_##id(void)          \
	{                                                                     \
		runner_add(&test_##id, (int)(count));                         \
	}                                                                     \
	static void run_##id(int _i __attribute__((unused)))

#define TEST(id) TEST_LOOP(id, 1)

/*
 * TEST_FIXTURE() - Functions before and after each of the tests that follow
 * @set_up: function without arguments, or NULL
 * @tear_down: likewise
 */
#define TEST_FIXTURE(set_up, tear_down) \
	TEST_FIXTURE_(__COUNTER__, set_up, tear_down)
#define TEST_FIXTURE_(...) TEST_FIXTURE__(__VA_ARGS__)
#define TEST_FIXTURE__(number, set_up, tear_down)                           \
	static void __attribute__((constructor)) use_fixture_##number(void) \
	{                                                                   \
		runner_fixture(set_up, tear_down);                          \
	}                                                                   \
	static void use_fixture_##number(void)

void runner_add(const struct TTest *test, int count);
void runner_fixture(SFun set_up, SFun tear_down);

#endif
