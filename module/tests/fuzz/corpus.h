/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inputs as lines of text, in one file per target.
 *
 * A printable character stands for itself, "\\" for a backslash, "\n" for a
 * newline and "\xNN" for any other byte. Empty lines and lines that start with
 * '#' are ignored.
 */
#ifndef USER_EVENTS_TESTS_FUZZ_CORPUS_H
#define USER_EVENTS_TESTS_FUZZ_CORPUS_H

#include <stdio.h>
#include <linux/types.h>

/**
 * struct fuzz_input - an input in a list
 * @from: its origin, for messages, owned
 * @bytes: its bytes, owned
 * @size: its size
 */
struct fuzz_input {
	char *from;
	u8 *bytes;
	size_t size;
};

/**
 * struct corpus - a list of inputs
 * @inputs: the inputs
 * @count: number of inputs
 */
struct corpus {
	struct fuzz_input *inputs;
	size_t count;
};

void corpus_add(struct corpus *corpus, const char *from, const void *bytes,
		size_t size);
int corpus_read_lines(struct corpus *corpus, const char *path);
int corpus_read_files(struct corpus *corpus, const char *directory);
int corpus_write_files(const struct corpus *corpus, const char *directory);
void corpus_write_lines(struct corpus *corpus, FILE *to);
void corpus_write_line(const struct fuzz_input *input, FILE *to);
void corpus_destroy(struct corpus *corpus);

#endif /* USER_EVENTS_TESTS_FUZZ_CORPUS_H */
