// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs known inputs through the targets, without a fuzzer:
 *
 *	replay check DIRECTORY		all targets, with their seeds and the
 *					lines of DIRECTORY/TARGET; in TAP
 *	replay targets			print their names
 *	replay run TARGET DIRECTORY...	one target, with the files of directories
 *	replay unpack TARGET LINES DIRECTORY
 *					convert the seeds and the lines to files
 *	replay pack DIRECTORY		convert files to lines
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/kernel.h>

#include "corpus.h"
#include "fuzz.h"

/* Timeout of a target; all its inputs take about a second. */
#define TIMEOUT_SECONDS 300

static const struct fuzz_target *const targets[] = {
	&command_target,   &field_type_target,	 &match_target,
	&validator_target, &print_record_target, &btf_target,
};

/* List to which the tables add seeds. */
static struct corpus seeded;

static void add_seed(const void *bytes, size_t size)
{
	char from[32];

	snprintf(from, sizeof(from), "seed %zu", seeded.count);
	corpus_add(&seeded, from, bytes, size);
}

/* The seeds of a target and the lines of a file. */
static int gather(const struct fuzz_target *target, const char *lines)
{
	seeded = (struct corpus){};
	corpus_add(&seeded, "nothing", "", 0);
	target->seeds(add_seed);

	return corpus_read_lines(&seeded, lines);
}

static void run_all(const struct fuzz_target *target, volatile size_t *reached)
{
	const struct fuzz_input *input;

	alarm(TIMEOUT_SECONDS);
	for (; *reached < seeded.count; ++*reached) {
		input = &seeded.inputs[*reached];
		fuzz_run(target, input->bytes, input->size);
	}
}

static void say_failure(size_t reached, int status)
{
	if (reached == seeded.count)
		return;

	if (WIFSIGNALED(status))
		printf("# signal %d", WTERMSIG(status));
	else
		printf("# status %d", WEXITSTATUS(status));
	printf(" at %s: ", seeded.inputs[reached].from);
	corpus_write_line(&seeded.inputs[reached], stdout);
}

/*
 * Runs in a child process, which can crash. It stores its progress in shared
 * memory.
 */
static bool survives(const struct fuzz_target *target)
{
	size_t *reached = mmap(NULL, sizeof(*reached), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = -1;
	bool good;
	pid_t pid;

	EXPECT(reached != MAP_FAILED);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		run_all(target, reached);
		_exit(0);
	}

	good = pid > 0 && waitpid(pid, &status, 0) == pid && !status &&
	       *reached == seeded.count;
	if (!good)
		say_failure(*reached, status);
	munmap(reached, sizeof(*reached));

	return good;
}

static bool check_target(const struct fuzz_target *target,
			 const char *directory, size_t number)
{
	char path[4096];
	bool good;

	snprintf(path, sizeof(path), "%s/%s", directory, target->name);
	good = !gather(target, path) && survives(target);
	printf("%sok %zu - %s: %zu inputs\n", good ? "" : "not ", number,
	       target->name, seeded.count);
	corpus_destroy(&seeded);

	return good;
}

static int check(const char *directory)
{
	size_t passed = 0;
	size_t i;

	printf("TAP version 13\n1..%zu\n", ARRAY_SIZE(targets));
	for (i = 0; i < ARRAY_SIZE(targets); i++)
		passed += check_target(targets[i], directory, i + 1);
	printf("%zu passed, %zu failed, 0 skipped\n", passed,
	       ARRAY_SIZE(targets) - passed);

	return passed == ARRAY_SIZE(targets) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int say_targets(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(targets); i++)
		puts(targets[i]->name);

	return EXIT_SUCCESS;
}

static const struct fuzz_target *target_of(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(targets); i++)
		if (!strcmp(targets[i]->name, name))
			return targets[i];

	fprintf(stderr, "unknown target '%s'\n", name);
	exit(EXIT_FAILURE);
}

static int unpack(const struct fuzz_target *target, const char *lines,
		  const char *directory)
{
	int ret = gather(target, lines)
			  ?: corpus_write_files(&seeded, directory);

	corpus_destroy(&seeded);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int pack(const char *directory)
{
	struct corpus corpus = {};
	int ret = corpus_read_files(&corpus, directory);

	if (!ret)
		corpus_write_lines(&corpus, stdout);
	corpus_destroy(&corpus);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run(const struct fuzz_target *target, char **directories)
{
	int ret = 0;
	size_t i;

	for (; *directories && !ret; directories++)
		ret = corpus_read_files(&seeded, *directories);
	for (i = 0; i < seeded.count; i++)
		fuzz_run(target, seeded.inputs[i].bytes, seeded.inputs[i].size);
	corpus_destroy(&seeded);

	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "check"))
		return check(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "targets"))
		return say_targets();
	if (argc > 3 && !strcmp(argv[1], "run"))
		return run(target_of(argv[2]), argv + 3);
	if (argc == 5 && !strcmp(argv[1], "unpack"))
		return unpack(target_of(argv[2]), argv[3], argv[4]);
	if (argc == 3 && !strcmp(argv[1], "pack"))
		return pack(argv[2]);

	fprintf(stderr, "usage: see the top of replay.c\n");
	return EXIT_FAILURE;
}
