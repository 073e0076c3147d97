/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running a program: a process of its own with memory that is laid out the same
 * each time, so that an address in a program means the same each time.
 */
#ifndef SELFTESTS_FUZZ_EXECUTE_H
#define SELFTESTS_FUZZ_EXECUTE_H

#include <setjmp.h>
#include <sys/types.h>

#include "kinds.h"

#define PAGE 4096UL

/* Where a thread has what it hands to system calls. */
#define SCRATCH 0x10000000UL
#define SCRATCH_SIZE 0x40000UL

/* Memory that programs map, unmap and register bits in. */
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
	AREA_HUGE, /* and the next one: as large as a huge page, and aligned */
	AREA_STATUS = AREA_HUGE + 2, /* where files are to be mapped */
	AREA_FILE_PRIVATE,
	AREA_PERF, /* one for each perf event */
	AREA_COUNT = AREA_PERF + PERFS,
};

/* Descriptors that everybody finds, whoever opened them. */
enum descriptor {
	FD_FILES = 100,
	FD_PERFS = 110,
	FD_MEMORY = 120, /* the file of the areas that have one */
	FD_FAULTS, /* userfaultfd */
	FD_PROGRAM, /* the program, as text */
	FD_SHARED,
	FD_TRACES = 130,
};

/* Processes that a program may make, the first one not counted. */
#define PROCESSES_MAX 6

/*
 * struct shared - what all processes of a program and the fuzzer itself share
 * @processes: how many the program has made, or tried to
 * @children: their numbers, 0 where there is none
 * @traces: how many tasks count what they reach
 * @other_module: the module may not be loaded as it was
 * @calls: system calls so far, of all programs
 * @succeeded: of them
 * @ran: how often a kind of operations was run
 * @worked: how many system calls of such a kind succeeded
 */
struct shared {
	unsigned int processes;
	pid_t children[PROCESSES_MAX];
	unsigned int traces;
	bool other_module;
	unsigned long long calls;
	unsigned long long succeeded;
	unsigned long long ran[KINDS_MAX];
	unsigned long long worked[KINDS_MAX];
};

extern struct shared *shared;

/* Counts a system call; returns what it returned. */
long called(long result);

/* --- for operations --- */

/* The number of the calling thread. */
unsigned int execute_thread(void);

/*
 * execute_process - counts one process more
 *
 * Return: its number, or -1 if there may be none.
 */
int execute_process(void);

/* Goes on behind the present operation in a new image of the program. */
void execute_exec(void);

/* Does what is left for this thread, behind the present operation. */
void execute_rest(void);

/* What is there afterwards, in a process whose parent goes on. */
void execute_as_child(void);

/* Copies; false if the memory cannot be read, or not be written. */
bool try_copy(volatile void *to, const volatile void *from, size_t size);

/*
 * place - puts an argument of a system call where an operation wants it
 * @area: which part of the scratch memory, as each argument needs its own
 * @where: PLACE_*, or an address
 *
 * Return: its address; nothing may be there.
 */
void *place(unsigned int area, const void *data, size_t size, uint64_t where);

/* Room for a record, with nothing mapped behind it. */
#define RECORD_ROOM 0x18000UL

unsigned char *record_room(void);

/* --- for the fuzzer --- */

/* What exists once, before any program. Return: false, and says why. */
bool execute_prepare(void);

/*
 * execute_program - runs a program until all its processes have ended
 * @text: the same program
 * @seconds: after that it is killed
 *
 * Return: false if it was killed.
 */
bool execute_program(const struct program *program, const char *text,
		     unsigned int seconds);

/* What execute_exec() begins a new image with; does not return. */
void execute_resume(const char *thread, const char *at)
	__attribute__((noreturn));

#define RESUME "--resume"
#define IDLE "--idle"

#endif /* SELFTESTS_FUZZ_EXECUTE_H */
