/* SPDX-License-Identifier: MIT */
/* user-events: a line with the numbers of a session. */
#ifndef USER_EVENTS_PIPE_SUMMARY_H
#define USER_EVENTS_PIPE_SUMMARY_H

/*
 * pipe_print_summary() - Prints to standard error what became of all records
 * @data: a struct pipe, whose source is a session
 * Return: TOOL_INCOMPLETE if some are malformed, not written or unaccounted for;
 *         TOOL_OK
 */
int pipe_print_summary(void *data);

#endif
