/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pseudo-random numbers that depend only on a seed and are the same on every
 * machine. Not thread-safe.
 */
#ifndef SELFTESTS_RANDOM_H
#define SELFTESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the sequence for one part of a run, such as a batch. */
void random_seed(uint64_t seed, uint64_t part);

uint64_t random_bits(void);

/* From 0 to @count - 1. */
unsigned int random_below(unsigned int count);

/* True with a probability of @percent in 100. */
bool chance(unsigned int percent);

#define PICK(array) ((array)[random_below(ARRAY_SIZE(array))])

#endif /* SELFTESTS_RANDOM_H */
