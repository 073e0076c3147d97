/* SPDX-License-Identifier: MIT */
/*
 * Where tracefs is mounted, from the text of /proc/mounts. Pure.
 */
#ifndef USEREVENTS_UTIL_MOUNTS_H
#define USEREVENTS_UTIL_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * uev_mounts_next() - the next directory that is, or has, a tracefs
 * @text: the text, NUL-terminated; moved behind the line that had it
 * @directory: receives its path; a debugfs has its tracefs in "tracing"
 * @size: bytes at @directory; a path that does not fit is passed over
 *
 * Return: false if there is none any more.
 */
bool uev_mounts_next(const char **text, char *directory, size_t size);

#endif
