/* SPDX-License-Identifier: MIT */
/* user-events: files that arrive through a pipe. */
#ifndef USER_EVENTS_FORMATS_SPOOL_H
#define USER_EVENTS_FORMATS_SPOOL_H

/*
 * spool_open() - Copies a file that a pipe or a socket delivers, such as that of
 * "ssh HOST cat FILE", into a file without a name
 *
 * perf.data and trace.dat have offsets. What perf writes to a pipe has none, and
 * is not copied, so that its records can be read as they arrive.
 *
 * The file is in the directory of the environment variable TMPDIR, or in /var/tmp
 * or /tmp.
 *
 * @fd: any descriptor
 * @spooled: set to the copy, to be closed; -1: @fd can be read as it is
 * Return: 0 or -errno
 */
int spool_open(int fd, int *spooled);

/* Returns where the copy is, for a message. */
const char *spool_directory(void);

#endif
