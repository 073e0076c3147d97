/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers that follow from a seed, the same on every machine. They are not for
 * several threads at once.
 */
#ifndef SELFTESTS_RANDOM_H
#define SELFTESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Where the numbers of a part of a run, a batch for one, begin. */
void random_seed(uint64_t seed, uint64_t part);

uint64_t random_bits(void);

/* From 0 to @count - 1. */
unsigned int random_below(unsigned int count);

/* True in so many cases of a hundred. */
bool percent(unsigned int chance);

#define PICK(array) ((array)[random_below(ARRAY_SIZE(array))])

#endif /* SELFTESTS_RANDOM_H */
