// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attacks: unprivileged processes with the right to register events try to
 * delay other users of tracing, or other processes with enablers. Their memory
 * is absent or locked, they are throttled, they fork at their memory limit, or
 * they exit.
 *
 * The tests check the progress of the other processes, not the time it takes.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/cgroup.h"
#include "../lib/fuse.h"
#include "../lib/user_events.h"

/* --- shared counters --- */

static void *shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(memory != MAP_FAILED);

	return memory;
}

static unsigned int read_count(const unsigned int *count)
{
	return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

static void increment_count(unsigned int *count)
{
	__atomic_add_fetch(count, 1, __ATOMIC_RELEASE);
}

static void set_flag(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_RELEASE);
}

static bool flag_is_set(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

/* Waits until a count is at least @expected. Return: false after a timeout. */
static bool wait_count(const unsigned int *count, unsigned int expected)
{
	long long start = 0;

	while (read_count(count) < expected)
		if (!harness_deadline(&start, WAIT_TIMEOUT_S))
			return false;

	return true;
}

static void wait_flag(const bool *flag)
{
	long long start = 0;

	while (!flag_is_set(flag))
		ASSERT_TRUE(harness_deadline(&start, WAIT_TIMEOUT_S));
}

static long long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* Kills a process; fails the test if the process does not exit. */
static void kill_process(pid_t child)
{
	long long start = 0;
	pid_t ended;

	kill(child, SIGKILL);
	while (!(ended = waitpid(child, NULL, WNOHANG)))
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("process %d survives SIGKILL", child);
			return;
		}
	EXPECT_EQ(ended, child);
}

/* Enables and disables an event, and counts the rounds in @switches. */
static pid_t start_toggling(const char *event, unsigned int *switches)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (child)
		return child;

	while (true) {
		enable(event, true);
		enable(event, false);
		increment_count(switches);
	}
}

/*
 * Another user of tracing, unrelated to the event under attack: creates an
 * event, attaches perf and deletes the event; counts the rounds.
 */
static pid_t start_tracer(unsigned int *rounds)
{
	const char *event = uniq("bystander");
	pid_t child = fork();
	int fd;

	ASSERT_OK(child);
	if (child)
		return child;

	while (true) {
		ASSERT_OK(dynevent_write(text("u:%s u32 a", event)));
		fd = perf_open(event_id(event), -1, 0, PERF_COUNT);
		ASSERT_OK(fd);
		close(fd);
		ASSERT_OK(dynevent_write(text("-:%s", event)));
		increment_count(rounds);
	}
}

/* --- page reads that a FUSE server does not answer --- */

/*
 * A module that waits for the server was seen to block after about 200 rounds.
 */
#define FUSE_SWITCHES 1500

/*
 * Until it is written, a page of a private mapping is the file's page, which
 * the server can invalidate. To set a bit in it, the kernel must copy the page,
 * so the process discards its copies continuously.
 */
static pid_t start_file_owner(const char *event, bool *ready)
{
	volatile uint32_t *words;
	unsigned int i;
	pid_t child = fork();
	int fd;

	ASSERT_OK(child);
	if (child)
		return child;

	words = mmap(NULL, FUSE_PAGES * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE, fuse_file(), 0);
	ASSERT_TRUE((void *)words != MAP_FAILED);
	fd = data_open();
	for (i = 0; i < FUSE_PAGES; i++)
		must_reg_word(fd, event, words + i * PAGE / sizeof(*words), 0);
	set_flag(ready);
	while (true) {
		madvise((void *)words, FUSE_PAGES * PAGE, MADV_DONTNEED);
		for (i = 0; i < FUSE_PAGES; i++)
			(void)words[i * PAGE / sizeof(*words)];
	}
}

/*
 * A page that is present when the module tests it can be invalidated before the
 * module has it copied. The server does not answer the read that follows, so a
 * tracer that enables the event must never issue this read.
 */
TEST(unanswered_page_read_blocks_no_tracer)
{
	struct {
		unsigned int switches;
		unsigned int rounds;
		bool ready;
	} *done = shared(sizeof(*done));
	struct fuse_control *control = fuse_start();
	const char *event = uniq("e");
	unsigned int switches = 0;
	pid_t owner, toggles, other;
	long long start = 0;

	owner = start_file_owner(event, &done->ready);
	wait_flag(&done->ready);
	toggles = start_toggling(event, &done->switches);
	__atomic_store_n(&control->withheld, toggles, __ATOMIC_RELEASE);
	set_flag(&control->invalidate);
	other = start_tracer(&done->rounds);
	while (switches < FUSE_SWITCHES &&
	       !read_count(&control->reads_withheld)) {
		if (read_count(&done->switches) != switches)
			start = 0;
		switches = read_count(&done->switches);
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("the tracer is blocked after %u rounds", switches);
			break;
		}
	}
	if (read_count(&control->reads_withheld))
		FAIL("after %u rounds the tracer waits for the FUSE server",
		     switches);
	if (!wait_count(&done->rounds, read_count(&done->rounds) + 3))
		FAIL("other users of tracing are blocked");
	kill_process(toggles);
	fuse_abort();
	kill_process(other);
	kill_process(owner);
}

/* --- locked memory --- */

/*
 * How often a tracer can sleep for each event: for a mutex, but not repeatedly
 * for the process to unlock its memory.
 */
#define WAITS_PER_EVENT 3

#define LOCKED_EVENTS 100
#define LOCKING_THREADS 4

/*
 * Size of the memory, unless changing its protection takes longer than
 * LOCKED_US.
 */
#define LOCKED_SIZE (32UL << 20)
#define LOCKED_US 200000

static char *locked_memory;
static size_t locked_size = PAGE_MAX;

/*
 * The kernel holds the mmap lock while it changes the protection of all pages.
 */
static void change_protection(void)
{
	size_t size = __atomic_load_n(&locked_size, __ATOMIC_ACQUIRE);

	mprotect(locked_memory, size, PROT_READ);
	mprotect(locked_memory, size, PROT_READ | PROT_WRITE);
}

static void *keep_locked(void *data)
{
	while (true)
		change_protection();

	return data;
}

/* Other threads hold the lock as well, which is part of the time. */
static void find_locked_size(void)
{
	long long start;

	do {
		start = now_us();
		change_protection();
		if (now_us() - start > LOCKED_US)
			break;
		__atomic_store_n(&locked_size, 2 * locked_size,
				 __ATOMIC_RELEASE);
	} while (locked_size < LOCKED_SIZE);
}

/*
 * struct locking - a process that keeps its memory locked
 * @ready: it has registered its enablers
 * @lock: it can start to lock
 * @locked: it has started to lock
 * @expected: value that all its words must get
 * @asked: number of requests to wait for that value
 * @checks: number of requests that it has served
 */
struct locking {
	bool ready;
	bool lock;
	bool locked;
	uint32_t expected;
	unsigned int asked;
	unsigned int checks;
};

static pid_t start_locking_process(struct locking *locking)
{
	static volatile uint32_t words[LOCKED_EVENTS];
	pthread_t threads[LOCKING_THREADS];
	pid_t child = fork();
	unsigned int i;
	int fd;

	ASSERT_OK(child);
	if (child)
		return child;

	locked_memory = mmap(NULL, LOCKED_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(locked_memory != MAP_FAILED);
	memset(locked_memory, 1, LOCKED_SIZE);
	fd = data_open();
	for (i = 0; i < LOCKED_EVENTS; i++)
		must_reg_word(fd, text(PREFIX "locked_%u", i), &words[i], 0);
	set_flag(&locking->ready);
	wait_flag(&locking->lock);
	for (i = 0; i < LOCKING_THREADS; i++)
		ASSERT_EQ(pthread_create(&threads[i], NULL, keep_locked, NULL),
			  0);
	find_locked_size();
	set_flag(&locking->locked);
	while (true) {
		while (read_count(&locking->asked) == locking->checks)
			usleep(1000);
		for (i = 0; i < LOCKED_EVENTS; i++) {
			harness_context("event %u", i);
			wait_value(&words[i], locking->expected);
		}
		increment_count(&locking->checks);
	}
}

/* The words get their value in the end, although the memory is locked. */
static void check_words(struct locking *locking, uint32_t expected)
{
	locking->expected = expected;
	increment_count(&locking->asked);
	if (!wait_count(&locking->checks, read_count(&locking->asked)))
		FAIL("timeout: not all words are %u", expected);
}

/* Number of times that the calling process has slept. */
static long count_sleeps(void)
{
	struct rusage usage;

	ASSERT_OK(getrusage(RUSAGE_SELF, &usage));

	return usage.ru_nvcsw;
}

/*
 * Enables or disables all events. Return: number of times that the caller
 * slept.
 */
static long enable_all(bool on)
{
	long before = count_sleeps();
	unsigned int i;

	for (i = 0; i < LOCKED_EVENTS; i++)
		enable(text(PREFIX "locked_%u", i), on);

	return count_sleeps() - before;
}

TEST(locked_memory_delays_no_tracer)
{
	struct locking *locking = shared(sizeof(*locking));
	pid_t owner = start_locking_process(locking);
	long baseline, locked;

	wait_flag(&locking->ready);
	baseline = enable_all(true);
	enable_all(false);
	set_flag(&locking->lock);
	wait_flag(&locking->locked);
	locked = enable_all(true);
	EXPECT_LE(locked, baseline + WAITS_PER_EVENT * LOCKED_EVENTS);
	check_words(locking, 1);
	enable_all(false);
	check_words(locking, 0);
	kill_process(owner);
}

/* --- throttled process --- */

/*
 * The kernel throttles a process during an allocation of more than 64 pages.
 * The number is a power of two plus one, so that the array has room for twice
 * as many.
 */
#define THROTTLED_ENABLERS ((sizeof(long) == 8 ? 8192 : 16384) + 1)
#define THROTTLED_SIZE (32UL << 20)
#define THROTTLED_ROUNDS 3
#define QUIET_ROUNDS 20

/*
 * A throttled call takes longer than this number of rounds: the kernel throttles
 * for two seconds, and a round on a busy machine takes up to 0.3.
 */
#define SLOW_ROUNDS 5

/*
 * struct throttling - measurements of a throttled process and another process
 * @ready: the process has registered its enablers
 * @throttled: its cgroup is over the limit
 * @rounds: number of times that the other process has used tracing
 * @baseline: average duration of a round without the attack
 * @longest_wait: longest round since this was reset to 0
 * @longest_call: longest call of the throttled process since this was reset to
 *		  0
 * @slow: attacks with a throttled call
 * @delays: number of these attacks in which the other process was delayed as
 *	    well
 * @attacks: number of attacks
 *
 * All times are in microseconds.
 */
struct throttling {
	bool ready;
	bool throttled;
	unsigned int rounds;
	long long baseline;
	long long longest_wait;
	long long longest_call;
	unsigned int slow;
	unsigned int delays;
	unsigned int attacks;
};

static void note_longest(long long *longest, long long start)
{
	long long took = now_us() - start;

	if (took > __atomic_load_n(longest, __ATOMIC_ACQUIRE))
		__atomic_store_n(longest, took, __ATOMIC_RELEASE);
}

static pid_t start_timed_tracer(struct throttling *throttling)
{
	const char *event = uniq("bystander");
	pid_t child = fork();
	long long start;

	ASSERT_OK(child);
	if (child)
		return child;

	while (true) {
		start = now_us();
		ASSERT_OK(dynevent_write(text("u:%s u32 a", event)));
		ASSERT_OK(dynevent_write(text("-:%s", event)));
		note_longest(&throttling->longest_wait, start);
		increment_count(&throttling->rounds);
	}
}

/* A child shares the enablers of its parent until it changes its own. */
static void change_in_child(struct throttling *throttling, int fd,
			    const char *event)
{
	static volatile uint32_t word;
	long long start = now_us();
	pid_t child = fork();

	ASSERT_OK(child);
	if (child) {
		note_longest(&throttling->longest_call, start);
		wait_child(child);
		return;
	}

	start = now_us();
	must_reg_word(fd, event, &word, 0);
	note_longest(&throttling->longest_call, start);
	start = now_us();
	EXPECT_OK(unreg(fd, &word, 0));
	note_longest(&throttling->longest_call, start);
	_exit(harness_failed());
}

static void attack_throttled(struct throttling *throttling, int fd,
			     const char *event)
{
	long long call, wait;

	throttling->longest_call = 0;
	throttling->longest_wait = 0;
	change_in_child(throttling, fd, event);
	/* A round that is blocked must finish before its duration is known. */
	ASSERT_TRUE(wait_count(&throttling->rounds,
			       read_count(&throttling->rounds) + 1));
	call = throttling->longest_call;
	wait = throttling->longest_wait;
	if (call > SLOW_ROUNDS * throttling->baseline) {
		throttling->slow++;
		throttling->delays += wait > call / 2;
	}
	increment_count(&throttling->attacks);
}

static pid_t start_throttled_process(struct throttling *throttling)
{
	static uint32_t words[THROTTLED_ENABLERS];
	const char *event = uniq("e");
	pid_t child = fork();
	unsigned int i;
	char *memory;
	int fd;

	ASSERT_OK(child);
	if (child)
		return child;

	cgroup_enter();
	memory = mmap(NULL, THROTTLED_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(memory != MAP_FAILED);
	ASSERT_OK(madvise(memory, THROTTLED_SIZE, MADV_DONTFORK));
	memset(memory, 1, THROTTLED_SIZE);
	fd = data_open();
	for (i = 0; i < THROTTLED_ENABLERS; i++)
		must_reg_word(fd, event, &words[i], 0);
	set_flag(&throttling->ready);
	wait_flag(&throttling->throttled);
	for (i = 0; i < THROTTLED_ROUNDS; i++)
		attack_throttled(throttling, fd, event);
	_exit(harness_failed());
}

/*
 * A process over memory.high sleeps during allocations, for up to two seconds.
 * It must not hold event_mutex meanwhile.
 */
TEST(throttled_process_delays_no_tracer)
{
	struct throttling *throttling = shared(sizeof(*throttling));
	pid_t process, other;
	long long start;

	cgroup_make();
	process = start_throttled_process(throttling);
	wait_flag(&throttling->ready);
	cgroup_set("memory.high", "1M");
	other = start_timed_tracer(throttling);
	start = now_us();
	ASSERT_TRUE(wait_count(&throttling->rounds, QUIET_ROUNDS));
	throttling->baseline = (now_us() - start) / QUIET_ROUNDS;
	set_flag(&throttling->throttled);
	wait_child(process);
	kill_process(other);
	cgroup_remove();
	EXPECT_EQ(throttling->attacks, THROTTLED_ROUNDS);
	if (!throttling->slow)
		SKIP("this kernel does not throttle processes over memory.high");
	/* The machine can be slow for a moment, but not in each round. */
	EXPECT_LT(throttling->delays, THROTTLED_ROUNDS);
}

/* --- forks at the memory limit --- */

#define FORKS 700
#define RECLAIMABLE (128UL << 20)

/*
 * struct family - a process that forks, and its children
 * @full: the process is at the limit of its memory cgroup
 * @forked: the process has finished forking
 * @children: number of successful forks
 * @enabled: number of children that have seen their bit set
 * @disabled: number of children that have seen their bit cleared afterwards
 * @on_enable: pipe that is closed when the event is enabled
 * @on_disable: pipe that is closed when the event is disabled
 */
struct family {
	bool full;
	bool forked;
	unsigned int children;
	unsigned int enabled;
	unsigned int disabled;
	int on_enable[2];
	int on_disable[2];
};

static void wait_for_close(const int pipe[2])
{
	char byte;

	close(pipe[1]);
	ASSERT_EQ(read(pipe[0], &byte, 1), 0);
}

static bool wait_for_word(const volatile uint32_t *word, uint32_t expected)
{
	long long start = 0;

	while (*word != expected)
		if (!harness_deadline(&start, WAIT_TIMEOUT_S))
			return false;

	return true;
}

/*
 * Fills the cgroup with pages that the kernel can reclaim, which is not
 * possible within an atomic allocation. They are small, so that little is
 * reclaimed at a time, and the cgroup is at its limit often.
 */
static void fill_cgroup(void)
{
	char *memory = mmap(NULL, RECLAIMABLE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cgroup_enter();
	ASSERT_TRUE(memory != MAP_FAILED);
	ASSERT_OK(madvise(memory, RECLAIMABLE, MADV_DONTFORK));
	/* Fails without huge pages. */
	madvise(memory, RECLAIMABLE, MADV_NOHUGEPAGE);
	memset(memory, 1, RECLAIMABLE);
	ASSERT_OK(madvise(memory, RECLAIMABLE, MADV_FREE));
	cgroup_set("memory.max", text("%lld", cgroup_charged()));
}

static pid_t start_forking_process(struct family *family, const char *event)
{
	static volatile uint32_t word;
	pid_t child = fork();
	unsigned int i;

	ASSERT_OK(child);
	if (child)
		return child;

	must_reg_word(data_open(), event, &word, 0);
	if (family->full)
		fill_cgroup();
	for (i = 0; i < FORKS; i++) {
		child = fork();
		if (child < 0 && family->full)
			continue;
		ASSERT_OK(child);
		if (child) {
			increment_count(&family->children);
			continue;
		}
		wait_for_close(family->on_enable);
		if (wait_for_word(&word, 1))
			increment_count(&family->enabled);
		wait_for_close(family->on_disable);
		if (wait_for_word(&word, 0))
			increment_count(&family->disabled);
		_exit(0);
	}
	set_flag(&family->forked);
	close(family->on_enable[1]);
	close(family->on_disable[1]);
	while (wait(NULL) > 0)
		;
	_exit(0);
}

/*
 * Enables and disables all events of the kernel. This holds event_mutex most of
 * the time, so that the module's work items make little progress.
 */
static pid_t start_toggling_all(void)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (child)
		return child;

	while (true) {
		EXPECT_OK(tfs_write("1", "events/enable"));
		EXPECT_OK(tfs_write("0", "events/enable"));
	}
}

static int open_kmsg(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_OK(fd);
	lseek(fd, 0, SEEK_END);

	return fd;
}

/* Fails the test if the module has written to the kernel log. */
static void expect_no_module_messages(int log)
{
	unsigned int lines = 0;
	char record[8192];
	ssize_t got;

	while ((got = read(log, record, sizeof(record) - 1)) > 0 ||
	       (got < 0 && errno == EPIPE)) {
		if (got < 0)
			continue;
		record[got] = '\0';
		if (strstr(record, ";user_events: ") && !lines++)
			FAIL("kernel: %s", strchr(record, ';') + 1);
	}
}

static void check_family(bool full)
{
	struct family *family = shared(sizeof(*family));
	const char *event = uniq("e");
	pid_t process, switches;
	int log = open_kmsg();
	long long start = 0;

	family->full = full;
	ASSERT_OK(pipe(family->on_enable));
	ASSERT_OK(pipe(family->on_disable));
	must_reg(data_open(), event);
	switches = start_toggling_all();
	process = start_forking_process(family, event);
	while (!flag_is_set(&family->forked))
		ASSERT_TRUE(harness_deadline(&start, 4 * WAIT_TIMEOUT_S));
	kill_process(switches);
	tfs_write("0", "events/enable");
	enable(event, true);
	close(family->on_enable[1]);
	wait_count(&family->enabled, read_count(&family->children));
	enable(event, false);
	close(family->on_disable[1]);
	wait_child(process);
	EXPECT_GT(read_count(&family->children), 0);
	EXPECT_EQ(read_count(&family->enabled), read_count(&family->children));
	EXPECT_EQ(read_count(&family->disabled), read_count(&family->children));
	expect_no_module_messages(log);
}

TEST(children_inherit_enablers_while_event_mutex_is_held)
{
	check_family(false);
}

TEST(children_inherit_enablers_at_memory_limit)
{
	cgroup_need_small_charges();
	cgroup_make();
	check_family(true);
	/* The cgroup has reached its limit. */
	EXPECT_GT(number_after(cgroup_get("memory.events"), "max "), 0);
	cgroup_remove();
}

/* --- absent pages --- */

#define ABSENT_USER 1001

/* A workqueue runs up to 256 work items at once; 1024 in recent kernels. */
#define ABSENT_PROCESSES 300

#define OTHER_USER 1002

static void need_userfaultfd(void)
{
	close(userfault_open(0));
}

static void kill_processes(const pid_t *pids, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < count; i++)
		EXPECT_EQ(waitpid(pids[i], NULL, 0), pids[i]);
}

/* The page stays absent: no process serves the userfaultfd. */
static void make_absent(int uffd, volatile uint32_t *page)
{
	ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	ASSERT_OK(userfault_register(uffd, page, PAGE,
				     UFFDIO_REGISTER_MODE_MISSING));
}

static pid_t start_absent_as(uid_t user, int fd, const char *event,
			     unsigned int *ready)
{
	volatile uint32_t *page;
	pid_t child = fork();
	int uffd;

	ASSERT_OK(child);
	if (child)
		return child;

	page = map_page(PROT_READ | PROT_WRITE);
	uffd = userfault_open(0);
	become_user(user);
	must_reg_word(fd, event, page, 0);
	make_absent(uffd, page);
	increment_count(ready);
	while (true)
		pause();
}

/*
 * One page is absent, the other is shared with a child since a fork. The
 * process must not read the absent page before the event is enabled, because
 * that would fault it in.
 */
static void register_other(int fd, const char *event, unsigned int *ready,
			   const bool *enabled)
{
	volatile uint32_t *absent = shared(PAGE);
	volatile uint32_t *forked = map_page(PROT_READ | PROT_WRITE);
	pid_t child;

	become_user(OTHER_USER);
	must_reg_word(fd, event, absent, 0);
	must_reg_word(fd, event, forked, 0);
	child = fork();
	ASSERT_OK(child);
	if (!child)
		while (true)
			pause();
	ASSERT_OK(madvise((void *)absent, PAGE, MADV_DONTNEED));
	increment_count(ready);
	wait_flag(enabled);
	harness_context("shared with a child");
	wait_value(forked, 1);
	harness_context("absent");
	wait_value(absent, 1);
	kill_process(child);
	_exit(harness_failed());
}

TEST(absent_pages_of_one_user_delay_no_other)
{
	struct {
		unsigned int ready;
		bool enabled;
	} *done = shared(sizeof(*done));
	pid_t children[ABSENT_PROCESSES], other;
	const char *absent = uniq("absent");
	const char *present = uniq("present");
	int fd = data_open();
	size_t i;

	need_userfaultfd();
	must_reg(fd, absent);
	must_reg(fd, present);
	for (i = 0; i < ARRAY_SIZE(children); i++)
		children[i] =
			start_absent_as(ABSENT_USER, fd, absent, &done->ready);
	ASSERT_TRUE(wait_count(&done->ready, ARRAY_SIZE(children)));
	enable(absent, true);
	other = fork();
	ASSERT_OK(other);
	if (!other)
		register_other(fd, present, &done->ready, &done->enabled);
	ASSERT_TRUE(wait_count(&done->ready, ARRAY_SIZE(children) + 1));
	enable(present, true);
	set_flag(&done->enabled);
	wait_child(other);
	kill_processes(children, ARRAY_SIZE(children));
}

/*
 * start_daemon - start a process that forks workers, which inherit its enabler,
 *		  drop their privileges and have no page
 * @workers: number of workers
 * @uids: number of users to which they belong
 */
static pid_t start_daemon(const char *event, unsigned int workers,
			  unsigned int uids, unsigned int *ready)
{
	volatile uint32_t *page;
	unsigned int i;
	pid_t child = fork(), worker;
	int uffd;

	ASSERT_OK(child);
	if (child)
		return child;

	page = map_page(PROT_READ | PROT_WRITE);
	must_reg_word(data_open(), event, page, 0);
	for (i = 0; i < workers; i++) {
		worker = fork();
		ASSERT_OK(worker);
		if (worker)
			continue;
		uffd = userfault_open(0);
		become_user(ABSENT_USER + i % uids);
		make_absent(uffd, page);
		increment_count(ready);
		while (true)
			pause();
	}
	while (true)
		pause();
}

/* A process of root, whose page is absent until the event is enabled. */
static pid_t start_victim(const char *event, unsigned int *ready,
			  const bool *enabled)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		volatile uint32_t *absent = shared(PAGE);

		must_reg_word(data_open(), event, absent, 0);
		ASSERT_OK(madvise((void *)absent, PAGE, MADV_DONTNEED));
		increment_count(ready);
		wait_flag(enabled);
		wait_value(absent, 1);
		_exit(harness_failed());
	}

	return child;
}

static void check_daemon(unsigned int workers, unsigned int uids)
{
	struct {
		unsigned int ready;
		bool enabled;
	} *done = shared(sizeof(*done));
	const char *absent = uniq("absent");
	const char *other = uniq("other");
	pid_t daemon, victim;

	need_userfaultfd();
	daemon = start_daemon(absent, workers, uids, &done->ready);
	ASSERT_TRUE(wait_count(&done->ready, workers));
	enable(absent, true);
	victim = start_victim(other, &done->ready, &done->enabled);
	ASSERT_TRUE(wait_count(&done->ready, workers + 1));
	enable(other, true);
	set_flag(&done->enabled);
	wait_child(victim);
	kill_process(daemon);
}

/* The workers inherited their enabler from a process of root. */
TEST(workers_without_privileges_delay_no_process_of_root)
{
	check_daemon(20, 1);
}

/* More than a workqueue runs at once. */
TEST(processes_of_many_users_delay_no_other)
{
	check_daemon(17 * 17, 17);
}

/* --- a thread whose page does not come ------------------------------------ */

/*
 * struct captive - a process of two threads
 * @page: page of a FUSE file, with a word
 * @other: a word in another page, below @page
 * @control: the server of the file
 * @wake: byte that lets the first thread go on
 * @go: bytes that let the second thread go on
 * @state: number of steps that the second thread has done
 * @is_watched: whether a userfaultfd notes which pages are written
 */
struct captive {
	volatile uint32_t *page;
	volatile uint32_t *other;
	struct fuse_control *control;
	int wake[2];
	int go[2];
	unsigned int *state;
	bool is_watched;
};

static void *run_captive(void *data)
{
	struct captive *captive = data;
	char byte;

	__atomic_store_n(&captive->control->withheld, gettid(),
			 __ATOMIC_RELEASE);
	ASSERT_EQ(read(captive->wake[0], &byte, 1), 1);

	return NULL;
}

/* Needs mmap_lock for writing. */
static void map_another_page(void)
{
	void *page =
		mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(page != MAP_FAILED);
	ASSERT_OK(munmap(page, PAGE));
}

/* The parent does the rest. */
static void run_captive_process(struct captive *captive, const char *slow,
				const char *event)
{
	int fd = data_open();
	pthread_t thread;
	pid_t child;
	char byte;

	captive->other = mmap(NULL, PAGE + PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE((void *)captive->other != MAP_FAILED);
	captive->page = mmap((char *)captive->other + PAGE, PAGE,
			     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
			     fuse_file(), 0);
	ASSERT_TRUE((void *)captive->page != MAP_FAILED);
	must_reg_word(fd, slow, captive->page, 0);
	must_reg_word(fd, event, captive->other, 0);
	if (captive->is_watched)
		userfault_watch(captive->page, PAGE);
	ASSERT_OK(madvise((void *)captive->page, PAGE, MADV_DONTNEED));
	ASSERT_OK(posix_fadvise(fuse_file(), 0, 0, POSIX_FADV_DONTNEED));
	ASSERT_EQ(pthread_create(&thread, NULL, run_captive, captive), 0);
	while (!__atomic_load_n(&captive->control->withheld, __ATOMIC_ACQUIRE))
		usleep(1000);
	increment_count(captive->state);
	ASSERT_EQ(read(captive->go[0], &byte, 1), 1);

	/* The other thread is being held. This one is not. */
	map_another_page();
	ASSERT_OK(madvise((void *)captive->other, PAGE, MADV_DONTNEED));
	increment_count(captive->state);
	ASSERT_EQ(read(captive->go[0], &byte, 1), 1);
	/* The child inherits a stale word, so both are to check their words. */
	child = fork();
	ASSERT_OK(child);
	if (!child)
		_exit(0);
	ASSERT_OK(kill(child, SIGKILL));
	ASSERT_EQ(waitpid(child, NULL, 0), child);
	increment_count(captive->state);
	wait_value(captive->other, 1);
	pthread_join(thread, NULL);
	_exit(harness_failed());
}

/*
 * A thread that checks the words waits for the server of a file. Words of other
 * pages that become wrong meanwhile are written when it has got an answer, and
 * the other threads run and fork.
 */
static void check_captive(bool is_watched)
{
	struct captive captive = {
		.control = fuse_start(),
		.state = shared(PAGE),
		.is_watched = is_watched,
	};
	const char *slow = uniq("slow");
	const char *event = uniq("e");
	pid_t child;

	ASSERT_OK(pipe(captive.wake));
	ASSERT_OK(pipe(captive.go));
	child = fork();
	ASSERT_OK(child);
	if (!child)
		run_captive_process(&captive, slow, event);

	ASSERT_TRUE(wait_count(captive.state, 1));
	enable(slow, true);
	ASSERT_EQ(write(captive.wake[1], "x", 1), 1);
	ASSERT_TRUE(wait_count(&captive.control->reads_withheld, 1));
	ASSERT_EQ(write(captive.go[1], "x", 1), 1);
	ASSERT_TRUE(wait_count(captive.state, 2));
	enable(event, true);
	ASSERT_EQ(write(captive.go[1], "x", 1), 1);
	ASSERT_TRUE(wait_count(captive.state, 3));
	fuse_abort();
	wait_child(child);
}

TEST(absent_page_holds_one_thread)
{
	check_captive(false);
}

TEST(absent_watched_page_holds_one_thread)
{
	/* Skips the test, which the process cannot do. */
	userfault_watch(shared(PAGE), PAGE);
	check_captive(true);
}

/* --- the cost of words ---------------------------------------------------- */

#define COSTLY_ENABLERS 20000
#define COSTLY_FORKS 20

/* CPU time of all kernel threads of workqueues, in clock ticks. */
static unsigned long worker_ticks(void)
{
	unsigned long user, kernel, sum = 0;
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	char *stat, *rest;

	ASSERT_TRUE(dir);
	while ((entry = readdir(dir))) {
		stat = read_file(text("/proc/%s/stat", entry->d_name));
		rest = stat ? strrchr(stat, ')') : NULL;
		if (rest && strstr(stat, "(kworker/") &&
		    sscanf(rest + 2,
			   "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
			   &user, &kernel) == 2)
			sum += user + kernel;
		free(stat);
	}
	closedir(dir);

	return sum;
}

/* Their sum is exact; some kernels sample which part of it is system time. */
static unsigned long child_ticks(void)
{
	struct timeval sum;
	struct rusage usage;

	ASSERT_OK(getrusage(RUSAGE_CHILDREN, &usage));
	timeradd(&usage.ru_stime, &usage.ru_utime, &sum);

	return (sum.tv_sec * 1000000UL + sum.tv_usec) * sysconf(_SC_CLK_TCK) /
	       1000000;
}

/*
 * After a fork, the words of the child are checked, since one of its parent could
 * not be written. That takes the CPU time of the child, which its cgroup can
 * limit, and not that of kernel threads.
 */
TEST(checking_words_takes_time_of_the_process)
{
	static volatile uint32_t words[COSTLY_ENABLERS];
	uint32_t *read_only = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long workers, children;
	const char *event = uniq("e");
	int fd = data_open();
	unsigned int i;
	pid_t child;

	ASSERT_TRUE(read_only != MAP_FAILED);
	for (i = 0; i < COSTLY_ENABLERS; i++)
		must_reg_word(fd, event, &words[i], 0);
	must_reg_word(fd, event, read_only, 0);
	ASSERT_OK(mprotect(read_only, PAGE, PROT_READ));
	enable(event, true);
	workers = worker_ticks();
	children = child_ticks();
	for (i = 0; i < COSTLY_FORKS; i++) {
		child = fork();
		ASSERT_OK(child);
		if (!child) {
			/* Kernel threads would have the time for the check. */
			usleep(200000);
			_exit(0);
		}
		wait_child(child);
	}
	workers = worker_ticks() - workers;
	children = child_ticks() - children;
	harness_note("%lu ticks of children, %lu of kernel threads", children,
		     workers);
	EXPECT_GT(children, workers);
}

#define SHARING_TASKS 3000
#define CLONERS 4
#define CLONES 1000
#define SMALL_STACK 16384

/*
 * Task works on all tasks take 100 KiB. Clones that have exited also take memory
 * for a while.
 */
#define CLONES_KIB (12 << 10)

struct cloner {
	volatile uint32_t *word;
	unsigned int count;
	unsigned int ready;
	unsigned int ended;
	bool enabled;
};

static int sleep_until_killed(void *data)
{
	(void)data;
	pause();

	return 0;
}

static int exit_at_once(void *data)
{
	(void)data;

	return 0;
}

static pid_t clone_sharing(int (*run)(void *), char *stack, void *data)
{
	pid_t child = clone(run, stack + SMALL_STACK, CLONE_VM, data);

	/* The tasks share errno, which ASSERT_OK() would change. */
	ASSERT_GT(child, 0);

	return child;
}

static int clone_again_and_again(void *data)
{
	static char stacks[CLONERS][SMALL_STACK] __attribute__((aligned(64)));
	struct cloner *cloner = data;
	unsigned int number, i;
	pid_t child;

	number = __atomic_fetch_add(&cloner->count, 1, __ATOMIC_RELAXED);
	increment_count(&cloner->ready);
	wait_flag(&cloner->enabled);
	for (i = 0; i < CLONES; i++) {
		madvise((void *)cloner->word, PAGE, MADV_DONTNEED);
		child = clone_sharing(exit_at_once, stacks[number], NULL);
		ASSERT_EQ(waitpid(child, NULL, __WALL), child);
	}
	increment_count(&cloner->ended);

	return 0;
}

/* The process itself sleeps, so it does not check the word. */
static void start_cloners(struct cloner *cloner, const char *event)
{
	char *stacks = mmap(NULL, (SHARING_TASKS + CLONERS) * SMALL_STACK,
			    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	unsigned int i;

	ASSERT_TRUE(stacks != MAP_FAILED);
	must_reg_word(data_open(), event, cloner->word, 0);
	for (i = 0; i < SHARING_TASKS + CLONERS; i++)
		clone_sharing(i < CLONERS ? clone_again_and_again
					  : sleep_until_killed,
			      stacks + i * SMALL_STACK, cloner);
	increment_count(&cloner->ready);
	sleep_until_killed(NULL);
}

static long long kernel_kib(void)
{
	char *meminfo = read_file("/proc/meminfo");
	long long sum = number_after(meminfo, "SUnreclaim:") +
			number_after(meminfo, "VmallocUsed:");

	free(meminfo);

	return sum;
}

/*
 * While a word is stale, each clone is a reason to notify all tasks that share the
 * memory. The kernel memory for that does not grow with the number of clones.
 */
TEST(clones_of_stale_processes_take_no_memory)
{
	struct cloner *cloner = shared(sizeof(*cloner));
	const char *event = uniq("e");
	long long before, now, most = 0, start = 0;
	pid_t process;

	if (number_after(read_file("/proc/sys/kernel/threads-max"), "") <
	    2 * SHARING_TASKS)
		SKIP("needs %u tasks", SHARING_TASKS);
	process = fork();
	ASSERT_OK(process);
	if (!process) {
		cloner->word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ASSERT_TRUE((void *)cloner->word != MAP_FAILED);
		start_cloners(cloner, event);
	}
	ASSERT_TRUE(wait_count(&cloner->ready, CLONERS + 1));
	before = kernel_kib();
	set_flag(&cloner->enabled);
	while (read_count(&cloner->ended) < CLONERS) {
		enable(event, true);
		now = kernel_kib();
		most = now > most ? now : most;
		enable(event, false);
		ASSERT_TRUE(harness_deadline(&start, WAIT_TIMEOUT_S));
	}
	harness_note("%lld KiB more", most - before);
	EXPECT_LE(most, before + CLONES_KIB);
}

#define SHARED_PAGES 256
#define SHARING_CHILDREN 16
#define SWITCHES 300

/* Memory that the kernel charges in any case, such as that of page tables */
#define UNLIMITED_BYTES (1 << 19)

/*
 * A process that runs pays for its own copies, up to being killed at its limit,
 * which the kernel logs with a trace. Such a process never runs.
 */
static void stop_for_ever(void)
{
	while (true)
		raise(SIGSTOP);
}

static void share_pages(int fd, const char *event, unsigned int *ready)
{
	volatile char *pages = mmap(NULL, SHARED_PAGES * PAGE,
				    PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	pid_t child;

	ASSERT_TRUE((void *)pages != MAP_FAILED);
	/* Its pages would be copied as a whole otherwise. */
	madvise((void *)pages, SHARED_PAGES * PAGE, MADV_NOHUGEPAGE);
	become_user(OTHER_USER);
	for (i = 0; i < SHARED_PAGES; i++)
		must_reg_word(fd, event,
			      (volatile uint32_t *)(pages + i * PAGE), 0);
	for (i = 0; i < SHARING_CHILDREN; i++) {
		child = fork();
		ASSERT_OK(child);
		if (!child)
			stop_for_ever();
		ASSERT_EQ(waitpid(child, NULL, WUNTRACED), child);
	}
	increment_count(ready);
	stop_for_ever();
}

/*
 * Each switch of the event wants pages copied that processes share, until they
 * have 16 times as much memory. A tracer copies none for them. The same user has
 * processes whose pages never come.
 */
TEST(switches_do_not_exceed_memory_limit)
{
	struct {
		unsigned int ready;
		bool enabled;
	} *done = shared(sizeof(*done));
	const char *absent = uniq("absent");
	const char *event = uniq("e");
	pid_t process;
	long long before;
	int fd = data_open();
	unsigned int i;

	need_userfaultfd();
	cgroup_make();
	must_reg(fd, absent);
	must_reg(fd, event);
	process = fork();
	ASSERT_OK(process);
	if (!process) {
		cgroup_enter();
		for (i = 0; i < SHARING_CHILDREN; i++)
			start_absent_as(OTHER_USER, fd, absent, &done->ready);
		wait_flag(&done->enabled);
		share_pages(fd, event, &done->ready);
	}
	ASSERT_TRUE(wait_count(&done->ready, SHARING_CHILDREN));
	enable(absent, true);
	set_flag(&done->enabled);
	ASSERT_TRUE(wait_count(&done->ready, SHARING_CHILDREN + 1));
	ASSERT_EQ(waitpid(process, NULL, WUNTRACED), process);
	before = cgroup_charged();
	cgroup_set("memory.max", text("%lld", before + (1 << 20)));
	for (i = 0; i < SWITCHES; i++)
		enable(event, !(i % 2));
	harness_note("%lld bytes more", cgroup_charged() - before);
	EXPECT_LE(cgroup_charged(), before + UNLIMITED_BYTES);
	kill_process(process);
}

/* --- exited processes --- */

#define EXITED_PROCESSES 50

TEST(event_of_exited_process_can_be_deleted)
{
	static volatile uint32_t word;
	unsigned int round;

	for (round = 0; round < EXITED_PROCESSES; round++) {
		const char *event = uniq(text("%u", round));
		pid_t child = fork();

		ASSERT_OK(child);
		if (!child) {
			must_reg_word(data_open(), event, &word, 0);
			_exit(0);
		}
		wait_child(child);
		/* ENOENT: the module has already deleted it. */
		if (dynevent_write(text("-:%s", event)) && errno != ENOENT) {
			FAIL("process %u: %s", round, harness_errno(errno));
			break;
		}
		EXPECT_FALSE(status_line(event));
	}
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
