// SPDX-License-Identifier: MIT
/*
 * libFuzzer's way into decode_fuzz_one().
 */
#include <stdio.h>
#include <stdlib.h>

#include "decode/decode_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char directory[] = "/dev/shm/user-events-XXXXXX";
	static char *made;

	if (!made) {
		made = mkdtemp(directory);
		if (!made) {
			perror(directory);
			exit(1);
		}
		decode_fuzz_directory(made);
	}
	decode_fuzz_one(data, size);

	return 0;
}
