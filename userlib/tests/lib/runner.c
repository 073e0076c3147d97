// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "leaks.h"

/* Seconds after which a test is ended; on a busy machine, any test is slow. */
#define TIMEOUT 300

/* Assertions of a test that are all written */
#define MARKS 1000

static Suite *suite;
static TCase *tests;

void runner_fixture(SFun set_up, SFun tear_down)
{
	if (!suite)
		suite = suite_create(program_invocation_short_name);
	tests = tcase_create(program_invocation_short_name);
	tcase_set_timeout(tests, TIMEOUT);
	tcase_add_checked_fixture(tests, leaks_start, NULL);
	tcase_add_checked_fixture(tests, set_up, tear_down);
	suite_add_tcase(suite, tests);
}

void runner_add(const TTest *test, int count)
{
	if (!tests)
		runner_fixture(NULL, NULL);
	tcase_add_loop_test(tests, test, 0, count);
}

/*
 * libcheck writes the place of each assertion that passes to a file, for the
 * message of a test that crashes later. Loops have millions of assertions, so
 * only some are written after the first ones: "after this point" stays true.
 */
__typeof__(_mark_point) __real__mark_point, __wrap__mark_point;

void __wrap__mark_point(const char *file, int line)
{
	static unsigned int marks;
	unsigned int before = __atomic_fetch_add(&marks, 1, __ATOMIC_RELAXED);

	if (before >= MARKS && before % MARKS)
		return;
	/* The buffer of that file stays. */
	leaks_pause();
	__real__mark_point(file, line);
	leaks_resume();
}

int main(void)
{
	SRunner *runner = srunner_create(suite);
	int run, failed;

	leaks_init();
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	run = srunner_ntests_run(runner);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	printf("%d passed, %d failed, 0 skipped\n", run - failed, failed);

	return run && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
