// SPDX-License-Identifier: MIT
#include "work.h"

#include <stdio.h>

#define EMPTY_MAX 100000

static __thread uint64_t blocks;

void __sanitizer_cov_trace_pc(void)
{
	blocks++;
}

uint64_t work_count(void)
{
	return blocks;
}

bool work_is_bounded(uint64_t before, size_t size, unsigned int per_byte)
{
	uint64_t work = work_count() - before;

	if (work <= EMPTY_MAX + (uint64_t)size * per_byte)
		return true;
	fprintf(stderr, "%llu basic blocks for %zu bytes\n",
		(unsigned long long)work, size);

	return false;
}
