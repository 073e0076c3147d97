// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long operations of user_events keep event_mutex, the kernel's lock for all
 * of tracing: the longest wait of a bystander for it, for each operation.
 *
 * The bystander is a process of real-time policy that uses no user event.
 * Every 10 to 30 microseconds it reads one byte of dynamic_events, for which
 * every kernel takes event_mutex. Of each read it takes three times: when its
 * timer is due, when it runs, and when it has read. Between the last two it
 * waits for the mutex, including the time in which the holder must wait for the
 * processor; that is "wait". Between the first two the processor was not given
 * up; that is "late".
 *
 * A kernel that preempts its own code lets the bystander run at once, whatever
 * holds the mutex, so the figure of a row is the longest wait. Any other kernel
 * might hold the mutex for as long as the bystander is late, so the figure is
 * the longest sum of both. This is an upper bound: it counts code without the
 * mutex as well. scripts/check/hold boots with preempt=full for that reason,
 * which kernels with CONFIG_PREEMPT_DYNAMIC obey.
 *
 * The figure of a row is at most 30 microseconds less than the longest time for
 * which the mutex was held. Where a nanosecond of the guest is an instruction,
 * so is that of a figure, except while the processor is idle: its clock goes on
 * to the next timer then.
 *
 * For each row there is a line
 *
 *	# hold ROW FIGURE LATE TOTAL READS
 *
 * LATE is the longest time that the bystander was late, TOTAL the time that the
 * operation took, READS how often the bystander read meanwhile. A line
 * "# preemptible yes" or "no" says what the figures are. The tests fail
 * if the operation fails, not because of a figure: scripts/check/hold compares.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/user_events.h"

/* Nanoseconds between two reads of the bystander. */
#define PAUSE_MIN 10000
#define PAUSE_RANGE 20000

/* What the scheduler is told: it may run for so long in each period. */
#define BYSTANDER_RUNTIME 500000
#define BYSTANDER_PERIOD 1000000

/* The median of the rounds counts, each of so many events. */
#define UNIT_ROUNDS 11
#define UNIT_EVENTS 40

#define PROCESSES 1000
#define ENABLERS 18000
#define CHILDREN 50
#define CHILD_ENABLERS 2000

/* How often an operation on a single event is repeated within a row. */
#define ROUNDS 20

/* Seconds of the guest for what the kernel finishes in the background. */
#define LATER 300

#define TEST_SECONDS 1800

/* --- the bystander --- */

/*
 * struct bystander - what the bystander has seen; shared by all processes
 * @longest: the longest wait since it was set to 0
 * @late: the longest time that it was late since it was set to 0
 * @reads: how often it has read
 */
struct bystander {
	uint64_t longest;
	uint64_t late;
	uint64_t reads;
};

static volatile struct bystander *seen;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void sleep_until(uint64_t due)
{
	const struct timespec time = {
		.tv_sec = (time_t)(due / 1000000000U),
		.tv_nsec = (long)(due % 1000000000U),
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

/* Does the kernel preempt its own code? */
static bool is_preemptible(void)
{
	char *command_line = read_file("/proc/cmdline");
	struct utsname kernel;

	ASSERT_OK(uname(&kernel));
	ASSERT_TRUE(command_line);
	if (strstr(kernel.version, "PREEMPT_DYNAMIC"))
		return strstr(command_line, "preempt=full");

	return strstr(kernel.version, "PREEMPT");
}

/* Different ones, so that operations that repeat are met everywhere. */
static unsigned int next_pause(void)
{
	static uint32_t random = 1;

	random = random * 1664525U + 1013904223U;

	return PAUSE_MIN + (random >> 8) % PAUSE_RANGE;
}

/* As of <linux/sched/types.h>, which older C libraries do not go along with. */
struct scheduling {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime;
	uint64_t deadline;
	uint64_t period;
};

/*
 * SCHED_FIFO is not enough: since Linux 6.12 the scheduler lets other processes
 * run before those of real-time priority for up to 50 milliseconds a second.
 */
static void run_at_once(void)
{
	const struct scheduling scheduling = {
		.size = sizeof(scheduling),
		.policy = SCHED_DEADLINE,
		.runtime = BYSTANDER_RUNTIME,
		.deadline = BYSTANDER_PERIOD,
		.period = BYSTANDER_PERIOD,
	};

	ASSERT_OK(syscall(SYS_sched_setattr, 0, &scheduling, 0));
}

static void bystand(void)
{
	bool preemptible = is_preemptible();
	int fd = tfs_open(O_RDONLY, "dynamic_events");
	uint64_t due, start, end, figure;
	char byte;

	ASSERT_OK(fd);
	ASSERT_OK(mlockall(MCL_CURRENT | MCL_FUTURE));
	run_at_once();
	while (true) {
		due = now() + next_pause();
		sleep_until(due);
		start = now();
		ASSERT_OK(pread(fd, &byte, 1, 0));
		end = now();
		figure = end - (preemptible ? start : due);
		if (figure > seen->longest)
			seen->longest = figure;
		if (start - due > seen->late)
			seen->late = start - due;
		seen->reads++;
	}
}

/* Waits until the bystander has begun and finished a read after this call. */
static void bystander_catch_up(void)
{
	uint64_t reads = seen->reads;
	long long start = 0;

	while (seen->reads < reads + 2)
		if (!harness_deadline(&start, LATER)) {
			FAIL("the bystander does not read");
			harness_stop();
		}
}

/* For the first second after boot, timers are as coarse as the kernel's tick. */
static void wait_precise_timers(void)
{
	long long start = 0;

	do {
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("timers are %llu nanoseconds late",
			     (unsigned long long)seen->late);
			harness_stop();
		}
		seen->late = 0;
		bystander_catch_up();
	} while (seen->late > PAUSE_MIN + PAUSE_RANGE);
}

/*
 * The processes of the test run when no other process does, so that kernel
 * threads that hold the mutex need not share the processor with them.
 */
static void bystander_start(void)
{
	const struct sched_param param = { 0 };
	pid_t child;

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(seen != MAP_FAILED);
	child = fork();
	ASSERT_OK(child);
	if (!child)
		bystand();
	ASSERT_OK(sched_setscheduler(0, SCHED_IDLE, &param));
	wait_precise_timers();
}

/* --- rows --- */

/*
 * struct row - an operation while the bystander reads
 * @name: what it is called in the output
 * @begin: when it began
 * @figure: the longest wait
 * @late: the longest time that the bystander was late
 * @total: how long it took
 * @reads: of the bystander; while the row is open, by its beginning
 */
struct row {
	const char *name;
	uint64_t begin;
	uint64_t figure;
	uint64_t late;
	uint64_t total;
	uint64_t reads;
};

static struct row row_begin(const char *operation, unsigned int count,
			    const char *what)
{
	struct row row = {
		.name = text("%s-%u-%s", operation, count, what),
	};

	bystander_catch_up();
	row.begin = now();
	row.reads = seen->reads;
	seen->longest = 0;
	seen->late = 0;

	return row;
}

static void row_take(struct row *row)
{
	row->total = now() - row->begin;
	row->reads = seen->reads - row->reads;
	bystander_catch_up();
	row->figure = seen->longest;
	row->late = seen->late;
}

static void row_print(const struct row *row)
{
	harness_note("hold %s %llu %llu %llu %llu", row->name,
		     (unsigned long long)row->figure,
		     (unsigned long long)row->late,
		     (unsigned long long)row->total,
		     (unsigned long long)row->reads);
}

static void row_end(struct row *row)
{
	row_take(row);
	row_print(row);
}

/* --- processes that take turns with the test --- */

/*
 * struct worker - a process that does its part when it is told
 * @pid: of it
 * @up: it says that it has come to a step
 * @down: it is told to go on
 */
struct worker {
	pid_t pid;
	int up[2];
	int down[2];
};

static void say(int fd)
{
	ASSERT_EQ(write(fd, "x", 1), 1);
}

static void hear(int fd)
{
	char byte;

	ASSERT_EQ(read(fd, &byte, 1), 1);
}

/* In the worker: done so far; returns when it is to go on. */
static void worker_step(struct worker *worker)
{
	say(worker->up[1]);
	hear(worker->down[0]);
}

/* In the test: lets the worker come to its next step. */
static void worker_continue(struct worker *worker)
{
	say(worker->down[1]);
	hear(worker->up[0]);
}

static void stay(void)
{
	while (true)
		pause();
}

/*
 * worker_start - have a function run by a process of its own
 *
 * It gets to its first step. What it does after its last is to stay.
 */
static struct worker worker_start(void (*run)(struct worker *worker,
					      unsigned int count),
				  unsigned int count)
{
	struct worker worker;

	ASSERT_OK(pipe(worker.up));
	ASSERT_OK(pipe(worker.down));
	worker.pid = fork();
	ASSERT_OK(worker.pid);
	if (!worker.pid) {
		/* A worker that fails is not waited for. */
		close(worker.up[0]);
		close(worker.down[1]);
		run(&worker, count);
		say(worker.up[1]);
		stay();
	}
	close(worker.up[1]);
	close(worker.down[0]);
	hear(worker.up[0]);

	return worker;
}

static void end_process(pid_t pid)
{
	ASSERT_OK(kill(pid, SIGKILL));
	ASSERT_EQ(waitpid(pid, NULL, 0), pid);
}

/* --- events --- */

#define EVENT_MAX 20000

static volatile uint32_t words[EVENT_MAX];

static const char *numbered(unsigned int i)
{
	static char name[64];

	snprintf(name, sizeof(name), PREFIX "hold_%u", i);

	return name;
}

static bool event_exists(const char *name)
{
	return tfs_exists("events/user_events/%s", name);
}

/* Without event_mutex, which a reader of user_events_status might hold. */
static void wait_event_gone(const char *name)
{
	long long start = 0;

	while (event_exists(name))
		if (!harness_deadline(&start, LATER)) {
			FAIL("%s stays", name);
			harness_stop();
		}
}

static void wait_events_gone(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		wait_event_gone(numbered(i));
}

/*
 * The directory events/user_events goes with its last event and comes back with
 * the next, which is not what is measured.
 */
static void keep_directory(void)
{
	static volatile uint32_t word;

	must_reg_word(data_open(), PREFIX "hold_keep", &word, 0);
}

static void register_events(int fd, unsigned int count, unsigned int flags)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		ASSERT_OK(reg_enabler(fd, numbered(i), &words[i],
				      sizeof(words[i]), 0, flags));
}

static void unregister_words(int fd, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		ASSERT_OK(unreg(fd, &words[i], 0));
}

static void events_worker(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;

	row = row_begin("register", count, "events");
	register_events(fd, count, 0);
	row_end(&row);
	worker_step(worker);

	row = row_begin("unregister", count, "events");
	unregister_words(fd, count);
	row_end(&row);

	row = row_begin("close", count, "events");
	close(fd);
	wait_events_gone(count);
	row_end(&row);

	register_events(data_open(), count, 0);
}

/* Its events stay, and are used by nothing. */
static void persistent_worker(struct worker *worker, unsigned int count)
{
	int fd = data_open();

	(void)worker;
	register_events(fd, count, USER_EVENT_REG_PERSIST);
	unregister_words(fd, count);
	close(fd);
}

/* The kernel might let go of an event only some time after its last user. */
static void delete_event(int fd, unsigned int i)
{
	long long start = 0;

	while (del(fd, numbered(i))) {
		ASSERT_EQ(errno, EBUSY);
		if (!harness_deadline(&start, LATER)) {
			FAIL("%s stays busy", numbered(i));
			harness_stop();
		}
	}
}

static void delete_events(unsigned int count)
{
	struct worker worker = worker_start(persistent_worker, count);
	int fd = data_open();
	struct row row;
	unsigned int i;

	/* Once one can be deleted, so can the others, or soon. */
	delete_event(fd, count - 1);
	row = row_begin("delete", count, "events");
	for (i = 0; i < count - 1; i++)
		delete_event(fd, i);
	row_end(&row);
	end_process(worker.pid);
}

static void enable_all(const char *operation, unsigned int count)
{
	struct row row = row_begin(operation, count, "events");

	ASSERT_OK(tfs_write(strcmp(operation, "enable") ? "0" : "1",
			    "events/user_events/enable"));
	row_end(&row);
	/* The kernel has the mutex for nearly all of it. */
	EXPECT_GE(row.figure, row.total / 2);
}

static void many_events(unsigned int count)
{
	struct worker worker;
	struct row row;

	bystander_start();
	keep_directory();
	worker = worker_start(events_worker, count);
	enable_all("enable", count);
	enable_all("disable", count);
	worker_continue(&worker);

	row = row_begin("exit", count, "events");
	end_process(worker.pid);
	wait_events_gone(count);
	row_end(&row);

	delete_events(count);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *left = a, *right = b;

	return (left->figure > right->figure) - (left->figure < right->figure);
}

/* What all other rows are compared with: one event at a time. */
TEST_TIMEOUT(unit, TEST_SECONDS)
{
	unsigned int i, j, registered = 0;
	struct row rows[UNIT_ROUNDS];
	struct row row;
	int fd = data_open();

	bystander_start();
	keep_directory();
	harness_note("preemptible %s", is_preemptible() ? "yes" : "no");
	row = row_begin("nothing", 0, "events");
	for (i = 0; i < ROUNDS; i++)
		bystander_catch_up();
	row_end(&row);

	for (i = 0; i < UNIT_ROUNDS; i++) {
		row = row_begin("unit", 1, "event");
		for (j = 0; j < UNIT_EVENTS; j++, registered++)
			must_reg_word(fd, numbered(registered),
				      &words[registered], 0);
		row_take(&row);
		rows[i] = row;
	}
	qsort(rows, UNIT_ROUNDS, sizeof(*rows), compare_rows);
	row_print(&rows[UNIT_ROUNDS / 2]);
}

TEST_TIMEOUT(events_2000, TEST_SECONDS)
{
	many_events(2000);
}

TEST_TIMEOUT(events_20000, TEST_SECONDS)
{
	many_events(EVENT_MAX);
}

/* --- processes that have an enabler of the same event --- */

#define SHARED PREFIX "hold_shared"

static volatile uint32_t shared_word;

/* Until the words of all processes are so, whose pages might be brought in. */
static void wait_words(const pid_t *pids, unsigned int count, uint32_t expected)
{
	long long start = 0;
	uint32_t value;
	unsigned int i;
	int fd;

	for (i = 0; i < count; i++) {
		fd = open(text("/proc/%d/mem", pids[i]), O_RDONLY | O_CLOEXEC);
		ASSERT_OK(fd);
		while (true) {
			ASSERT_EQ(pread(fd, &value, sizeof(value),
					(uintptr_t)&shared_word),
				  sizeof(value));
			if (value == expected)
				break;
			if (!harness_deadline(&start, LATER)) {
				FAIL("process %u of %u is not told", i, count);
				harness_stop();
			}
		}
		close(fd);
	}
}

static void switch_shared(const pid_t *pids, unsigned int count,
			  const char *what, bool on)
{
	struct row row = row_begin(on ? "enable" : "disable", count, what);

	enable(SHARED, on);
	wait_words(pids, count, on);
	row_end(&row);
}

static void end_all(const pid_t *pids, unsigned int count, const char *what)
{
	struct row row = row_begin("exit", count, what);
	unsigned int i;

	for (i = 0; i < count; i++)
		ASSERT_OK(kill(pids[i], SIGKILL));
	for (i = 0; i < count; i++)
		ASSERT_EQ(waitpid(pids[i], NULL, 0), pids[i]);
	wait_event_gone(SHARED);
	row_end(&row);
}

static void shared_worker(struct worker *worker, unsigned int count)
{
	(void)worker;
	(void)count;
	must_reg_word(data_open(), SHARED, &shared_word, 0);
}

TEST_TIMEOUT(processes, TEST_SECONDS)
{
	static pid_t pids[PROCESSES];
	struct worker worker;
	unsigned int i;

	bystander_start();
	keep_directory();
	for (i = 0; i < PROCESSES; i++) {
		worker = worker_start(shared_worker, 0);
		close(worker.up[0]);
		close(worker.down[1]);
		pids[i] = worker.pid;
	}
	switch_shared(pids, PROCESSES, "processes", true);
	switch_shared(pids, PROCESSES, "processes", false);
	end_all(pids, PROCESSES, "processes");
}

/* --- many enablers in a process --- */

#define OTHER PREFIX "hold_other"

static void register_others(int fd, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		ASSERT_OK(reg_word(fd, OTHER, &words[i], 0));
}

/*
 * What a child of a process with many enablers does first might take longer
 * than what follows, so each operation is the first of another child.
 */
static void registering_child(struct worker *worker, unsigned int count)
{
	static volatile uint32_t word;
	int fd = data_open();
	struct row row;

	worker_step(worker);
	row = row_begin("child-register", count, "enablers");
	must_reg_word(fd, OTHER, &word, 0);
	row_end(&row);
}

static void unregistering_child(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;

	worker_step(worker);
	row = row_begin("child-unregister", count, "enablers");
	EXPECT_OK(unreg(fd, &words[count / 2], 0));
	row_end(&row);
}

static void switch_in_worker(const char *what)
{
	pid_t self = getpid();

	switch_shared(&self, 1, what, true);
	switch_shared(&self, 1, what, false);
}

static void with_child(unsigned int count,
		       void (*run)(struct worker *worker, unsigned int count),
		       bool first)
{
	struct row row =
		row_begin(first ? "fork" : "fork-again", count, "enablers");
	struct worker child = worker_start(run, count);

	row_end(&row);
	if (first)
		switch_in_worker("event-after-fork");
	worker_continue(&child);
	row = row_begin(first ? "child-exit" : "child-exit-again", count,
			"enablers");
	end_process(child.pid);
	row_end(&row);
}

static void enablers_worker(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;

	(void)worker;
	must_reg_word(fd, SHARED, &shared_word, 0);
	row = row_begin("register", count, "enablers");
	register_others(fd, count);
	row_end(&row);
	switch_in_worker("event");
	with_child(count, registering_child, true);
	with_child(count, unregistering_child, false);

	row = row_begin("unregister", count / 2, "enablers");
	unregister_words(fd, count / 2);
	row_end(&row);
	for (count /= 2; count--;)
		ASSERT_OK(reg_word(fd, OTHER, &words[count], 0));
}

/* Has a process do something with enablers, and then exit with them. */
static void measure_until_exit(void (*work)(struct worker *worker,
					    unsigned int count),
			       unsigned int count)
{
	struct worker worker;
	struct row row;

	bystander_start();
	keep_directory();
	worker = worker_start(work, count);
	row = row_begin("exit", count, "enablers");
	end_process(worker.pid);
	wait_event_gone(OTHER);
	wait_event_gone(SHARED);
	row_end(&row);
}

TEST_TIMEOUT(enablers, TEST_SECONDS)
{
	measure_until_exit(enablers_worker, ENABLERS);
}

/* --- children that have the enablers of their parent --- */

/* The words are on pages that all of them share since the fork. */
static void children_worker(struct worker *worker, unsigned int count)
{
	static pid_t pids[CHILDREN + 1];
	int fd = data_open();
	struct row row;
	unsigned int i;

	(void)worker;
	register_others(fd, count);
	must_reg_word(fd, SHARED, &shared_word, 0);
	row = row_begin("fork", CHILDREN, "children");
	for (i = 0; i < CHILDREN; i++) {
		pids[i] = fork();
		ASSERT_OK(pids[i]);
		if (!pids[i])
			stay();
	}
	row_end(&row);
	pids[CHILDREN] = getpid();
	switch_shared(pids, CHILDREN + 1, "children", true);
	switch_shared(pids, CHILDREN + 1, "children", false);

	row = row_begin("exit", CHILDREN, "children");
	for (i = 0; i < CHILDREN; i++)
		ASSERT_OK(kill(pids[i], SIGKILL));
	for (i = 0; i < CHILDREN; i++)
		ASSERT_EQ(waitpid(pids[i], NULL, 0), pids[i]);
	row_end(&row);
}

TEST_TIMEOUT(children, TEST_SECONDS)
{
	measure_until_exit(children_worker, CHILD_ENABLERS);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
