/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The differential test: operations on user_events that follow from a seed
 * alone, and a line for each of their results. Run on two kernels, the lines
 * tell in what the two differ.
 *
 * Nothing that is decided here may depend on a result: that is why what carries
 * an operation out returns nothing.
 */
#ifndef SELFTESTS_DIFFERENTIAL_H
#define SELFTESTS_DIFFERENTIAL_H

#include "../lib/command.h"
#include "../lib/random.h"
#include "../lib/user_events.h"

/* The interface that programs of the two kernels are made for. */
enum generation {
	GENERATION_STATUS,
	GENERATION_ENABLER,
};

extern enum generation generation;

/* --- results --- */

/* Where the numbers of a batch's operations begin. */
void results_begin(unsigned long long number);

/* The operation that results are about from here on. A subject of -1 is all. */
void begin(int subject, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A text with what cannot be printed escaped, in quotes; to be freed. */
char *quoted(const char *value);

void result(const char *what, const char *value);

/* What a call returned, or the name of its error. */
void result_of(long done, int error);

/*
 * A record of which @written bytes were written; what fills it up behind them
 * is always shown.
 */
void result_hex(const char *what, const unsigned char *bytes, size_t size,
		size_t written);

/* The same as result(), about a subject. */
void line_of_subject(int subject, const char *what, const char *value);

/* --- operations --- */

#define FILES 3
#define SUBJECTS 3
#define WORDS 6

/* struct subject - an event that a batch is about; its number is in each line */
struct subject {
	char name[COMMAND_MAX];
};

extern struct subject subjects[SUBJECTS];

/* Opens what every batch needs. */
void operations_begin(unsigned long long number);

/* A name that may have become an event, or NULL behind the last. */
const char *tried_name(unsigned int number);

/* Where the structure that registers is not as it should be. */
struct reg_shape {
	unsigned int size;
	unsigned int tail;
	unsigned int flags;
	unsigned int enable_size;
	unsigned int bit;
	unsigned int word;
	bool nobody;
};

/* Addresses of enablers that are none of the words. */
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
	       bool nobody);
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

/* How a record is handed over. */
enum write_how {
	WRITE_PLAIN,
	WRITE_VECTOR,
	WRITE_PIECES,
	WRITE_AT,
	WRITE_EDGE,
	WRITE_HOWS,
};

/*
 * do_write - write a record and show what readers got
 * @wrong: this index instead of the right one, unless it is 0
 */
void do_write(unsigned int subject, unsigned int file, long wrong,
	      enum write_how how, const void *payload, size_t size);

/*
 * do_reset - close all files and delete the event
 *
 * What was different before makes no difference behind it.
 */
void do_reset(unsigned int subject);

/* Waits until nothing of the batch is left; done by the parent. */
bool operations_end(void);

/* --- batches --- */

/* Names the subjects; the parent does this, too. */
void batch_name(unsigned long long batch);

void batch_run(unsigned long long batch);

#endif /* SELFTESTS_DIFFERENTIAL_H */
