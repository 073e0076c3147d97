/* SPDX-License-Identifier: GPL-2.0-only */
/* The corpus: programs that reached new code, which are mutated into others. */
#ifndef SELFTESTS_FUZZ_CORPUS_H
#define SELFTESTS_FUZZ_CORPUS_H

#include "program.h"

/* Adds a copy; a full corpus replaces a random program. */
void corpus_add(const struct program *program);

/* Picks a program, or NULL if the corpus is empty. */
const struct program *corpus_pick(void);

unsigned int corpus_size(void);

#endif /* SELFTESTS_FUZZ_CORPUS_H */
