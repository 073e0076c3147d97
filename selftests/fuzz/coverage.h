/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Coverage of the module by a program, recorded by KCOV for each task. Without
 * KCOV the fuzzer runs unguided.
 */
#ifndef SELFTESTS_FUZZ_COVERAGE_H
#define SELFTESTS_FUZZ_COVERAGE_H

#include <stdbool.h>

/* Return: false if the kernel has no KCOV. */
bool coverage_prepare(void);

/* Starts recording for the calling task, unless all buffers are in use. */
void coverage_start_task(void);

/* Finds the module's address, which changes when the module is reloaded. */
void coverage_find_module(void);

/*
 * coverage_collect - evaluate the coverage of the last program
 *
 * Return: the number of new edges between basic blocks.
 */
unsigned int coverage_collect(void);

/* Number of basic blocks and of edges reached so far. */
unsigned int coverage_blocks(void);
unsigned int coverage_edges(void);

/* Writes the reached basic blocks as byte offsets into the module's text. */
bool coverage_write(const char *path);

#endif /* SELFTESTS_FUZZ_COVERAGE_H */
