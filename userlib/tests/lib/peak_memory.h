/* SPDX-License-Identifier: MIT */
/*
 * Memory in tests that limit it. Included by the test program itself, since the
 * setting of AddressSanitizer is that of the whole program.
 */
#ifndef TESTS_LIB_PEAK_MEMORY_H
#define TESTS_LIB_PEAK_MEMORY_H

#include <sys/resource.h>

#include "lib/runner.h"

/*
 * AddressSanitizer keeps freed memory to detect accesses to it, by default more
 * than the limits of the tests. It calls this function if it exists.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8";
}

/* The most that this process has ever had, in bytes. */
static size_t peak_memory(void)
{
	struct rusage usage;

	ck_assert(!getrusage(RUSAGE_SELF, &usage));

	return (size_t)usage.ru_maxrss * 1024;
}

#endif
