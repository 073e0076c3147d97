// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attacks: processes that may register events try to delay other users of
 * tracing, or other processes with enablers. Their memory does not come, is
 * locked, or cannot be had; or they end.
 *
 * The tests ask what the others get done meanwhile, and not how long it takes.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/cgroup.h"
#include "../lib/fuse.h"
#include "../lib/user_events.h"

#define PAGE 4096

/* --- counters that processes share --- */

static void *shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(memory != MAP_FAILED);

	return memory;
}

static unsigned int count_of(const unsigned int *count)
{
	return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

static void count_up(unsigned int *count)
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

/* Waits for a count to become so large. Return: false if it does not. */
static bool wait_count(const unsigned int *count, unsigned int expected)
{
	long long start = 0;

	while (count_of(count) < expected)
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

/* Kills a process; fails the test if it cannot be killed. */
static void must_die(pid_t child)
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

/* Enables and disables an event, and counts the times in @switches. */
static pid_t toggler(const char *event, unsigned int *switches)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (child)
		return child;

	while (true) {
		enable(event, true);
		enable(event, false);
		count_up(switches);
	}
}

/*
 * Another user of tracing, which has nothing to do with the event under attack:
 * creates an event, attaches perf and deletes the event; counts the rounds.
 */
static pid_t bystander(unsigned int *rounds)
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
		count_up(rounds);
	}
}

/* --- pages that a FUSE server withholds --- */

/* A module that waits for the server was seen to do so after some 200. */
#define FUSE_SWITCHES 1500

/*
 * Until it is written to, a page of a private mapping is the file's, and the
 * server can invalidate it. To set a bit in it, the kernel must copy it; so the
 * process discards the copies all the time.
 */
static pid_t file_owner(const char *event, bool *ready)
{
	volatile uint32_t *words;
	unsigned int i;
	pid_t child = fork();
	int fd;

	ASSERT_OK(child);
	if (child)
		return child;

	words = mmap(NULL, FUSE_PAGES * FUSE_PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE, fuse_file(), 0);
	ASSERT_TRUE((void *)words != MAP_FAILED);
	fd = data_open();
	for (i = 0; i < FUSE_PAGES; i++)
		must_reg_word(fd, event, words + i * FUSE_PAGE / sizeof(*words),
			      0);
	set_flag(ready);
	while (true) {
		madvise((void *)words, FUSE_PAGES * FUSE_PAGE, MADV_DONTNEED);
		for (i = 0; i < FUSE_PAGES; i++)
			(void)words[i * FUSE_PAGE / sizeof(*words)];
	}
}

/*
 * A page that is present when the module looks at it may be gone when the
 * module has it copied. The server need not answer the read that follows, so a
 * tracer that enables the event must never be the one to send it.
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

	owner = file_owner(event, &done->ready);
	wait_flag(&done->ready);
	toggles = toggler(event, &done->switches);
	__atomic_store_n(&control->withheld, toggles, __ATOMIC_RELEASE);
	set_flag(&control->invalidate);
	other = bystander(&done->rounds);
	while (switches < FUSE_SWITCHES &&
	       !count_of(&control->reads_withheld)) {
		if (count_of(&done->switches) != switches)
			start = 0;
		switches = count_of(&done->switches);
		if (!harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("the tracer stops after %u switches", switches);
			break;
		}
	}
	if (count_of(&control->reads_withheld))
		FAIL("after %u switches the tracer waits for a page's server",
		     switches);
	if (!wait_count(&done->rounds, count_of(&done->rounds) + 3))
		FAIL("other users of tracing are blocked");
	must_die(toggles);
	fuse_abort();
	must_die(other);
	must_die(owner);
}

/* --- memory that is kept locked --- */

/*
 * How often a tracer may wait for each event: for a mutex, but not again and
 * again for the process to unlock its memory.
 */
#define WAITS_PER_EVENT 3

#define MANY_EVENTS 100
#define LOCKERS 4

/* How much memory, or as much as can be changed in that time. */
#define LOCKED_SIZE (32UL << 20)
#define LOCKED_US 200000

static char *locked_memory;
static size_t locked_size = PAGE;

/* The kernel holds the memory lock while it changes all the pages. */
static void lock_for_a_while(void)
{
	size_t size = __atomic_load_n(&locked_size, __ATOMIC_ACQUIRE);

	mprotect(locked_memory, size, PROT_READ);
	mprotect(locked_memory, size, PROT_READ | PROT_WRITE);
}

static void *keep_locked(void *data)
{
	while (true)
		lock_for_a_while();

	return data;
}

/* Others keep it locked as well, which is part of the time. */
static void find_locked_size(void)
{
	long long begin;

	do {
		begin = now_us();
		lock_for_a_while();
		if (now_us() - begin > LOCKED_US)
			break;
		__atomic_store_n(&locked_size, 2 * locked_size,
				 __ATOMIC_RELEASE);
	} while (locked_size < LOCKED_SIZE);
}

/*
 * struct locking - a process that keeps its memory locked
 * @ready: it has its enablers
 * @lock: it may begin
 * @locked: it has begun
 * @expected: value that all its words are to get
 * @asked: how often it was asked to wait for that
 * @checks: how often it has done so
 */
struct locking {
	bool ready;
	bool lock;
	bool locked;
	uint32_t expected;
	unsigned int asked;
	unsigned int checks;
};

static pid_t locking_process(struct locking *locking)
{
	static volatile uint32_t words[MANY_EVENTS];
	pthread_t threads[LOCKERS];
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
	for (i = 0; i < MANY_EVENTS; i++)
		must_reg_word(fd, text(PREFIX "locked_%u", i), &words[i], 0);
	set_flag(&locking->ready);
	wait_flag(&locking->lock);
	for (i = 0; i < LOCKERS; i++)
		ASSERT_EQ(pthread_create(&threads[i], NULL, keep_locked, NULL),
			  0);
	find_locked_size();
	set_flag(&locking->locked);
	while (true) {
		while (count_of(&locking->asked) == locking->checks)
			usleep(1000);
		for (i = 0; i < MANY_EVENTS; i++) {
			harness_context("event %u", i);
			wait_value(&words[i], locking->expected);
		}
		count_up(&locking->checks);
	}
}

/* The bits follow in the end, however the process locks its memory. */
static void check_words(struct locking *locking, uint32_t expected)
{
	locking->expected = expected;
	count_up(&locking->asked);
	if (!wait_count(&locking->checks, count_of(&locking->asked)))
		FAIL("not all words become %u", expected);
}

/* How often the calling process has slept so far. */
static long waits(void)
{
	struct rusage usage;

	ASSERT_OK(getrusage(RUSAGE_SELF, &usage));

	return usage.ru_nvcsw;
}

/* Enables or disables all events. Return: how often it slept meanwhile. */
static long switch_all(bool on)
{
	long before = waits();
	unsigned int i;

	for (i = 0; i < MANY_EVENTS; i++)
		enable(text(PREFIX "locked_%u", i), on);

	return waits() - before;
}

TEST(locked_memory_delays_no_tracer)
{
	struct locking *locking = shared(sizeof(*locking));
	pid_t owner = locking_process(locking);
	long quiet, locked;

	wait_flag(&locking->ready);
	quiet = switch_all(true);
	switch_all(false);
	set_flag(&locking->lock);
	wait_flag(&locking->locked);
	locked = switch_all(true);
	EXPECT_LE(locked, quiet + WAITS_PER_EVENT * MANY_EVENTS);
	check_words(locking, 1);
	switch_all(false);
	check_words(locking, 0);
	must_die(owner);
}

/* --- a process over its limit of memory --- */

/*
 * The kernel throttles a process within an allocation if that is of more than
 * 64 pages. One more than a power of two: there is room for twice as many.
 */
#define THROTTLED_ENABLERS ((sizeof(long) == 8 ? 8192 : 16384) + 1)
#define THROTTLED_SIZE (32UL << 20)
#define THROTTLED_ROUNDS 3
#define QUIET_ROUNDS 20

/*
 * struct throttling - what a throttled process and another measure
 * @ready: the process has its enablers
 * @throttled: its cgroup is over the limit
 * @rounds: how often the other process has used tracing
 * @quiet: how long that takes on average without the attack
 * @longest_wait: longest of those rounds since this was 0
 * @longest_call: longest call of the throttled process since this was 0
 * @slow: rounds of the attack with a call that was throttled
 * @delays: those of them in which the other process was delayed as well
 * @attacks: rounds of the attack
 *
 * All times are in microseconds.
 */
struct throttling {
	bool ready;
	bool throttled;
	unsigned int rounds;
	long long quiet;
	long long longest_wait;
	long long longest_call;
	unsigned int slow;
	unsigned int delays;
	unsigned int attacks;
};

static void note_longest(long long *longest, long long begin)
{
	long long took = now_us() - begin;

	if (took > __atomic_load_n(longest, __ATOMIC_ACQUIRE))
		__atomic_store_n(longest, took, __ATOMIC_RELEASE);
}

static pid_t timed_bystander(struct throttling *throttling)
{
	const char *event = uniq("bystander");
	pid_t child = fork();
	long long begin;

	ASSERT_OK(child);
	if (child)
		return child;

	while (true) {
		begin = now_us();
		ASSERT_OK(dynevent_write(text("u:%s u32 a", event)));
		ASSERT_OK(dynevent_write(text("-:%s", event)));
		note_longest(&throttling->longest_wait, begin);
		count_up(&throttling->rounds);
	}
}

/* A child shares the enablers of its parent until it changes its own. */
static void change_in_child(struct throttling *throttling, int fd,
			    const char *event)
{
	static volatile uint32_t word;
	long long begin = now_us();
	pid_t child = fork();

	ASSERT_OK(child);
	if (child) {
		note_longest(&throttling->longest_call, begin);
		wait_child(child);
		return;
	}

	begin = now_us();
	must_reg_word(fd, event, &word, 0);
	note_longest(&throttling->longest_call, begin);
	begin = now_us();
	EXPECT_OK(unreg(fd, &word, 0));
	note_longest(&throttling->longest_call, begin);
	_exit(harness_failed());
}

static void attack_throttled(struct throttling *throttling, int fd,
			     const char *event)
{
	long long call, wait;

	throttling->longest_call = 0;
	throttling->longest_wait = 0;
	change_in_child(throttling, fd, event);
	/* If it is waiting, the round that tells so is yet to end. */
	ASSERT_TRUE(wait_count(&throttling->rounds,
			       count_of(&throttling->rounds) + 1));
	call = throttling->longest_call;
	wait = throttling->longest_wait;
	if (call > 20 * throttling->quiet) {
		throttling->slow++;
		throttling->delays += wait > call / 4;
	}
	count_up(&throttling->attacks);
}

static pid_t throttled_process(struct throttling *throttling)
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
 * A process over memory.high sleeps when it gets more memory, for up to two
 * seconds. It must not hold the lock of tracing meanwhile.
 */
TEST(throttled_process_delays_no_tracer)
{
	struct throttling *throttling = shared(sizeof(*throttling));
	pid_t process, other;
	long long begin;

	cgroup_make();
	process = throttled_process(throttling);
	wait_flag(&throttling->ready);
	cgroup_set("memory.high", "1M");
	other = timed_bystander(throttling);
	begin = now_us();
	ASSERT_TRUE(wait_count(&throttling->rounds, QUIET_ROUNDS));
	throttling->quiet = (now_us() - begin) / QUIET_ROUNDS;
	set_flag(&throttling->throttled);
	wait_child(process);
	must_die(other);
	cgroup_remove();
	EXPECT_EQ(throttling->attacks, THROTTLED_ROUNDS);
	if (!throttling->slow)
		SKIP("this kernel does not throttle the process");
	/* One: the machine may be slow for a moment. */
	EXPECT_LE(throttling->delays, 1);
}

/* --- forks while memory is short --- */

#define FORKS 700
#define RECLAIMABLE (128UL << 20)

/*
 * struct family - a process that forks, and its children
 * @full: the process is at the limit of its memory cgroup
 * @forked: it is done with forking
 * @children: how many forks succeeded
 * @enabled: how many children have seen their bit set
 * @disabled: how many have seen it cleared after that
 * @look: pipe that is closed when the event is enabled
 * @look_again: pipe that is closed when it is disabled
 */
struct family {
	bool full;
	bool forked;
	unsigned int children;
	unsigned int enabled;
	unsigned int disabled;
	int look[2];
	int look_again[2];
};

static void wait_end(const int pipe[2])
{
	char byte;

	close(pipe[1]);
	ASSERT_EQ(read(pipe[0], &byte, 1), 0);
}

static bool word_becomes(const volatile uint32_t *word, uint32_t expected)
{
	long long start = 0;

	while (*word != expected)
		if (!harness_deadline(&start, WAIT_TIMEOUT_S))
			return false;

	return true;
}

/*
 * The cgroup is full of pages that the kernel can reclaim, which an atomic
 * allocation cannot wait for.
 */
static void fill_cgroup(void)
{
	char *memory = mmap(NULL, RECLAIMABLE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cgroup_enter();
	ASSERT_TRUE(memory != MAP_FAILED);
	ASSERT_OK(madvise(memory, RECLAIMABLE, MADV_DONTFORK));
	memset(memory, 1, RECLAIMABLE);
	ASSERT_OK(madvise(memory, RECLAIMABLE, MADV_FREE));
	cgroup_set("memory.max", text("%lld", cgroup_charged()));
}

static pid_t forking_process(struct family *family, const char *event)
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
			count_up(&family->children);
			continue;
		}
		wait_end(family->look);
		if (word_becomes(&word, 1))
			count_up(&family->enabled);
		wait_end(family->look_again);
		if (word_becomes(&word, 0))
			count_up(&family->disabled);
		_exit(0);
	}
	set_flag(&family->forked);
	close(family->look[1]);
	close(family->look_again[1]);
	while (wait(NULL) > 0)
		;
	_exit(0);
}

/*
 * Switches all events of the kernel, which holds event_mutex for most of the
 * time, so that the background of the module does not get far.
 */
static pid_t switcher(void)
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

static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_OK(fd);
	lseek(fd, 0, SEEK_END);

	return fd;
}

/* Fails the test if the module has written to the kernel log. */
static void module_is_silent(int log)
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
	int log = log_open();
	long long start = 0;

	family->full = full;
	ASSERT_OK(pipe(family->look));
	ASSERT_OK(pipe(family->look_again));
	must_reg(data_open(), event);
	switches = switcher();
	process = forking_process(family, event);
	while (!flag_is_set(&family->forked))
		ASSERT_TRUE(harness_deadline(&start, 4 * WAIT_TIMEOUT_S));
	must_die(switches);
	tfs_write("0", "events/enable");
	enable(event, true);
	close(family->look[1]);
	wait_count(&family->enabled, count_of(&family->children));
	enable(event, false);
	close(family->look_again[1]);
	wait_child(process);
	EXPECT_GT(count_of(&family->children), 0);
	EXPECT_EQ(count_of(&family->enabled), count_of(&family->children));
	EXPECT_EQ(count_of(&family->disabled), count_of(&family->children));
	module_is_silent(log);
}

TEST(children_inherit_enablers_while_events_are_switched)
{
	check_family(false);
}

TEST(children_inherit_enablers_in_a_full_cgroup)
{
	cgroup_make();
	check_family(true);
	/* The limit was met. */
	EXPECT_GT(number_after(cgroup_get("memory.events"), "max "), 0);
	cgroup_remove();
}

/* --- absent pages --- */

#define ABSENT_USER 1001

/* A workqueue runs 256 works at once; 1024 in the newest kernels. */
#define ABSENT_PROCESSES 300

#define OTHER_USER 1002

static void become(uid_t uid)
{
	ASSERT_OK(setresgid(uid, uid, uid));
	ASSERT_OK(setresuid(uid, uid, uid));
}

/* The page never comes: no process answers the userfaultfd. */
static void register_absent(int fd, const char *event, unsigned int *ready)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range.len = PAGE,
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	ASSERT_OK(uffd);
	range.range.start = (uintptr_t)page;
	become(ABSENT_USER);
	must_reg_word(fd, event, page, 0);
	ASSERT_OK(ioctl(uffd, UFFDIO_API, &api));
	ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	ASSERT_OK(ioctl(uffd, UFFDIO_REGISTER, &range));
	count_up(ready);
	while (true)
		pause();
}

/*
 * One page is absent, the other shared with a child since a fork. The process
 * would fault the absent page in by reading it, so it does not before the event
 * was enabled.
 */
static void register_other(int fd, const char *event, unsigned int *ready,
			   const bool *enabled)
{
	volatile uint32_t *absent = shared(PAGE);
	volatile uint32_t *forked = map_page(PROT_READ | PROT_WRITE);
	pid_t child;

	become(OTHER_USER);
	must_reg_word(fd, event, absent, 0);
	must_reg_word(fd, event, forked, 0);
	child = fork();
	ASSERT_OK(child);
	if (!child)
		while (true)
			pause();
	ASSERT_OK(madvise((void *)absent, PAGE, MADV_DONTNEED));
	count_up(ready);
	wait_flag(enabled);
	harness_context("shared with a child");
	wait_value(forked, 1);
	harness_context("absent");
	wait_value(absent, 1);
	must_die(child);
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
	int uffd;

	uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (uffd < 0)
		SKIP("no userfaultfd: %s", harness_errno(errno));
	close(uffd);
	must_reg(fd, absent);
	must_reg(fd, present);
	for (i = 0; i < ARRAY_SIZE(children); i++) {
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i])
			register_absent(fd, absent, &done->ready);
	}
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
	for (i = 0; i < ARRAY_SIZE(children); i++)
		kill(children[i], SIGKILL);
	for (i = 0; i < ARRAY_SIZE(children); i++)
		EXPECT_EQ(waitpid(children[i], NULL, 0), children[i]);
}

/* --- processes that have ended --- */

#define DEATHS 50

TEST(event_of_a_dead_process_can_be_deleted)
{
	static volatile uint32_t word;
	unsigned int round;

	for (round = 0; round < DEATHS; round++) {
		const char *event = uniq(text("%u", round));
		pid_t child = fork();

		ASSERT_OK(child);
		if (!child) {
			must_reg_word(data_open(), event, &word, 0);
			_exit(0);
		}
		wait_child(child);
		/* ENOENT: the module has deleted it already. */
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
