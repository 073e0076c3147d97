// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where libFuzzer comes in; TARGET is the one that the program is for.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz_run(&TARGET, data, size);
	return 0;
}
