// SPDX-License-Identifier: GPL-2.0-only
/*
 * TAP harness: runs each test in a child process with a timeout, and checks the
 * kernel log for warnings after it.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

#define CONTEXT_MAX 256
#define REASON_MAX 256
#define KMSG_RECORD_MAX 8192

/* Seconds for which a killed process can still be in the kernel. */
#define KILL_TIMEOUT 30

/* Longest line that the kernel accepts through /dev/kmsg. */
#define KMSG_LINE_MAX 960

/*
 * struct outcome - results that a test and its children share with the parent
 * @failures: number of failed expectations
 * @skipped: the test called harness_skip()
 * @reason: skip reason
 */
struct outcome {
	unsigned int failures;
	bool skipped;
	char reason[REASON_MAX];
};

static struct harness_test *first_test;
static struct harness_test **last_test = &first_test;
static struct outcome *outcome;
static __thread char context[CONTEXT_MAX];

/* A process of the last test cannot be killed. */
static bool is_stuck;

void harness_add(struct harness_test *test)
{
	*last_test = test;
	last_test = &test->next;
}

/*
 * A diagnostic is written with a single write(), and each of its lines is a
 * comment, so that concurrent processes of one test cannot break the TAP
 * output.
 */
static void diagnose(const char *prefix, const char *format, va_list args)
{
	char text[4096], out[sizeof(text) * 2];
	const char *in = text;
	size_t used = 0;

	used = snprintf(text, sizeof(text), "%s", prefix);
	if (used < sizeof(text))
		vsnprintf(text + used, sizeof(text) - used, format, args);

	for (used = 0; *in && used < sizeof(out) - 4;) {
		out[used++] = '#';
		out[used++] = ' ';
		while (*in && *in != '\n' && used < sizeof(out) - 4) {
			unsigned char c = *in++;

			out[used++] = c < ' ' && c != '\t' ? '?' : c;
		}
		out[used++] = '\n';
		if (*in == '\n')
			in++;
	}

	fflush(stdout);
	if (write(STDOUT_FILENO, out, used) < 0)
		_exit(HARNESS_FAIL);
}

void harness_context(const char *format, ...)
{
	va_list args;

	context[0] = '\0';
	if (!format)
		return;

	va_start(args, format);
	vsnprintf(context, sizeof(context), format, args);
	va_end(args);
}

void harness_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose("", format, args);
	va_end(args);
}

void harness_fail(const char *file, int line, const char *format, ...)
{
	const char *base = strrchr(file, '/');
	char prefix[CONTEXT_MAX + 128];
	va_list args;

	snprintf(prefix, sizeof(prefix), "%s:%d: %s%s", base ? base + 1 : file,
		 line, context, context[0] ? ": " : "");
	va_start(args, format);
	diagnose(prefix, format, args);
	va_end(args);

	if (outcome)
		__atomic_fetch_add(&outcome->failures, 1, __ATOMIC_SEQ_CST);
}

void harness_stop(void)
{
	_exit(HARNESS_FAIL);
}

void harness_skip(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(outcome->reason, sizeof(outcome->reason), format, args);
	va_end(args);

	outcome->skipped = true;
	_exit(HARNESS_SKIP);
}

bool harness_failed(void)
{
	return __atomic_load_n(&outcome->failures, __ATOMIC_SEQ_CST);
}

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Factor for all timeouts on a slow machine, from the environment. */
static unsigned int timeout_scale(void)
{
	const char *scale = getenv("SELFTEST_TIMEOUT_SCALE");
	unsigned int factor = scale ? strtoul(scale, NULL, 0) : 1;

	return factor ?: 1;
}

bool harness_deadline(long long *start, unsigned int seconds)
{
	const struct timespec pause = { .tv_nsec = 2000000 };

	if (!*start)
		*start = now_ms();
	if (now_ms() - *start > seconds * timeout_scale() * 1000LL)
		return false;

	nanosleep(&pause, NULL);

	return true;
}

unsigned int harness_rounds(unsigned int rounds)
{
	return getenv("SELFTEST_SHORT") ? (rounds / 10 ?: 1) * 2 : rounds;
}

const char *harness_errno(int error)
{
	static __thread char number[16];
	const char *name = strerrorname_np(error);

	if (name)
		return name;

	snprintf(number, sizeof(number), "errno %d", error);

	return number;
}

/* Uses one write(): each write() to /dev/kmsg becomes one log record. */
void harness_kmsg(const char *format, ...)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	char line[KMSG_LINE_MAX];
	va_list args;

	if (fd < 0)
		return;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (write(fd, line, strlen(line)) < 0)
		perror("/dev/kmsg");
	close(fd);
}

int harness_open_kmsg(const char *program, const char *test)
{
	int fd;

	harness_kmsg("selftest: %s.%s", program, test);
	fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		lseek(fd, 0, SEEK_END);

	return fd;
}

static bool is_allowed(const char *text, const char *const *allowed_warnings)
{
	for (; allowed_warnings && *allowed_warnings; allowed_warnings++)
		if (strstr(text, *allowed_warnings))
			return true;

	return false;
}

/*
 * KCSAN reports are skipped: scripts/vm/run evaluates them, since only the
 * complete report shows whether the race is in this module.
 */
unsigned int harness_kernel_warnings(int log,
				     const char *const *allowed_warnings)
{
	static const char *const warnings[] = {
		"WARNING:",
		"BUG:",
		"Oops",
		"KASAN",
		"UBSAN:",
		"general protection fault",
		"possible circular",
		"suspicious RCU",
		"rcu: INFO:",
		"unreferenced object",
		"refcount_t:",
		"kernel BUG at",
	};
	char record[KMSG_RECORD_MAX];
	unsigned int count = 0;
	ssize_t got;
	size_t i;

	if (log < 0)
		return 0;

	while (true) {
		const char *text;

		got = read(log, record, sizeof(record) - 1);
		if (got < 0 && errno == EPIPE)
			continue;
		if (got <= 0)
			break;
		record[got] = '\0';
		text = strchr(record, ';');
		if (!text || strstr(text, "BUG: KCSAN:") ||
		    is_allowed(text, allowed_warnings))
			continue;
		for (i = 0; i < ARRAY_SIZE(warnings); i++)
			if (strstr(text, warnings[i])) {
				harness_note("kernel: %s", text + 1);
				count++;
				break;
			}
	}

	return count;
}

/* Prints what a child is doing in the kernel. */
static void note_child(const char *pid)
{
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (!file || !fgets(line, sizeof(line), file))
		line[0] = '\0';
	if (file)
		fclose(file);
	harness_note("still running: %s", line);

	snprintf(path, sizeof(path), "/proc/%s/stack", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		harness_note("    %s", line);
	if (file)
		fclose(file);
}

static void note_children(void)
{
	char path[64], *pids = NULL, *pid, *rest;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	file = fopen(path, "re");
	if (file && getline(&pids, &size, file) > 0)
		for (pid = strtok_r(pids, "\n ", &rest); pid;
		     pid = strtok_r(NULL, "\n ", &rest))
			note_child(pid);
	if (file)
		fclose(file);
	free(pids);
}

/* Waits until no child is left. Returns false if one is after KILL_TIMEOUT. */
static bool wait_for_children(void)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	long long start = now_ms();
	pid_t pid;

	while (true) {
		pid = waitpid(-1, NULL, WNOHANG);
		if (pid < 0 && errno == ECHILD)
			return true;
		if (pid > 0)
			continue;
		if (now_ms() - start > KILL_TIMEOUT * timeout_scale() * 1000LL)
			return false;
		nanosleep(&pause, NULL);
	}
}

int harness_wait_group(pid_t child, unsigned int seconds)
{
	const struct timespec wait_limit = { .tv_sec = 1 };
	long long deadline = now_ms() + seconds * 1000LL;
	bool timed_out = false;
	int status = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);

	while (waitpid(child, &status, WNOHANG) == 0) {
		if (now_ms() > deadline) {
			timed_out = true;
			kill(-child, SIGKILL);
			kill(child, SIGKILL);
			break;
		}
		sigtimedwait(&set, NULL, &wait_limit);
	}

	kill(-child, SIGKILL);
	if (!wait_for_children()) {
		note_children();
		is_stuck = true;
		timed_out = true;
	}

	return timed_out ? -1 : status;
}

static int run_test(const struct harness_test *test, const char *program,
		    const struct harness_hooks *hooks)
{
	unsigned int seconds = test->timeout * timeout_scale();
	const char *skip_reason = NULL;
	int log, status;
	pid_t child;

	memset(outcome, 0, sizeof(*outcome));

	if (hooks && hooks->skip_reason)
		skip_reason = hooks->skip_reason();
	if (skip_reason) {
		snprintf(outcome->reason, sizeof(outcome->reason), "%s",
			 skip_reason);
		return HARNESS_SKIP;
	}

	log = harness_open_kmsg(program, test->name);
	if (hooks && hooks->before)
		hooks->before();
	fflush(stdout);

	child = fork();
	if (child == 0) {
		sigset_t none;

		setpgid(0, 0);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		test->run();
		fflush(stdout);
		_exit(HARNESS_PASS);
	}
	if (child < 0) {
		harness_fail(__FILE__, __LINE__, "fork: %s",
			     harness_errno(errno));
		return HARNESS_FAIL;
	}
	setpgid(child, child);

	status = harness_wait_group(child, seconds);
	if (is_stuck)
		harness_fail(__FILE__, __LINE__, "%s: a process does not exit",
			     test->name);
	else if (status == -1)
		harness_fail(__FILE__, __LINE__, "%s: timed out after %u s",
			     test->name, seconds);
	else if (WIFSIGNALED(status))
		harness_fail(__FILE__, __LINE__, "%s: killed by signal %d",
			     test->name, WTERMSIG(status));
	else if (WEXITSTATUS(status) == HARNESS_SKIP && !outcome->skipped)
		harness_fail(
			__FILE__, __LINE__,
			"%s: exit status says skipped, but no skip reason was given",
			test->name);
	else if (WEXITSTATUS(status) != HARNESS_PASS &&
		 WEXITSTATUS(status) != HARNESS_SKIP && !outcome->failures)
		harness_fail(__FILE__, __LINE__, "%s: exit status %d",
			     test->name, WEXITSTATUS(status));

	if (hooks && hooks->after && !is_stuck)
		outcome->failures += hooks->after();
	outcome->failures += harness_kernel_warnings(
		log, hooks ? hooks->allowed_warnings : NULL);
	if (log >= 0)
		close(log);

	if (outcome->failures)
		return HARNESS_FAIL;

	return outcome->skipped ? HARNESS_SKIP : HARNESS_PASS;
}

static bool is_selected(const struct harness_test *test, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!fnmatch(argv[i], test->name, 0))
			return true;

	return argc < 2;
}

/*
 * Orphaned descendants of a test become children of this process, which can
 * then wait for them.
 */
void harness_become_subreaper(void)
{
	sigset_t set;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

int harness_main(int argc, char **argv, const struct harness_hooks *hooks)
{
	const char *program = strrchr(argv[0], '/');
	unsigned int total = 0, number = 0, failed = 0, skipped = 0;
	const struct harness_test *test;

	program = program ? program + 1 : argv[0];

	if (argc > 1 && !strcmp(argv[1], "-l")) {
		for (test = first_test; test; test = test->next)
			puts(test->name);
		return HARNESS_PASS;
	}

	for (test = first_test; test; test = test->next)
		total += is_selected(test, argc, argv);
	if (!total) {
		fprintf(stderr, "%s: no such test; -l lists them\n", program);
		return HARNESS_USAGE;
	}

	outcome = mmap(NULL, sizeof(*outcome), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (outcome == MAP_FAILED) {
		perror("mmap");
		return HARNESS_FAIL;
	}

	harness_become_subreaper();

	printf("TAP version 13\n1..%u\n", total);

	for (test = first_test; test; test = test->next) {
		if (!is_selected(test, argc, argv))
			continue;
		number++;
		switch (run_test(test, program, hooks)) {
		case HARNESS_PASS:
			printf("ok %u %s\n", number, test->name);
			break;
		case HARNESS_SKIP:
			printf("ok %u %s # SKIP %s\n", number, test->name,
			       outcome->reason);
			skipped++;
			break;
		default:
			printf("not ok %u %s\n", number, test->name);
			failed++;
		}
		if (is_stuck)
			puts("Bail out! a process does not exit");
		fflush(stdout);
		if (is_stuck)
			break;
	}

	if (failed)
		return HARNESS_FAIL;

	return skipped == total ? HARNESS_SKIP : HARNESS_PASS;
}
