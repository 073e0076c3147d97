/* SPDX-License-Identifier: MIT */
/*
 * Writers of records take no lock, and can be interrupted anywhere. They are
 * counted, so that data which they can no longer find is reused only after the
 * last writer that could have found it.
 */
#ifndef USEREVENTS_CORE_WRITERS_H
#define USEREVENTS_CORE_WRITERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Threads have one of several counters, because a single one would be a cache
 * line that all writers change.
 */
#define UEV_WRITERS_BITS 4
#define UEV_WRITERS (1U << UEV_WRITERS_BITS)

/* Maximum size of a cache line of supported machines (s390x). */
#define UEV_CACHE_LINE 256

/*
 * struct uev_writer_counts - Writers of some threads
 * @of: those that have entered in an even and in an odd phase; one that was
 *        interrupted while it entered can be in either
 */
struct uev_writer_counts {
	uint32_t of[2];
	char padding[UEV_CACHE_LINE - 2 * sizeof(uint32_t)];
};

/*
 * struct uev_writers - All writers
 * @phase: number of the current phase, see uev_grace_is_over()
 * @counts: counters of threads
 */
struct uev_writers {
	uint32_t phase;
	char padding[UEV_CACHE_LINE - sizeof(uint32_t)];
	struct uev_writer_counts counts[UEV_WRITERS];
} __attribute__((__aligned__(UEV_CACHE_LINE)));

extern struct uev_writers uev_writers;

/*
 * uev_writer_enter() - Starts to use data that other threads can retire
 *
 * Async-signal-safe. Pointers to the data are loaded after it. Either the writer
 * finds that the data is retired, or uev_grace_is_over() finds the writer.
 *
 * Return: the argument of uev_writer_leave().
 */
static inline uint32_t *uev_writer_enter(void)
{
	/* The address of the thread's data, multiplied by the golden ratio. */
	uint64_t key = (uintptr_t)pthread_self() * 0x9e3779b97f4a7c15U;
	struct uev_writer_counts *counts =
		&uev_writers.counts[key >> (64 - UEV_WRITERS_BITS)];
	uint32_t phase = __atomic_load_n(&uev_writers.phase, __ATOMIC_RELAXED);
	uint32_t *counter = &counts->of[phase & 1];

	__atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);

	return counter;
}

static inline void uev_writer_leave(uint32_t *counter)
{
	__atomic_fetch_sub(counter, 1, __ATOMIC_RELEASE);
}

/* Call the following with the lock of the process held. */

/*
 * struct uev_grace - The writers that could have found data
 * @phase: the phase in which the data was retired
 */
struct uev_grace {
	uint32_t phase;
};

/* Starts to wait for writers; they can no longer find the data. */
void uev_grace_start(struct uev_grace *grace);

/*
 * uev_grace_is_over() - Tests whether all these writers have left
 *
 * Later writers are not waited for, so it becomes true even if there are writers
 * at any time.
 */
bool uev_grace_is_over(struct uev_grace *grace);

/* Tests whether there are writers. */
bool uev_writers_exist(void);

/* Forgets the writers of the threads that a child of fork() does not have. */
void uev_writers_after_fork(void);

#endif
