/* SPDX-License-Identifier: MIT */
/*
 * Allocation for libuserevents. The functions are those of the C library, but
 * never change errno, because a tracepoint can be between a call of the program
 * and its test of errno.
 */
#ifndef USEREVENTS_UTIL_ALLOC_H
#define USEREVENTS_UTIL_ALLOC_H

#include <stddef.h>

void *uev_malloc(size_t size);
void *uev_calloc(size_t count, size_t size);
void *uev_realloc(void *memory, size_t size);
char *uev_strdup(const char *text);

#endif
