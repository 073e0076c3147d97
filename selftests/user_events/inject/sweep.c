// SPDX-License-Identifier: GPL-2.0-only
/* The sweep over all faults of an operation, and the state of the kernel. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"

/* Number of failures of an operation after which the test stops. */
#define BAD_MAX 5

/*
 * How often steps of pages are swept. Which of them are pages of a slab differs
 * from attempt to attempt, so a single sweep would miss some of the others.
 */
#define PAGE_SWEEPS 2

struct totals *totals;

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

/*
 * struct states - the state of the kernel, the same in each attempt
 * @before: before the operation is arranged, and when it is undone
 * @arranged: before the operation, and after it has failed
 */
struct states {
	const char *before;
	const char *arranged;
};

/* Return: number of faults; 0 if the operation has no n-th step. */
static unsigned int try_nth(const struct operation *op, unsigned int n,
			    bool lasting, const struct states *states)
{
	const char *later = lasting ? " and all later steps" : "";
	unsigned int faults;
	int result;

	run(op->arrange);
	result = try(op, n, lasting, &faults);
	if (result < 0) {
		int error = errno;

		harness_context("failure %u%s", n, later);
		if (!is_allowed(op, error))
			FAIL("failed with %s", harness_errno(error));
		if (!faults)
			FAIL("failed with %s without an injected fault",
			     harness_errno(error));
		expect_state(states->arranged);
		harness_context("after failure %u%s", n, later);
		ASSERT_OK(op->call());
	} else {
		harness_context("success despite failure %u%s", n, later);
		succeeded_despite_fault = faults;
	}
	run(op->check);
	succeeded_despite_fault = false;
	run(op->undo);
	expect_state(states->before);
	harness_context(NULL);
	totals->faults += !!faults;

	return faults;
}

/*
 * Steps whose failure was the only one although later steps would have failed,
 * too, so that the attempt was the same as with a single fault.
 */
static bool was_alone[NTH_MAX + 1];

/* Return: number of steps. */
static unsigned int sweep_lasting(const struct operation *op,
				  const struct states *states)
{
	unsigned int bad = 0, faults, n;

	for (n = 1; bad < BAD_MAX; n++) {
		ASSERT_LT(n, NTH_MAX);
		faults = try_nth(op, n, true, states);
		if (!faults)
			break;
		was_alone[n] = faults == 1;
		bad += harness_failed();
	}

	return n - 1;
}

/* Return: number of steps, including those that were alone. */
static unsigned int sweep_single(const struct operation *op,
				 const struct states *states)
{
	unsigned int bad = 0, n;

	for (n = 1; bad < BAD_MAX; n++) {
		ASSERT_LT(n, NTH_MAX);
		if (was_alone[n])
			continue;
		if (!try_nth(op, n, false, states))
			break;
		bad += harness_failed();
	}

	return n - 1;
}

/*
 * Lasting faults spare user pages, which are steps only with single faults, so
 * that numbers of steps differ, unlike those of objects.
 */
static unsigned int sweep_steps(const struct operation *op, enum steps steps,
				const struct states *states)
{
	unsigned int all = 0, one;

	choose_steps(steps);
	memset(was_alone, 0, sizeof(was_alone));
	if (!op->once)
		all = sweep_lasting(op, states);
	if (steps == PAGES)
		memset(was_alone, 0, sizeof(was_alone));
	one = sweep_single(op, states);
	if (steps == PAGES || op->once || one == all)
		return one;

	/* The numbers are not those of the same steps. */
	memset(was_alone, 0, sizeof(was_alone));

	return sweep_single(op, states);
}

void sweep(const struct operation *op)
{
	unsigned int objects, pages = 0, i;
	struct states states;

	open_faults();
	run(op->setup);
	states.before = read_state();
	/*
	 * The first execution creates objects that stay, and shows that it
	 * succeeds at all.
	 */
	run(op->arrange);
	states.arranged = read_state();
	ASSERT_OK(op->call());
	run(op->check);
	run(op->undo);
	expect_state(states.before);

	objects = sweep_steps(op, OBJECTS, &states);
	for (i = 0; i < PAGE_SWEEPS; i++)
		pages = sweep_steps(op, PAGES, &states);
	totals->operations++;
	harness_note("%u steps with objects, %u with pages", objects, pages);
	if (!objects && !pages && !harness_failed())
		SKIP("no step of the operation can fail");
}
