// SPDX-License-Identifier: MIT
#include "leaks.h"

#include <stdbool.h>
#include <stdint.h>

static bool can_count, is_counting;
static __thread int paused;

/*
 * The number of allocations that were not freed, and the sum of their addresses,
 * times an odd number: an address here would be a reference to a leak. Both are
 * 0 if exactly what was allocated was freed, unlike with one leak and the free of
 * something that was allocated before.
 */
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

static uint64_t number, sum;

static void count(const volatile void *block, uint64_t change)
{
	if (!is_counting || paused)
		return;

	__atomic_fetch_add(&number, change, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum, change * (uintptr_t)block * FACTOR,
			   __ATOMIC_RELAXED);
}

static void __attribute__((unused))
allocated(const volatile void *block, size_t size __attribute__((unused)))
{
	count(block, 1);
}

static void __attribute__((unused)) freed(const volatile void *block)
{
	count(block, UINT64_MAX);
}

void leaks_init(void)
{
#ifdef __SANITIZE_ADDRESS__
	can_count =
		__sanitizer_install_malloc_and_free_hooks(allocated, freed) > 0;
#endif
}

void leaks_start(void)
{
	is_counting = can_count;
}

void leaks_pause(void)
{
	paused++;
}

void leaks_resume(void)
{
	paused--;
}

/* Asked by LeakSanitizer before it searches at the end of a process */
int __lsan_is_turned_off(void)
{
	return is_counting && !number && !sum;
}
