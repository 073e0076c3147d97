// SPDX-License-Identifier: MIT
/*
 * Where libFuzzer comes in; TARGET is the one that the program is for.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	TARGET.input(data, size);
	return 0;
}
