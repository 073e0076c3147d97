/* SPDX-License-Identifier: MIT */
/* user-events: symbols of ELF files, by offset in the file. */
#ifndef USER_EVENTS_FORMATS_SYMBOLS_H
#define USER_EVENTS_FORMATS_SYMBOLS_H

#include <stdint.h>

/*
 * symbols_find() - Finds the function at an offset of a file
 * @path: path of the file, which need not exist or be ELF. Only regular files
 *        are opened.
 * @offset: offset in the file
 * @distance: set to the bytes from the start of the function
 *
 * The symbols of the last files stay in memory until symbols_release().
 *
 * Return: the name, of C++ as in the source, valid until the next call; NULL if
 * unknown
 */
const char *symbols_find(const char *path, uint64_t offset, uint64_t *distance);

void symbols_release(void);

#endif
