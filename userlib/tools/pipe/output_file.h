/* SPDX-License-Identifier: MIT */
/*
 * user-events: an output file that appears when it is complete.
 *
 * It has a temporary name in the same directory until output_file_finish(), in
 * that of the target of a link. Pipes, devices, standard output and open files,
 * such as /dev/fd/3, are written directly, and so is a link without a target.
 */
#ifndef USER_EVENTS_PIPE_OUTPUT_FILE_H
#define USER_EVENTS_PIPE_OUTPUT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

struct output_file;

/*
 * output_file_open() - Creates a file
 *
 * It takes over the mode, group and, if allowed, owner of a file that it
 * replaces, so that records in a private file stay private.
 *
 * @path: its final path; NULL or "-": standard output
 * @like: a new file can be read only by those who can read this one; NULL: only
 *        the umask counts
 * Return: 0, or an error of open(2)
 */
int output_file_open(struct output_file **opened, const char *path,
		     const char *like);

/*
 * output_file_wait_for_reader() - Makes writes wait for a slow reader
 *
 * Meanwhile nothing is read from the kernel, which keeps records or counts them
 * as lost. After a stop signal, nothing more is written if the reader has stalled
 * for 10 seconds, or at a second signal.
 */
void output_file_wait_for_reader(struct output_file *file);

/* Returns the number of lines that were not written completely. */
uint64_t output_file_unwritten(const struct output_file *file);

/* Writes with buffering. After an error nothing is written any more. */
void output_file_write(struct output_file *file, const void *bytes,
		       size_t size);
void output_file_text(struct output_file *file, const char *text);

/*
 * output_file_aside() - Writes a line that is no record, which
 * output_file_unwritten() does not count; nothing after a line that was not
 * written
 */
void output_file_aside(struct output_file *file, const struct uev_output *line);

/* Return: 0, or an error of write(2). */
int output_file_error(const struct output_file *file);

/* Writes the buffer. */
void output_file_flush(struct output_file *file);

/*
 * output_file_finish() - Completes the file
 * output_file_discard() - Removes the file; NULL is allowed
 * Return: 0, or an error of write(2), close(2) or rename(2), and the file is
 * removed
 */
int output_file_finish(struct output_file *file);
void output_file_discard(struct output_file *file);

#endif
