/* SPDX-License-Identifier: MIT */
/*
 * Allocations that fail, and threads that cannot be made. The linker has the
 * library call these instead of the functions of the C library (--wrap).
 */
#ifndef FAKE_ALLOC_H
#define FAKE_ALLOC_H

#include <stdbool.h>

/* fake_alloc_fail() - has one allocation fail, after so many that do not */
void fake_alloc_fail(unsigned int after);

/*
 * fake_alloc_end() - all succeed again
 *
 * Return: whether one has failed since fake_alloc_fail().
 */
bool fake_alloc_end(void);

#endif
