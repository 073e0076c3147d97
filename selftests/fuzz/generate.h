/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * New programs, out of nothing and out of others. All comes from random.h.
 */
#ifndef SELFTESTS_FUZZ_GENERATE_H
#define SELFTESTS_FUZZ_GENERATE_H

#include "program.h"

/*
 * generate - a program out of nothing
 * @serial: of one thread, and without anything that happens at times of its own
 */
void generate(struct program *program, bool serial);

/* The same, changed in a few places; maybe with a part of another one. */
void mutate(struct program *program, const struct program *other, bool serial);

#endif /* SELFTESTS_FUZZ_GENERATE_H */
