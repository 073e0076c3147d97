/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differential test: executes operations on user_events that depend only on a
 * seed, and prints one line for each of their results. The output of two
 * kernels is then compared.
 *
 * No operation may depend on an earlier result. Therefore the functions that
 * execute operations return nothing.
 */
#ifndef SELFTESTS_DIFFERENTIAL_H
#define SELFTESTS_DIFFERENTIAL_H

#include "../lib/command.h"
#include "../lib/random.h"
#include "../lib/user_events.h"

/* The generation of the interface that the operations use. */
enum generation {
	GENERATION_STATUS,
	GENERATION_ENABLER,
};

extern enum generation generation;

/* --- results --- */

/* Starts a batch. */
void results_start(unsigned long long number);

/* Starts the operation of the following results. A subject of -1 means all. */
void start_operation(int subject, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A text in quotes with unprintable bytes escaped. Return: allocated text. */
char *quoted(const char *value);

void result(const char *what, const char *value);

/* Prints the return value of a call, or the name of its error. */
void result_of(long done, int error);

/*
 * Prints the payload of a record. The bytes after the first @written ones, the
 * padding, are always printed.
 */
void result_hex(const char *what, const unsigned char *bytes, size_t size,
		size_t written);

/* result() for another subject than that of the operation. */
void line_of_subject(int subject, const char *what, const char *value);

/* --- operations --- */

#define FILES 3
#define SUBJECTS 3
#define WORDS 6

/*
 * struct subject - an event of a batch, identified by its index in the output
 */
struct subject {
	char name[COMMAND_MAX];
};

extern struct subject subjects[SUBJECTS];

/* Opens the files that every batch needs. */
void operations_start(unsigned long long number);

/* A name that might have become an event, or NULL after the last one. */
const char *tried_name(unsigned int number);

/* Deviations from a valid registration structure. */
struct reg_shape {
	unsigned int size;
	unsigned int tail;
	unsigned int flags;
	unsigned int enable_size;
	unsigned int bit;
	unsigned int word;
	bool unprivileged;
};

/* Addresses of enablers that are not in the array of words. */
enum {
	WORD_NULL = WORDS,
	WORD_UNALIGNED,
	WORD_KERNEL,
	WORD_READ_ONLY,
	WORD_UNMAPPED,
	WORD_END,
};

void shape_plain(struct reg_shape *shape);

void do_register(unsigned int subject, unsigned int file, const char *command,
		 const struct reg_shape *shape);
void do_unregister(unsigned int file, unsigned int word, unsigned int bit,
		   unsigned int size, unsigned int reserved);
void do_delete(unsigned int subject, unsigned int file, const char *name,
	       bool unprivileged);
void do_line(unsigned int subject, const char *line);
void do_truncate(void);
void do_close(unsigned int file);
void do_show(unsigned int subject);
void do_show_all(void);
void do_bits(unsigned int subject);
void do_enable(unsigned int subject, bool on);
void do_filter(unsigned int subject, const char *filter);
void do_perf(unsigned int subject, bool on);
void do_map(size_t length, int protection);

/* System call and layout of a write. */
enum write_method {
	WRITE_PLAIN,
	WRITE_VECTOR,
	WRITE_PIECES,
	WRITE_AT,
	WRITE_PAGE_END,
	WRITE_METHODS,
};

/*
 * do_write - write a record and print what the tracers received
 * @wrong: index to use instead of the valid one, unless it is 0
 */
void do_write(unsigned int subject, unsigned int file, long wrong,
	      enum write_method how, const void *payload, size_t size);

/*
 * do_reset - close all files and delete the event
 *
 * Earlier differences have no effect after this operation.
 */
void do_reset(unsigned int subject);

/* Called by the parent: waits until the batch's events are deleted. */
bool operations_finish(void);

/* --- batches --- */

/* Names the subjects. Also called by the parent. */
void batch_name(unsigned long long batch);

void batch_run(unsigned long long batch);

#endif /* SELFTESTS_DIFFERENTIAL_H */
