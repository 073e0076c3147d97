/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inject_test: operations, the faults that are injected into them, and the state
 * of the kernel that must be the same before and after a failed one.
 */
#ifndef SELFTESTS_FAULTS_H
#define SELFTESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#define DEBUGFS "/sys/kernel/debug/"

/* More steps than any operation has; reaching this means an endless loop. */
#define NTH_MAX 4000

/* Kinds of faults that can last: of objects and of pages. */
#define LASTING_KINDS 2

/*
 * enum steps - the steps that are counted, one of which fails
 * @OBJECTS: allocations of objects, and copies
 * @PAGES: allocations of pages, and copies
 *
 * Any allocation of an object can need a page for its slab. If both were
 * counted, a number would be another step in each attempt, and many steps would
 * never fail.
 */
enum steps {
	OBJECTS,
	PAGES
};

/*
 * struct operation - an operation with injected faults
 * @setup: called once, first
 * @arrange: called before each attempt, without faults
 * @call: the operation; returns a value that is not negative, or -1 with errno
 * @check: checks the result of a successful operation
 * @undo: restores the state before @arrange
 * @also: an errno that is allowed, besides ENOMEM and EFAULT
 * @once: attempt it only with single faults
 *
 * All members except @call can be NULL.
 */
struct operation {
	void (*setup)(void);
	void (*arrange)(void);
	int (*call)(void);
	void (*check)(void);
	void (*undo)(void);
	int also;
	bool once;
};

/*
 * struct totals - sums over all tests, in shared memory
 * @faults: number of injected faults
 * @operations: number of operations
 */
struct totals {
	unsigned int faults;
	unsigned int operations;
};

extern struct totals *totals;

/* /proc/self/fail-nth; the probabilities of failslab and fail_page_alloc */
extern int nth_file;
extern int probability[LASTING_KINDS];

extern bool succeeded_despite_fault;

void set_fault(const char *file, const char *value);
void open_faults(void);

/* Retries, since the fault can be injected into the copy of the number. */
void must_write(int file, const char *number);

/* Remaining steps of a task until the fault; 0 if it has been injected. */
unsigned int nth_left(int file);

/* Selects the steps that are counted; all after open_faults(). */
void choose_steps(enum steps steps);
const char *steps_name(enum steps steps);

/*
 * try - execute the operation with a fault in its n-th step
 * @lasting: all later allocations of these steps fail as well, except those of
 *	     user pages, which the kernel would retry forever
 * @faults: set to the number of injected faults
 *
 * Return: the result of the operation.
 */
int try(const struct operation *op, unsigned int n, bool lasting,
	unsigned int *faults);

/* The state of all events, and the references of the process to them. */
char *read_state(void);

/* Waits for a while, since some objects are deleted by work items. */
bool expect_state(const char *expected);
void run(void (*function)(void));
void sweep(const struct operation *op);

#define SWEEP(...) sweep(&(const struct operation){ __VA_ARGS__ })

#endif /* SELFTESTS_FAULTS_H */
