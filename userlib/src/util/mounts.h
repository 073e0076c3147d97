/* SPDX-License-Identifier: MIT */
/*
 * Mount points of tracefs, from the text of /proc/mounts. Without side effects.
 */
#ifndef USEREVENTS_UTIL_MOUNTS_H
#define USEREVENTS_UTIL_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * uev_mounts_next() - Finds the next directory of a tracefs
 * @text: the text, NUL-terminated; advanced after the line
 * @directory: receives its path; in a debugfs it is "tracing"
 * @size: bytes at @directory; a longer path is skipped
 *
 * Return: false if there is no other.
 */
bool uev_mounts_next(const char **text, char *directory, size_t size);

#endif
