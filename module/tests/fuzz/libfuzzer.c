// SPDX-License-Identifier: GPL-2.0-only
/*
 * The entry point for libFuzzer. TARGET is the target of the program.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz_run(&TARGET, data, size);
	return 0;
}
