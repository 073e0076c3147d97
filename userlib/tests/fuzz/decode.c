// SPDX-License-Identifier: MIT
/*
 * libFuzzer's way into decode_fuzz_one().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char directory[32];

	if (!*directory) {
		strcpy(directory, "/dev/shm/user-events-XXXXXX");
		if (!mkdtemp(directory)) {
			perror(directory);
			exit(1);
		}
		decode_fuzz_directory(directory);
	}
	decode_fuzz_one(data, size);

	return 0;
}
