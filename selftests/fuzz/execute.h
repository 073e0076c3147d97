/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Execution of a program, in its own process. The memory layout is always the
 * same, so that an address in a program always has the same meaning.
 */
#ifndef SELFTESTS_FUZZ_EXECUTE_H
#define SELFTESTS_FUZZ_EXECUTE_H

#include <setjmp.h>
#include <sys/types.h>

#include "kinds.h"

#define PAGE_4K 4096UL

/* Memory for the system-call arguments of each thread. */
#define SCRATCH 0x10000000UL
#define SCRATCH_SIZE 0x40000UL

/* Memory that programs map, unmap and register enable bits in. */
#define AREAS 0x20000000UL
#define AREA_SIZE 0x100000UL
#define AREA_PAGES 16

enum area {
	AREA_PRIVATE,
	AREA_SHARED,
	AREA_FILE, /* the file is half as long as the mapping */
	AREA_READ_ONLY,
	AREA_CLOSED, /* PROT_NONE */
	AREA_UNMAPPED,
	AREA_HUGE, /* this area and the next one: a huge page, aligned */
	AREA_STATUS = AREA_HUGE + 2, /* for mappings of the module's files */
	AREA_FILE_PRIVATE,
	AREA_PERF, /* one for each perf event */
	AREA_COUNT = AREA_PERF + PERFS,
};

/* Descriptors with a fixed number, the same in all processes of a program. */
enum descriptor {
	FD_FILES = 100,
	FD_PERFS = 110,
	FD_MEMORY = 120, /* file that backs the areas with file mappings */
	FD_USERFAULTFD, /* userfaultfd */
	FD_PROGRAM, /* the program as text */
	FD_SHARED,
	FD_TRACES = 130,
};

/* Maximum number of processes that a program creates. */
#define PROCESSES_MAX 6

/*
 * struct shared - memory shared by all processes of a program and the fuzzer
 * @processes: number of processes that the program has tried to create
 * @children: process IDs; 0 for unused entries
 * @traces: number of tasks that record coverage
 * @module_changed: the module might have been reloaded with other parameters
 * @calls: number of system calls by all programs so far
 * @succeeded: number of successful system calls
 * @runs: number of executions of each kind of operation
 * @successes: number of successful system calls of each kind of operation
 */
struct shared {
	unsigned int processes;
	pid_t children[PROCESSES_MAX];
	unsigned int traces;
	bool module_changed;
	unsigned long long calls;
	unsigned long long succeeded;
	unsigned long long runs[KINDS_MAX];
	unsigned long long successes[KINDS_MAX];
};

extern struct shared *shared;

/* Counts a system call. Return: @result. */
long count_call(long result);

/* --- functions for operations --- */

/* Number of the calling thread. */
unsigned int execute_thread(void);

/*
 * execute_process - reserve a number for a new process
 *
 * Return: the number, or -1 if the program has reached PROCESSES_MAX.
 */
int execute_process(void);

/* Executes the program's image anew, which continues after this operation. */
void execute_exec(void);

/* Executes the operations of this thread that follow the current one. */
void execute_rest(void);

/* Sets up a child process whose parent continues independently. */
void execute_as_child(void);

/*
 * Copies memory. Return: false if the memory is not readable or not writable.
 */
bool try_copy(volatile void *to, const volatile void *from, size_t size);

/*
 * place - put a system-call argument where an operation wants it
 * @area: part of the scratch memory; each argument of a call has its own
 * @where: PLACE_*, or an address
 *
 * Return: the address, which might not be mapped.
 */
void *place(unsigned int area, const void *data, size_t size, uint64_t where);

/* Space for a record, followed by an unmapped page. */
#define RECORD_ROOM 0x18000UL

unsigned char *record_room(void);

/* --- functions for the fuzzer --- */

/* Creates the shared memory. Return: false, after a note, on failure. */
bool execute_prepare(void);

/*
 * execute_program - run a program until all its processes have exited
 * @text: the program as text
 * @seconds: timeout after which it is killed
 *
 * Return: false if it was killed.
 */
bool execute_program(const struct program *program, const char *text,
		     unsigned int seconds);

/* Entry point of the image that execute_exec() starts. */
void execute_resume(const char *thread, const char *at)
	__attribute__((noreturn));

#define RESUME "--resume"
#define IDLE "--idle"

#endif /* SELFTESTS_FUZZ_EXECUTE_H */
