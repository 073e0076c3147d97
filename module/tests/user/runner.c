// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the tests of the pure layer in user space and prints TAP.
 *
 * Arguments: names of suites, with or without "user_events_"; none for all.
 * Environment: CK_FORK=no runs all tests in one process, for a debugger.
 * CK_RUN_CASE=NAME runs one test of each suite.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <kunit/test.h>

#define PREFIX "user_events_"

/* Enough for the random texts with sanitizers on a slow machine. */
#define TIMEOUT_SECONDS 300

struct kunit_resource {
	struct kunit_resource *next;
	void *memory;
};

/**
 * struct trial - a test case
 * @test: the test
 * @param: its row, or NULL
 */
struct trial {
	const struct kunit_case *test;
	const void *param;
};

static struct kunit_suite *suites;
static struct trial *trials;
static int nr_trials;

void kunit_add_suite(struct kunit_suite *suite)
{
	struct kunit_suite **end = &suites;

	while (*end)
		end = &(*end)->next;
	*end = suite;
}

static void *must_have(void *memory)
{
	if (!memory) {
		perror("memory");
		exit(EXIT_FAILURE);
	}

	return memory;
}

void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t flags)
{
	struct kunit_resource *resource = must_have(malloc(sizeof(*resource)));

	(void)flags;
	resource->memory = must_have(malloc(size));
	memset(resource->memory, 0, size);
	resource->next = test->resources;
	test->resources = resource;

	return resource->memory;
}

static void free_resources(struct kunit *test)
{
	struct kunit_resource *resource;

	while ((resource = test->resources)) {
		test->resources = resource->next;
		free(resource->memory);
		free(resource);
	}
}

/* The function that libcheck runs for a case, which it knows by number. */
static void run_trial(int number)
{
	const struct trial *trial = &trials[number];
	struct kunit test = { .param_value = trial->param };
	unsigned long live = alloc_live();

	trial->test->run_case(&test);
	free_resources(&test);
	ck_assert_msg(alloc_live() == live, "%ld allocations were left behind",
		      (long)(alloc_live() - live));
}

static const char *trial_name(const char *test, const char *row)
{
	char *name = must_have(malloc(strlen(test) + strlen(row) + 2));

	sprintf(name, "%s%s%s", test, *row ? " " : "", row);
	return name;
}

static void add_trial(TCase *tcase, const struct kunit_case *test,
		      const void *param, const char *row)
{
	TTest *ttest = must_have(calloc(1, sizeof(*ttest)));
	size_t size = (nr_trials + 1) * sizeof(*trials);

	trials = must_have(realloc(trials, size));
	trials[nr_trials] = (struct trial){ test, param };

	ttest->name = trial_name(test->name, row);
	ttest->fn = run_trial;
	ttest->file = "";
	tcase_add_loop_test(tcase, ttest, nr_trials, nr_trials + 1);
	nr_trials++;
}

/* A table without rows would be a test that cannot fail. */
static void add_rows(TCase *tcase, const struct kunit_case *test)
{
	char row[KUNIT_PARAM_DESC_SIZE];
	const void *param = NULL;
	int before = nr_trials;

	while ((param = test->generate_params(param, row)))
		add_trial(tcase, test, param, row);

	if (nr_trials == before) {
		fprintf(stderr, "%s has no rows\n", test->name);
		exit(EXIT_FAILURE);
	}
}

static Suite *suite_of(const struct kunit_suite *from)
{
	Suite *suite = suite_create(from->name);
	const struct kunit_case *test;
	TCase *tcase;

	for (test = from->test_cases; test->run_case; test++) {
		tcase = tcase_create(test->name);
		tcase_set_timeout(tcase, TIMEOUT_SECONDS);
		if (test->generate_params)
			add_rows(tcase, test);
		else
			add_trial(tcase, test, NULL, "");
		suite_add_tcase(suite, tcase);
	}

	return suite;
}

static bool is_wanted(const struct kunit_suite *suite, char **names)
{
	if (!*names)
		return true;

	for (; *names; names++)
		if (!strcmp(suite->name, *names) ||
		    !strcmp(suite->name + strlen(PREFIX), *names))
			return true;

	return false;
}

int main(int argc, char **argv)
{
	SRunner *runner = srunner_create(NULL);
	const struct kunit_suite *suite;
	int run, failed;

	(void)argc;
	for (suite = suites; suite; suite = suite->next)
		if (is_wanted(suite, argv + 1))
			srunner_add_suite(runner, suite_of(suite));

	/* Default of CK_TAP_LOG_FILE_NAME. */
	if (!srunner_has_tap(runner))
		srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);

	run = srunner_ntests_run(runner);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);

	printf("%d passed, %d failed, 0 skipped\n", run - failed, failed);
	if (!run)
		fprintf(stderr, "no test of that name\n");

	return run && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
