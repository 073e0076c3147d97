/* SPDX-License-Identifier: MIT */
/*
 * user-events: a terminal that is redrawn repeatedly and always restored at
 * exit.
 */
#ifndef USER_EVENTS_UI_SCREEN_H
#define USER_EVENTS_UI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Switches to the alternate screen and unbuffered keys. */
void screen_begin(void);
void screen_end(void);

/* Redraws the screen with lines of text, each of which ends with a newline. */
void screen_draw(const char *text, size_t size);

/* Tests whether "q" was pressed. */
bool screen_quits(void);

/* Stops the process with the terminal restored, until it is continued. */
void screen_pause(void);

#endif
