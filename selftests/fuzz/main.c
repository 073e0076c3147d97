// SPDX-License-Identifier: GPL-2.0-only
/*
 * System-call fuzzer for user_events. It generates programs of operations,
 * mostly by mutating programs that reached new code, and runs them. Each
 * program is written to the kernel log before it runs, so that the log of a
 * crash contains it.
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

/* Timeout of a program, and the interval between two lines of statistics. */
#define PROGRAM_TIMEOUT_S 5
#define REPORT_INTERVAL_S 60

/* The module is reloaded after this number of programs. */
#define PROGRAMS_PER_RELOAD 250

static struct {
	uint64_t seed;
	unsigned long programs;
	unsigned long seconds;
	unsigned long repeat;
	bool serial;
	bool dry;
	const char *replay;
	const char *covered_path;
} options = { .seed = 1, .repeat = 1 };

static unsigned long programs_run, programs_killed;
static int kernel_log = -1;

/* --- reports -------------------------------------------------------------- */

/* Writes one log record per line of the program, split at the length limit. */
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

static void print_statistics(void)
{
	printf("# %lu programs, %lu killed; %llu system calls, %llu "
	       "succeeded; %u programs kept; %u basic blocks, %u edges\n",
	       programs_run, programs_killed, shared->calls, shared->succeeded,
	       corpus_size(), coverage_blocks(), coverage_edges());
}

/* An operation that never succeeds tests little. */
static void print_kinds(void)
{
	unsigned int kind;

	for (kind = 0; kind < kinds_count; kind++)
		printf("# %-17s run %8llu times, %8llu calls succeeded\n",
		       kinds[kind].name, shared->runs[kind],
		       shared->successes[kind]);
}

static void print_program(const char *text)
{
	const char *end;

	printf("# the program:\n");
	for (; *text; text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		printf("#   %.*s\n", (int)(end - text), text);
	}
}

/* --- execution ------------------------------------------------------------ */

static char *program_text(const struct program *program)
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

/* Return: false if the kernel warned or the module was left in a bad state. */
static bool run(const struct program *program, bool *keep)
{
	char *text = program_text(program);
	bool in_time, good;

	log_program(text);
	in_time = execute_program(program, text, PROGRAM_TIMEOUT_S);
	programs_run++;
	programs_killed += !in_time;
	*keep = coverage_collect() && in_time;
	good = clean();
	if (good && programs_run % PROGRAMS_PER_RELOAD == 0)
		good = clean_reload();
	if (harness_kernel_warnings(kernel_log, NULL))
		good = false;
	if (!good)
		print_program(text);
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
	const struct program *known = corpus_pick();

	random_seed(options.seed, programs_run);
	if (known && chance(70)) {
		program_copy(program, known);
		mutate(program, corpus_pick(), options.serial);
	} else {
		generate(program, options.serial);
	}
}

static bool is_time_left(time_t start)
{
	if (options.programs && programs_run >= options.programs)
		return false;

	return !options.seconds || now() - start < (time_t)options.seconds;
}

static bool fuzz(void)
{
	static struct program program;
	time_t start = now(), last_report = start;
	bool good = true, keep;

	while (good && is_time_left(start)) {
		next_program(&program);
		good = run(&program, &keep);
		if (keep)
			corpus_add(&program);
		if (now() - last_report >= REPORT_INTERVAL_S) {
			last_report = now();
			print_statistics();
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
		printf("# after %lu programs: line %d: syntax error\n",
		       programs_run, bad);
	if (!programs_run)
		printf("# %s: no program found\n", options.replay);

	return good && bad <= 0 && programs_run;
}

/* --- dry run --- */

/* A program must be the same after it was printed and parsed. */
static bool survives_reparse(const struct program *program)
{
	static struct program parsed;
	char *printed = program_text(program), *reprinted;
	const char *text = printed;
	bool same = !program_read(&parsed, &text) && !*text;

	reprinted = program_text(&parsed);
	same = same && !strcmp(printed, reprinted);
	if (!same)
		print_program(printed);
	free(printed);
	free(reprinted);

	return same;
}

static bool dry_run(void)
{
	static struct program program;
	bool good = true;

	for (; good && programs_run < options.programs; programs_run++) {
		next_program(&program);
		if (chance(20))
			corpus_add(&program);
		good = survives_reparse(&program);
	}
	printf("# %lu programs, %u kept\n", programs_run, corpus_size());

	return good;
}

static bool real_run(void)
{
	bool good;

	if (!execute_prepare())
		return false;
	if (!coverage_prepare())
		printf("# no coverage: the kernel has no KCOV\n");
	kernel_log = harness_open_kmsg("fuzz", "syscalls");
	clean_prepare();
	if (!clean())
		return false;
	good = options.replay ? replay() : fuzz();
	good = good && clean_reload();
	print_statistics();
	print_kinds();
	if (options.covered_path && !coverage_write(options.covered_path))
		printf("# %s: cannot write\n", options.covered_path);

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
	"[--covered_path FILE]\n"
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
			options.covered_path = optarg;
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
	good = options.dry ? dry_run() : real_run();
	printf("%s\n", good ? "passed" : "failed");

	return good ? HARNESS_PASS : HARNESS_FAIL;
}
