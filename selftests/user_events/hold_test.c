// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures how long operations of user_events hold event_mutex, the kernel's
 * lock for all of tracing: for each operation, the longest time that another
 * process, the bystander, waits for it.
 *
 * The bystander is a real-time process that uses no user event. Every 10 to 30
 * microseconds it reads one byte of dynamic_events, for which every kernel
 * takes event_mutex. It takes three times for each read: when its timer
 * expires, when it runs, and when the read has returned. Between the second and
 * the third it waits for the mutex, including the time in which the holder of
 * the mutex waits for the CPU; this is "wait". Between the first and the second
 * the CPU is busy with other code; this is "late".
 *
 * A kernel that preempts its own code runs the bystander at once, whichever
 * process holds the mutex, so the figure of a row is the longest wait. Any
 * other kernel might hold the mutex while the bystander is late, so the figure
 * is the longest sum of both. This is an upper bound, since it includes code
 * without the mutex. For this reason scripts/check/vm/hold boots with
 * preempt=full, which kernels with CONFIG_PREEMPT_DYNAMIC obey.
 *
 * The figure of a row is at most 30 microseconds less than the longest time for
 * which the mutex was held. If a nanosecond of the guest is an instruction,
 * this is also true for the figures, except while the CPU is idle: the clock
 * then advances to the next timer.
 *
 * Each row is printed as a line
 *
 *   # hold ROW FIGURE LATE TOTAL READS
 *
 * LATE is the longest time that the bystander was late, TOTAL the duration of
 * the operation, and READS the number of reads by the bystander during the
 * operation. A line "# preemptible yes" or "# preemptible no" tells how to
 * interpret the figures. A test fails if the operation fails, not because of a
 * figure: scripts/check/vm/hold compares the figures.
 */
#include <dirent.h>
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

/* SCHED_DEADLINE parameters of the bystander, in nanoseconds. */
#define BYSTANDER_RUNTIME 500000
#define BYSTANDER_PERIOD 1000000

/*
 * Seconds after which the kernel has freed memory that it frees with a delay. A
 * task does that and can preempt the holder of the mutex.
 */
#define SETTLE_S 6

/* The result is the median of the rounds; each registers UNIT_EVENTS events. */
#define UNIT_ROUNDS 11
#define UNIT_EVENTS 40

#define PROCESSES 1000
#define ENABLERS 18000
#define CHILDREN 50
#define CHILD_ENABLERS 2000

/* Repetitions of the row "nothing". */
#define ROUNDS 20

/* Timeout, in seconds of the guest, for deferred work of the kernel. */
#define BACKGROUND_TIMEOUT_S 300

#define TEST_TIMEOUT_S 1800

/* --- the bystander --- */

/*
 * struct bystander - measurements of the bystander; shared by all processes
 * @longest: longest wait since this was set to 0
 * @late: longest time that it was late since this was set to 0
 * @reads: number of reads
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

/* Whether the kernel preempts its own code. */
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

/* Pauses vary, so that reads do not synchronize with repeated operations. */
static unsigned int next_pause(void)
{
	static uint32_t random;
	const char *seed = getenv("USER_EVENTS_SEED");

	if (!random)
		random = seed ? strtoul(seed, NULL, 10) : 1;

	random = random * 1664525U + 1013904223U;

	return PAUSE_MIN + (random >> 8) % PAUSE_RANGE;
}

/* As in <linux/sched/types.h>, which conflicts with older C libraries. */
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
 * SCHED_FIFO is not sufficient: since Linux 6.12 the scheduler lets other
 * processes run before real-time processes for up to 50 milliseconds a second.
 */
static void set_deadline_policy(void)
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

static void run_bystander(void)
{
	bool preemptible = is_preemptible();
	int fd = tfs_open(O_RDONLY, "dynamic_events");
	uint64_t due, start, end, figure;
	char byte;

	ASSERT_OK(fd);
	ASSERT_OK(mlockall(MCL_CURRENT | MCL_FUTURE));
	set_deadline_policy();
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

/* Waits until the bystander has started and finished a read after this call. */
static void bystander_catch_up(void)
{
	uint64_t reads = seen->reads;
	long long start = 0;

	while (seen->reads < reads + 2)
		if (!harness_deadline(&start, BACKGROUND_TIMEOUT_S)) {
			FAIL("timeout: the bystander does not read");
			harness_stop();
		}
}

/*
 * In the first second after boot, timers have the resolution of the kernel's
 * tick.
 */
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
 * Makes kernel threads that remove events real-time processes, so that those
 * that free memory do not preempt them while they hold the mutex. They keep
 * this, so it is only done if the environment has HOLD_RAISE_WORKERS.
 */
static void raise_workers(void)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	char *name;

	ASSERT_TRUE(processes);
	while ((entry = readdir(processes))) {
		name = read_file(text("/proc/%s/comm", entry->d_name));
		if (name && strncmp(name, "kworker/u", 9) == 0)
			make_realtime(atoi(entry->d_name));
		free(name);
	}
	closedir(processes);
}

/*
 * The processes of the test run with SCHED_IDLE, so that kernel threads that
 * hold the mutex need not share the CPU with them.
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
		run_bystander();
	ASSERT_OK(sched_setscheduler(0, SCHED_IDLE, &param));
	if (getenv("HOLD_RAISE_WORKERS"))
		raise_workers();
	wait_precise_timers();
}

/* --- rows --- */

/*
 * struct row - an operation that is measured by the bystander
 * @name: name in the output
 * @start: start time
 * @figure: longest wait
 * @late: longest time that the bystander was late
 * @total: duration
 * @reads: number of reads; until the row is finished, the number at its start
 */
struct row {
	const char *name;
	uint64_t start;
	uint64_t figure;
	uint64_t late;
	uint64_t total;
	uint64_t reads;
};

static struct row row_start(const char *operation, unsigned int count,
			    const char *what)
{
	struct row row = {
		.name = text("%s-%u-%s", operation, count, what),
	};

	bystander_catch_up();
	row.start = now();
	row.reads = seen->reads;
	seen->longest = 0;
	seen->late = 0;

	return row;
}

static void row_take(struct row *row)
{
	row->total = now() - row->start;
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

static void row_finish(struct row *row)
{
	row_take(row);
	row_print(row);
}

/* --- processes that are synchronized with the test --- */

/*
 * struct worker - a process that executes one step at a time
 * @pid: process ID
 * @up: the worker writes a byte when it has finished a step
 * @down: the test writes a byte to start the next step
 */
struct worker {
	pid_t pid;
	int up[2];
	int down[2];
};

static void send_byte(int fd)
{
	ASSERT_EQ(write(fd, "x", 1), 1);
}

static void receive_byte(int fd)
{
	char byte;

	ASSERT_EQ(read(fd, &byte, 1), 1);
}

/* Called by the worker: reports a finished step and waits for the next one. */
static void worker_step(struct worker *worker)
{
	send_byte(worker->up[1]);
	receive_byte(worker->down[0]);
}

/* Called by the test: lets the worker execute its next step. */
static void worker_continue(struct worker *worker)
{
	send_byte(worker->down[1]);
	receive_byte(worker->up[0]);
}

static void pause_forever(void)
{
	while (true)
		pause();
}

/*
 * worker_start - start a process that runs a function
 *
 * Returns after its first step. After the last step the process waits until it
 * is killed. It is a real-time process, so that a task that frees memory of the
 * kernel does not preempt it while it holds the mutex.
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
		/*
		 * If the worker fails, the pipe is closed, and the test does
		 * not wait for it.
		 */
		close(worker.up[0]);
		close(worker.down[1]);
		make_realtime(0);
		run(&worker, count);
		send_byte(worker.up[1]);
		pause_forever();
	}
	close(worker.up[1]);
	close(worker.down[0]);
	receive_byte(worker.up[0]);

	return worker;
}

static void kill_process(pid_t pid)
{
	ASSERT_OK(kill(pid, SIGKILL));
	ASSERT_EQ(waitpid(pid, NULL, 0), pid);
}

/* --- events --- */

#define EVENT_MAX 20000

static volatile uint32_t words[EVENT_MAX];

static const char *event_name(unsigned int i)
{
	static char name[64];

	snprintf(name, sizeof(name), PREFIX "hold_%u", i);

	return name;
}

static bool event_exists(const char *name)
{
	return tfs_exists("events/user_events/%s", name);
}

/* Does not take event_mutex, which reading user_events_status can do. */
static void wait_event_deleted(const char *name)
{
	long long start = 0;

	while (event_exists(name)) {
		if (!harness_deadline(&start, BACKGROUND_TIMEOUT_S)) {
			FAIL("timeout: %s was not deleted", name);
			harness_stop();
		}
		/* Leave the CPU to a work item that holds the mutex. */
		usleep(100);
	}
}

static void wait_events_deleted(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		wait_event_deleted(event_name(i));
}

/*
 * The directory events/user_events is removed with its last event and created
 * with the next one, which must not be part of the measurement.
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
		ASSERT_OK(reg_enabler(fd, event_name(i), &words[i],
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

	row = row_start("register", count, "events");
	register_events(fd, count, 0);
	row_finish(&row);
	worker_step(worker);

	row = row_start("unregister", count, "events");
	unregister_words(fd, count);
	row_finish(&row);

	row = row_start("close", count, "events");
	close(fd);
	wait_events_deleted(count);
	row_finish(&row);

	register_events(data_open(), count, 0);
}

/* The kernel might drop the last reference to an event with a delay. */
static void delete_event(int fd, unsigned int i)
{
	long long start = 0;

	while (del(fd, event_name(i))) {
		ASSERT_EQ(errno, EBUSY);
		if (!harness_deadline(&start, BACKGROUND_TIMEOUT_S)) {
			FAIL("timeout: %s is busy", event_name(i));
			harness_stop();
		}
		usleep(100);
	}
}

/* The events are persistent and have no references. */
static void deleting_worker(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;
	unsigned int i;

	(void)worker;
	register_events(fd, count, USER_EVENT_REG_PERSIST);
	unregister_words(fd, count);
	close(fd);
	fd = data_open();
	/* When one event can be deleted, all others can be deleted soon. */
	delete_event(fd, count - 1);
	row = row_start("delete", count, "events");
	for (i = 0; i < count - 1; i++)
		delete_event(fd, i);
	row_finish(&row);
}

static void enable_all(const char *operation, unsigned int count)
{
	struct row row = row_start(operation, count, "events");

	ASSERT_OK(tfs_write(strcmp(operation, "enable") ? "0" : "1",
			    "events/user_events/enable"));
	row_finish(&row);
	/* The kernel holds the mutex for most of the operation. */
	EXPECT_GE(row.figure, row.total / 2);
}

/* Only the module has user_events_profile. */
static void read_list(const char *file, const char *operation,
		      unsigned int count, const char *what)
{
	struct row row;

	if (!tfs_exists("%s", file))
		return;

	row = row_start(operation, count, what);
	free(tfs_read("%s", file));
	row_finish(&row);
}

static void read_lists(unsigned int count, const char *what)
{
	read_list("user_events_status", "read-status", count, what);
	read_list("user_events_profile", "read-profile", count, what);
}

static void measure_events(unsigned int count)
{
	struct worker worker;
	struct row row;

	bystander_start();
	keep_directory();
	worker = worker_start(events_worker, count);
	read_lists(count, "events");
	enable_all("enable", count);
	enable_all("disable", count);
	sleep(SETTLE_S);
	worker_continue(&worker);

	row = row_start("exit", count, "events");
	kill_process(worker.pid);
	wait_events_deleted(count);
	row_finish(&row);

	worker = worker_start(deleting_worker, count);
	kill_process(worker.pid);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *left = a, *right = b;

	return (left->figure > right->figure) - (left->figure < right->figure);
}

/* The unit for all other rows: registration of one event. */
TEST_TIMEOUT(unit, TEST_TIMEOUT_S)
{
	unsigned int i, j, registered = 0;
	struct row rows[UNIT_ROUNDS];
	struct row row;
	int fd = data_open();

	bystander_start();
	keep_directory();
	harness_note("preemptible %s", is_preemptible() ? "yes" : "no");
	row = row_start("nothing", 0, "events");
	for (i = 0; i < ROUNDS; i++)
		bystander_catch_up();
	row_finish(&row);

	for (i = 0; i < UNIT_ROUNDS; i++) {
		row = row_start("unit", 1, "event");
		for (j = 0; j < UNIT_EVENTS; j++, registered++)
			must_reg_word(fd, event_name(registered),
				      &words[registered], 0);
		row_take(&row);
		rows[i] = row;
	}
	qsort(rows, UNIT_ROUNDS, sizeof(*rows), compare_rows);
	row_print(&rows[UNIT_ROUNDS / 2]);
}

TEST_TIMEOUT(events_2000, TEST_TIMEOUT_S)
{
	measure_events(2000);
}

TEST_TIMEOUT(events_20000, TEST_TIMEOUT_S)
{
	measure_events(EVENT_MAX);
}

/* --- names that an attacker chooses --- */

static uint32_t rotate(uint32_t value, unsigned int by)
{
	return value << by | value >> (32 - by);
}

/* The kernel's jhash() of at most 12 bytes. */
static uint32_t hash(const char *name)
{
	uint32_t words_of_name[3] = { 0 };
	size_t length = strlen(name), i;
	uint32_t a, b, c;

	for (i = 0; i < length; i++)
		words_of_name[i / 4] |= (uint32_t)(unsigned char)name[i]
					<< i % 4 * 8;
	a = b = c = 0xdeadbeef + (uint32_t)length;
	a += words_of_name[0];
	b += words_of_name[1];
	c += words_of_name[2];

	c = (c ^ b) - rotate(b, 14);
	a = (a ^ c) - rotate(c, 11);
	b = (b ^ a) - rotate(a, 25);
	c = (c ^ b) - rotate(b, 16);
	a = (a ^ c) - rotate(c, 4);
	b = (b ^ a) - rotate(a, 14);
	c = (c ^ b) - rotate(b, 24);

	return c;
}

/* Names of one of the 256 lists of the hash table of the in-kernel one. */
static void register_collisions(int fd, unsigned int count)
{
	unsigned int i, tried = 0;
	char name[13];

	for (i = 0; i < count; i++) {
		do {
			snprintf(name, sizeof(name), "%shc%x", PREFIX, tried++);
		} while (hash(name) * 0x61c88647U >> 24 != 7);
		ASSERT_OK(reg_enabler(fd, name, &words[i], sizeof(words[i]), 0,
				      0));
	}
}

static void collisions_worker(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;

	row = row_start("register", count, "collisions");
	register_collisions(fd, count);
	row_finish(&row);
	worker_step(worker);
	unregister_words(fd, count);
}

TEST_TIMEOUT(collisions, TEST_TIMEOUT_S)
{
	struct worker worker;

	bystander_start();
	keep_directory();
	worker = worker_start(collisions_worker, 2000);
	read_lists(2000, "collisions");
	worker_continue(&worker);
	kill_process(worker.pid);
}

/* Fields of one name that take long to compare: they differ at their end. */
static void register_formats(int fd, unsigned int count)
{
	unsigned int i, field;
	char command[512];
	int length;

	for (i = 0; i < count; i++) {
		length = snprintf(command, sizeof(command), "%shf ", PREFIX);
		for (field = 0; field < 8; field++)
			length += snprintf(command + length,
					   sizeof(command) - length,
					   "u8 %050u;", field);
		snprintf(command + length, sizeof(command) - length, "u8 f%u",
			 i);
		ASSERT_OK(reg_enabler(fd, command, &words[i], sizeof(words[i]),
				      0, USER_EVENT_REG_MULTI_FORMAT));
	}
}

static void formats_worker(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;

	row = row_start("register", count, "formats");
	register_formats(fd, count);
	row_finish(&row);
	worker_step(worker);
	unregister_words(fd, count);
}

TEST_TIMEOUT(formats, TEST_TIMEOUT_S)
{
	struct worker worker;

	bystander_start();
	keep_directory();
	worker = worker_start(formats_worker, 2000);
	worker_continue(&worker);
	kill_process(worker.pid);
}

/* --- processes that have an enabler of the same event --- */

#define SHARED PREFIX "hold_shared"

static volatile uint32_t shared_word;

/*
 * Waits until the word of each process has this value. Missing pages are
 * faulted in.
 */
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
			if (!harness_deadline(&start, BACKGROUND_TIMEOUT_S)) {
				FAIL("timeout: process %u of %u was not updated",
				     i, count);
				harness_stop();
			}
			usleep(100);
		}
		close(fd);
	}
}

static void enable_shared(const pid_t *pids, unsigned int count,
			  const char *what, bool on)
{
	struct row row = row_start(on ? "enable" : "disable", count, what);

	enable(SHARED, on);
	wait_words(pids, count, on);
	row_finish(&row);
}

static void measure_exit(const pid_t *pids, unsigned int count,
			 const char *what)
{
	struct row row = row_start("exit", count, what);
	unsigned int i;

	for (i = 0; i < count; i++)
		ASSERT_OK(kill(pids[i], SIGKILL));
	for (i = 0; i < count; i++)
		ASSERT_EQ(waitpid(pids[i], NULL, 0), pids[i]);
	wait_event_deleted(SHARED);
	row_finish(&row);
}

static void shared_worker(struct worker *worker, unsigned int count)
{
	(void)worker;
	(void)count;
	must_reg_word(data_open(), SHARED, &shared_word, 0);
}

TEST_TIMEOUT(processes, TEST_TIMEOUT_S)
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
	enable_shared(pids, PROCESSES, "processes", true);
	enable_shared(pids, PROCESSES, "processes", false);
	measure_exit(pids, PROCESSES, "processes");
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
 * The first operation of a child might take longer than later ones, so each
 * operation is the first one of another child.
 */
static void registering_child(struct worker *worker, unsigned int count)
{
	static volatile uint32_t word;
	int fd = data_open();
	struct row row;

	worker_step(worker);
	row = row_start("child-register", count, "enablers");
	must_reg_word(fd, OTHER, &word, 0);
	row_finish(&row);
}

static void unregistering_child(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;

	worker_step(worker);
	row = row_start("child-unregister", count, "enablers");
	EXPECT_OK(unreg(fd, &words[count / 2], 0));
	row_finish(&row);
}

static void enable_in_worker(const char *what)
{
	pid_t self = getpid();

	enable_shared(&self, 1, what, true);
	enable_shared(&self, 1, what, false);
}

static void measure_child(unsigned int count,
			  void (*run)(struct worker *worker,
				      unsigned int count),
			  bool first)
{
	struct row row =
		row_start(first ? "fork" : "fork-again", count, "enablers");
	struct worker child = worker_start(run, count);

	row_finish(&row);
	if (first)
		enable_in_worker("event-after-fork");
	worker_continue(&child);
	row = row_start(first ? "child-exit" : "child-exit-again", count,
			"enablers");
	kill_process(child.pid);
	row_finish(&row);
}

static void enablers_worker(struct worker *worker, unsigned int count)
{
	int fd = data_open();
	struct row row;

	(void)worker;
	must_reg_word(fd, SHARED, &shared_word, 0);
	row = row_start("register", count, "enablers");
	register_others(fd, count);
	row_finish(&row);
	enable_in_worker("event");
	measure_child(count, registering_child, true);
	measure_child(count, unregistering_child, false);

	row = row_start("unregister", count / 2, "enablers");
	unregister_words(fd, count / 2);
	row_finish(&row);
	for (count /= 2; count--;)
		ASSERT_OK(reg_word(fd, OTHER, &words[count], 0));
}

/* Measures a process with many enablers, and its exit. */
static void measure_until_exit(void (*work)(struct worker *worker,
					    unsigned int count),
			       unsigned int count)
{
	struct worker worker;
	struct row row;

	bystander_start();
	keep_directory();
	worker = worker_start(work, count);
	row = row_start("exit", count, "enablers");
	kill_process(worker.pid);
	wait_event_deleted(OTHER);
	wait_event_deleted(SHARED);
	row_finish(&row);
}

TEST_TIMEOUT(enablers, TEST_TIMEOUT_S)
{
	measure_until_exit(enablers_worker, ENABLERS);
}

/* --- children that have the enablers of their parent --- */

/* The words are on pages that all children share since the fork. */
static void children_worker(struct worker *worker, unsigned int count)
{
	static pid_t pids[CHILDREN + 1];
	int fd = data_open();
	struct row row;
	unsigned int i;

	(void)worker;
	register_others(fd, count);
	must_reg_word(fd, SHARED, &shared_word, 0);
	row = row_start("fork", CHILDREN, "children");
	for (i = 0; i < CHILDREN; i++) {
		pids[i] = fork();
		ASSERT_OK(pids[i]);
		if (!pids[i])
			pause_forever();
	}
	row_finish(&row);
	pids[CHILDREN] = getpid();
	enable_shared(pids, CHILDREN + 1, "children", true);
	enable_shared(pids, CHILDREN + 1, "children", false);

	row = row_start("exit", CHILDREN, "children");
	for (i = 0; i < CHILDREN; i++)
		ASSERT_OK(kill(pids[i], SIGKILL));
	for (i = 0; i < CHILDREN; i++)
		ASSERT_EQ(waitpid(pids[i], NULL, 0), pids[i]);
	row_finish(&row);
}

TEST_TIMEOUT(children, TEST_TIMEOUT_S)
{
	measure_until_exit(children_worker, CHILD_ENABLERS);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
