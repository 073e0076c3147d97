// SPDX-License-Identifier: GPL-2.0-only
/*
 * Enablers belong to the memory of a process: threads share them, child
 * processes get copies, and they are removed when the memory is released.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define STACK 65536
#define MEMORY_KINDS 3

/* --- synchronization of processes --- */

/*
 * struct steps - synchronization of a child with its parent
 * @up: the child writes a byte when it has reached a step
 * @down: the parent writes a byte to let the child continue
 */
struct steps {
	int up[2];
	int down[2];
};

static struct steps make_steps(void)
{
	struct steps steps;

	ASSERT_OK(pipe(steps.up));
	ASSERT_OK(pipe(steps.down));

	return steps;
}

static void send_byte(int fd)
{
	ASSERT_EQ(write(fd, "x", 1), 1);
}

static void receive_byte(int fd)
{
	char byte;

	ASSERT_EQ(read(fd, &byte, 1), 1);
}

/* Called by the child: reports a step and waits for the parent. */
static void step(struct steps *steps)
{
	send_byte(steps->up[1]);
	receive_byte(steps->down[0]);
}

static void pause_forever(void)
{
	while (true)
		pause();
}

/* --- fork --- */

TEST(child_inherits_enablers)
{
	struct steps steps = make_steps();
	const char *event = uniq("e");
	int fd = data_open();
	volatile uint32_t word = 0;
	pid_t child;

	must_reg_word(fd, event, &word, 31);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		step(&steps);
		wait_value(&word, 1U << 31);
		/* This is the child's own copy of the word. */
		word |= 1;
		step(&steps);
		wait_value(&word, 1);
		EXPECT_ERRNO(reg_word(fd, event, &word, 31), EADDRINUSE);
		EXPECT_OK(unreg(fd, &word, 31));
		EXPECT_ERRNO(unreg(fd, &word, 31), ENOENT);
		step(&steps);
		EXPECT_EQ(word, 1);
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	enable(event, true);
	wait_value(&word, 1U << 31);
	send_byte(steps.down[1]);
	receive_byte(steps.up[0]);
	wait_value(&word, 1U << 31);
	enable(event, false);
	wait_value(&word, 0);
	send_byte(steps.down[1]);
	receive_byte(steps.up[0]);
	enable(event, true);
	wait_value(&word, 1U << 31);
	send_byte(steps.down[1]);
	wait_child(child);
	enable(event, false);
	wait_value(&word, 0);
	EXPECT_OK(unreg(fd, &word, 31));
}

/*
 * A page that is shared since a fork is copied by the process whose word is
 * written, before it reads the word, for every kind of private memory.
 */
TEST(pages_shared_since_fork_are_copied)
{
	static volatile uint32_t in_data = 1U << 30;
	volatile uint32_t on_stack = 1U << 30;
	struct steps steps = make_steps();
	const char *event = uniq("e");
	volatile uint32_t *words[MEMORY_KINDS];
	int fd = data_open();
	pid_t child;
	size_t i;

	words[0] = &in_data;
	words[1] = &on_stack;
	words[2] = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(words[2] != MAP_FAILED);
	for (i = 0; i < MEMORY_KINDS; i++) {
		*words[i] = 1U << 30;
		must_reg_word(fd, event, words[i], 2);
	}
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		step(&steps);
		for (i = 0; i < MEMORY_KINDS; i++)
			EXPECT_EQ(*words[i], 1U << 30 | 4);
		step(&steps);
		for (i = 0; i < MEMORY_KINDS; i++)
			EXPECT_EQ(*words[i], 1U << 30);
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	enable(event, true);
	for (i = 0; i < MEMORY_KINDS; i++)
		EXPECT_EQ(*words[i], 1U << 30 | 4);
	send_byte(steps.down[1]);
	receive_byte(steps.up[0]);
	enable(event, false);
	for (i = 0; i < MEMORY_KINDS; i++)
		EXPECT_EQ(*words[i], 1U << 30);
	send_byte(steps.down[1]);
	wait_child(child);
}

/* Changes of the parent's enablers do not affect the child. */
TEST(child_keeps_enabler_unregistered_by_parent)
{
	struct steps steps = make_steps();
	const char *event = uniq("e");
	int fd = data_open();
	volatile uint32_t word = 0;
	pid_t child;

	must_reg_word(fd, event, &word, 0);
	enable(event, true);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		step(&steps);
		wait_value(&word, 1);
		step(&steps);
		wait_value(&word, 0);
		EXPECT_OK(unreg(fd, &word, 0));
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_EQ(word, 0);
	EXPECT_OK(reg_word(fd, event, &word, 7));
	EXPECT_EQ(word, 1 << 7);
	send_byte(steps.down[1]);
	receive_byte(steps.up[0]);
	enable(event, false);
	send_byte(steps.down[1]);
	wait_child(child);
}

TEST(child_holds_event_reference)
{
	const char *event = uniq("e");
	pid_t child, grandchild;
	int ends[2];
	char byte;

	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		volatile uint32_t word = 0;
		int fd = data_open();

		must_reg_word(fd, event, &word, 0);
		close(fd);
		grandchild = fork();
		ASSERT_OK(grandchild);
		if (!grandchild) {
			close(ends[0]);
			wait_value(&word, 1);
			ASSERT_EQ(write(ends[1], "x", 1), 1);
			pause_forever();
		}
		ASSERT_EQ(write(ends[1], &grandchild, sizeof(grandchild)),
			  (int)sizeof(grandchild));
		_exit(harness_failed());
	}
	ASSERT_EQ(read(ends[0], &grandchild, sizeof(grandchild)),
		  (int)sizeof(grandchild));
	wait_child(child);
	enable(event, true);
	ASSERT_EQ(read(ends[0], &byte, 1), 1);
	enable(event, false);
	EXPECT_TRUE(status_line(event));
	kill(grandchild, SIGKILL);
	wait_deleted(event);
}

/* --- threads --- */

struct thread {
	pthread_t thread;
	pthread_barrier_t barrier;
	int fd;
	const char *event;
	volatile uint32_t *word;
};

static void thread_start(struct thread *thread, void *(*run)(void *))
{
	ASSERT_EQ(pthread_barrier_init(&thread->barrier, NULL, 2), 0);
	ASSERT_EQ(pthread_create(&thread->thread, NULL, run, thread), 0);
}

static void *run_older_thread(void *data)
{
	struct thread *thread = data;

	pthread_barrier_wait(&thread->barrier);
	EXPECT_ERRNO(reg_word(thread->fd, thread->event, thread->word, 3),
		     EADDRINUSE);
	if (in_child()) {
		EXPECT_ERRNO(reg_word(thread->fd, thread->event, thread->word,
				      3),
			     EADDRINUSE);
		enable(thread->event, true);
		wait_value(thread->word, 8);
		enable(thread->event, false);
		wait_value(thread->word, 0);
		end_child();
	}
	EXPECT_OK(unreg(thread->fd, thread->word, 3));

	return NULL;
}

TEST(older_threads_share_enablers)
{
	volatile uint32_t word = 0;
	struct thread thread = {
		.fd = data_open(),
		.event = uniq("e"),
		.word = &word,
	};

	thread_start(&thread, run_older_thread);
	must_reg_word(thread.fd, thread.event, &word, 3);
	pthread_barrier_wait(&thread.barrier);
	pthread_join(thread.thread, NULL);
	EXPECT_ERRNO(unreg(thread.fd, &word, 3), ENOENT);
}

static void *register_and_exit(void *data)
{
	struct thread *thread = data;

	must_reg_word(thread->fd, thread->event, thread->word, 3);

	return NULL;
}

TEST(enabler_survives_registering_thread)
{
	volatile uint32_t word = 0;
	struct thread thread = {
		.fd = data_open(),
		.event = uniq("e"),
		.word = &word,
	};

	thread_start(&thread, register_and_exit);
	pthread_join(thread.thread, NULL);
	enable(thread.event, true);
	EXPECT_EQ(word, 8);
	EXPECT_ERRNO(reg_word(thread.fd, thread.event, &word, 3), EADDRINUSE);
	enable(thread.event, false);
	EXPECT_EQ(word, 0);
	EXPECT_OK(unreg(thread.fd, &word, 3));
}

static void *return_at_once(void *data)
{
	return data;
}

/* A thread is not a child, which would have enablers of its own. */
TEST(new_thread_inherits_nothing)
{
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	int fd = data_open();
	pthread_t thread;

	must_reg_word(fd, event, &word, 3);
	ASSERT_EQ(pthread_create(&thread, NULL, return_at_once, NULL), 0);
	pthread_join(thread, NULL);
	EXPECT_OK(unreg(fd, &word, 3));
	enable(event, true);
	EXPECT_EQ(word, 0);
	enable(event, false);
	close(fd);
	wait_deleted(event);
}

static pthread_t main_thread;

static void *outlive_main(void *data)
{
	struct thread *thread = data;

	pthread_join(main_thread, NULL);
	enable(thread->event, true);
	EXPECT_EQ(*thread->word, 8);
	enable(thread->event, false);
	EXPECT_EQ(*thread->word, 0);
	EXPECT_OK(unreg(thread->fd, thread->word, 3));
	_exit(harness_failed());
}

TEST(enabler_survives_main_thread)
{
	static volatile uint32_t word;
	static struct thread thread;
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		thread.fd = data_open();
		thread.event = uniq("e");
		thread.word = &word;
		main_thread = pthread_self();
		must_reg_word(thread.fd, thread.event, &word, 3);
		thread_start(&thread, outlive_main);
		pthread_exit(NULL);
	}
	wait_child(child);
}

/* --- processes that share memory --- */

static int shares_memory(void *data)
{
	struct thread *thread = data;

	if (reg_word(thread->fd, thread->event, thread->word, 3) != -1 ||
	    errno != EADDRINUSE)
		return 1;
	if (reg_word(thread->fd, thread->event, thread->word, 4) < 0)
		return 2;
	if (unreg(thread->fd, thread->word, 3))
		return 3;

	return 0;
}

static void run_sharing(int flags)
{
	volatile uint32_t word = 0;
	struct thread thread = {
		.fd = data_open(),
		.event = uniq("e"),
		.word = &word,
	};
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t child;

	ASSERT_TRUE(stack != MAP_FAILED);
	must_reg_word(thread.fd, thread.event, &word, 3);
	enable(thread.event, true);
	EXPECT_EQ(word, 8);
	child = clone(shares_memory, stack + STACK, flags | SIGCHLD, &thread);
	/* The child uses the same errno, which ASSERT_OK() would change. */
	ASSERT_GE(child, 0);
	wait_child(child);
	/* The child has exited, but the memory still exists. */
	EXPECT_EQ(word, 16);
	enable(thread.event, false);
	EXPECT_EQ(word, 0);
	enable(thread.event, true);
	EXPECT_EQ(word, 16);
	enable(thread.event, false);
	EXPECT_ERRNO(unreg(thread.fd, &word, 3), ENOENT);
	EXPECT_OK(unreg(thread.fd, &word, 4));
}

TEST(shared_memory_shares_enablers)
{
	run_sharing(CLONE_VM);
}

TEST(vfork_shares_enablers)
{
	run_sharing(CLONE_VM | CLONE_VFORK);
}

/* --- exec and exit --- */

/* Starts a child that registers an enabler, reports it and then calls @then. */
static pid_t registered_child(const char *event, void (*then)(void))
{
	struct steps steps = make_steps();
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		static volatile uint32_t word;

		must_reg_word(data_open(), event, &word, 0);
		step(&steps);
		then();
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	EXPECT_TRUE(status_line(event));
	send_byte(steps.down[1]);
	close(steps.up[0]);
	close(steps.up[1]);
	close(steps.down[0]);
	close(steps.down[1]);

	return child;
}

static int exec_input[2];

static void exec_shell(void)
{
	dup2(exec_input[0], STDIN_FILENO);
	close(exec_input[1]);
	execl("/bin/sh", "sh", "-c", "read x", NULL);
	_exit(1);
}

/* exec() replaces the memory, although the process stays the same. */
TEST(exec_removes_enablers)
{
	const char *event = uniq("e");
	pid_t child;

	ASSERT_OK(pipe(exec_input));
	child = registered_child(event, exec_shell);
	wait_deleted(event);
	EXPECT_OK(kill(child, 0));
	EXPECT_EQ(waitpid(child, NULL, WNOHANG), 0);
	ASSERT_EQ(write(exec_input[1], "x\n", 2), 2);
	wait_child(child);
}

static void return_normally(void)
{
}

static void *pause_thread(void *data)
{
	pause_forever();
	return data;
}

static void exit_with_threads(void)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, pause_thread, NULL);
	_exit(0);
}

static void fault(void)
{
	volatile int *page =
		mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*page = 0;
}

TEST(every_kind_of_exit_removes_enablers)
{
	static const struct {
		const char *what;
		void (*then)(void);
		bool kill;
	} cases[] = {
		{ "exit", return_normally, false },
		{ "exit with threads", exit_with_threads, false },
		{ "killed", pause_forever, true },
		{ "page fault", fault, false },
		{ "abort", abort, false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *event = uniq(text("%zu", i));
		pid_t child;

		harness_context("%s", cases[i].what);
		child = registered_child(event, cases[i].then);
		if (cases[i].kill)
			kill(child, SIGKILL);
		ASSERT_EQ(waitpid(child, NULL, 0), child);
		wait_deleted(event);
	}
}

/* --- file descriptors received from another process --- */

/* The collector opens the file, passes it on and closes it. */
TEST(passed_descriptor_registers_and_writes)
{
	struct steps steps = make_steps();
	const char *event = uniq("e");
	int sockets[2], fd;
	pid_t child;

	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		static volatile uint32_t word;
		unsigned int index;

		become_user(1000);
		fd = receive_fd(sockets[1]);
		step(&steps);
		index = must_reg_word(fd, text("%s u32 a", event), &word, 31);
		EXPECT_EQ(emit(fd, index, "\1\2\3\4", 4), -1);
		EXPECT_EQ(errno, EBADF);
		step(&steps);
		EXPECT_EQ(word, 1U << 31);
		EXPECT_EQ(emit(fd, index, "\1\2\3\4", 4), 8);
		step(&steps);
		EXPECT_EQ(word, 0);
		EXPECT_OK(unreg(fd, &word, 31));
		_exit(harness_failed());
	}
	fd = data_open();
	send_fd(sockets[0], fd);
	receive_byte(steps.up[0]);
	close(fd);
	send_byte(steps.down[1]);
	receive_byte(steps.up[0]);
	enable(event, true);
	send_byte(steps.down[1]);
	receive_byte(steps.up[0]);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
	enable(event, false);
	send_byte(steps.down[1]);
	wait_child(child);
	wait_deleted(event);
}

/* Indexes belong to the file, enablers to the process. */
TEST(processes_with_one_file_have_own_enablers)
{
	struct steps steps = make_steps();
	static volatile uint32_t word;
	int fd = data_open();
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		step(&steps);
		/* The same address in another memory. */
		EXPECT_EQ(reg_word(fd, uniq("b"), &word, 0), 1);
		EXPECT_ERRNO(emit(fd, 0, NULL, 0), EBADF);
		step(&steps);
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	EXPECT_EQ(reg_word(fd, uniq("a"), &word, 0), 0);
	send_byte(steps.down[1]);
	receive_byte(steps.up[0]);
	EXPECT_OK(unreg(fd, &word, 0));
	send_byte(steps.down[1]);
	wait_child(child);
}

/* --- unprivileged processes --- */

TEST(unprivileged_process_registers_and_cannot_delete)
{
	const char *event = uniq("e");
	const char *roots = uniq("roots");
	const char *persistent = uniq("persistent");
	int fd = data_open();
	int spare = data_open();
	uint32_t word = 0;

	must_reg(spare, roots);
	close(spare);
	spare = data_open();
	EXPECT_OK(reg_enabler(spare, persistent, &word, 4, 9,
			      USER_EVENT_REG_PERSIST));
	EXPECT_OK(unreg(spare, &word, 9));
	close(spare);

	if (in_child()) {
		become_user(1000);
		EXPECT_ERRNO(reg_enabler(fd, event, &word, 4, 0,
					 USER_EVENT_REG_PERSIST),
			     EPERM);
		EXPECT_EQ(reg_word(fd, text("%s u32 a", event), &word, 0), 0);
		EXPECT_EQ(reg_enabler(fd, text("%s u8 b", event), &word, 4, 1,
				      USER_EVENT_REG_MULTI_FORMAT),
			  1);
		/* Also if the event exists. */
		EXPECT_ERRNO(reg_enabler(fd, persistent, &word, 4, 2,
					 USER_EVENT_REG_PERSIST),
			     EPERM);
		EXPECT_ERRNO(emit(fd, 0, "\1\2\3\4", 4), EBADF);
		EXPECT_OK(unreg(fd, &word, 0));
		EXPECT_OK(unreg(fd, &word, 1));
		EXPECT_ERRNO(del(fd, roots), EPERM);
		EXPECT_ERRNO(del(fd, persistent), EPERM);
		end_child();
	}
	close(fd);
	EXPECT_FALSE(status_line(event));
	EXPECT_TRUE(status_line(roots));
	EXPECT_OK(del_event(roots));
	EXPECT_OK(del_event(persistent));
}

/* --- slow page faults --- */

static void serve_page_fault(int uffd, volatile uint32_t *page)
{
	wait_for_page_faults(uffd, 1);
	resolve_page_faults(uffd, page, PAGE);
}

TEST(slow_page_fault_delays_no_tracer)
{
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	int fd = data_open();
	int uffd;

	must_reg_word(fd, event, page, 0);
	must_reg_word(fd, event, &word, 0);
	ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	uffd = userfault_start(page, PAGE, 0);
	enable(event, true);
	EXPECT_EQ(word, 1);
	must_reg_word(fd, uniq("other"), &word, 1);
	enable(uniq("other"), true);
	EXPECT_EQ(word, 3);
	enable(uniq("other"), false);
	resolve_page_faults(uffd, page, PAGE);
	wait_value(page, 1);
	enable(event, false);
	EXPECT_EQ(*page, 0);
	EXPECT_EQ(word, 0);
}

/*
 * A process checks its pages in the order of addresses. It does not wait for the
 * first one, whose page faults it serves itself.
 */
static void check_page_that_is_not_served(uint64_t features)
{
	volatile uint32_t *slow = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile uint32_t *next = slow + PAGE / sizeof(*slow);
	const char *event = uniq("e");
	int fd = data_open();
	int uffd;

	ASSERT_TRUE((void *)slow != MAP_FAILED);
	must_reg_word(fd, event, slow, 0);
	must_reg_word(fd, event, next, 0);
	ASSERT_OK(madvise((void *)slow, 2 * PAGE, MADV_DONTNEED));
	uffd = userfault_start(slow, PAGE, features);
	enable(event, true);
	EXPECT_EQ(*next, 1);
	ASSERT_OK(madvise((void *)next, PAGE, MADV_DONTNEED));
	enable(event, false);
	enable(event, true);
	EXPECT_EQ(*next, 1);
	resolve_page_faults(uffd, slow, PAGE);
	wait_value(slow, 1);
	enable(event, false);
	EXPECT_EQ(slow[0] | next[0], 0);
	close(uffd);
	EXPECT_OK(unreg(fd, slow, 0));
	EXPECT_OK(unreg(fd, next, 0));
	close(fd);
	munmap((void *)slow, 2 * PAGE);
}

TEST(page_is_updated_although_another_one_is_not_served)
{
	check_page_that_is_not_served(0);
}

/* The userfaultfd refuses page faults of the kernel. */
TEST(page_is_updated_after_page_faults_that_cause_sigbus)
{
	check_page_that_is_not_served(UFFD_FEATURE_SIGBUS);
}

TEST(slow_registration_delays_no_other)
{
	volatile uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct thread thread = {
		.fd = data_open(),
		.event = uniq("e"),
		.word = page,
	};
	volatile uint32_t word = 0;
	int uffd;

	ASSERT_TRUE((void *)page != MAP_FAILED);
	uffd = userfault_start(page, PAGE, 0);
	thread_start(&thread, register_and_exit);
	must_reg_word(thread.fd, uniq("other"), &word, 1);
	enable(uniq("other"), true);
	EXPECT_EQ(word, 2);
	enable(uniq("other"), false);
	serve_page_fault(uffd, page);
	pthread_join(thread.thread, NULL);
	enable(thread.event, true);
	EXPECT_EQ(*page, 8);
	enable(thread.event, false);
}

/*
 * struct racers - two threads that race to do the same operation
 * @event, @fd, @word: arguments of the operation
 * @operation: returns a value that is not negative, or -1 with errno
 * @error: errno of the operation for the second thread
 * @done: number of threads that succeeded
 * @failed: number of threads that failed with @error
 */
struct racers {
	const char *event;
	int fd;
	volatile uint32_t *word;
	int (*operation)(struct racers *racers);
	int error;
	unsigned int done;
	unsigned int failed;
};

static int do_register(struct racers *racers)
{
	return reg_word(racers->fd, racers->event, racers->word, 0);
}

static int do_unregister(struct racers *racers)
{
	return unreg(racers->fd, racers->word, 0);
}

static void *run_racer(void *data)
{
	struct racers *racers = data;

	if (racers->operation(racers) >= 0)
		__atomic_add_fetch(&racers->done, 1, __ATOMIC_RELEASE);
	else if (errno == racers->error)
		__atomic_add_fetch(&racers->failed, 1, __ATOMIC_RELEASE);

	return NULL;
}

/* Both threads wait for the page, after all earlier checks. */
static void check_racers(struct racers *racers, int uffd)
{
	pthread_t threads[2];
	size_t i;

	racers->done = 0;
	racers->failed = 0;
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ASSERT_EQ(pthread_create(&threads[i], NULL, run_racer, racers),
			  0);
	wait_for_page_faults(uffd, 2);
	resolve_page_faults(uffd, racers->word, PAGE);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(racers->done, 1);
	EXPECT_EQ(racers->failed, 1);
}

/* Both threads pass the first checks, and the second one must fail. */
TEST(concurrent_registration_of_a_bit_fails_once)
{
	volatile uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct racers racers = {
		.event = uniq("e"),
		.fd = data_open(),
		.word = page,
	};
	volatile uint32_t word = 0;
	int others, uffd;

	ASSERT_TRUE((void *)page != MAP_FAILED);
	uffd = userfault_start(page, PAGE, 0);
	for (others = 0; others < 2; others++) {
		harness_context(others ? "with another enabler" : "alone");
		if (others)
			must_reg_word(racers.fd, uniq("other"), &word, 0);
		racers.operation = do_register;
		racers.error = EADDRINUSE;
		check_racers(&racers, uffd);
		enable(racers.event, true);
		EXPECT_EQ(*page, 1);
		enable(racers.event, false);
		ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
		racers.operation = do_unregister;
		racers.error = ENOENT;
		check_racers(&racers, uffd);
		EXPECT_EQ(*page, 0);
		ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	}
	enable(uniq("other"), true);
	EXPECT_EQ(word, 1);
	enable(uniq("other"), false);
}

/*
 * The work item that writes the bit finds it unregistered, or registered anew.
 */
static void unregister_during_page_fault(const char *event, bool with_other,
					 bool again)
{
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	volatile unsigned long *other = (volatile unsigned long *)page;
	volatile uint32_t word = 0;
	int fd = data_open();
	int uffd;

	must_reg_word(fd, event, page, 0);
	if (with_other)
		must_reg_word(fd, event, &word, 0);
	ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	uffd = userfault_start(page, PAGE, 0);
	enable(event, true);
	/* The word is yet to be written. Replace the page. */
	ASSERT_TRUE(mmap((void *)page, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			 0) == page);
	EXPECT_OK(unreg(fd, page, 0));
	if (again)
		EXPECT_EQ(reg_enabler(fd, event, page, sizeof(*other), 0, 0),
			  0);
	close(uffd);
	EXPECT_EQ(*other, again);
	EXPECT_EQ(word, with_other);
	enable(event, false);
	wait_value(page, 0);
	EXPECT_EQ(word, 0);
	if (again)
		EXPECT_OK(unreg(fd, page, 0));
	if (with_other)
		EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	wait_deleted(event);
	EXPECT_EQ(page[0], 0);
	EXPECT_EQ(page[1], 0);
}

TEST(unregistered_bit_is_not_written_after_page_fault)
{
	harness_context("alone");
	unregister_during_page_fault(uniq("a"), false, false);
	harness_context("with another enabler");
	unregister_during_page_fault(uniq("b"), true, false);
	harness_context("with another enabler, registered anew");
	unregister_during_page_fault(uniq("c"), true, true);
}

struct memory_reader {
	int memory;
	const volatile uint32_t *at;
	volatile uint32_t *page;
};

static void *read_memory(void *data)
{
	struct memory_reader *reader = data;

	EXPECT_EQ(pread(reader->memory, (void *)reader->page, 4,
			(uintptr_t)reader->at),
		  4);

	return NULL;
}

/* Longer than the module polls frequently for the exit of a process. */
#define RARE_POLL_S 4

/*
 * A reader of /proc/PID/mem keeps the memory of a process after the exit, here
 * until the module polls rarely.
 */
TEST(event_is_deleted_after_last_reader_of_memory)
{
	volatile uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static volatile uint32_t word;
	struct memory_reader reader = { .at = &word, .page = page };
	struct steps steps = make_steps();
	const char *event = uniq("e");
	pthread_t thread;
	pid_t child;
	int uffd;

	ASSERT_TRUE((void *)page != MAP_FAILED);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		must_reg_word(data_open(), event, &word, 0);
		send_byte(steps.up[1]);
		pause_forever();
	}
	receive_byte(steps.up[0]);
	reader.memory = open(text("/proc/%d/mem", child), O_RDONLY | O_CLOEXEC);
	ASSERT_OK(reader.memory);
	uffd = userfault_start(page, PAGE, 0);
	ASSERT_EQ(pthread_create(&thread, NULL, read_memory, &reader), 0);
	wait_for_page_faults(uffd, 1);
	kill_child(child);
	sleep(RARE_POLL_S);
	EXPECT_TRUE(status_line(event));
	resolve_page_faults(uffd, page, PAGE);
	pthread_join(thread, NULL);
	wait_deleted(event);
}

/* --- races --- */

#define ROUNDS 300

/* Enables and disables an event until it is killed. */
static pid_t start_toggling(const char *event)
{
	pid_t child = fork();

	ASSERT_OK(child);
	if (child)
		return child;

	while (true) {
		if (tfs_write("1", "events/user_events/%s/enable", event) ||
		    tfs_write("0", "events/user_events/%s/enable", event))
			_exit(1);
	}
}

static void stop_toggling(pid_t child, const char *event)
{
	kill_child(child);
	tfs_write("0", "events/user_events/%s/enable", event);
}

struct loop {
	pthread_t thread;
	const char *event;
	int fd;
	bool stop;
	volatile uint32_t word;
};

static void *unregister_loop(void *data)
{
	struct loop *loop = data;

	while (!__atomic_load_n(&loop->stop, __ATOMIC_ACQUIRE)) {
		EXPECT_OK(reg_word(loop->fd, loop->event, &loop->word, 5));
		EXPECT_OK(unreg(loop->fd, &loop->word, 5));
	}

	return NULL;
}

TEST(fork_races_with_unregister)
{
	static struct loop loop;
	unsigned int rounds = harness_rounds(ROUNDS), round;

	loop.event = uniq("e");
	loop.fd = data_open();
	must_reg_word(loop.fd, loop.event, &loop.word, 1);
	ASSERT_EQ(pthread_create(&loop.thread, NULL, unregister_loop, &loop),
		  0);
	for (round = 0; round < rounds; round++) {
		pid_t child = fork();

		ASSERT_OK(child);
		if (!child) {
			int done = unreg(loop.fd, &loop.word, 5);

			if (done && errno != ENOENT)
				_exit(1);
			_exit(unreg(loop.fd, &loop.word, 1) ? 2 : 0);
		}
		wait_child(child);
	}
	__atomic_store_n(&loop.stop, true, __ATOMIC_RELEASE);
	pthread_join(loop.thread, NULL);
	EXPECT_OK(unreg(loop.fd, &loop.word, 1));
}

/* The child's bit has the current state in the end, whenever it is forked. */
TEST(fork_races_with_enabling)
{
	const char *event = uniq("e");
	static volatile uint32_t word;
	pid_t children[40], toggles;
	int fd = data_open();
	int go[2];
	size_t i;

	ASSERT_OK(pipe(go));
	must_reg_word(fd, event, &word, 0);
	toggles = start_toggling(event);
	for (i = 0; i < ARRAY_SIZE(children); i++) {
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i]) {
			char byte;

			close(go[1]);
			if (read(go[0], &byte, 1))
				_exit(1);
			wait_value(&word, i % 2);
			_exit(harness_failed());
		}
		usleep(i * 10 % 300);
	}
	stop_toggling(toggles, event);
	enable(event, false);
	wait_value(&word, 0);
	enable(event, true);
	wait_value(&word, 1);
	for (i = 0; i < ARRAY_SIZE(children); i += 2)
		kill_child(children[i]);
	close(go[1]);
	for (i = 1; i < ARRAY_SIZE(children); i += 2)
		wait_child(children[i]);
	enable(event, false);
	wait_value(&word, 0);
}

/*
 * A fork with this many mappings takes a while, during which the memory is
 * locked. If fewer mappings are sufficient, more only take time.
 */
#define MAPPINGS_MAX 16384
#define SLOW_FORK_NS 10000000LL

static void *fork_loop(void *data)
{
	struct loop *loop = data;

	while (!__atomic_load_n(&loop->stop, __ATOMIC_ACQUIRE)) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		ASSERT_OK(child);
		wait_child(child);
	}

	return NULL;
}

static bool is_fork_slow(void)
{
	struct timespec start, end;
	long long takes;
	unsigned int i;
	pid_t child;

	/* A single fork might have been preempted. */
	for (i = 0; i < 3; i++) {
		clock_gettime(CLOCK_MONOTONIC, &start);
		child = fork();
		if (!child)
			_exit(0);
		clock_gettime(CLOCK_MONOTONIC, &end);
		ASSERT_OK(child);
		wait_child(child);
		takes = (end.tv_sec - start.tv_sec) * 1000000000LL +
			end.tv_nsec - start.tv_nsec;
		if (takes < SLOW_FORK_NS)
			return false;
	}

	return true;
}

static void make_forks_slow(void)
{
	char *pages = mmap(NULL, MAPPINGS_MAX * PAGE, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	ASSERT_TRUE(pages != MAP_FAILED);
	for (i = 0; i < MAPPINGS_MAX; i += 2) {
		ASSERT_OK(mprotect(pages + i * PAGE, PAGE, PROT_NONE));
		if (i % 1024 == 0 && is_fork_slow())
			break;
	}
}

struct toggle {
	pthread_t thread;
	pid_t process;
	pthread_barrier_t *start;
	const char *event;
	bool on;
	unsigned int delay_us;
};

static void *toggle_once(void *data)
{
	struct toggle *toggle = data;

	pthread_barrier_wait(toggle->start);
	usleep(toggle->delay_us);
	enable(toggle->event, toggle->on);

	return NULL;
}

/* A process does it instead of a thread if @apart is set. */
static void toggle_start(struct toggle *toggle, bool apart)
{
	toggle->process = 0;
	if (!apart) {
		ASSERT_EQ(pthread_create(&toggle->thread, NULL, toggle_once,
					 toggle),
			  0);
		return;
	}

	toggle->process = fork();
	ASSERT_OK(toggle->process);
	if (!toggle->process) {
		toggle_once(toggle);
		_exit(harness_failed());
	}
}

static void toggle_wait(struct toggle *toggle)
{
	if (toggle->process)
		wait_child(toggle->process);
	else
		pthread_join(toggle->thread, NULL);
}

static pthread_barrier_t *shared_barrier(void)
{
	pthread_barrier_t *barrier = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t attr;

	ASSERT_TRUE(barrier != MAP_FAILED);
	ASSERT_EQ(pthread_barrierattr_init(&attr), 0);
	ASSERT_EQ(pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED),
		  0);
	ASSERT_EQ(pthread_barrier_init(barrier, &attr, 2), 0);

	return barrier;
}

/*
 * A fork copies mappings in the order of their addresses, so the word is copied
 * long before the fork ends. The event is enabled or disabled once meanwhile,
 * and not again before the child reads its word.
 */
static void change_during_fork(bool apart)
{
	volatile uint32_t *word = mmap((void *)0x10000, PAGE,
				       PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct toggle toggle = { .event = uniq("e") };
	int fd = data_open();
	unsigned int round;
	pid_t child;
	int go[2];
	char byte;

	ASSERT_TRUE((void *)word != MAP_FAILED);
	toggle.start = shared_barrier();
	must_reg_word(fd, toggle.event, word, 0);
	make_forks_slow();
	for (round = 0; round < 12; round++) {
		toggle.on = round % 2 == 0;
		toggle.delay_us = round * 1500 % 20000;
		ASSERT_OK(pipe(go));
		toggle_start(&toggle, apart);
		pthread_barrier_wait(toggle.start);
		child = fork();
		ASSERT_OK(child);
		if (!child) {
			close(go[1]);
			if (read(go[0], &byte, 1))
				_exit(1);
			wait_value(word, toggle.on);
			_exit(harness_failed());
		}
		toggle_wait(&toggle);
		wait_value(word, toggle.on);
		close(go[0]);
		close(go[1]);
		wait_child(child);
	}
	enable(toggle.event, false);
}

TEST(change_during_fork_reaches_child)
{
	change_during_fork(false);
}

/*
 * The process has one thread, which has forked before. So the module knows the
 * last change of a word that its children need not check.
 */
TEST(change_by_process_during_fork_reaches_child)
{
	change_during_fork(true);
}

TEST(locked_memory_is_updated)
{
	static struct loop loop;
	unsigned int rounds = harness_rounds(ROUNDS / 3), round;

	make_forks_slow();
	loop.event = uniq("e");
	loop.fd = data_open();
	must_reg_word(loop.fd, loop.event, &loop.word, 0);
	ASSERT_EQ(pthread_create(&loop.thread, NULL, fork_loop, &loop), 0);
	for (round = 0; round < rounds; round++) {
		enable(loop.event, !(round % 2));
		wait_value(&loop.word, !(round % 2));
	}
	__atomic_store_n(&loop.stop, true, __ATOMIC_RELEASE);
	pthread_join(loop.thread, NULL);
	EXPECT_OK(unreg(loop.fd, &loop.word, 0));
}

static void *run_until_stopped(void *stop)
{
	while (!__atomic_load_n((bool *)stop, __ATOMIC_ACQUIRE))
		;

	return NULL;
}

static void protect_pages(int uffd, uint32_t *start, size_t size)
{
	struct uffdio_register range = {
		.range.start = (uintptr_t)start,
		.range.len = size,
		.mode = UFFDIO_REGISTER_MODE_WP,
	};
	struct uffdio_writeprotect protection = {
		.range = range.range,
		.mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};

	if (ioctl(uffd, UFFDIO_REGISTER, &range))
		SKIP("no write protection: %s", harness_errno(errno));
	ASSERT_OK(ioctl(uffd, UFFDIO_WRITEPROTECT, &protection));
}

/* Returns a userfaultfd without which nobody can write to the pages. */
static int take_pages(uint32_t *start, size_t size, bool are_present)
{
	int uffd = userfault_start(start, size, 0);

	if (are_present)
		protect_pages(uffd, start, size);
	else
		ASSERT_OK(madvise(start, size, MADV_DONTNEED));

	return uffd;
}

/*
 * A thread checks words whose pages a userfaultfd handles while another one
 * closes that, for which it needs mmap_lock.
 */
static void close_during_check(bool are_present)
{
	enum {
		PAGES = 64
	};
	const unsigned int step = PAGE / sizeof(uint32_t);
	uint32_t *words = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int rounds = harness_rounds(ROUNDS), round, i;
	const char *event = uniq("e");
	int fd = data_open(), uffd;
	bool stop = false;
	pthread_t thread;
	pid_t toggles;

	ASSERT_TRUE((void *)words != MAP_FAILED);
	for (i = 0; i < PAGES; i++)
		must_reg_word(fd, event, words + i * step, 0);
	/* Skips the test, if need be, before the child is there. */
	close(take_pages(words, PAGES * PAGE, are_present));
	toggles = start_toggling(event);
	ASSERT_EQ(pthread_create(&thread, NULL, run_until_stopped, &stop), 0);
	for (round = 0; round < rounds; round++) {
		uffd = take_pages(words, PAGES * PAGE, are_present);
		usleep(round % 16 * 100);
		close(uffd);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	stop_toggling(toggles, event);
	enable(event, true);
	for (i = 0; i < PAGES; i++)
		wait_value(words + i * step, 1);
	enable(event, false);
	close(fd);
	munmap(words, PAGES * PAGE);
}

TEST(closing_userfaultfd_races_with_check)
{
	close_during_check(false);
}

TEST(closing_protecting_userfaultfd_races_with_check)
{
	close_during_check(true);
}

/* Number of the frame of a page that is present; as root. */
static uint64_t page_frame(const volatile void *page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	ASSERT_EQ(pread(fd, &entry, sizeof(entry),
			(uintptr_t)page / PAGE * sizeof(entry)),
		  sizeof(entry));
	close(fd);

	return entry & ((1ULL << 55) - 1);
}

/*
 * Linux 5.4.y and RHEL 8.4 copy a page that is shared since a fork when they take a
 * reference to it, as vmsplice() does.
 */
static bool kernel_copies_shared_pages(void)
{
	uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	struct iovec part = { page, PAGE };
	uint64_t frame;
	pid_t child;
	int ends[2];

	*page = 1;
	frame = page_frame(page);
	ASSERT_OK(pipe(ends));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		pause();
		_exit(0);
	}
	ASSERT_EQ(vmsplice(ends[1], &part, 1, 0), PAGE);
	kill_child(child);
	close(ends[0]);
	close(ends[1]);

	return page_frame(page) != frame;
}

/* The check of a process reads them, without a copy of their page. */
TEST(page_with_right_words_stays_shared_after_fork)
{
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	int fd = data_open();
	bool stop = false;
	pthread_t thread;
	uint64_t frame;
	pid_t child;

	if (kernel_copies_shared_pages())
		SKIP("this kernel copies each page that it takes a reference to");
	must_reg_word(fd, uniq("e"), page, 0);
	frame = page_frame(page);
	ASSERT_NE(frame, 0);
	/* The fork of a process with several threads is always checked. */
	ASSERT_EQ(pthread_create(&thread, NULL, run_until_stopped, &stop), 0);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		EXPECT_EQ(page_frame(page), frame);
		_exit(harness_failed());
	}
	wait_child(child);
	EXPECT_EQ(page_frame(page), frame);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

TEST(mapping_races_with_enabling)
{
	const char *event = uniq("e");
	uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	unsigned int rounds = harness_rounds(10 * ROUNDS), round;
	int fd = data_open();
	pid_t toggles;

	must_reg_word(fd, event, page, 0);
	toggles = start_toggling(event);
	for (round = 0; round < rounds; round++) {
		switch (round % 4) {
		case 0:
			ASSERT_OK(munmap(page, PAGE));
			break;
		case 1:
			ASSERT_TRUE(
				mmap(page, PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
				     -1, 0) == page);
			break;
		case 2:
			ASSERT_OK(mprotect(page, PAGE, PROT_READ));
			ASSERT_OK(mprotect(page, PAGE, PROT_READ | PROT_WRITE));
			break;
		default:
			ASSERT_OK(madvise(page, PAGE, MADV_DONTNEED));
		}
	}
	stop_toggling(toggles, event);
	enable(event, true);
	wait_value(page, 1);
	EXPECT_EQ(*page & ~1U, 0);
	enable(event, false);
	wait_value(page, 0);
	EXPECT_OK(unreg(fd, page, 0));
}

/* --- words that the process writes itself --------------------------------- */

/*
 * struct sleeper - a task that sleeps while an event is switched
 * @word: a word whose page is absent
 * @steps: it reports that it is about to sleep, and sleeps until told to go on
 * @seen: the first value that it reads
 */
struct sleeper {
	volatile uint32_t *word;
	struct steps steps;
	uint32_t seen;
};

static void *sleep_and_look(void *data)
{
	struct sleeper *sleeper = data;

	step(&sleeper->steps);
	sleeper->seen = *sleeper->word;

	return NULL;
}

/* Reading the word would make its page present. */
static void discard_word(volatile uint32_t *word)
{
	ASSERT_OK(madvise((void *)word, PAGE, MADV_DONTNEED));
}

static volatile uint32_t *register_page(const char *event)
{
	volatile uint32_t *word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE((void *)word != MAP_FAILED);
	must_reg_word(data_open(), event, word, 0);

	return word;
}

TEST(sleeping_process_sees_its_bit_when_it_wakes)
{
	struct sleeper sleeper = { .steps = make_steps() };
	const char *event = uniq("e");
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		sleeper.word = register_page(event);
		discard_word(sleeper.word);
		sleep_and_look(&sleeper);
		EXPECT_EQ(sleeper.seen, 1);
		discard_word(sleeper.word);
		sleep_and_look(&sleeper);
		EXPECT_EQ(sleeper.seen, 0);
		_exit(harness_failed());
	}
	receive_byte(sleeper.steps.up[0]);
	enable(event, true);
	send_byte(sleeper.steps.down[1]);
	receive_byte(sleeper.steps.up[0]);
	enable(event, false);
	send_byte(sleeper.steps.down[1]);
	wait_child(child);
}

TEST(stopped_process_sees_its_bit_when_it_continues)
{
	struct steps steps = make_steps();
	const char *event = uniq("e");
	pid_t child = fork();
	int status;

	ASSERT_OK(child);
	if (!child) {
		volatile uint32_t *word = register_page(event);

		discard_word(word);
		send_byte(steps.up[1]);
		raise(SIGSTOP);
		EXPECT_EQ(*word, 1);
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
	ASSERT_TRUE(WIFSTOPPED(status));
	enable(event, true);
	kill(child, SIGCONT);
	wait_child(child);
}

TEST(sleeping_thread_sees_its_bit_when_it_wakes)
{
	struct sleeper sleeper = { .steps = make_steps() };
	const char *event = uniq("e");
	pthread_t thread;

	sleeper.word = register_page(event);
	ASSERT_EQ(pthread_create(&thread, NULL, sleep_and_look, &sleeper), 0);
	receive_byte(sleeper.steps.up[0]);
	discard_word(sleeper.word);
	enable(event, true);
	send_byte(sleeper.steps.down[1]);
	pthread_join(thread, NULL);
	EXPECT_EQ(sleeper.seen, 1);
}

/* The kernel maps the page in one fault, and makes it writable in another one. */
TEST(sleeping_thread_sees_its_bit_in_watched_page)
{
	struct sleeper sleeper = { .steps = make_steps() };
	const char *event = uniq("e");
	pthread_t thread;
	int uffd;

	sleeper.word = register_page(event);
	uffd = userfault_watch(sleeper.word, PAGE);
	ASSERT_EQ(pthread_create(&thread, NULL, sleep_and_look, &sleeper), 0);
	receive_byte(sleeper.steps.up[0]);
	discard_word(sleeper.word);
	protect_pages(uffd, (uint32_t *)sleeper.word, PAGE);
	enable(event, true);
	send_byte(sleeper.steps.down[1]);
	pthread_join(thread, NULL);
	EXPECT_EQ(sleeper.seen, 1);
}

/* More than those that are notified before the system call returns. */
#define SLEEPING_THREADS 20

static void *sleep_and_wait(void *data)
{
	struct sleeper *sleeper = data;

	step(&sleeper->steps);
	wait_value(sleeper->word, 1);

	return NULL;
}

/* The thread that registered the enabler sleeps as well. */
TEST(any_thread_of_many_writes_the_words)
{
	struct steps steps[SLEEPING_THREADS];
	struct sleeper sleepers[SLEEPING_THREADS];
	pthread_t threads[SLEEPING_THREADS];
	const char *event = uniq("e");
	volatile uint32_t *word;
	int ready[2];
	pid_t child;
	unsigned int i;

	ASSERT_OK(pipe(ready));
	for (i = 0; i < SLEEPING_THREADS; i++)
		steps[i] = make_steps();
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		word = register_page(event);
		for (i = 0; i < SLEEPING_THREADS; i++) {
			sleepers[i].word = word;
			sleepers[i].steps = steps[i];
			ASSERT_EQ(pthread_create(&threads[i], NULL,
						 sleep_and_wait, &sleepers[i]),
				  0);
		}
		discard_word(word);
		send_byte(ready[1]);
		for (i = 0; i < SLEEPING_THREADS; i++)
			pthread_join(threads[i], NULL);
		_exit(harness_failed());
	}
	receive_byte(ready[0]);
	for (i = 0; i < SLEEPING_THREADS; i++)
		receive_byte(steps[i].up[0]);
	enable(event, true);
	for (i = SLEEPING_THREADS; i-- > 0;)
		send_byte(steps[i].down[1]);
	wait_child(child);
}

static int look_when_woken(void *data)
{
	struct sleeper *sleeper = data;
	long long start = 0;
	char byte;

	/* The parent uses the same errno. */
	if (write(sleeper->steps.up[1], "x", 1) != 1 ||
	    read(sleeper->steps.down[0], &byte, 1) != 1)
		return 1;
	while (*sleeper->word != 1)
		if (!harness_deadline(&start, WAIT_TIMEOUT_S))
			return 2;

	return 0;
}

/*
 * A process that shares the memory is no thread of the process that registered,
 * which sleeps until the other one has exited.
 */
static void check_sharing_process(int flags)
{
	struct sleeper sleeper = { .steps = make_steps() };
	const char *event = uniq("e");
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		ASSERT_TRUE(stack != MAP_FAILED);
		sleeper.word = register_page(event);
		discard_word(sleeper.word);
		child = clone(look_when_woken, stack + STACK,
			      CLONE_VM | flags | SIGCHLD, &sleeper);
		ASSERT_GE(child, 0);
		wait_child(child);
		_exit(harness_failed());
	}
	receive_byte(sleeper.steps.up[0]);
	enable(event, true);
	send_byte(sleeper.steps.down[1]);
	wait_child(child);
}

TEST(process_that_shares_memory_writes_the_words)
{
	check_sharing_process(0);
}

TEST(vfork_child_writes_the_words)
{
	check_sharing_process(CLONE_VFORK);
}

/*
 * The child's memory is copied while words of the parent are yet to be written,
 * since their number is above the limit of one operation.
 */
TEST(child_sees_its_bits_although_words_were_skipped)
{
	const unsigned int words = 6000;
	volatile uint32_t *at = calloc(words, sizeof(*at));
	const char *event = uniq("e");
	int fd = data_open();
	unsigned int i, round;

	ASSERT_TRUE(at);
	for (i = 0; i < words; i++)
		must_reg_word(fd, event, &at[i], 3);
	for (round = 0; round < 6; round++) {
		uint32_t expected = round % 2 ? 0 : 1 << 3;

		enable(event, expected);
		if (in_child()) {
			for (i = 0; i < words; i++)
				if (at[i] != expected) {
					FAIL("word %u is %u", i, at[i]);
					break;
				}
			end_child();
		}
	}
	enable(event, false);
}

#define ENABLERS 2000

/* More words than the module writes before the system call returns. */
#define WORDS 5000

static void wait_words(const volatile uint32_t *words, uint32_t expected)
{
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		wait_value(&words[i], expected);
}

TEST(deferred_words_are_written)
{
	volatile uint32_t *words = calloc(WORDS, sizeof(*words));
	struct steps steps = make_steps();
	const char *event = uniq("e");
	const char *other = uniq("o");
	int fd = data_open();
	unsigned int i, round;
	pid_t child;

	ASSERT_TRUE(words);
	for (i = 0; i < WORDS; i++)
		must_reg_word(fd, event, &words[i], 7);
	must_reg_word(fd, other, &words[WORDS - 1], 0);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		for (round = 0; round < 2; round++) {
			step(&steps);
			wait_words(words, 1 << 7);
			step(&steps);
			wait_words(words, 0);
		}
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	for (round = 0; round < 2; round++) {
		enable(event, true);
		send_byte(steps.down[1]);
		wait_words(words, 1 << 7);
		receive_byte(steps.up[0]);
		enable(event, false);
		send_byte(steps.down[1]);
		wait_words(words, 0);
		if (!round)
			receive_byte(steps.up[0]);
	}
	wait_child(child);
	/* Other events are written synchronously again. */
	enable(other, true);
	EXPECT_EQ(words[WORDS - 1], 1);
	enable(other, false);
	EXPECT_EQ(words[WORDS - 1], 0);
	close(fd);
}

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

/*
 * A page that the process has only read is clean, and the kernel drops clean
 * pages. There are so many words that the process writes this one itself.
 */
TEST(bit_stays_in_page_that_was_only_read)
{
	volatile uint32_t *words = calloc(WORDS, sizeof(*words)), *word;
	int file = memfd_create("word", 0);
	const char *event = uniq("e");
	int fd = data_open();
	unsigned int i;

	ASSERT_TRUE(words);
	ASSERT_OK(file);
	ASSERT_OK(ftruncate(file, PAGE));
	word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	ASSERT_TRUE((void *)word != MAP_FAILED);
	for (i = 0; i < WORDS; i++)
		must_reg_word(fd, event, &words[i], 7);
	must_reg_word(fd, event, word, 3);
	/* Replaces the page by one that nothing has written. */
	ASSERT_OK(madvise((void *)word, PAGE, MADV_REMOVE));
	EXPECT_EQ(*word, 0);
	enable(event, true);
	wait_value(word, 1 << 3);
	if (madvise((void *)word, PAGE, MADV_PAGEOUT))
		EXPECT_EQ(errno, EINVAL);
	EXPECT_EQ(*word, 1 << 3);
	enable(event, false);
	wait_value(word, 0);
	close(fd);
}

/* Parent and child change their copies independently. */
TEST(parent_and_child_change_copies_independently)
{
	static volatile uint32_t words[ENABLERS];
	struct steps steps = make_steps();
	const char *event = uniq("e");
	int fd = data_open();
	unsigned int i;
	pid_t child;

	for (i = 0; i < ENABLERS; i += 2)
		must_reg_word(fd, event, &words[i], 3);
	child = fork();
	ASSERT_OK(child);
	for (i = 0; i < ENABLERS; i += 4)
		EXPECT_OK(unreg(fd, &words[child ? i : i + 2], 3));
	for (i = 1; i < ENABLERS; i += 4)
		must_reg_word(fd, event, &words[child ? i : i + 2], 3);
	if (!child) {
		step(&steps);
		for (i = 0; i < ENABLERS; i++)
			wait_value(&words[i], i % 4 == 0 || i % 4 == 3 ? 8 : 0);
		_exit(harness_failed());
	}
	receive_byte(steps.up[0]);
	enable(event, true);
	send_byte(steps.down[1]);
	for (i = 0; i < ENABLERS; i++)
		wait_value(&words[i], i % 4 == 1 || i % 4 == 2 ? 8 : 0);
	wait_child(child);
	enable(event, false);
	for (i = 0; i < ENABLERS; i++)
		wait_value(&words[i], 0);
	close(fd);
}

/* --- copies of sets ------------------------------------------------------- */

#define COPIED_ENABLERS 3000
#define COPIES 20

static void *delete_in_loop(void *data)
{
	struct loop *loop = data;

	while (!__atomic_load_n(&loop->stop, __ATOMIC_ACQUIRE))
		EXPECT_ERRNO(del(loop->fd, loop->event), EBUSY);

	return NULL;
}

/*
 * The process copies the set of enablers that it shares with a child. The child
 * may exit meanwhile, so that the process is the last one that has the old set.
 * A deletion of the event meets enablers of the copy, which no process has yet.
 */
TEST(sharer_exits_while_set_is_copied)
{
	volatile uint32_t *words = calloc(COPIED_ENABLERS, sizeof(*words));
	static struct loop loop;
	volatile uint32_t last = 0;
	unsigned int rounds = harness_rounds(COPIES), i, round;
	pid_t child;
	int fd = data_open();

	ASSERT_TRUE(words);
	loop.event = uniq("e");
	loop.fd = data_open();
	for (i = 0; i < COPIED_ENABLERS; i++)
		must_reg_word(fd, loop.event, &words[i], 0);
	ASSERT_EQ(pthread_create(&loop.thread, NULL, delete_in_loop, &loop), 0);
	for (round = 0; round < rounds; round++) {
		child = fork();
		ASSERT_OK(child);
		if (!child)
			_exit(0);
		/* Without waiting for the child. */
		must_reg_word(fd, loop.event, &last, 0);
		EXPECT_OK(unreg(fd, &last, 0));
		wait_child(child);
	}
	__atomic_store_n(&loop.stop, true, __ATOMIC_RELEASE);
	pthread_join(loop.thread, NULL);
	for (i = 0; i < COPIED_ENABLERS; i++)
		ASSERT_OK(unreg(fd, &words[i], 0));
	close(fd);
	close(loop.fd);
	wait_deleted(loop.event);
}

#define KILLS 5

TEST(killed_process_with_thousands_of_enablers_is_reaped)
{
	const char *event = uniq("e");
	struct steps steps;
	int fd = data_open();
	uint32_t word = 0;
	unsigned int rounds = harness_rounds(KILLS), round;
	pid_t toggles;

	must_reg_word(fd, event, &word, 0);
	for (round = 0; round < rounds; round++) {
		pid_t child;

		steps = make_steps();
		child = fork();
		ASSERT_OK(child);
		if (!child) {
			uint32_t *words = calloc(ENABLERS, sizeof(*words));
			unsigned int i;

			for (i = 0; i < ENABLERS; i++)
				must_reg_word(fd, event, &words[i], i % 32);
			send_byte(steps.up[1]);
			pause_forever();
		}
		receive_byte(steps.up[0]);
		toggles = start_toggling(event);
		usleep(20000);
		kill_child(child);
		stop_toggling(toggles, event);
	}
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	wait_deleted(event);
}

/* --- many processes --- */

#define PROCESSES 250

static void run_follower(const char *event, struct steps *steps)
{
	static volatile uint32_t word;
	int fd = data_open();

	must_reg_word(fd, event, &word, 0);
	step(steps);
	wait_value(&word, 1);
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_ERRNO(unreg(fd, &word, 0), ENOENT);
	_exit(harness_failed());
}

/* Some of the 250 processes share one of the 1024 buckets of the module. */
TEST(every_process_of_many_is_updated)
{
	const char *event = uniq("e");
	struct steps steps = make_steps();
	pid_t children[PROCESSES];
	size_t i;

	must_reg(data_open(), event);
	for (i = 0; i < PROCESSES; i++) {
		/* The parent has no enablers, while its children have some. */
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i])
			run_follower(event, &steps);
		receive_byte(steps.up[0]);
	}
	enable(event, true);
	for (i = 0; i < PROCESSES; i++)
		send_byte(steps.down[1]);
	for (i = 0; i < PROCESSES; i++)
		wait_child(children[i]);
	enable(event, false);
}

TEST(many_processes_exit_at_once)
{
	const char *event = uniq("e");
	pid_t leader = fork();

	ASSERT_OK(leader);
	if (!leader) {
		static volatile uint32_t word;
		unsigned int i;

		ASSERT_OK(setpgid(0, 0));
		must_reg_word(data_open(), event, &word, 0);
		for (i = 0; i < 100; i++)
			if (!fork())
				pause_forever();
		kill(0, SIGKILL);
	}
	ASSERT_EQ(waitpid(leader, NULL, 0), leader);
	wait_deleted(event);
}

struct discard {
	volatile uint32_t *page;
	bool stop;
};

static void *discard_loop(void *data)
{
	struct discard *discard = data;

	while (!__atomic_load_n(&discard->stop, __ATOMIC_ACQUIRE))
		madvise((void *)discard->page, PAGE, MADV_DONTNEED);

	return NULL;
}

/*
 * The page is discarded continuously, and other enablers are not delayed. The
 * rounds are few enough for the number of words that the module writes before
 * the background runs, which can take long on a busy machine.
 */
TEST(discarded_page_delays_no_tracer)
{
	struct discard discard = { .page = map_page(PROT_READ | PROT_WRITE) };
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	int fd = data_open();
	unsigned int round;
	pthread_t thread;

	must_reg_word(fd, event, discard.page, 0);
	must_reg_word(fd, event, &word, 0);
	ASSERT_EQ(pthread_create(&thread, NULL, discard_loop, &discard), 0);
	usleep(100000); /* the background, after other tests */
	for (round = 0; round < ROUNDS / 3; round++) {
		enable(event, !(round % 2));
		EXPECT_EQ(word, !(round % 2));
	}
	__atomic_store_n(&discard.stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	enable(event, true);
	wait_value(discard.page, 1);
	enable(event, false);
	wait_value(discard.page, 0);
}

/* The check of a fork leaves a word that the process cannot write to. */
TEST(child_writes_word_that_parent_could_not)
{
	uint32_t *word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *event = uniq("e");
	int fd = data_open();

	ASSERT_TRUE(word != MAP_FAILED);
	must_reg_word(fd, text("%s u32 a", event), word, 0);
	ASSERT_OK(mprotect(word, PAGE, PROT_READ));
	enable(event, true);
	if (in_child())
		end_child();
	EXPECT_EQ(*word, 0);
	ASSERT_OK(mprotect(word, PAGE, PROT_READ | PROT_WRITE));
	if (in_child()) {
		EXPECT_EQ(*word, 1);
		end_child();
	}
	enable(event, false);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
