// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes programs of operations on user_events and runs them, those in the
 * neighbourhood of what reached something new above all. What is said of a
 * program in the kernel log before it is run survives it.
 */
#include <getopt.h>
#include <time.h>
#include <unistd.h>

#include "../lib/random.h"
#include "../lib/user_events.h"
#include "clean.h"
#include "corpus.h"
#include "coverage.h"
#include "execute.h"
#include "generate.h"
#include "operations.h"

/* Seconds that a program may take, and between two lines of figures. */
#define PROGRAM_SECONDS 5
#define FIGURES_SECONDS 60

/* So many programs later the module is unloaded and loaded again. */
#define RELOAD_AFTER 250

static struct {
	uint64_t seed;
	unsigned long programs;
	unsigned long seconds;
	unsigned long repeat;
	bool serial;
	bool dry;
	const char *replay;
	const char *covered;
} options = { .seed = 1, .repeat = 1 };

static unsigned long programs_run, programs_killed;
static int kernel_log = -1;

/* --- telling -------------------------------------------------------------- */

/* A line of the program is a line of the log, which has a limit for them. */
static void log_program(const char *text)
{
	harness_kmsg("<7>fuzz: program %lu", programs_run);
	while (*text) {
		int length = (int)strcspn(text, "\n");
		int part = length < 800 ? length : 800;

		harness_kmsg("<7>fuzz: %.*s%s", part, text,
			     part < length ? "\\" : "");
		text += part + (part == length);
	}
}

static void say_figures(void)
{
	printf("# %lu programs, %lu of them killed; %llu system calls, %llu "
	       "succeeded; %u programs kept; %u pieces of code, %u ways\n",
	       programs_run, programs_killed, shared->calls, shared->succeeded,
	       corpus_size(), coverage_reached(), coverage_ways());
}

/* What never succeeds tests less than it seems. */
static void say_kinds(void)
{
	unsigned int kind;

	for (kind = 0; kind < kinds_count; kind++)
		printf("# %-17s run %8llu times, %8llu calls succeeded\n",
		       kinds[kind].name, shared->ran[kind],
		       shared->worked[kind]);
}

static void say_program(const char *text)
{
	const char *end;

	printf("# the program:\n");
	for (; *text; text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		printf("#   %.*s\n", (int)(end - text), text);
	}
}

/* --- running -------------------------------------------------------------- */

static char *text_of(const struct program *program)
{
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);

	if (!to)
		abort();
	program_print(program, to);
	fclose(to);

	return out;
}

/* Return: false if the module or the kernel are not as they should be. */
static bool run(const struct program *program, bool *keep)
{
	char *text = text_of(program);
	bool in_time, good;

	log_program(text);
	in_time = execute_program(program, text, PROGRAM_SECONDS);
	programs_run++;
	programs_killed += !in_time;
	*keep = coverage_collect() && in_time;
	good = clean();
	if (good && programs_run % RELOAD_AFTER == 0)
		good = clean_reload();
	if (harness_kernel_warnings(kernel_log, NULL))
		good = false;
	if (!good)
		say_program(text);
	free(text);

	return good;
}

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return time.tv_sec;
}

static void next_program(struct program *program)
{
	const struct program *known = corpus_any();

	random_seed(options.seed, programs_run);
	if (known && chance(70)) {
		program_copy(program, known);
		mutate(program, corpus_any(), options.serial);
	} else {
		generate(program, options.serial);
	}
}

static bool more(time_t begun)
{
	if (options.programs && programs_run >= options.programs)
		return false;

	return !options.seconds || now() - begun < (time_t)options.seconds;
}

static bool fuzz(void)
{
	static struct program program;
	time_t begun = now(), said = begun;
	bool good = true, keep;

	while (good && more(begun)) {
		next_program(&program);
		good = run(&program, &keep);
		if (keep)
			corpus_keep(&program);
		if (now() - said >= FIGURES_SECONDS) {
			said = now();
			say_figures();
			fflush(stdout);
		}
	}

	return good;
}

static bool replay(void)
{
	static struct program program;
	const char *text = read_file(options.replay);
	unsigned long round;
	bool good = true, keep;
	int bad = 0;

	while (good && text && !(bad = program_read(&program, &text)))
		for (round = 0; good && round < options.repeat; round++)
			good = run(&program, &keep);
	if (bad > 0)
		printf("# behind %lu programs, line %d says nothing\n",
		       programs_run, bad);
	if (!programs_run)
		printf("# there is no program in %s\n", options.replay);

	return good && bad <= 0 && programs_run;
}

/* --- nothing is run ------------------------------------------------------- */

/* Made, told, and read again it must be the same. */
static bool check(const struct program *program)
{
	static struct program again;
	char *told = text_of(program), *retold;
	const char *text = told;
	bool same = !program_read(&again, &text) && !*text;

	retold = text_of(&again);
	same = same && !strcmp(told, retold);
	if (!same)
		say_program(told);
	free(told);
	free(retold);

	return same;
}

static bool dry_run(void)
{
	static struct program program;
	bool good = true;

	for (; good && programs_run < options.programs; programs_run++) {
		next_program(&program);
		if (chance(20))
			corpus_keep(&program);
		good = check(&program);
	}
	printf("# %lu programs, %u kept\n", programs_run, corpus_size());

	return good;
}

static bool wet_run(void)
{
	bool good;

	if (!execute_prepare())
		return false;
	if (!coverage_prepare())
		printf("# this kernel does not tell what is reached\n");
	kernel_log = harness_open_kmsg("fuzz", "syscalls");
	clean_prepare();
	if (!clean())
		return false;
	good = options.replay ? replay() : fuzz();
	good = good && clean_reload();
	say_figures();
	say_kinds();
	if (options.covered && !coverage_write(options.covered))
		printf("# cannot write %s\n", options.covered);

	return good;
}

/* --- options -------------------------------------------------------------- */

static const struct option long_options[] = {
	{ "seed", required_argument, NULL, 's' },
	{ "programs", required_argument, NULL, 'p' },
	{ "time", required_argument, NULL, 't' },
	{ "module", required_argument, NULL, 'm' },
	{ "replay", required_argument, NULL, 'r' },
	{ "repeat", required_argument, NULL, 'n' },
	{ "covered", required_argument, NULL, 'c' },
	{ "serial", no_argument, NULL, '1' },
	{ "dry-run", no_argument, NULL, 'd' },
	{ NULL, 0, NULL, 0 },
};

static const char usage[] =
	"usage: syscalls --module FILE.ko [--seed N] [--programs N] "
	"[--time SECONDS]\n"
	"                [--serial] [--replay FILE [--repeat N]] "
	"[--covered FILE]\n"
	"       syscalls --dry-run --programs N [--seed N] [--serial]\n";

static bool read_options(int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) !=
	       -1) {
		switch (option) {
		case 's':
			options.seed = strtoull(optarg, NULL, 0);
			break;
		case 'p':
			options.programs = strtoul(optarg, NULL, 0);
			break;
		case 't':
			options.seconds = strtoul(optarg, NULL, 0);
			break;
		case 'm':
			module_file = optarg;
			break;
		case 'r':
			options.replay = optarg;
			break;
		case 'n':
			options.repeat = strtoul(optarg, NULL, 0);
			break;
		case 'c':
			options.covered = optarg;
			break;
		case '1':
			options.serial = true;
			break;
		case 'd':
			options.dry = true;
			break;
		default:
			return false;
		}
	}
	if (options.dry)
		return options.programs;

	return module_file &&
	       (options.replay || options.programs || options.seconds);
}

int main(int argc, char **argv)
{
	bool good;

	if (argc == 4 && !strcmp(argv[1], RESUME))
		execute_resume(argv[2], argv[3]);
	if (argc == 2 && !strcmp(argv[1], IDLE))
		return HARNESS_PASS;
	if (!read_options(argc, argv)) {
		fputs(usage, stderr);
		return HARNESS_USAGE;
	}
	harness_become_subreaper();
	good = options.dry ? dry_run() : wet_run();
	printf("%s\n", good ? "end" : "failed");

	return good ? HARNESS_PASS : HARNESS_FAIL;
}
