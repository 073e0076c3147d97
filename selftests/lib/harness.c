// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TAP harness: runs each test in a child, watches its time, and reads the
 * kernel log behind it.
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

/* What the kernel takes of a line. */
#define KMSG_LINE_MAX 960

/*
 * struct outcome - what a test and its children tell the parent
 * @failures: expectations that did not hold
 * @skipped: the test ended itself as skipped
 * @reason: why it was skipped
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

void harness_add(struct harness_test *test)
{
	*last_test = test;
	last_test = &test->next;
}

/*
 * Diagnostics go out in a single write each, every line of them a comment, so
 * that several processes of one test cannot break TAP.
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

/* How much more time everything is given, on a machine that is known as slow. */
static unsigned int timeout_scale(void)
{
	const char *scale = getenv("SELFTEST_TIMEOUT_SCALE");
	unsigned int factor = scale ? strtoul(scale, NULL, 0) : 1;

	return factor ?: 1;
}

bool harness_deadline(long long *start, unsigned int seconds)
{
	const struct timespec moment = { .tv_nsec = 2000000 };

	if (!*start)
		*start = now_ms();
	if (now_ms() - *start > seconds * timeout_scale() * 1000LL)
		return false;

	nanosleep(&moment, NULL);

	return true;
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

/* In one write(): what is behind a descriptor that cannot seek has no printf. */
void harness_tell_kernel(const char *format, ...)
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

int harness_log(const char *program, const char *test)
{
	int fd;

	harness_tell_kernel("selftest: %s.%s", program, test);
	fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		lseek(fd, 0, SEEK_END);

	return fd;
}

static bool is_pardoned(const char *text, const char *const *pardoned)
{
	for (; pardoned && *pardoned; pardoned++)
		if (strstr(text, *pardoned))
			return true;

	return false;
}

/*
 * Whatever a test does, the kernel must not complain. Whose a race is, only
 * scripts/vm/run tells, from all that is said of it.
 */
unsigned int harness_complaints(int log, const char *const *pardoned)
{
	static const char *const bad[] = {
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
	unsigned int complaints = 0;
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
		    is_pardoned(text, pardoned))
			continue;
		for (i = 0; i < ARRAY_SIZE(bad); i++)
			if (strstr(text, bad[i])) {
				harness_note("kernel: %s", text + 1);
				complaints++;
				break;
			}
	}

	return complaints;
}

int harness_await(pid_t child, unsigned int seconds)
{
	const struct timespec limit = { .tv_sec = 1 };
	long long end = now_ms() + seconds * 1000LL;
	bool late = false;
	int status = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);

	while (waitpid(child, &status, WNOHANG) == 0) {
		if (now_ms() > end) {
			late = true;
			kill(-child, SIGKILL);
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			break;
		}
		sigtimedwait(&set, NULL, &limit);
	}

	kill(-child, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;

	return late ? -1 : status;
}

static int run_test(const struct harness_test *test, const char *program,
		    const struct harness_hooks *hooks)
{
	unsigned int seconds = test->timeout * timeout_scale();
	const char *unable = NULL;
	int log, status;
	pid_t child;

	memset(outcome, 0, sizeof(*outcome));

	if (hooks && hooks->unable)
		unable = hooks->unable();
	if (unable) {
		snprintf(outcome->reason, sizeof(outcome->reason), "%s",
			 unable);
		return HARNESS_SKIP;
	}

	log = harness_log(program, test->name);
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

	status = harness_await(child, seconds);
	if (status == -1)
		harness_fail(__FILE__, __LINE__, "%s: timed out after %u s",
			     test->name, seconds);
	else if (WIFSIGNALED(status))
		harness_fail(__FILE__, __LINE__, "%s: killed by signal %d",
			     test->name, WTERMSIG(status));
	else if (WEXITSTATUS(status) == HARNESS_SKIP && !outcome->skipped)
		harness_fail(__FILE__, __LINE__, "%s: skipped itself silently",
			     test->name);
	else if (WEXITSTATUS(status) != HARNESS_PASS &&
		 WEXITSTATUS(status) != HARNESS_SKIP && !outcome->failures)
		harness_fail(__FILE__, __LINE__, "%s: exit status %d",
			     test->name, WEXITSTATUS(status));

	if (hooks && hooks->after)
		outcome->failures += hooks->after();
	outcome->failures +=
		harness_complaints(log, hooks ? hooks->pardoned : NULL);
	if (log >= 0)
		close(log);

	if (outcome->failures)
		return HARNESS_FAIL;

	return outcome->skipped ? HARNESS_SKIP : HARNESS_PASS;
}

static bool wanted(const struct harness_test *test, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!fnmatch(argv[i], test->name, 0))
			return true;

	return argc < 2;
}

/* Orphans of a test become our children, so that we can wait. */
void harness_own_children(void)
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
		total += wanted(test, argc, argv);
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

	harness_own_children();

	printf("TAP version 13\n1..%u\n", total);

	for (test = first_test; test; test = test->next) {
		if (!wanted(test, argc, argv))
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
		fflush(stdout);
	}

	if (failed)
		return HARNESS_FAIL;

	return skipped == total ? HARNESS_SKIP : HARNESS_PASS;
}
