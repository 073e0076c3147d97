/* SPDX-License-Identifier: MIT */
/*
 * Structures of options that may grow: the size in front says what the caller
 * was compiled with.
 */
#ifndef USEREVENTS_UTIL_OPTIONS_H
#define USEREVENTS_UTIL_OPTIONS_H

#include <stddef.h>

/*
 * Copies as much of @from as both sides know; the rest of @to stays as it is.
 * @to: @size bytes
 * @from: begins with its size, as size_t; NULL: nothing is copied
 *
 * Return: 0, or -EINVAL when @from asks for something that is not known here or
 * cannot have the size that it says
 */
int uev_options_copy(void *to, size_t size, const void *from);

#endif
