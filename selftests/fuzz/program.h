/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program of the fuzzer: operations on user_events and on everything around,
 * each of which is a name, numbers, and maybe a text. As text a program has a
 * line for each:
 *
 *	THREAD TIMES NAME NUMBER... ["TEXT"]
 *
 * Lines that are empty or begin with '#' are not looked at, and a line that
 * begins with "program" ends the program before it.
 */
#ifndef SELFTESTS_FUZZ_PROGRAM_H
#define SELFTESTS_FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ARGUMENTS 9
#define OPERATIONS_MAX 40
#define THREADS 4
#define TIMES_MAX 200
#define TEXT_MAX 1100

/*
 * struct operation - one operation
 * @kind: which, a place in kinds[]
 * @thread: the thread that does it
 * @times: how often, one after the other
 * @arguments: numbers; an address is one, too
 * @text: owned; NULL if the kind has none
 */
struct operation {
	unsigned int kind;
	unsigned int thread;
	unsigned int times;
	uint64_t arguments[ARGUMENTS];
	char *text;
};

/*
 * struct program - operations; those of a thread are done in this order
 * @count: how many
 * @operations: what is behind @count is nothing
 */
struct program {
	unsigned int count;
	struct operation operations[OPERATIONS_MAX];
};

/* Releases what the operations own; there are none any more. */
void program_clear(struct program *program);

/* Replaces what is in @to. */
void program_copy(struct program *to, const struct program *from);

/*
 * program_insert - puts an operation in before another
 * @operation: its text belongs to the program from now on
 *
 * Return: false, and the text is released, if there is no room.
 */
bool program_insert(struct program *program, unsigned int at,
		    struct operation operation);

void program_remove(struct program *program, unsigned int at);

/* One more than the highest thread. */
unsigned int program_threads(const struct program *program);

void operation_print(const struct operation *operation, FILE *to);

void program_print(const struct program *program, FILE *to);

/*
 * program_read - reads the next program of a text
 * @program: replaced
 * @text: where to read; afterwards where the next one begins
 *
 * Return: 0; -1 at the end of the text; or the number of a line, from 1 on and
 * counted from where it was told to read, that says nothing.
 */
int program_read(struct program *program, const char **text);

#endif /* SELFTESTS_FUZZ_PROGRAM_H */
