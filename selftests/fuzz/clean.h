/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state after each program: all objects that the program created can be
 * removed, no other object is left, and the module is unused.
 */
#ifndef SELFTESTS_FUZZ_CLEAN_H
#define SELFTESTS_FUZZ_CLEAN_H

#include <stdbool.h>

/* Called once, before the first program. */
void clean_prepare(void);

/*
 * clean - remove all objects that a program created
 *
 * Afterwards the module is loaded with its default parameters.
 *
 * Return: false, after a note, if an object cannot be removed.
 */
bool clean(void);

/* Unloads the module and loads it again. Return: false if that fails. */
bool clean_reload(void);

#endif /* SELFTESTS_FUZZ_CLEAN_H */
