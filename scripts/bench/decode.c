// SPDX-License-Identifier: MIT
/*
 * Writes records for scripts/bench/decode to read.
 *
 *	decode COUNT
 *
 * The records have a counter, a negative number and a path, as those of many
 * programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <userevents/tracepoint.h>

int main(int argc, char **argv)
{
	char path[40];
	uint64_t i, count;

	if (argc != 2) {
		fprintf(stderr, "usage: decode COUNT\n");
		return 2;
	}
	count = strtoull(argv[1], NULL, 10);
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/usr/share/file/%llu",
			 (unsigned long long)i);
		UEV_TRACE(bench_decode, size, i, mode, -(int32_t)(i % 1000),
			  path, path);
	}

	return 0;
}
