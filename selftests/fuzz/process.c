// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on processes: every kind of fork, exec, exit, signals, and loss of
 * privileges.
 */
#include <linux/user_events.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../lib/harness.h"
#include "coverage.h"
#include "execute.h"
#include "operations.h"

#define STACK (128UL << 10)
#define UNPRIVILEGED_UID 65534

static unsigned char stacks[PROCESSES_MAX][STACK] __attribute__((aligned(64)));

static void note_child(int number, pid_t child)
{
	count_call(child);
	if (child > 0)
		__atomic_store_n(&shared->children[number], child,
				 __ATOMIC_RELAXED);
}

static void sleep_for(long microseconds)
{
	const struct timespec pause = {
		.tv_nsec = microseconds * 1000,
	};

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}

/* A vfork() child: shares the memory of its parent, which waits for it. */
static int run_vfork_child(void *unused)
{
	(void)unused;
	coverage_start_task();
	execute_rest();
	_exit(HARNESS_PASS);
}

/*
 * A CLONE_VM child: shares the memory of its parent, which continues, so it
 * must use little of the C library.
 */
static int run_sharing_child(void *how)
{
	char *const idle[] = { "syscalls", IDLE, NULL };
	struct user_unreg unreg = {
		.size = sizeof(unreg),
		.disable_addr = AREAS,
	};

	switch ((uintptr_t)how) {
	case 0:
		break;
	case 1:
		sleep_for(2000);
		break;
	case 2:
		syscall(SYS_execve, "/proc/self/exe", idle, idle + 2);
		break;
	case 3:
		syscall(SYS_ioctl, FD_FILES, DIAG_IOCSUNREG, &unreg);
		break;
	default:
		syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
	}
	syscall(SYS_exit_group, 0);

	return 0;
}

/* Parent and child both execute the operations that follow. */
void do_fork(const struct operation *operation)
{
	uint64_t how = operation->arguments[0] % 8;
	int number = execute_process();
	void *stack;
	pid_t child;

	if (number < 0)
		return;
	stack = stacks[number] + STACK;
	switch (how) {
	case 0 ... 1:
		child = fork();
		if (child == 0) {
			execute_as_child();
			return;
		}
		note_child(number, child);
		break;
	case 2:
		count_call(clone(run_vfork_child, stack,
				 CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
		break;
	default:
		note_child(number,
			   clone(run_sharing_child, stack, CLONE_VM | SIGCHLD,
				 (void *)(uintptr_t)(how - 3)));
	}
}

void do_exec(const struct operation *operation)
{
	(void)operation;
	if (execute_process() >= 0)
		execute_exec();
}

void do_exit(const struct operation *operation)
{
	if (operation->arguments[0])
		_exit(HARNESS_PASS);
	syscall(SYS_exit, 0);
}

void do_kill(const struct operation *operation)
{
	static const int signals[] = { SIGKILL, SIGKILL, SIGALRM,
				       SIGUSR1, SIGSTOP, SIGCONT };
	uint64_t number = operation->arguments[0] % PROCESSES_MAX;
	pid_t child =
		__atomic_load_n(&shared->children[number], __ATOMIC_RELAXED);

	if (child > 0)
		count_call(kill(
			child,
			signals[operation->arguments[1] % ARRAY_SIZE(signals)]));
}

void do_pause(const struct operation *operation)
{
	if (operation->arguments[0])
		sleep_for((long)(operation->arguments[0] % 20) * 100);
	else
		sched_yield();
}

void do_pin(const struct operation *operation)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(operation->arguments[0], &set);
	count_call(sched_setaffinity(0, sizeof(set), &set));
}

/* Signals that interrupt other operations. */
void do_timer(const struct operation *operation)
{
	long often = (long)(operation->arguments[0] % 20) * 50;
	const struct itimerval timer = {
		.it_interval.tv_usec = often,
		.it_value.tv_usec = often,
	};

	count_call(setitimer(ITIMER_REAL, &timer, NULL));
}

/* Changes the effective user of this thread only; can be undone. */
void do_user(const struct operation *operation)
{
	uid_t user = operation->arguments[0] ? UNPRIVILEGED_UID : 0;

	count_call(syscall(SYS_setresuid, -1, user, 0));
}
