// SPDX-License-Identifier: GPL-2.0-only
/* Execution of programs. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/harness.h"
#include "coverage.h"
#include "execute.h"

/* Limits that protect the machine from a runaway program. */
#define FILE_MAX (1UL << 20)
#define DESCRIPTORS_MAX 256

/* Polls for the children of a finished program, 5 ms apart. */
#define CHILDREN_TRIES 60

struct shared *shared;

static struct program running;
static pthread_barrier_t ready;

/* Position of a thread, and where it continues after a fault. */
static __thread unsigned int this_thread;
static __thread unsigned int this_operation;
static __thread unsigned int this_kind;
static __thread sigjmp_buf *fault_return;

/* Child processes have one thread and exit when it is done. */
static bool is_child;

long count_call(long result)
{
	bool success = result >= 0;

	__atomic_fetch_add(&shared->calls, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared->succeeded, success, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared->successes[this_kind], success,
			   __ATOMIC_RELAXED);

	return result;
}

unsigned int execute_thread(void)
{
	return this_thread;
}

int execute_process(void)
{
	unsigned int number =
		__atomic_fetch_add(&shared->processes, 1, __ATOMIC_RELAXED);

	return number < PROCESSES_MAX ? (int)number : -1;
}

/* --- memory --------------------------------------------------------------- */

static __attribute__((noinline)) void copy(volatile unsigned char *to,
					   const volatile unsigned char *from,
					   size_t size)
{
	while (size--)
		*to++ = *from++;
}

bool try_copy(volatile void *to, const volatile void *from, size_t size)
{
	sigjmp_buf *volatile outer = fault_return;
	volatile bool done = false;
	sigjmp_buf here;

	if (!sigsetjmp(here, 0)) {
		fault_return = &here;
		copy(to, from, size);
		done = true;
	}
	fault_return = outer;

	return done;
}

static unsigned char *scratch(void)
{
	return (unsigned char *)SCRATCH + this_thread * SCRATCH_SIZE;
}

/* Each argument has two pages, followed by an inaccessible one. */
void *place(unsigned int area, const void *data, size_t size, uint64_t where)
{
	unsigned char *start = scratch() + area * 3 * PAGE_4K;
	unsigned char *end = start + 2 * PAGE_4K;
	unsigned char *at;

	if (where >= PLACE_END) {
		at = (unsigned char *)(uintptr_t)where;
		try_copy(at, data, size);
		return at;
	}

	if (size > 2 * PAGE_4K - sizeof(uint64_t))
		size = 2 * PAGE_4K - sizeof(uint64_t);
	at = where == PLACE_PLAIN	? start
	     : where == PLACE_UNALIGNED ? start + 1
					: end - size;
	if (where == PLACE_PAST_END) {
		memcpy(at + 4, data, size < 4 ? 0 : size - 4);
		return at + 4;
	}
	memcpy(at, data, size);

	return at;
}

unsigned char *record_room(void)
{
	return scratch() + SCRATCH_SIZE - PAGE_4K - RECORD_ROOM;
}

static void *map(uintptr_t at, size_t size, int protection, int flags, int fd)
{
	void *mapped =
		mmap((void *)at, size, protection, flags | MAP_FIXED, fd, 0);

	if (mapped == MAP_FAILED)
		_exit(HARNESS_USAGE);

	return mapped;
}

static void map_area(enum area area, size_t pages, int protection, int flags,
		     int fd)
{
	map(AREAS + area * AREA_SIZE, pages * PAGE_4K, protection, flags, fd);
}

static void map_scratch(unsigned int thread)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	uintptr_t at = SCRATCH + thread * SCRATCH_SIZE;
	unsigned int argument;

	map(at, SCRATCH_SIZE, PROT_READ | PROT_WRITE, flags, -1);
	for (argument = 0; argument < 3; argument++)
		map(at + (argument * 3 + 2) * PAGE_4K, PAGE_4K, PROT_NONE,
		    flags, -1);
	map(at + SCRATCH_SIZE - PAGE_4K, PAGE_4K, PROT_NONE, flags, -1);
}

static void map_all(void)
{
	const int rw = PROT_READ | PROT_WRITE;
	const int own = MAP_PRIVATE | MAP_ANONYMOUS;
	unsigned int thread;

	for (thread = 0; thread < THREADS; thread++)
		map_scratch(thread);
	map_area(AREA_PRIVATE, AREA_PAGES, rw, own, -1);
	map_area(AREA_SHARED, AREA_PAGES, rw, MAP_SHARED | MAP_ANONYMOUS, -1);
	map_area(AREA_FILE, AREA_PAGES, rw, MAP_SHARED, FD_MEMORY);
	map_area(AREA_FILE_PRIVATE, AREA_PAGES, rw, MAP_PRIVATE, FD_MEMORY);
	map_area(AREA_READ_ONLY, AREA_PAGES, PROT_READ, own, -1);
	map_area(AREA_CLOSED, AREA_PAGES, PROT_NONE, own, -1);
	map_area(AREA_HUGE, 2 * AREA_SIZE / PAGE_4K, rw, own, -1);
	/* Fails on kernels without transparent huge pages. */
	madvise((void *)(AREAS + AREA_HUGE * AREA_SIZE), 2 * AREA_SIZE,
		MADV_HUGEPAGE);
}

/* --- signals -------------------------------------------------------------- */

static void on_fault(int signal)
{
	if (fault_return)
		siglongjmp(*fault_return, signal);
	_exit(HARNESS_FAIL);
}

static void on_interrupt(int signal)
{
	(void)signal;
}

static void catch_signals(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	static const int interrupts[] = { SIGALRM, SIGUSR1, SIGIO, SIGXFSZ,
					  SIGPIPE };
	struct sigaction action = { .sa_handler = on_fault,
				    .sa_flags = SA_NODEFER };
	sigset_t none;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faults); i++)
		sigaction(faults[i], &action, NULL);
	action.sa_handler = on_interrupt;
	action.sa_flags = 0;
	for (i = 0; i < ARRAY_SIZE(interrupts); i++)
		sigaction(interrupts[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* --- threads -------------------------------------------------------------- */

static void run_operation(const struct operation *operation)
{
	volatile unsigned int left = operation->times;
	sigjmp_buf here;

	this_kind = operation->kind;
	while (left--) {
		fault_return = &here;
		__atomic_fetch_add(&shared->runs[this_kind], 1,
				   __ATOMIC_RELAXED);
		if (!sigsetjmp(here, 0))
			kinds[operation->kind].run(operation);
	}
	fault_return = NULL;
}

static void run_range(unsigned int at, unsigned int end)
{
	for (; at < end; at++) {
		if (running.operations[at].thread != this_thread)
			continue;
		this_operation = at;
		run_operation(&running.operations[at]);
	}
}

void execute_rest(void)
{
	sigjmp_buf *outer = fault_return;
	unsigned int at = this_operation, kind = this_kind;

	run_range(at + 1, running.count);
	fault_return = outer;
	this_operation = at;
	this_kind = kind;
}

void execute_as_child(void)
{
	is_child = true;
	coverage_start_task();
}

static void *run_thread(void *number)
{
	this_thread = (uintptr_t)number;
	coverage_start_task();
	pthread_barrier_wait(&ready);
	run_range(0, running.count);
	if (is_child)
		_exit(HARNESS_PASS);

	return NULL;
}

static void limit(int what, rlim_t most)
{
	const struct rlimit limit = { .rlim_cur = most, .rlim_max = most };

	setrlimit(what, &limit);
}

static void prepare_process(void)
{
	limit(RLIMIT_FSIZE, FILE_MAX);
	limit(RLIMIT_NOFILE, DESCRIPTORS_MAX);
	limit(RLIMIT_CORE, 0);
	catch_signals();
	map_all();
}

/*
 * Programs with an even number of operations exit while their children run,
 * which kills the children; the others wait for them for a limited time.
 */
static void wait_for_children(void)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	int tries = running.count & 1 ? CHILDREN_TRIES : 0;

	while (tries-- && waitpid(-1, NULL, WNOHANG) >= 0)
		nanosleep(&pause, NULL);
}

static unsigned int first_of_other_threads(void)
{
	unsigned int at = 0;

	while (at < running.count && !running.operations[at].thread)
		at++;

	return at;
}

/*
 * Operations of the first thread that precede all operations of other threads
 * run before those threads are started.
 */
static void run_threads(void)
{
	unsigned int count = program_threads(&running), i;
	unsigned int first = first_of_other_threads();
	pthread_t threads[THREADS];

	coverage_start_task();
	run_range(0, first);
	if (is_child) {
		run_range(first, running.count);
		return;
	}
	if (pthread_barrier_init(&ready, NULL, count))
		_exit(HARNESS_USAGE);
	for (i = 1; i < count; i++)
		if (pthread_create(&threads[i], NULL, run_thread,
				   (void *)(uintptr_t)i))
			_exit(HARNESS_USAGE);
	pthread_barrier_wait(&ready);
	run_range(first, running.count);
	if (is_child)
		return;
	for (i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	wait_for_children();
}

/* --- exec ----------------------------------------------------------------- */

void execute_exec(void)
{
	char thread[16], at[16];
	char *const arguments[] = { "syscalls", RESUME, thread, at, NULL };
	char *const environment[] = { NULL };

	snprintf(thread, sizeof(thread), "%u", this_thread);
	snprintf(at, sizeof(at), "%u", this_operation + 1);
	count_call(execve("/proc/self/exe", arguments, environment));
}

static char *read_program(void)
{
	static char text[OPERATIONS_MAX * (TEXT_MAX + 256) * 4];
	ssize_t size = pread(FD_PROGRAM, text, sizeof(text) - 1, 0);

	return size > 0 ? text : NULL;
}

static bool map_shared(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      FD_SHARED, 0);

	return shared != MAP_FAILED;
}

void execute_resume(const char *thread, const char *at)
{
	const char *text = read_program();

	if (!text || !map_shared() || program_read(&running, &text))
		_exit(HARNESS_USAGE);
	prepare_process();
	this_thread = strtoul(thread, NULL, 10) % THREADS;
	run_range(strtoul(at, NULL, 10), running.count);
	_exit(HARNESS_PASS);
}

/* --- fuzzer --------------------------------------------------------------- */

/* Makes an unnamed file that exec() inherits with a fixed descriptor. */
static bool make_file(const char *name, int number, off_t size)
{
	int fd = memfd_create(name, 0);
	bool made = fd >= 0 && !ftruncate(fd, size) && dup2(fd, number) >= 0;

	if (fd >= 0)
		close(fd);

	return made;
}

bool execute_prepare(void)
{
	if (make_file("memory", FD_MEMORY, AREA_PAGES / 2 * PAGE_4K) &&
	    make_file("program", FD_PROGRAM, 0) &&
	    make_file("shared", FD_SHARED, sizeof(*shared)) && map_shared())
		return true;
	harness_note("cannot create shared memory: %s", harness_errno(errno));

	return false;
}

static void reset_shared(const char *text)
{
	size_t size = strlen(text);

	shared->processes = 0;
	shared->traces = 0;
	memset(shared->children, 0, sizeof(shared->children));
	if (ftruncate(FD_MEMORY, AREA_PAGES / 2 * PAGE_4K) ||
	    ftruncate(FD_PROGRAM, 0) ||
	    pwrite(FD_PROGRAM, text, size, 0) != (ssize_t)size)
		harness_note("cannot write the program to its file: %s",
			     harness_errno(errno));
}

bool execute_program(const struct program *program, const char *text,
		     unsigned int seconds)
{
	pid_t child;

	reset_shared(text);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		setpgid(0, 0);
		program_copy(&running, program);
		prepare_process();
		run_threads();
		_exit(HARNESS_PASS);
	}
	if (child < 0) {
		harness_note("fork: %s", harness_errno(errno));
		return false;
	}
	setpgid(child, child);

	return harness_wait_group(child, seconds) != -1;
}
