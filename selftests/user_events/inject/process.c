// SPDX-License-Identifier: GPL-2.0-only
/* Processes that fork or exit, and work items of the kernel. */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/user_events.h"
#include "faults.h"
#include "objects.h"

/* Maximum number of kernel threads with injected faults. */
#define WORKERS_MAX 64

/*
 * The child copies its word, which has the same address, to this shared word.
 */
static volatile uint32_t *child_word;

static void setup_fork(void)
{
	setup_enable();
	child_word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(child_word != MAP_FAILED);
}

static int call_fork(void)
{
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child)
		while (true)
			*child_word = *words;

	return child;
}

static void check_fork(void)
{
	enable(event, true);
	wait_value(words, 1);
	wait_value(child_word, 1);
	enable(event, false);
	wait_value(words, 0);
	wait_value(child_word, 0);
}

TEST(fork_survives_faults)
{
	SWEEP(.setup = setup_fork, .call = call_fork, .check = check_fork,
	      .undo = stop_child, .also = EAGAIN);
}

/* More children than the module's pool has objects for. */
#define FAILED_FORKS 128

/*
 * Makes all allocations of kernel threads fail, including those of new threads.
 */
static void fail_kernel_threads(bool fail)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	ASSERT_TRUE(dir);
	must_write(probability[0], fail ? "100" : "0");
	while ((entry = readdir(dir))) {
		const char *path = text("/proc/%s/", entry->d_name);
		char *name = read_file(text("%scomm", path));

		if (name && (!strncmp(name, "kworker/", 8) ||
			     !strcmp(name, "kthreadd\n")))
			write_file(fail ? "1" : "0",
				   text("%smake-it-fail", path));
		free(name);
	}
	closedir(dir);
}

/* Exits with status 1 if the enabler was not copied to this process. */
static void wait_and_unregister(int go)
{
	char byte;

	if (read(go, &byte, 1))
		_exit(2);
	if (!unreg(file, words, 0))
		_exit(0);
	_exit(errno == ENOENT ? 1 : 2);
}

/* Return: the child, which waits until @go is closed. */
static pid_t fork_waiting(const int *go, unsigned int nth, unsigned int *left)
{
	pid_t pid;

	must_write(nth_file, text("%u", nth));
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		close(go[1]);
		wait_and_unregister(go[0]);
	}
	*left = nth_left(nth_file);
	must_write(nth_file, "0");

	return pid;
}

/* Number of last steps of a fork, one of which is the module's. */
#define LAST_STEPS 4

/*
 * The number of steps varies slightly, so it is measured for each fork.
 *
 * Return: a child whose fork failed in the step @back before the last, or 0.
 */
static pid_t fork_with_fault(const int *go, unsigned int back)
{
	unsigned int left;
	pid_t pid = fork_waiting(go, NTH_MAX, &left);

	ASSERT_OK(pid);
	kill(pid, SIGKILL);
	ASSERT_EQ(waitpid(pid, NULL, 0), pid);
	pid = fork_waiting(go, NTH_MAX - left - back, &left);
	if (pid > 0 && left) {
		kill(pid, SIGKILL);
		ASSERT_EQ(waitpid(pid, NULL, 0), pid);
	}

	return pid > 0 && !left ? pid : 0;
}

static unsigned int count_without_enablers(const pid_t *children,
					   unsigned int count)
{
	unsigned int without_enablers = 0;
	int status;

	while (count--) {
		ASSERT_EQ(waitpid(children[count], &status, 0),
			  children[count]);
		EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		without_enablers += WIFEXITED(status) &&
				    WEXITSTATUS(status) == 1;
	}

	return without_enablers;
}

/*
 * The module has a pool of objects, which cannot be refilled meanwhile.
 *
 * Return: number of children without enablers, of @count children.
 */
static unsigned int fork_many_with_fault(unsigned int back, unsigned int *count)
{
	pid_t children[FAILED_FORKS];
	unsigned int tries;
	int go[2];

	ASSERT_OK(pipe(go));
	fail_kernel_threads(true);
	*count = 0;
	for (tries = 0; *count < FAILED_FORKS && tries < NTH_MAX; tries++) {
		children[*count] = fork_with_fault(go, back);
		if (children[*count])
			(*count)++;
	}
	fail_kernel_threads(false);
	close(go[0]);
	close(go[1]);

	return count_without_enablers(children, *count);
}

TEST(fork_without_memory_leaves_child_without_enablers)
{
	unsigned int count, back, without_enablers = 0;
	const char *before;

	open_faults();
	ASSERT_OK(write_file("0", "/proc/self/make-it-fail"));
	setup_enabler();
	before = read_state();
	arrange_enabler();
	for (back = 0; back < LAST_STEPS && !without_enablers; back++)
		without_enablers = fork_many_with_fault(back, &count);
	harness_note(
		"%u of %u children got no enablers, %u steps before the last",
		without_enablers, count, back - 1);
	EXPECT_EQ(count, FAILED_FORKS);
	EXPECT_GT(without_enablers, 0);
	EXPECT_LT(without_enablers, FAILED_FORKS);
	check_bit_is_updated(event);
	EXPECT_OK(unreg(file, words, 0));
	close_file();
	expect_state(before);
	totals->faults += count;
	totals->operations++;
}

/* Creates all objects of the module that a process can have. */
static void create_all_objects(void)
{
	int fd = data_open();

	must_reg_word(fd, command, words, 0);
	must_reg_word(fd, command, words, 1);
	status_map();
	ASSERT_OK(perf_open(event_id(event), 0, -1, 0));
}

/* Return: whether the n-th step of the exit existed, so that it could fail. */
static bool exit_with_fault(unsigned int n)
{
	siginfo_t info;
	bool failed;
	int fail_nth;

	child = fork();
	ASSERT_OK(child);
	if (!child) {
		create_all_objects();
		fail_nth = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
		ASSERT_OK(fail_nth);
		must_write(fail_nth, text("%u", n));
		syscall(SYS_exit_group, 0);
	}
	ASSERT_OK(waitid(P_PID, child, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(info.si_status, 0);
	fail_nth = open(text("/proc/%d/fail-nth", child), O_RDONLY | O_CLOEXEC);
	ASSERT_OK(fail_nth);
	failed = !nth_left(fail_nth);
	close(fail_nth);
	ASSERT_EQ(waitpid(child, NULL, 0), child);

	return failed;
}

static void sweep_exit(enum steps steps)
{
	const char *before = read_state();
	unsigned int n;

	choose_steps(steps);
	for (n = 1; exit_with_fault(n) && !harness_failed(); n++) {
		harness_context("fault %u", n);
		totals->faults++;
		expect_state(before);
		ASSERT_LT(n, NTH_MAX);
	}
	harness_context(NULL);
	expect_state(before);
	harness_note("%u single faults of %s", n - 1, steps_name(steps));
}

TEST(exit_survives_faults)
{
	open_faults();
	set_fault("fail_page_alloc/ignore-gfp-highmem", "N");
	setup_enabler();
	sweep_exit(OBJECTS);
	sweep_exit(PAGES);
	totals->operations++;
}

/* --- work items of the kernel --------------------------------------------- */

/*
 * struct background - work that kernel threads do for processes
 * @arrange: called before each attempt, without faults
 * @start: starts the work
 * @check: waits until the work is complete
 */
struct background {
	void (*arrange)(void);
	void (*start)(void);
	void (*check)(void);
};

static int workers[WORKERS_MAX];
static unsigned int workers_count;

/* Idle kernel threads can exit, but not while there is work. */
static void open_workers(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	ASSERT_TRUE(dir);
	while ((entry = readdir(dir)) && workers_count < WORKERS_MAX) {
		char *name = read_file(text("/proc/%s/comm", entry->d_name));

		if (name && !strncmp(name, "kworker/", 8))
			workers[workers_count++] =
				open(text("/proc/%s/fail-nth", entry->d_name),
				     O_RDWR | O_CLOEXEC);
		free(name);
	}
	closedir(dir);
}

static bool close_workers(void)
{
	bool failed = false;

	while (workers_count) {
		int worker = workers[--workers_count];

		if (worker < 0)
			continue;
		failed |= !nth_left(worker);
		if (write(worker, "0", 1) < 0)
			EXPECT_EQ(errno, ESRCH);
		close(worker);
	}

	return failed;
}

static bool try_background(const struct background *work, unsigned int n)
{
	const char *number = text("%u", n);
	unsigned int i;

	run(work->arrange);
	open_workers();
	for (i = 0; i < workers_count; i++)
		if (write(workers[i], number, strlen(number)) < 0)
			EXPECT_EQ(errno, ESRCH);
	run(work->start);
	run(work->check);

	return close_workers();
}

static void sweep_background_steps(const struct background *work,
				   enum steps steps)
{
	unsigned int n, faults = 0, idle = 0;
	const char *before = read_state();

	choose_steps(steps);
	/*
	 * Another kernel thread might have done the work, so attempt it again.
	 */
	for (n = 1; idle < 3 && !harness_failed(); n++) {
		harness_context("fault %u", n);
		if (try_background(work, n)) {
			faults++;
			idle = 0;
		} else {
			idle++;
		}
		expect_state(before);
		ASSERT_LT(n, NTH_MAX);
	}
	harness_context(NULL);
	totals->faults += faults;
	harness_note("%u faults of %s in kernel threads", faults,
		     steps_name(steps));
}

static void sweep_background(const struct background *work)
{
	open_faults();
	set_fault("fail_page_alloc/ignore-gfp-highmem", "N");
	setup_enabler();
	sweep_background_steps(work, OBJECTS);
	sweep_background_steps(work, PAGES);
	totals->operations++;
}

static int child_pipe[2];

static void arrange_child(void)
{
	char byte;

	ASSERT_OK(pipe(child_pipe));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		create_all_objects();
		ASSERT_EQ(write(child_pipe[1], "x", 1), 1);
		while (true)
			pause();
	}
	ASSERT_EQ(read(child_pipe[0], &byte, 1), 1);
	close(child_pipe[0]);
	close(child_pipe[1]);
}

TEST(reaping_survives_faults)
{
	static const struct background work = {
		.arrange = arrange_child,
		.start = stop_child,
		.check = check_event_is_deleted,
	};

	sweep_background(&work);
}

/* An event that is not persistent; ftrace has the last reference. */
static void arrange_release(void)
{
	open_file();
	must_reg_word(file, command, words, 0);
	enable(event, true);
	EXPECT_OK(unreg(file, words, 0));
	close_file();
}

static void start_release(void)
{
	enable(event, false);
}

TEST(deferred_deletion_survives_faults)
{
	static const struct background work = {
		.arrange = arrange_release,
		.start = start_release,
		.check = check_event_is_deleted,
	};

	sweep_background(&work);
}
