/* SPDX-License-Identifier: GPL-2.0-only */
/* Generation and mutation of programs. All random numbers are from random.h. */
#ifndef SELFTESTS_FUZZ_GENERATE_H
#define SELFTESTS_FUZZ_GENERATE_H

#include "program.h"

/*
 * generate - make a new program
 * @serial: use one thread, and no operation with asynchronous effects
 */
void generate(struct program *program, bool serial);

/* Changes a program in a few places, possibly with operations from @other. */
void mutate(struct program *program, const struct program *other, bool serial);

#endif /* SELFTESTS_FUZZ_GENERATE_H */
