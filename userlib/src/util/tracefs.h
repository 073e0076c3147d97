/* SPDX-License-Identifier: MIT */
/*
 * What tracefs tells of events to somebody who collects them.
 */
#ifndef USEREVENTS_UTIL_TRACEFS_H
#define USEREVENTS_UTIL_TRACEFS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Finds the directory.
 * @given: where the caller says that it is, or NULL
 * @directory: set to it, for the caller to free
 *
 * Return: 0, -ENOENT when there is none, -EACCES, -ENOMEM, ...
 */
int uev_tracefs_directory(const char *given, char **directory);

/*
 * Calls @each for every event whose system and name match, until it returns
 * something else than 0, which is returned. Events that go away meanwhile are
 * left out.
 *
 * Return: 0 or a negative errno
 */
int uev_tracefs_events(const char *directory, const char *system,
		       const char *name,
		       int (*each)(void *data, const char *system,
				   const char *name, uint32_t id),
		       void *data);

/* The text of a file below events/, as uev_text_file_read(). */
int uev_tracefs_text(const char *directory, const char *system,
		     const char *name, const char *file, char **text,
		     size_t *size);

#endif
