/* SPDX-License-Identifier: MIT */
/*
 * user-events: small files of tracefs, procfs and sysfs, and parts of any file.
 *
 * On error, functions return a negative errno or NULL.
 */
#ifndef USER_EVENTS_FILES_H
#define USER_EVENTS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * files_read() - Reads a whole file
 * @text: set to its NUL-terminated content, for free(); NULL on error
 * @size: set to its size without the NUL; or NULL
 */
int files_read(const char *path, char **text, size_t *size);

/* files_read_open() - Reads the rest of an open file, as files_read() */
int files_read_open(int fd, char **text, size_t *size);

/*
 * files_read_at() - Reads all of @size bytes at @offset of an open file
 * Return: 1; 0 if the file ends before; or an error
 */
int files_read_at(int fd, void *to, size_t size, uint64_t offset);

/*
 * Returns the first line of a file without its newline, for free(); NULL
 * without one.
 */
char *files_line(const char *path);

/*
 * files_value() - Finds the first line that starts with a key
 * @text: content of a file, or NULL
 *
 * Return: the text after the key, up to the end of @text; NULL without the line
 */
const char *files_value(const char *text, const char *key);

/* Returns only the rest of that line, for free(); NULL without the line. */
char *files_value_line(const char *text, const char *key);

/* Returns the number at its start; 0 without the line. */
uint64_t files_value_number(const char *text, const char *key);

/*
 * files_exist() - Tests whether a file exists
 * @format: its path, as for printf()
 */
__attribute__((__format__(__printf__, 1, 2))) bool
files_exist(const char *format, ...);

/* files_write() - Appends a text to a file with one write. */
int files_write(const char *path, const char *text);

/* files_save() - Replaces the content of a file; the mode of a new one is 0600 */
int files_save(const char *path, const void *bytes, size_t size);

/*
 * files_write_all() - Writes all bytes to an open file
 *
 * It waits for room if the file is not blocking, as some programs make the pipes
 * of those that they start.
 */
int files_write_all(int fd, const void *bytes, size_t size);

/* An array of names, for free() each. */
struct files_names {
	char **names;
	size_t count;
};

/* files_names() - Reads the sorted names in a directory, except "." and ".." */
int files_names(const char *path, struct files_names *names);
void files_names_free(struct files_names *names);

#endif
