// SPDX-License-Identifier: MIT
/*
 * Writes N records of the event "called" from nested functions:
 *
 *	calls N		in this process
 *	calls N fork	in a child, which has the mappings of its parent
 *	calls N exec	in this process, after it was replaced by the same program
 *	calls N wait	after a line on standard input
 *
 * It is compiled with frame pointers, and does not use the library, which has
 * none.
 */
#define USER_EVENTS_ABI_ENABLER
#include <linux/user_events.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_PATH "/sys/kernel/tracing/user_events_data"

static int file;
static uint32_t enabled;

struct record {
	uint32_t write_index;
	uint32_t number;
};

/* A call at the end of a function would be a jump. */
static inline void not_last(void)
{
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline, used)) void innermost(struct record *record)
{
	/* Fails without a tracer. */
	if (write(file, record, sizeof(*record)) < 0 && errno != EBADF)
		_exit(1);
	not_last();
}

__attribute__((noinline, used)) static void middle(struct record *record)
{
	innermost(record);
	not_last();
}

__attribute__((noinline, used)) void outermost(struct record *record)
{
	/* Two ways to the same function. */
	if (record->number % 2)
		middle(record);
	else
		innermost(record);
	not_last();
}

static int write_records(uint32_t count)
{
	struct user_reg reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(enabled),
		.enable_addr = (uint64_t)(uintptr_t)&enabled,
		.name_args = (uint64_t)(uintptr_t) "called u32 number",
	};
	struct record record;

	file = open(FILE_PATH, O_RDWR | O_CLOEXEC);
	if (file < 0 || ioctl(file, DIAG_IOCSREG, &reg) < 0) {
		perror(FILE_PATH);
		return 1;
	}
	record.write_index = reg.write_index;
	for (record.number = 0; record.number < count; record.number++)
		outermost(&record);

	return 0;
}

static int write_in_child(uint32_t count)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(write_records(count));

	return waitpid(child, &status, 0) < 0 || status;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";
	uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;

	if (!strcmp(mode, "exec"))
		return execl("/proc/self/exe", argv[0], argv[1], (char *)NULL);
	if (!strcmp(mode, "fork"))
		return write_in_child(count);
	if (!strcmp(mode, "wait"))
		(void)getchar();

	return write_records(count);
}
