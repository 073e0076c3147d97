// SPDX-License-Identifier: MIT
/*
 * Files of perf, and the library's reader, which tests/fuzz/perf_fuzz.c watches.
 */
#include "fuzz.h"
#include "perf_fuzz.h"

const struct fuzz_target perf_data_target = {
	.name = "perf_data",
	.input = perf_fuzz_one,
};
