/* SPDX-License-Identifier: MIT */
/*
 * user-events: a file that is there when it is whole, and not before.
 *
 * It has another name in the same directory until output_file_finish(). What is
 * no plain file, such as a pipe, and standard output are written as they are.
 */
#ifndef USER_EVENTS_FORMATS_OUTPUT_FILE_H
#define USER_EVENTS_FORMATS_OUTPUT_FILE_H

#include <stddef.h>

struct output_file;

/*
 * output_file_open() - begins a file
 * @path: what it is called in the end; NULL or "-": standard output
 * Return: 0, or what open(2) answers
 */
int output_file_open(struct output_file **opened, const char *path);

/* Writes, or keeps for later; an error stays, and nothing is written then. */
void output_file_write(struct output_file *file, const void *bytes,
		       size_t size);
void output_file_text(struct output_file *file, const char *text);

/* Return: 0 or what write(2) answered. */
int output_file_error(const struct output_file *file);

/* Has all of it written that is kept. Return: as output_file_error(). */
int output_file_flush(struct output_file *file);

/*
 * output_file_finish() - makes it whole
 * output_file_discard() - leaves no file; NULL is allowed
 * Return: 0 or what write(2), close(2) or rename(2) answered; then no file is
 * left
 */
int output_file_finish(struct output_file *file);
void output_file_discard(struct output_file *file);

#endif
