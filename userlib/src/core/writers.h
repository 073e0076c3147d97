/* SPDX-License-Identifier: MIT */
/*
 * Writers of records take no lock, and can be interrupted anywhere. They are
 * counted, so that data which they can no longer find is reused only after the
 * last writer that could have found it.
 */
#ifndef USEREVENTS_CORE_WRITERS_H
#define USEREVENTS_CORE_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * uev_writer_enter() - Starts to use data that other threads can retire
 *
 * Async-signal-safe. Pointers to the data are loaded after it.
 *
 * Return: the argument of uev_writer_leave().
 */
uint32_t *uev_writer_enter(void);
void uev_writer_leave(uint32_t *counter);

/*
 * struct uev_grace - The writers that could have found data
 * @waiting: counters that have not been 0 since; one bit each
 */
struct uev_grace {
	uint32_t waiting;
};

/* Starts to wait for writers; they can no longer find the data. */
void uev_grace_start(struct uev_grace *grace);

/* Tests whether all these writers have left. */
bool uev_grace_is_over(struct uev_grace *grace);

#endif
