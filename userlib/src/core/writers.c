// SPDX-License-Identifier: MIT
#include "core/writers.h"

#include <pthread.h>

/*
 * Threads have one of several counters, because a single one would be a cache
 * line that all writers change. A counter that is 0 at any time after data was
 * retired has no writer left that could have found the data.
 *
 * A child of fork() has the counts of threads that it does not have, if they
 * were writing. Then data is not reused in the child.
 */
#define COUNTERS_BITS 4
#define COUNTERS (1U << COUNTERS_BITS)

/* Maximum size of a cache line of supported machines (s390x). */
#define CACHE_LINE 256

static struct {
	uint32_t count;
	char padding[CACHE_LINE - sizeof(uint32_t)];
} counters[COUNTERS] __attribute__((__aligned__(CACHE_LINE)));

/* The address of the thread's own data, multiplied by the golden ratio. */
static unsigned int number_of_thread(void)
{
	uint64_t key = (uintptr_t)pthread_self();

	return (unsigned int)(key * 0x9e3779b97f4a7c15U >>
			      (64 - COUNTERS_BITS));
}

/*
 * Either the writer finds that the data is retired, or uev_grace_is_over()
 * finds the writer.
 */
uint32_t *uev_writer_enter(void)
{
	uint32_t *counter = &counters[number_of_thread()].count;

	__atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);

	return counter;
}

void uev_writer_leave(uint32_t *counter)
{
	__atomic_fetch_sub(counter, 1, __ATOMIC_RELEASE);
}

void uev_grace_start(struct uev_grace *grace)
{
	grace->waiting = (1U << COUNTERS) - 1;
}

bool uev_grace_is_over(struct uev_grace *grace)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		if (!__atomic_load_n(&counters[i].count, __ATOMIC_SEQ_CST))
			grace->waiting &= ~(1U << i);

	return !grace->waiting;
}
