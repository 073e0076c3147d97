/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs that reached something new, from which others are made.
 */
#ifndef SELFTESTS_FUZZ_CORPUS_H
#define SELFTESTS_FUZZ_CORPUS_H

#include "program.h"

/* Keeps a copy; when there is no more room, in the place of another one. */
void corpus_keep(const struct program *program);

/* Any of them, or NULL if there is none. */
const struct program *corpus_any(void);

unsigned int corpus_size(void);

#endif /* SELFTESTS_FUZZ_CORPUS_H */
