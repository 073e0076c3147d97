// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures operations of user_events at scale: many enablers in a process, many
 * words of an event, many processes.
 *
 *	scale [OPERATION-COUNT]
 *
 * Prints lines "operation count result" with medians in nanoseconds, which are
 * instructions if the clock counts instructions. Enabling and disabling are
 * measured as the write() to the event's file "enable"; background work of the
 * kernel is waited for, but not measured, even if it preempts the write(). Only
 * forks are measured with all that runs until the child has exited.
 *
 * With an argument, it ends after that operation, for scripts/bench/profile.
 * Only those that use begin() can be profiled.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../selftests/lib/user_events.h"
#include "profile.h"

#define ROUNDS 11

/* Writes of a record, which are fast */
#define WRITES 101

#define EVENTS_MAX 20000
#define WORDS_MAX 1000
#define PROCESSES_MAX 1000

/* Additional enablers of processes that share the enablers of their parent */
#define SHARED_ENABLERS 1000

/* Longer than a grace period of an idle machine */
#define GRACE_PERIOD_US 100000

/* Timeout for work in the background, in the guest's time */
#define BACKGROUND_S 300

#define INSTANCE "instances/" PREFIX "scale"
#define RECORD_FIELDS " u64 a; u64 b; u32 c"
#define RECORD_SIZE 24

/* Words of events; a second registration uses a second bit of a word. */
static volatile uint32_t words[EVENTS_MAX + ROUNDS];

static int data;

/* --- measuring --- */

static uint64_t samples[WRITES];
static unsigned int sample_count;

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);

	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void sample_clock(clockid_t clock, uint64_t start)
{
	uint64_t end = now(clock);

	ASSERT_LT(sample_count, ARRAY_SIZE(samples));
	samples[sample_count++] = end - start;
}

/* The clock of this thread, which stops when another task runs. */
static uint64_t thread_now(void)
{
	return now(CLOCK_THREAD_CPUTIME_ID);
}

static void sample(uint64_t start)
{
	sample_clock(CLOCK_THREAD_CPUTIME_ID, start);
}

/* The operation to be profiled, or NULL. */
static const char *profiled;

/* Set while that operation is measured. */
static bool profiling;

/* Exit status of a part after that operation. */
#define PROFILED 2

/* Starts a sample of an operation. */
static uint64_t begin(const char *operation, unsigned int count)
{
	profiling = profiled &&
		    !strcmp(text("%s-%u", operation, count), profiled);
	if (profiling)
		profile_start();

	return thread_now();
}

static void end(uint64_t start)
{
	if (profiling)
		profile_stop();
	sample(start);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Returns the median of the samples since the last call. */
static uint64_t median(void)
{
	uint64_t value;

	ASSERT_TRUE(sample_count);
	qsort(samples, sample_count, sizeof(*samples), compare);
	value = samples[sample_count / 2];
	sample_count = 0;

	return value;
}

/* Returns the cost of reading a clock, which results do not include. */
static uint64_t clock_cost(clockid_t clock)
{
	static uint64_t costs[CLOCK_THREAD_CPUTIME_ID + 1];

	while (!costs[clock]) {
		while (sample_count < ROUNDS)
			sample_clock(clock, now(clock));
		costs[clock] = median();
	}

	return costs[clock];
}

static void print_clock(clockid_t clock, const char *operation,
			unsigned int count, uint64_t figure)
{
	uint64_t cost = clock_cost(clock);

	printf("%s %u %llu\n", operation, count,
	       (unsigned long long)(figure > cost ? figure - cost : 0));
	fflush(stdout);
}

static void print(const char *operation, unsigned int count, uint64_t figure)
{
	print_clock(CLOCK_THREAD_CPUTIME_ID, operation, count, figure);
	if (profiling)
		exit(PROFILED);
}

/* --- enabling and disabling an event --- */

/*
 * Waits for the words of @pids, or of this process if @pids is NULL. A process
 * that sleeps writes its word when it wakes.
 */
static void wait_words(const pid_t *pids, unsigned int processes,
		       const volatile uint32_t *word, unsigned int count,
		       uint32_t expected)
{
	long long start = 0;
	unsigned int i;

	for (i = 0; !pids && i < count; i++)
		wait_value(&word[i], expected);
	for (i = 0; pids && i < processes; i++) {
		int fd = open(text("/proc/%d/mem", pids[i]), O_RDONLY);
		uint32_t value = !expected;

		ASSERT_OK(fd);
		kill(pids[i], SIGUSR1);
		while (value != expected) {
			ASSERT_EQ(pread(fd, &value, sizeof(value),
					(uintptr_t)word),
				  sizeof(value));
			ASSERT_TRUE(value == expected ||
				    harness_deadline(&start, BACKGROUND_S));
		}
		close(fd);
	}
}

/*
 * struct switched - an event that is enabled and disabled
 * @event: its name
 * @word: its words
 * @count: number of words
 * @pids: processes with the first word, or NULL for this process
 * @processes: number of processes
 */
struct switched {
	const char *event;
	const volatile uint32_t *word;
	unsigned int count;
	const pid_t *pids;
	unsigned int processes;
};

static void switch_event(const struct switched *on, const char *where,
			 bool value, bool expected)
{
	int fd = tfs_open(O_WRONLY, "%sevents/user_events/%s/enable", where,
			  on->event);
	uint64_t start;

	ASSERT_OK(fd);
	/* The first reading after a sleep costs more. */
	thread_now();
	start = thread_now();
	ASSERT_EQ(write(fd, value ? "1" : "0", 1), 1);
	sample(start);
	close(fd);
	wait_words(on->pids, on->processes, on->word, on->count, expected);
}

/*
 * When an event is enabled again, the in-kernel user_events wait for the grace
 * period of its last disabling. The processor is idle then, so this is not
 * measured.
 */
static void wait_grace_period(void)
{
	usleep(GRACE_PERIOD_US);
}

static void measure_switch(const struct switched *on, const char *what,
			   unsigned int count, unsigned int rounds)
{
	uint64_t off[ROUNDS] = { 0 };
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		wait_grace_period();
		switch_event(on, "", true, true);
		wait_grace_period();
		switch_event(on, "", false, false);
		off[i] = samples[--sample_count];
	}
	print(text("enable%s", what), count, median());
	memcpy(samples, off, rounds * sizeof(*off));
	sample_count = rounds;
	print(text("disable%s", what), count, median());
}

/* --- many enablers in a process --- */

static const char *numbered(unsigned int i)
{
	static char name[64];

	snprintf(name, sizeof(name), PREFIX "scale_%u", i);

	return name;
}

static void register_event(unsigned int i)
{
	ASSERT_OK(reg_word(data, numbered(i), &words[i], 0));
}

static void measure_fork(unsigned int count)
{
	uint64_t start;
	pid_t child;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		start = now(CLOCK_MONOTONIC);
		child = fork();
		if (!child)
			_exit(0);
		ASSERT_EQ(waitpid(child, NULL, 0), child);
		sample_clock(CLOCK_MONOTONIC, start);
	}
	print_clock(CLOCK_MONOTONIC, "fork-exit-wait", count, median());
}

/* Does not change the number of enablers. */
static void measure_registration(unsigned int count)
{
	const char *name;
	uint64_t start;
	unsigned int i;

	for (i = count; i < count + ROUNDS; i++) {
		name = numbered(i);
		start = begin("register-new-event", count);
		ASSERT_OK(reg_word(data, name, &words[i], 0));
		end(start);
	}
	print("register-new-event", count, median());
	for (i = count; i < count + ROUNDS; i++)
		ASSERT_OK(unreg(data, &words[i], 0));

	/* An unordered list is searched to the end for the last ones. */
	for (i = 0; i < ROUNDS; i++) {
		name = numbered(0);
		start = begin("register-existing-event", count);
		ASSERT_OK(reg_word(data, name, &words[i], 1));
		end(start);
	}
	print("register-existing-event", count, median());
	for (i = ROUNDS; i--;) {
		start = begin("unregister", count);
		ASSERT_OK(unreg(data, &words[i], 1));
		end(start);
	}
	print("unregister", count, median());
}

static void many_enablers(void)
{
	static const unsigned int counts[] = {
		1, 100, 1000, 2000, 8000, 18000, EVENTS_MAX,
	};
	static volatile uint32_t word;
	const struct switched one = { PREFIX "scale_one", &word, 1, NULL, 0 };
	unsigned int registered = 0;
	size_t i;

	/* All forks copy the same pages of words. */
	memset((void *)words, 0, sizeof(words));
	measure_fork(0);
	must_reg_word(data, one.event, &word, 0);
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		/* In addition to the enabler of the measured event. */
		for (; registered < counts[i]; registered++)
			register_event(registered);
		measure_registration(counts[i]);
		measure_switch(&one, "-beside-other-enablers", counts[i],
			       ROUNDS);
		measure_fork(counts[i]);
	}
}

/* --- many words of an event --- */

static void measure_second_tracer(const struct switched *on)
{
	unsigned int id = event_id(on->event);
	uint64_t start;
	int fd, i;

	ASSERT_OK(mkdir(text("%s/" INSTANCE, tracefs()), 0700));
	switch_event(on, "", true, true);
	sample_count = 0;
	for (i = 0; i < ROUNDS; i++) {
		switch_event(on, INSTANCE "/", true, true);
		if (i < ROUNDS - 1)
			switch_event(on, INSTANCE "/", false, true);
		if (i < ROUNDS - 1)
			sample_count--;
	}
	print("enable-instance-beside-top-level", on->count, median());
	switch_event(on, INSTANCE "/", false, true);
	sample_count = 0;
	for (i = 0; i < ROUNDS; i++) {
		start = begin("open-perf-beside-ftrace", on->count);
		fd = perf_open(id, -1, 0, 0);
		end(start);
		ASSERT_OK(fd);
		close(fd);
		wait_words(NULL, 0, on->word, on->count, true);
	}
	print("open-perf-beside-ftrace", on->count, median());
	switch_event(on, "", false, false);
	sample_count = 0;
	ASSERT_OK(rmdir(text("%s/" INSTANCE, tracefs())));
}

static void many_words(void)
{
	static const unsigned int counts[] = { 1, 10, 100, WORDS_MAX };
	struct switched on = { PREFIX "scale_words", words, 0, NULL, 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		for (; on.count < counts[i]; on.count++)
			must_reg_word(data, on.event, &words[on.count], 0);
		measure_switch(&on, "-words", counts[i], ROUNDS);
		measure_second_tracer(&on);
	}
}

/* --- many processes --- */

static void wake(int signal)
{
	(void)signal;
}

static void many_processes(void)
{
	static const unsigned int counts[] = { 1, 10, 50, PROCESSES_MAX };
	static pid_t pids[PROCESSES_MAX];
	static volatile uint32_t word;
	struct switched on = { PREFIX "scale_shared", &word, 1, pids, 0 };
	unsigned int i;
	size_t j;

	signal(SIGUSR1, wake);
	for (i = 0; i < SHARED_ENABLERS; i++)
		must_reg_word(data, PREFIX "scale_other", &words[i], 0);
	must_reg_word(data, on.event, &word, 0);
	pids[on.processes++] = getpid();
	for (j = 0; j < ARRAY_SIZE(counts); j++) {
		for (; on.processes < counts[j]; on.processes++) {
			pids[on.processes] = fork();
			ASSERT_OK(pids[on.processes]);
			if (!pids[on.processes])
				while (true)
					pause();
		}
		/* At first, pages are shared since the forks. */
		measure_switch(&on, "-processes-first", counts[j], 1);
		measure_switch(&on, "-processes", counts[j], ROUNDS);
	}
	for (i = 1; i < on.processes; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

/* --- many events of the interface with a status page --- */

static void register_status(const char *name)
{
	struct user_reg_status done;

	ASSERT_OK(reg(data, name, &done));
}

/* Measures the registration of events, of which @count exist. */
static void measure_status(const char *operation, unsigned int first,
			   unsigned int count)
{
	const char *name;
	uint64_t start;
	unsigned int i;

	for (i = first; i < first + ROUNDS; i++) {
		name = numbered(i);
		start = begin(operation, count);
		register_status(name);
		end(start);
	}
	print(operation, count, median());
}

static void many_status_events(void)
{
	static const unsigned int counts[] = { 1, 100, 1000, 8000, EVENTS_MAX };
	unsigned int registered = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		for (; registered < counts[i]; registered++)
			register_status(numbered(registered));
		measure_status("register-new-event-status", registered,
			       counts[i]);
		registered += ROUNDS;
		measure_status("register-again-status", 0, counts[i]);
	}
}

/* --- a record --- */

static void measure_write(bool enabled)
{
	unsigned char record[RECORD_SIZE] = { 0 };
	const char *event = PREFIX "scale_record" RECORD_FIELDS;
	static volatile uint32_t word;
	unsigned int index;
	uint64_t start;
	ssize_t done;
	int i;

	index = must_reg_word(data, event, &word, enabled);
	memcpy(record, &index, sizeof(index));
	if (enabled)
		enable(PREFIX "scale_record", true);
	for (i = 0; i < WRITES; i++) {
		start = thread_now();
		done = write(data, record, sizeof(record));
		sample(start);
		ASSERT_EQ(done, enabled ? RECORD_SIZE : -1);
	}
	print(enabled ? "write-enabled" : "write-disabled", RECORD_SIZE,
	      median());
	if (enabled)
		enable(PREFIX "scale_record", false);
}

static void writes(void)
{
	measure_write(false);
	measure_write(true);
}

/* --- */

/*
 * Runs a part in a process of its own, without enablers of other parts.
 *
 * Return: its exit status
 */
static int run(void (*part)(void))
{
	pid_t child = fork();
	int status = 0;

	ASSERT_OK(child);
	if (!child) {
		data = data_open();
		part();
		exit(0);
	}
	ASSERT_EQ(waitpid(child, &status, 0), child);

	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void must_run(void (*part)(void))
{
	int status = run(part);

	if (status)
		exit(status == PROFILED ? 0 : 1);
}

/* The in-kernel user_events have one of the two interfaces. */
static void try_enabler(void)
{
	exit(reg_word(data, numbered(0), words, 0) < 0);
}

static void try_status(void)
{
	struct user_reg_status done;

	exit(reg(data, numbered(0), &done) < 0);
}

int main(int argc, char **argv)
{
	profiled = argc > 1 ? argv[1] : NULL;
	tfs_write("0", "options/record-cmd");
	clock_cost(CLOCK_MONOTONIC);
	clock_cost(CLOCK_THREAD_CPUTIME_ID);
	if (!run(try_enabler)) {
		must_run(writes);
		must_run(many_words);
		must_run(many_enablers);
		/* Later, since the module reaps dead processes some time later. */
		must_run(many_processes);
	}
	/* After these, since its events stay. */
	if (!run(try_status))
		must_run(many_status_events);

	return 0;
}
