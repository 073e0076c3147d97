/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program of the fuzzer: a list of operations on user_events and on whatever
 * interacts with it. An operation has a name, numbers and an optional text. The
 * text form of a program has one line per operation:
 *
 *   THREAD TIMES NAME NUMBER... ["TEXT"]
 *
 * Empty lines and lines that start with '#' are ignored. A line that starts
 * with "program" starts the next program.
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
 * @kind: index into kinds[]
 * @thread: number of the thread that executes it
 * @times: number of consecutive executions
 * @arguments: numbers, including addresses
 * @text: owned; NULL if the kind has no text
 */
struct operation {
	unsigned int kind;
	unsigned int thread;
	unsigned int times;
	uint64_t arguments[ARGUMENTS];
	char *text;
};

/*
 * struct program - operations; each thread executes its own in this order
 * @count: number of operations
 * @operations: entries from @count on are unused
 */
struct program {
	unsigned int count;
	struct operation operations[OPERATIONS_MAX];
};

/* Frees the texts of the operations and removes all operations. */
void program_clear(struct program *program);

/* Replaces the content of @to. */
void program_copy(struct program *to, const struct program *from);

/*
 * program_insert - insert an operation before position @at
 * @operation: the program takes ownership of its text
 *
 * Return: false if the program is full; the text is freed in this case.
 */
bool program_insert(struct program *program, unsigned int at,
		    struct operation operation);

void program_remove(struct program *program, unsigned int at);

/* Highest thread number plus one. */
unsigned int program_threads(const struct program *program);

void operation_print(const struct operation *operation, FILE *to);

void program_print(const struct program *program, FILE *to);

/*
 * program_read - parse the next program of a text
 * @program: replaced
 * @text: start of the text; set to the start of the next program
 *
 * Return: 0; -1 at the end of the text; or the number of the first invalid
 * line, counted from 1 at the start of the text.
 */
int program_read(struct program *program, const char **text);

#endif /* SELFTESTS_FUZZ_PROGRAM_H */
