/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must be true after every program: all that it made can be taken away
 * again, nothing else is left, and nobody uses the module.
 */
#ifndef SELFTESTS_FUZZ_CLEAN_H
#define SELFTESTS_FUZZ_CLEAN_H

#include <stdbool.h>

/* Once, before any program. */
void clean_prepare(void);

/*
 * clean - takes away what a program made
 *
 * The module is loaded afterwards, as it is without parameters.
 *
 * Return: false if something stays, and a note says what.
 */
bool clean(void);

/* Unloads the module and loads it again. Return: false if that fails. */
bool clean_reload(void);

#endif /* SELFTESTS_FUZZ_CLEAN_H */
