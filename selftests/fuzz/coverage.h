/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code of the module a program reaches, as KCOV tells for each task. A
 * kernel without it is fuzzed blindly.
 */
#ifndef SELFTESTS_FUZZ_COVERAGE_H
#define SELFTESTS_FUZZ_COVERAGE_H

#include <stdbool.h>

/* Return: false if this kernel does not tell. */
bool coverage_prepare(void);

/* From here on the calling task is watched, if enough others are not. */
void coverage_take(void);

/* Where the module is, whenever it may have been loaded anew. */
void coverage_find_module(void);

/*
 * coverage_collect - what the last program reached
 *
 * Return: how many ways from one piece of code to the next nobody took before.
 */
unsigned int coverage_collect(void);

/* How many pieces of code were reached so far, and ways between them. */
unsigned int coverage_reached(void);
unsigned int coverage_ways(void);

/* Writes where in the module they are, in bytes from its first. */
bool coverage_write(const char *path);

#endif /* SELFTESTS_FUZZ_COVERAGE_H */
