/* SPDX-License-Identifier: MIT */
/*
 * Structures of options that can grow: the first member is the size of the
 * caller's version.
 */
#ifndef USEREVENTS_UTIL_OPTIONS_H
#define USEREVENTS_UTIL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies the members that both versions have; the rest of @to is unchanged.
 * @to: @size bytes
 * @from: starts with its size, as size_t; NULL: nothing is copied
 *
 * Return: 0, or -EINVAL if @from has a nonzero member that is unknown here or
 * an invalid size
 */
int uev_options_copy(void *to, size_t size, const void *from);

/* Tests whether reserved members of a structure of the caller are 0. */
bool uev_is_zero(const void *bytes, size_t size);

#endif
