// SPDX-License-Identifier: MIT
/*
 * libFuzzer's way into perf_fuzz_one().
 */
#include "perf_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	perf_fuzz_one(data, size);

	return 0;
}
