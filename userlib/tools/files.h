/* SPDX-License-Identifier: MIT */
/*
 * user-events: the small files of tracefs, procfs and sysfs.
 *
 * What fails returns a negative errno, or NULL.
 */
#ifndef USER_EVENTS_FILES_H
#define USER_EVENTS_FILES_H

#include <stddef.h>

/*
 * files_read() - all of a file
 * @text: set to it and a NUL, for free(); NULL in an error
 * @size: set to its bytes without the NUL; or NULL
 */
int files_read(const char *path, char **text, size_t *size);

/* The first line of a file without its end, for free(); NULL without one. */
char *files_line(const char *path);

/* files_write() - has a file take a text at once, at its end. */
int files_write(const char *path, const char *text);

/* Names, each for free() as the array is. */
struct files_names {
	char **names;
	size_t count;
};

/* files_names() - what is in a directory but "." and "..", sorted */
int files_names(const char *path, struct files_names *names);
void files_names_free(struct files_names *names);

#endif
