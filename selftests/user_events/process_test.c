// SPDX-License-Identifier: GPL-2.0-only
/*
 * Enablers belong to the memory of a process: threads share them, children get
 * their own, and they end with it, however that happens.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define PAGE 4096
#define STACK 65536
#define MEMORIES 3

/* --- processes that say how far they are --- */

/*
 * struct steps - two processes that take turns
 * @up: the child says that it has come to a step
 * @down: the parent says that it may go on
 */
struct steps {
	int up[2];
	int down[2];
};

static struct steps steps_new(void)
{
	struct steps steps;

	ASSERT_OK(pipe(steps.up));
	ASSERT_OK(pipe(steps.down));

	return steps;
}

static void say(int fd)
{
	ASSERT_EQ(write(fd, "x", 1), 1);
}

static void hear(int fd)
{
	char byte;

	ASSERT_EQ(read(fd, &byte, 1), 1);
}

/* The child has come to a step and waits for the parent. */
static void step(struct steps *steps)
{
	say(steps->up[1]);
	hear(steps->down[0]);
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	ASSERT_EQ(waitpid(child, NULL, 0), child);
}

static void stay(void)
{
	while (true)
		pause();
}

/* --- fork --- */

TEST(child_follows)
{
	struct steps steps = steps_new();
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
		/* Its own, which the parent does not see. */
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
	hear(steps.up[0]);
	enable(event, true);
	wait_value(&word, 1U << 31);
	say(steps.down[1]);
	hear(steps.up[0]);
	wait_value(&word, 1U << 31);
	enable(event, false);
	wait_value(&word, 0);
	say(steps.down[1]);
	hear(steps.up[0]);
	enable(event, true);
	wait_value(&word, 1U << 31);
	say(steps.down[1]);
	wait_child(child);
	enable(event, false);
	wait_value(&word, 0);
	EXPECT_OK(unreg(fd, &word, 31));
}

/*
 * A page that is shared since a fork is copied in the background for the process
 * whose word is written first, whatever memory the page is of.
 */
TEST(pages_shared_since_a_fork_are_copied)
{
	static volatile uint32_t in_data = 1U << 30;
	volatile uint32_t on_stack = 1U << 30;
	struct steps steps = steps_new();
	const char *event = uniq("e");
	volatile uint32_t *words[MEMORIES];
	int fd = data_open();
	pid_t child;
	size_t i;

	words[0] = &in_data;
	words[1] = &on_stack;
	words[2] = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(words[2] != MAP_FAILED);
	for (i = 0; i < MEMORIES; i++) {
		*words[i] = 1U << 30;
		must_reg_word(fd, event, words[i], 2);
	}
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		step(&steps);
		for (i = 0; i < MEMORIES; i++)
			wait_value(words[i], 1U << 30 | 4);
		step(&steps);
		for (i = 0; i < MEMORIES; i++)
			EXPECT_EQ(*words[i], 1U << 30);
		_exit(harness_failed());
	}
	hear(steps.up[0]);
	enable(event, true);
	for (i = 0; i < MEMORIES; i++)
		wait_value(words[i], 1U << 30 | 4);
	say(steps.down[1]);
	hear(steps.up[0]);
	enable(event, false);
	for (i = 0; i < MEMORIES; i++)
		EXPECT_EQ(*words[i], 1U << 30);
	say(steps.down[1]);
	wait_child(child);
}

/* What the parent does to its own is nothing to the child. */
TEST(child_keeps_what_the_parent_ends)
{
	struct steps steps = steps_new();
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
	hear(steps.up[0]);
	EXPECT_OK(unreg(fd, &word, 0));
	EXPECT_EQ(word, 0);
	EXPECT_OK(reg_word(fd, event, &word, 7));
	EXPECT_EQ(word, 1 << 7);
	say(steps.down[1]);
	hear(steps.up[0]);
	enable(event, false);
	say(steps.down[1]);
	wait_child(child);
}

TEST(child_keeps_the_event)
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
			stay();
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

static void *older_thread(void *data)
{
	struct thread *thread = data;
	pid_t child;

	pthread_barrier_wait(&thread->barrier);
	EXPECT_ERRNO(reg_word(thread->fd, thread->event, thread->word, 3),
		     EADDRINUSE);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		EXPECT_ERRNO(reg_word(thread->fd, thread->event, thread->word,
				      3),
			     EADDRINUSE);
		enable(thread->event, true);
		wait_value(thread->word, 8);
		enable(thread->event, false);
		wait_value(thread->word, 0);
		_exit(harness_failed());
	}
	wait_child(child);
	EXPECT_OK(unreg(thread->fd, thread->word, 3));

	return NULL;
}

TEST(thread_older_than_the_registration)
{
	volatile uint32_t word = 0;
	struct thread thread = {
		.fd = data_open(),
		.event = uniq("e"),
		.word = &word,
	};

	thread_start(&thread, older_thread);
	must_reg_word(thread.fd, thread.event, &word, 3);
	pthread_barrier_wait(&thread.barrier);
	pthread_join(thread.thread, NULL);
	EXPECT_ERRNO(unreg(thread.fd, &word, 3), ENOENT);
}

static void *register_and_end(void *data)
{
	struct thread *thread = data;

	must_reg_word(thread->fd, thread->event, thread->word, 3);

	return NULL;
}

TEST(registering_thread_ends)
{
	volatile uint32_t word = 0;
	struct thread thread = {
		.fd = data_open(),
		.event = uniq("e"),
		.word = &word,
	};

	thread_start(&thread, register_and_end);
	pthread_join(thread.thread, NULL);
	enable(thread.event, true);
	EXPECT_EQ(word, 8);
	EXPECT_ERRNO(reg_word(thread.fd, thread.event, &word, 3), EADDRINUSE);
	enable(thread.event, false);
	EXPECT_EQ(word, 0);
	EXPECT_OK(unreg(thread.fd, &word, 3));
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

TEST(main_thread_ends)
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

/* --- shared memory of processes --- */

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
	ASSERT_OK(child);
	wait_child(child);
	/* The child has ended, but not the memory. */
	EXPECT_EQ(word, 16);
	enable(thread.event, false);
	EXPECT_EQ(word, 0);
	enable(thread.event, true);
	EXPECT_EQ(word, 16);
	enable(thread.event, false);
	EXPECT_ERRNO(unreg(thread.fd, &word, 3), ENOENT);
	EXPECT_OK(unreg(thread.fd, &word, 4));
}

TEST(process_with_the_same_memory)
{
	run_sharing(CLONE_VM);
}

TEST(vfork_shares)
{
	run_sharing(CLONE_VM | CLONE_VFORK);
}

/* --- ends --- */

/* A child that registers, says so and does what it is told. */
static pid_t registered_child(const char *event, void (*then)(void))
{
	struct steps steps = steps_new();
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		static volatile uint32_t word;

		must_reg_word(data_open(), event, &word, 0);
		step(&steps);
		then();
		_exit(harness_failed());
	}
	hear(steps.up[0]);
	EXPECT_TRUE(status_line(event));
	say(steps.down[1]);
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

/* Another program has other memory, though it is the same process. */
TEST(exec_ends_it)
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

static void end_itself(void)
{
}

static void *just_stay(void *data)
{
	stay();
	return data;
}

static void end_with_threads(void)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, just_stay, NULL);
	_exit(0);
}

static void fault(void)
{
	volatile int *page =
		mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*page = 0;
}

TEST(every_end_is_one)
{
	static const struct {
		const char *what;
		void (*then)(void);
		bool kill;
	} cases[] = {
		{ "exit", end_itself, false },
		{ "exit with threads", end_with_threads, false },
		{ "killed", stay, true },
		{ "a fault", fault, false },
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

/* --- a descriptor that comes from somebody else --- */

static void become(uid_t uid)
{
	ASSERT_OK(setresgid(uid, uid, uid));
	ASSERT_OK(setresuid(uid, uid, uid));
}

/* The collector opens the file and is done with it; the program uses it. */
TEST(descriptor_of_a_collector)
{
	struct steps steps = steps_new();
	const char *event = uniq("e");
	int sockets[2], fd;
	pid_t child;

	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		static volatile uint32_t word;
		unsigned int index;

		become(1000);
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
	hear(steps.up[0]);
	close(fd);
	say(steps.down[1]);
	hear(steps.up[0]);
	enable(event, true);
	say(steps.down[1]);
	hear(steps.up[0]);
	EXPECT_EQ(trace_count(NULL, text(" %s:", event)), 1);
	enable(event, false);
	say(steps.down[1]);
	wait_child(child);
	wait_deleted(event);
}

/* Indices are the file's, enablers the process's. */
TEST(one_file_of_two_processes)
{
	struct steps steps = steps_new();
	static volatile uint32_t word;
	int fd = data_open();
	pid_t child = fork();

	ASSERT_OK(child);
	if (!child) {
		step(&steps);
		/* At the same address, but of other memory. */
		EXPECT_EQ(reg_word(fd, uniq("b"), &word, 0), 1);
		EXPECT_ERRNO(emit(fd, 0, NULL, 0), EBADF);
		step(&steps);
		_exit(harness_failed());
	}
	hear(steps.up[0]);
	EXPECT_EQ(reg_word(fd, uniq("a"), &word, 0), 0);
	say(steps.down[1]);
	hear(steps.up[0]);
	EXPECT_OK(unreg(fd, &word, 0));
	say(steps.down[1]);
	wait_child(child);
}

/* --- without privileges --- */

TEST(unprivileged)
{
	const char *event = uniq("e");
	const char *roots = uniq("roots");
	const char *stays = uniq("stays");
	int fd = data_open();
	int spare = data_open();
	uint32_t word = 0;
	pid_t child;

	must_reg(spare, roots);
	close(spare);
	spare = data_open();
	EXPECT_OK(
		reg_enabler(spare, stays, &word, 4, 9, USER_EVENT_REG_PERSIST));
	EXPECT_OK(unreg(spare, &word, 9));
	close(spare);

	child = fork();
	ASSERT_OK(child);
	if (!child) {
		become(1000);
		EXPECT_ERRNO(reg_enabler(fd, event, &word, 4, 0,
					 USER_EVENT_REG_PERSIST),
			     EPERM);
		EXPECT_EQ(reg_word(fd, text("%s u32 a", event), &word, 0), 0);
		EXPECT_EQ(reg_enabler(fd, text("%s u8 b", event), &word, 4, 1,
				      USER_EVENT_REG_MULTI_FORMAT),
			  1);
		/* Also if the event is there. */
		EXPECT_ERRNO(reg_enabler(fd, stays, &word, 4, 2,
					 USER_EVENT_REG_PERSIST),
			     EPERM);
		EXPECT_ERRNO(emit(fd, 0, "\1\2\3\4", 4), EBADF);
		EXPECT_OK(unreg(fd, &word, 0));
		EXPECT_OK(unreg(fd, &word, 1));
		EXPECT_ERRNO(del(fd, roots), EPERM);
		EXPECT_ERRNO(del(fd, stays), EPERM);
		_exit(harness_failed());
	}
	wait_child(child);
	close(fd);
	EXPECT_FALSE(status_line(event));
	EXPECT_TRUE(status_line(roots));
	EXPECT_OK(del_event(roots));
	EXPECT_OK(del_event(stays));
}

/* --- memory that is slow to come --- */

static int slow_memory(volatile uint32_t *page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range.start = (uintptr_t)page,
		.range.len = PAGE,
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		SKIP("no userfaultfd: %s", harness_errno(errno));
	ASSERT_OK(ioctl(fd, UFFDIO_API, &api));
	ASSERT_OK(ioctl(fd, UFFDIO_REGISTER, &range));

	return fd;
}

/* Waits for somebody to wait for it. */
static void slow_memory_is_missed(int uffd)
{
	struct pollfd poller = { .fd = uffd, .events = POLLIN };
	struct uffd_msg message;

	ASSERT_EQ(poll(&poller, 1, WAIT_TIMEOUT_S * 1000), 1);
	ASSERT_EQ(read(uffd, &message, sizeof(message)),
		  (ssize_t)sizeof(message));
}

static void slow_memory_is_given(int uffd, volatile uint32_t *page)
{
	struct uffdio_zeropage zero = {
		.range.start = (uintptr_t)page,
		.range.len = PAGE,
	};

	EXPECT_OK(ioctl(uffd, UFFDIO_ZEROPAGE, &zero));
}

static void slow_memory_comes(int uffd, volatile uint32_t *page)
{
	slow_memory_is_missed(uffd);
	slow_memory_is_given(uffd, page);
}

TEST(slow_memory_holds_up_nobody)
{
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	const char *event = uniq("e");
	volatile uint32_t word = 0;
	int fd = data_open();
	int uffd;

	must_reg_word(fd, event, page, 0);
	must_reg_word(fd, event, &word, 0);
	ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	uffd = slow_memory(page);
	enable(event, true);
	EXPECT_EQ(word, 1);
	must_reg_word(fd, uniq("other"), &word, 1);
	enable(uniq("other"), true);
	EXPECT_EQ(word, 3);
	enable(uniq("other"), false);
	slow_memory_comes(uffd, page);
	wait_value(page, 1);
	enable(event, false);
	EXPECT_EQ(*page, 0);
	EXPECT_EQ(word, 0);
}

TEST(slow_registration_holds_up_nobody)
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
	uffd = slow_memory(page);
	thread_start(&thread, register_and_end);
	must_reg_word(thread.fd, uniq("other"), &word, 1);
	enable(uniq("other"), true);
	EXPECT_EQ(word, 2);
	enable(uniq("other"), false);
	slow_memory_comes(uffd, page);
	pthread_join(thread.thread, NULL);
	enable(thread.event, true);
	EXPECT_EQ(*page, 8);
	enable(thread.event, false);
}

/*
 * struct rivals - two threads that do the same
 * @event, @fd, @word: what it is about
 * @does: what they do; not negative, or -1 with errno
 * @error: what the one hears who comes too late
 * @done: how many did it
 * @refused: how many heard that
 */
struct rivals {
	const char *event;
	int fd;
	volatile uint32_t *word;
	int (*does)(struct rivals *rivals);
	int error;
	unsigned int done;
	unsigned int refused;
};

static int registers(struct rivals *rivals)
{
	return reg_word(rivals->fd, rivals->event, rivals->word, 0);
}

static int unregisters(struct rivals *rivals)
{
	return unreg(rivals->fd, rivals->word, 0);
}

static void *rival(void *data)
{
	struct rivals *rivals = data;

	if (rivals->does(rivals) >= 0)
		__atomic_add_fetch(&rivals->done, 1, __ATOMIC_RELEASE);
	else if (errno == rivals->error)
		__atomic_add_fetch(&rivals->refused, 1, __ATOMIC_RELEASE);

	return NULL;
}

/* Both wait for the memory, past all that is looked at before. */
static void check_rivals(struct rivals *rivals, int uffd)
{
	pthread_t threads[2];
	size_t i;

	rivals->done = 0;
	rivals->refused = 0;
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ASSERT_EQ(pthread_create(&threads[i], NULL, rival, rivals), 0);
	slow_memory_is_missed(uffd);
	slow_memory_is_missed(uffd);
	slow_memory_is_given(uffd, rivals->word);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(rivals->done, 1);
	EXPECT_EQ(rivals->refused, 1);
}

/* Whoever is the second to come to it, of two who both were free to do it. */
TEST(same_bit_at_once)
{
	volatile uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rivals rivals = {
		.event = uniq("e"),
		.fd = data_open(),
		.word = page,
	};
	volatile uint32_t word = 0;
	int others, uffd;

	ASSERT_TRUE((void *)page != MAP_FAILED);
	uffd = slow_memory(page);
	for (others = 0; others < 2; others++) {
		harness_context(others ? "beside another" : "alone");
		if (others)
			must_reg_word(rivals.fd, uniq("other"), &word, 0);
		rivals.does = registers;
		rivals.error = EADDRINUSE;
		check_rivals(&rivals, uffd);
		enable(rivals.event, true);
		EXPECT_EQ(*page, 1);
		enable(rivals.event, false);
		ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
		rivals.does = unregisters;
		rivals.error = ENOENT;
		check_rivals(&rivals, uffd);
		EXPECT_EQ(*page, 0);
		ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	}
	enable(uniq("other"), true);
	EXPECT_EQ(word, 1);
	enable(uniq("other"), false);
}

/* Whoever is to write the bit in the background finds it ended, or another. */
static void end_while_waited_for(const char *event, bool beside, bool anew)
{
	volatile uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	volatile unsigned long *other = (volatile unsigned long *)page;
	volatile uint32_t word = 0;
	unsigned int references;
	long long start = 0;
	int fd = data_open();
	int uffd;

	must_reg_word(fd, event, page, 0);
	if (beside)
		must_reg_word(fd, event, &word, 0);
	ASSERT_OK(madvise((void *)page, PAGE, MADV_DONTNEED));
	uffd = slow_memory(page);
	enable(event, true);
	slow_memory_is_missed(uffd);
	/* The page is another one now. */
	ASSERT_TRUE(mmap((void *)page, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			 0) == page);
	EXPECT_OK(unreg(fd, page, 0));
	if (anew)
		EXPECT_EQ(reg_enabler(fd, event, page, sizeof(*other), 0, 0),
			  0);
	/* Who waits for the page has a reference of its own. */
	references = module_references();
	close(uffd);
	while (module_references() >= references)
		ASSERT_TRUE(harness_deadline(&start, WAIT_TIMEOUT_S));
	EXPECT_EQ(*other, anew);
	EXPECT_EQ(word, beside);
	enable(event, false);
	wait_value(page, 0);
	EXPECT_EQ(word, 0);
	if (anew)
		EXPECT_OK(unreg(fd, page, 0));
	if (beside)
		EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	wait_deleted(event);
	EXPECT_EQ(page[0], 0);
	EXPECT_EQ(page[1], 0);
}

TEST(bit_that_ends_while_its_memory_is_waited_for)
{
	harness_context("alone");
	end_while_waited_for(uniq("a"), false, false);
	harness_context("beside another");
	end_while_waited_for(uniq("b"), true, false);
	harness_context("and begins anew");
	end_while_waited_for(uniq("c"), true, true);
}

struct looker {
	int memory;
	const volatile uint32_t *at;
	volatile uint32_t *page;
};

static void *look(void *data)
{
	struct looker *looker = data;

	EXPECT_EQ(pread(looker->memory, (void *)looker->page, 4,
			(uintptr_t)looker->at),
		  4);

	return NULL;
}

/* Longer than the module looks for the end of a process often. */
#define RARELY 4

/*
 * Who looks at the memory of a process keeps it after its end, here until the
 * module looks at it rarely.
 */
TEST(memory_that_is_looked_at)
{
	volatile uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static volatile uint32_t word;
	struct looker looker = { .at = &word, .page = page };
	struct steps steps = steps_new();
	const char *event = uniq("e");
	long long start = 0;
	bool stays = true;
	pthread_t thread;
	pid_t child;
	int uffd;

	ASSERT_TRUE((void *)page != MAP_FAILED);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		must_reg_word(data_open(), event, &word, 0);
		say(steps.up[1]);
		stay();
	}
	hear(steps.up[0]);
	looker.memory = open(text("/proc/%d/mem", child), O_RDONLY | O_CLOEXEC);
	ASSERT_OK(looker.memory);
	uffd = slow_memory(page);
	ASSERT_EQ(pthread_create(&thread, NULL, look, &looker), 0);
	slow_memory_is_missed(uffd);
	end_child(child);
	while (stays && harness_deadline(&start, RARELY))
		stays = status_line(event);
	EXPECT_TRUE(stays);
	slow_memory_is_given(uffd, page);
	pthread_join(thread, NULL);
	wait_deleted(event);
}

/* --- races --- */

#define ROUNDS 300

/* Switches an event on and off until it is told to stop. */
static pid_t toggler(const char *event)
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

static void quiet(pid_t child, const char *event)
{
	end_child(child);
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

TEST(fork_races_with_unregistering)
{
	static struct loop loop;
	unsigned int round;

	loop.event = uniq("e");
	loop.fd = data_open();
	must_reg_word(loop.fd, loop.event, &loop.word, 1);
	ASSERT_EQ(pthread_create(&loop.thread, NULL, unregister_loop, &loop),
		  0);
	for (round = 0; round < ROUNDS; round++) {
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

/* Whenever it is forked, in the end a child has the bit as it is. */
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
	toggles = toggler(event);
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
	quiet(toggles, event);
	enable(event, false);
	wait_value(&word, 0);
	enable(event, true);
	wait_value(&word, 1);
	for (i = 0; i < ARRAY_SIZE(children); i += 2)
		end_child(children[i]);
	close(go[1]);
	for (i = 1; i < ARRAY_SIZE(children); i += 2)
		wait_child(children[i]);
	enable(event, false);
	wait_value(&word, 0);
}

/*
 * To fork with this many mappings takes a while, in which nobody gets at them.
 * Where fewer do, more only take time.
 */
#define MAPPINGS_MAX 16384
#define WHILE_NS 10000000LL

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

static bool fork_takes_a_while(void)
{
	struct timespec begin, end;
	long long takes;
	unsigned int i;
	pid_t child;

	/* One may have been kept from going on. */
	for (i = 0; i < 3; i++) {
		clock_gettime(CLOCK_MONOTONIC, &begin);
		child = fork();
		if (!child)
			_exit(0);
		clock_gettime(CLOCK_MONOTONIC, &end);
		ASSERT_OK(child);
		wait_child(child);
		takes = (end.tv_sec - begin.tv_sec) * 1000000000LL +
			end.tv_nsec - begin.tv_nsec;
		if (takes < WHILE_NS)
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
		if (i % 1024 == 0 && fork_takes_a_while())
			break;
	}
}

struct switcher {
	pthread_t thread;
	pthread_barrier_t *start;
	const char *event;
	bool on;
	unsigned int delay_us;
};

static void *switch_once(void *data)
{
	struct switcher *switcher = data;

	pthread_barrier_wait(switcher->start);
	usleep(switcher->delay_us);
	enable(switcher->event, switcher->on);

	return NULL;
}

/*
 * A fork copies memory in the order of its addresses, so most of it comes after
 * the word was copied. The event is switched once meanwhile, and not again
 * before the child looks.
 */
TEST(one_switch_during_a_fork_reaches_the_child)
{
	volatile uint32_t *word = mmap((void *)0x10000, PAGE,
				       PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct switcher switcher = { .event = uniq("e") };
	pthread_barrier_t start;
	int fd = data_open();
	unsigned int round;
	pid_t child;
	int go[2];
	char byte;

	ASSERT_TRUE((void *)word != MAP_FAILED);
	ASSERT_EQ(pthread_barrier_init(&start, NULL, 2), 0);
	switcher.start = &start;
	must_reg_word(fd, switcher.event, word, 0);
	make_forks_slow();
	for (round = 0; round < 12; round++) {
		switcher.on = round % 2 == 0;
		switcher.delay_us = round * 1500 % 20000;
		ASSERT_OK(pipe(go));
		ASSERT_EQ(pthread_create(&switcher.thread, NULL, switch_once,
					 &switcher),
			  0);
		pthread_barrier_wait(&start);
		child = fork();
		ASSERT_OK(child);
		if (!child) {
			close(go[1]);
			if (read(go[0], &byte, 1))
				_exit(1);
			wait_value(word, switcher.on);
			_exit(harness_failed());
		}
		pthread_join(switcher.thread, NULL);
		wait_value(word, switcher.on);
		close(go[0]);
		close(go[1]);
		wait_child(child);
	}
	enable(switcher.event, false);
}

TEST(memory_that_is_kept_locked)
{
	static struct loop loop;
	unsigned int round;

	make_forks_slow();
	loop.event = uniq("e");
	loop.fd = data_open();
	must_reg_word(loop.fd, loop.event, &loop.word, 0);
	ASSERT_EQ(pthread_create(&loop.thread, NULL, fork_loop, &loop), 0);
	for (round = 0; round < ROUNDS / 3; round++) {
		enable(loop.event, !(round % 2));
		wait_value(&loop.word, !(round % 2));
	}
	__atomic_store_n(&loop.stop, true, __ATOMIC_RELEASE);
	pthread_join(loop.thread, NULL);
	EXPECT_OK(unreg(loop.fd, &loop.word, 0));
}

TEST(mapping_races_with_enabling)
{
	const char *event = uniq("e");
	uint32_t *page = map_page(PROT_READ | PROT_WRITE);
	unsigned int round;
	int fd = data_open();
	pid_t toggles;

	must_reg_word(fd, event, page, 0);
	toggles = toggler(event);
	for (round = 0; round < 10 * ROUNDS; round++) {
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
	quiet(toggles, event);
	enable(event, true);
	wait_value(page, 1);
	EXPECT_EQ(*page & ~1U, 0);
	enable(event, false);
	wait_value(page, 0);
	EXPECT_OK(unreg(fd, page, 0));
}

#define THOUSANDS 2000

/* More words than the module writes before the system call returns. */
#define WORDS 5000

static void wait_words(const volatile uint32_t *words, uint32_t expected)
{
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		wait_value(&words[i], expected);
}

TEST(more_words_than_are_written_at_once)
{
	volatile uint32_t *words = calloc(WORDS, sizeof(*words));
	struct steps steps = steps_new();
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
	hear(steps.up[0]);
	for (round = 0; round < 2; round++) {
		enable(event, true);
		say(steps.down[1]);
		wait_words(words, 1 << 7);
		hear(steps.up[0]);
		enable(event, false);
		say(steps.down[1]);
		wait_words(words, 0);
		if (!round)
			hear(steps.up[0]);
	}
	wait_child(child);
	/* Others are written at once again. */
	enable(other, true);
	EXPECT_EQ(words[WORDS - 1], 1);
	enable(other, false);
	EXPECT_EQ(words[WORDS - 1], 0);
	close(fd);
}

/* Both sides change what they had in common; neither sees it of the other. */
TEST(both_sides_of_a_fork_change_their_enablers)
{
	static volatile uint32_t words[THOUSANDS];
	struct steps steps = steps_new();
	const char *event = uniq("e");
	int fd = data_open();
	unsigned int i;
	pid_t child;

	for (i = 0; i < THOUSANDS; i += 2)
		must_reg_word(fd, event, &words[i], 3);
	child = fork();
	ASSERT_OK(child);
	for (i = 0; i < THOUSANDS; i += 4)
		EXPECT_OK(unreg(fd, &words[child ? i : i + 2], 3));
	for (i = 1; i < THOUSANDS; i += 4)
		must_reg_word(fd, event, &words[child ? i : i + 2], 3);
	if (!child) {
		step(&steps);
		for (i = 0; i < THOUSANDS; i++)
			wait_value(&words[i], i % 4 == 0 || i % 4 == 3 ? 8 : 0);
		_exit(harness_failed());
	}
	hear(steps.up[0]);
	enable(event, true);
	say(steps.down[1]);
	for (i = 0; i < THOUSANDS; i++)
		wait_value(&words[i], i % 4 == 1 || i % 4 == 2 ? 8 : 0);
	wait_child(child);
	enable(event, false);
	for (i = 0; i < THOUSANDS; i++)
		wait_value(&words[i], 0);
	close(fd);
}

TEST(thousands_of_enablers_are_killed)
{
	const char *event = uniq("e");
	struct steps steps;
	int fd = data_open();
	uint32_t word = 0;
	unsigned int round;
	pid_t toggles;

	must_reg_word(fd, event, &word, 0);
	for (round = 0; round < 5; round++) {
		pid_t child;

		steps = steps_new();
		child = fork();
		ASSERT_OK(child);
		if (!child) {
			uint32_t *words = calloc(THOUSANDS, sizeof(*words));
			unsigned int i;

			for (i = 0; i < THOUSANDS; i++)
				must_reg_word(fd, event, &words[i], i % 32);
			say(steps.up[1]);
			stay();
		}
		hear(steps.up[0]);
		toggles = toggler(event);
		usleep(20000);
		end_child(child);
		quiet(toggles, event);
	}
	EXPECT_OK(unreg(fd, &word, 0));
	close(fd);
	wait_deleted(event);
}

/* --- many processes --- */

#define CROWD 250

static void follow(const char *event, struct steps *steps)
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

/* So many that they are not told apart by where they are kept alone. */
TEST(each_of_a_crowd_is_told)
{
	const char *event = uniq("e");
	struct steps steps = steps_new();
	pid_t children[CROWD];
	size_t i;

	must_reg(data_open(), event);
	for (i = 0; i < CROWD; i++) {
		/* Of a process that has none, while others have some. */
		children[i] = fork();
		ASSERT_OK(children[i]);
		if (!children[i])
			follow(event, &steps);
		hear(steps.up[0]);
	}
	enable(event, true);
	for (i = 0; i < CROWD; i++)
		say(steps.down[1]);
	for (i = 0; i < CROWD; i++)
		wait_child(children[i]);
	enable(event, false);
}

TEST(many_processes_end_at_once)
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
				stay();
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

/* It takes its memory away all the time, and others go on. */
TEST(page_that_is_never_there)
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
	for (round = 0; round < ROUNDS; round++) {
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

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
