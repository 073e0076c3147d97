/* SPDX-License-Identifier: MIT */
/*
 * user-events: untrusted text on a terminal.
 *
 * Names and texts of records can have any bytes: escape sequences, and format
 * characters of Unicode, which are invisible or change the order of others.
 */
#ifndef USER_EVENTS_TERMINAL_H
#define USER_EVENTS_TERMINAL_H

#include <stddef.h>

struct uev_output;

/*
 * terminal_append() - Appends text without characters that are not shown
 * @text: any bytes; invalid ones are read as Latin-1
 *
 * Control and format characters are \n, \t, \xHH, \uHHHH or \UHHHHHHHH. The
 * output is valid UTF-8 in one line, and NUL-terminated.
 */
void terminal_append(struct uev_output *to, const char *text, size_t size);

/* As terminal_append(). Return: a text for free() */
char *terminal_text(const char *text);

/*
 * terminal_width() - Counts the columns of a text of terminal_append()
 *
 * The widths of characters are those of the C library in its locale C.UTF-8,
 * whichever locale the environment selects. Without this locale, each character
 * has one column.
 */
size_t terminal_width(const char *text, size_t size);

/*
 * terminal_fit() - Returns the bytes of the start of a text that has at most
 * @columns, with whole characters and what is combined with the last one
 */
size_t terminal_fit(const char *text, size_t size, size_t columns);

#endif
