/* SPDX-License-Identifier: MIT */
/*
 * Inputs as lines of text: one readable file per target.
 *
 * A printable character stands for itself, "\\" for a backslash, "\n" for a
 * newline and "\xNN" for any other byte. Empty lines and lines that start with
 * '#' are ignored.
 */
#ifndef UEV_FUZZ_CORPUS_H
#define UEV_FUZZ_CORPUS_H

#include <stdint.h>
#include <stdio.h>

struct fuzz_input {
	uint8_t *bytes;
	size_t size;
};

struct corpus {
	struct fuzz_input *inputs;
	size_t count;
};

void corpus_add(struct corpus *corpus, const void *bytes, size_t size);
int corpus_read_lines(struct corpus *corpus, const char *path);
int corpus_read_files(struct corpus *corpus, const char *directory);
int corpus_write_files(const struct corpus *corpus, const char *directory);
void corpus_write_lines(struct corpus *corpus, FILE *to);
void corpus_write_line(const struct fuzz_input *input, FILE *to);
void corpus_release(struct corpus *corpus);

#endif
