// SPDX-License-Identifier: GPL-2.0-only
/* Injection of faults, and the sweep over all of an operation. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"

/* Number of failures of an operation after which the test stops. */
#define BAD_MAX 5

struct totals *totals;

static const char *const kinds[] = { "failslab", "fail_page_alloc" };

int nth_file;
int probability[ARRAY_SIZE(kinds)];

void set_fault(const char *file, const char *value)
{
	ASSERT_OK(write_file(value, text(DEBUGFS "%s", file)));
}

/*
 * Allows faults in all kinds of memory, without messages in the log, so that
 * each remaining message is a warning. Random faults occur only in tasks that
 * ask for them, with a probability that is usually 0.
 */
static void allow_faults(void)
{
	static const char *const all[] = { "failslab", "fail_page_alloc",
					   "fail_usercopy" };
	const char *verbose = getenv("INJECT_VERBOSE") ?: "0";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		set_fault(text("%s/probability", all[i]), "0");
		set_fault(text("%s/times", all[i]), "-1");
		set_fault(text("%s/verbose", all[i]), verbose);
		set_fault(text("%s/task-filter", all[i]), "Y");
	}
	set_fault("failslab/cache-filter", "N");
	set_fault("failslab/ignore-gfp-wait", "N");
	set_fault("fail_page_alloc/ignore-gfp-wait", "N");
	set_fault("fail_page_alloc/min-order", "0");
}

void open_faults(void)
{
	size_t i;

	allow_faults();
	nth_file = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	ASSERT_OK(nth_file);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		probability[i] = open(text(DEBUGFS "%s/probability", kinds[i]),
				      O_WRONLY | O_CLOEXEC);
		ASSERT_OK(probability[i]);
	}
	ASSERT_OK(write_file("1", "/proc/self/make-it-fail"));
	/* Faults in the test's own memory are not wanted. */
	ASSERT_OK(mlockall(MCL_CURRENT));
}

void must_write(int file, const char *number)
{
	size_t length = strlen(number);

	while (write(file, number, length) < 0)
		;
}

unsigned int nth_left(int file)
{
	char digits[16] = "";

	/*
	 * The number is read before it is copied, so the copy itself is the
	 * step that failed.
	 */
	if (pread(file, digits, sizeof(digits) - 1, 0) < 0)
		return 1;

	return strtoul(digits, NULL, 10);
}

int try(const struct operation *op, unsigned int n, bool lasting, bool *failed)
{
	const char *number = text("%u", n);
	int error, result;
	size_t i;

	set_fault("fail_page_alloc/ignore-gfp-highmem", lasting ? "Y" : "N");
	for (i = 0; lasting && i < ARRAY_SIZE(kinds); i++)
		must_write(probability[i], "100");
	must_write(nth_file, number);
	result = op->call();
	error = errno;
	*failed = !nth_left(nth_file);
	for (i = 0; lasting && i < ARRAY_SIZE(kinds); i++)
		must_write(probability[i], "0");
	must_write(nth_file, "0");
	errno = error;

	return result;
}

/* --- state of the kernel --- */

static void add_lines(FILE *out, const char *file, const char *part)
{
	char *content = tfs_read("%s", file);
	char *line, *next = content;

	fprintf(out, "%s: %s\n", file, content ? "" : "(cannot be read)");
	while (next && (line = strsep(&next, "\n")))
		if (line[0] && strstr(line, part))
			fprintf(out, "%s\n", line);
	free(content);
}

static unsigned int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);

	return count;
}

/* Adds the sorted names of a directory, and the number of entries of each. */
static void add_directory(FILE *out, const char *name)
{
	const char *path = text("%s/%s", tracefs(), name);
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);
	int i;

	fprintf(out, "%s: %d\n", name, count);
	for (i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.') {
			char child[1024];

			snprintf(child, sizeof(child), "%s/%s", path,
				 entries[i]->d_name);
			fprintf(out, "%s %u\n", entries[i]->d_name,
				count_entries(child));
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

char *read_state(void)
{
	char *out = NULL;
	size_t size;
	FILE *stream = open_memstream(&out, &size);

	add_lines(stream, "dynamic_events", "");
	add_lines(stream, "user_events_status", "");
	add_lines(stream, "available_events", USER_EVENTS_SYSTEM);
	add_directory(stream, "events/" USER_EVENTS_SYSTEM);
	add_directory(stream, "events/" USER_EVENTS_MULTI_SYSTEM);
	fprintf(stream, "references: %u\n", module_references());
	fprintf(stream, "open files: %u\n", count_entries("/proc/self/fd"));
	fclose(stream);

	return out;
}

static void report_difference(const char *expected, const char *actual)
{
	size_t i = 0;

	while (expected[i] && expected[i] == actual[i])
		i++;
	while (i && expected[i - 1] != '\n')
		i--;
	FAIL("unexpected state: expected\n     \"%.400s\"\nbut it is\n     \"%.400s\"",
	     expected + i, actual + i);
}

bool expect_state(const char *expected)
{
	long long start = 0;
	bool same;
	char *actual;

	do {
		actual = read_state();
		same = !strcmp(actual, expected);
		if (same || !harness_deadline(&start, WAIT_TIMEOUT_S / 4))
			break;
		free(actual);
	} while (true);
	if (!same)
		report_difference(expected, actual);
	free(actual);

	return same;
}

/* --- a single operation --------------------------------------------------- */

static bool is_allowed(const struct operation *op, int error)
{
	return error == ENOMEM || error == EFAULT ||
	       (op->also && error == op->also);
}

void run(void (*function)(void))
{
	if (function)
		function();
}

/* The operation to be checked succeeded although one of its steps failed. */
bool succeeded_despite_fault;

/* Return: whether the n-th step existed, so that it could fail. */
static bool try_nth(const struct operation *op, unsigned int n, bool lasting,
		    const char *before)
{
	char *arranged;
	bool failed;
	int result;

	run(op->arrange);
	arranged = read_state();
	result = try(op, n, lasting, &failed);
	if (result < 0) {
		int error = errno;

		harness_context("failure %u%s", n,
				lasting ? " and all later steps" : "");
		if (!is_allowed(op, error))
			FAIL("failed with %s", harness_errno(error));
		if (!failed)
			FAIL("failed with %s without an injected fault",
			     harness_errno(error));
		expect_state(arranged);
		harness_context("after failure %u%s", n,
				lasting ? " and all later steps" : "");
		ASSERT_OK(op->call());
	} else {
		harness_context("success despite failure %u%s", n,
				lasting ? " and all later steps" : "");
		succeeded_despite_fault = failed;
	}
	run(op->check);
	succeeded_despite_fault = false;
	run(op->undo);
	expect_state(before);
	harness_context(NULL);
	totals->faults += failed;
	free(arranged);

	return failed;
}

static unsigned int sweep_span(const struct operation *op, bool lasting,
			       const char *before)
{
	unsigned int bad = 0;
	unsigned int n = 1;

	for (; bad < BAD_MAX && try_nth(op, n, lasting, before); n++) {
		ASSERT_LT(n, NTH_MAX);
		bad += harness_failed();
	}

	return n - 1;
}

void sweep(const struct operation *op)
{
	unsigned int one, all = 0;
	const char *before;

	open_faults();
	run(op->setup);
	before = read_state();
	/*
	 * The first execution creates objects that stay, and shows that it
	 * succeeds at all.
	 */
	run(op->arrange);
	ASSERT_OK(op->call());
	run(op->check);
	run(op->undo);
	expect_state(before);

	one = sweep_span(op, false, before);
	if (!op->once)
		all = sweep_span(op, true, before);
	totals->operations++;
	harness_note("%u single faults, %u lasting faults", one, all);
}
