/* SPDX-License-Identifier: MIT */
/* user-events: writes to a file that can be a slow reader. */
#ifndef USER_EVENTS_UI_WRITE_H
#define USER_EVENTS_UI_WRITE_H

#include <stddef.h>

/*
 * write_all() - Writes all bytes
 *
 * It waits for room if the file is not blocking, as some programs make the pipes
 * of those that they start.
 *
 * Return: 0, or an error of write(2)
 */
int write_all(int fd, const void *bytes, size_t size);

#endif
