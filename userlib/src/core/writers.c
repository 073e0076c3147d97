// SPDX-License-Identifier: MIT
#include "core/writers.h"

/*
 * A phase ends when each counter of the previous phase was 0 at some time since
 * the phase began. Writers that enter use the counters of the current phase, so
 * those of the previous one become 0.
 *
 * Data is retired in a phase. Its writers have counters of both kinds. The end of
 * that phase can be due to times before the data was retired. The next two
 * phases are due to times after it, one for each kind of counter: the third end
 * of a phase is that of the grace.
 */
#define PHASES 3

#define ALL_WRITERS ((1U << UEV_WRITERS) - 1)

struct uev_writers uev_writers;

/* Counters of the previous phase that were not 0 in this phase; one bit each. */
static uint32_t waiting = ALL_WRITERS;

static uint32_t count_of(unsigned int writers, uint32_t phase)
{
	return __atomic_load_n(&uev_writers.counts[writers].of[phase & 1],
			       __ATOMIC_SEQ_CST);
}

/* Return: whether another phase has begun. */
static bool end_phase(void)
{
	unsigned int i;

	for (i = 0; i < UEV_WRITERS; i++)
		if (!count_of(i, uev_writers.phase + 1))
			waiting &= ~(1U << i);
	if (waiting)
		return false;
	waiting = ALL_WRITERS;
	__atomic_store_n(&uev_writers.phase, uev_writers.phase + 1,
			 __ATOMIC_RELAXED);

	return true;
}

void uev_grace_start(struct uev_grace *grace)
{
	grace->phase = uev_writers.phase;
}

bool uev_grace_is_over(struct uev_grace *grace)
{
	while (uev_writers.phase - grace->phase < PHASES)
		if (!end_phase())
			return false;

	return true;
}

bool uev_writers_exist(void)
{
	unsigned int i;

	for (i = 0; i < UEV_WRITERS; i++)
		if (count_of(i, 0) || count_of(i, 1))
			return true;

	return false;
}

/*
 * If a signal handler of this thread has called fork() during a write, the
 * counter of the write wraps around, and data is no longer reused.
 */
void uev_writers_after_fork(void)
{
	unsigned int i;

	for (i = 0; i < UEV_WRITERS; i++) {
		__atomic_store_n(&uev_writers.counts[i].of[0], 0,
				 __ATOMIC_SEQ_CST);
		__atomic_store_n(&uev_writers.counts[i].of[1], 0,
				 __ATOMIC_SEQ_CST);
	}
}
