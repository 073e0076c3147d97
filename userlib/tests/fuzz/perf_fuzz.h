/* SPDX-License-Identifier: MIT */
/*
 * The reader of perf.data against any bytes, for the fuzzer and for the test
 * that goes through what it found.
 */
#ifndef PERF_FUZZ_H
#define PERF_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Bits of the first byte of an input. The rest of it is the file. */
#define PERF_FUZZ_PIPE 1 /* out of a pipe, as far as it takes so much */
#define PERF_FUZZ_IMPATIENT 2 /* with hardly anything waiting for its order */

/* Reads all of it; ends the process when something is not as it should be. */
void perf_fuzz_one(const uint8_t *input, size_t size);

#endif
