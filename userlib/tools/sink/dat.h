/* SPDX-License-Identifier: MIT */
/* user-events: a file of the pages of a flight recorder, as they are. */
#ifndef USER_EVENTS_SINK_DAT_H
#define USER_EVENTS_SINK_DAT_H

/*
 * sink_dat_write() - Writes the records of a flight recorder as a trace.dat
 * @name: of the recorder
 * @path: the file, which appears when it is complete
 *
 * Return: an exit status; errors are printed
 */
int sink_dat_write(const char *name, const char *path);

#endif
