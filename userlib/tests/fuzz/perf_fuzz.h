/* SPDX-License-Identifier: MIT */
/*
 * The reader of perf.data with any input, for the fuzzer and for the test of
 * its corpus.
 */
#ifndef PERF_FUZZ_H
#define PERF_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Bits of the first byte of an input. The rest is the file. */
#define PERF_FUZZ_PIPE 1 /* from a pipe, up to its capacity */
#define PERF_FUZZ_IMPATIENT 2 /* with a small queue */

/* Reads everything; aborts on a failed check. */
void perf_fuzz_one(const uint8_t *input, size_t size);

#endif
