// SPDX-License-Identifier: MIT
/*
 * Runs the targets on the corpus, without a fuzzer:
 *
 *	replay check DIRECTORY		all targets, with the lines of
 *					DIRECTORY/TARGET; in TAP
 *	replay targets			print their names
 *	replay run TARGET DIRECTORY...	one target, with the files of directories
 *	replay unpack LINES DIRECTORY	convert lines of a file to files
 *	replay pack DIRECTORY		convert files to lines
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "corpus.h"
#include "fuzz.h"

/* A target is done with all that it has in a second or so. */
#define TIMEOUT_SECONDS 300

static const struct fuzz_target *const targets[] = {
	&event_target,
	&record_target,
	&schema_target,
	NULL,
};

/* Runs in a child process, which can crash. Progress is in shared memory. */
static bool survives(const struct fuzz_target *target,
		     const struct corpus *corpus)
{
	volatile size_t *reached = mmap(NULL, sizeof(*reached),
					PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = -1;
	bool is_good;
	pid_t pid;

	EXPECT((const void *)reached != MAP_FAILED);
	fflush(stdout);
	pid = fork();
	EXPECT(pid >= 0);
	if (!pid) {
		alarm(TIMEOUT_SECONDS);
		for (; *reached < corpus->count; ++*reached)
			target->input(corpus->inputs[*reached].bytes,
				      corpus->inputs[*reached].size);
		_exit(0);
	}

	is_good = waitpid(pid, &status, 0) == pid && !status &&
		  *reached == corpus->count;
	if (*reached < corpus->count) {
		printf("# status %#x at ", (unsigned int)status);
		corpus_write_line(&corpus->inputs[*reached], stdout);
	}
	munmap((void *)(uintptr_t)reached, sizeof(*reached));

	return is_good;
}

static bool check_target(const struct fuzz_target *target,
			 const char *directory, size_t number)
{
	struct corpus corpus = { NULL, 0 };
	char path[4096];
	bool is_good;

	snprintf(path, sizeof(path), "%s/%s", directory, target->name);
	corpus_add(&corpus, "", 0);
	is_good = !corpus_read_lines(&corpus, path) && corpus.count > 1 &&
		  survives(target, &corpus);
	printf("%sok %zu - %s: %zu inputs\n", is_good ? "" : "not ", number,
	       target->name, corpus.count);
	corpus_release(&corpus);

	return is_good;
}

static int check(const char *directory)
{
	const struct fuzz_target *const *target;
	size_t number = 0, passed = 0;

	printf("TAP version 13\n");
	for (target = targets; *target; target++)
		passed += check_target(*target, directory, ++number);
	printf("1..%zu\n%zu passed, %zu failed, 0 skipped\n", number, passed,
	       number - passed);

	return passed == number ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int say_targets(void)
{
	const struct fuzz_target *const *target;

	for (target = targets; *target; target++)
		puts((*target)->name);

	return EXIT_SUCCESS;
}

static int run(const char *name, char **directories)
{
	const struct fuzz_target *const *target = targets;
	struct corpus corpus = { NULL, 0 };
	int ret = 0;
	size_t i;

	while (*target && strcmp((*target)->name, name))
		target++;
	if (!*target) {
		fprintf(stderr, "%s: no such target\n", name);
		return EXIT_FAILURE;
	}

	for (; *directories && !ret; directories++)
		ret = corpus_read_files(&corpus, *directories);
	for (i = 0; i < corpus.count && !ret; i++)
		(*target)->input(corpus.inputs[i].bytes, corpus.inputs[i].size);
	corpus_release(&corpus);

	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int unpack(const char *lines, const char *directory)
{
	struct corpus corpus = { NULL, 0 };
	int ret = corpus_read_lines(&corpus, lines);

	if (!ret)
		ret = corpus_write_files(&corpus, directory);
	corpus_release(&corpus);

	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int pack(const char *directory)
{
	struct corpus corpus = { NULL, 0 };
	int ret = corpus_read_files(&corpus, directory);

	if (!ret)
		corpus_write_lines(&corpus, stdout);
	corpus_release(&corpus);

	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "check"))
		return check(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "targets"))
		return say_targets();
	if (argc > 3 && !strcmp(argv[1], "run"))
		return run(argv[2], argv + 3);
	if (argc == 4 && !strcmp(argv[1], "unpack"))
		return unpack(argv[2], argv[3]);
	if (argc == 3 && !strcmp(argv[1], "pack"))
		return pack(argv[2]);

	fprintf(stderr, "usage: see the top of replay.c\n");
	return EXIT_FAILURE;
}
