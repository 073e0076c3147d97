/* SPDX-License-Identifier: MIT */
/* Events in tracefs, for collectors. */
#ifndef USEREVENTS_UTIL_TRACEFS_H
#define USEREVENTS_UTIL_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Finds the directory of tracefs.
 * @given: path from the caller, or NULL
 * @directory: set to the path, which the caller frees
 *
 * Return: 0; -ENOENT if there is none; -EACCES; -ENOMEM; ...
 */
int uev_tracefs_directory(const char *given, char **directory);

/*
 * Tests whether an event matches a pattern.
 * @pattern: "[SYSTEM:]GLOB", with the wildcards of fnmatch(). Without SYSTEM,
 *        events of user_events, and formats of user_events_multi, NAME.N, whose
 *        NAME matches
 */
bool uev_tracefs_matches(const char *pattern, const char *system,
			 const char *name);

/*
 * Calls @each for every event that matches a pattern, until it returns a
 * nonzero value, which is returned. Events that are deleted meanwhile are
 * skipped.
 *
 * Return: 0 or a negative errno
 */
int uev_tracefs_events(const char *directory, const char *pattern,
		       int (*each)(void *data, const char *system,
				   const char *name, uint32_t id),
		       void *data);

/* Reads a file below events/, as uev_text_file_read(). */
int uev_tracefs_text(const char *directory, const char *system,
		     const char *name, const char *file, char **text,
		     size_t *size);

#endif
