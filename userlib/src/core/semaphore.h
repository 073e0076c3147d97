/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of probes. A program tests one before it prepares the arguments of
 * a probe, so the kernel sets a bit of it while the event is enabled, as it does
 * with the word of the event.
 *
 * Call all functions with the lock held. They are async-signal-safe.
 */
#ifndef USEREVENTS_CORE_SEMAPHORE_H
#define USEREVENTS_CORE_SEMAPHORE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/kernel.h"
#include "core/registration.h"

/*
 * uev_semaphore_follow() - Registers the semaphore of an event
 * @attachment: of the event, which the kernel has
 * @word: arguments of the registration of the event; changed
 *
 * One event of a registration is enough. If the kernel does not accept it, the
 * semaphore stays nonzero.
 */
void uev_semaphore_follow(const struct uev_registration *registration,
			  struct uev_attachment *attachment,
			  struct uev_word *word);

/*
 * uev_semaphores_follow() - Registers several with one call, if the kernel has it
 * @words: of the events; without those that have an error. Changed
 */
void uev_semaphores_follow(struct uev_registration **registrations,
			   struct uev_attachment **attachments,
			   struct uev_word *words, size_t count);

/*
 * uev_semaphore_leave() - Unregisters it, if it is registered
 * Return: 0 if the kernel does not access it any more
 */
int uev_semaphore_leave(struct uev_attachment *attachment);

/*
 * uev_semaphores_leave() - Unregisters several with one call, if the kernel has it
 *
 * Those that are left need uev_semaphore_leave().
 */
void uev_semaphores_leave(struct uev_attachment **attachments, size_t count);

/* uev_semaphore_miss() - Keeps it nonzero, so that missed records are counted */
void uev_semaphore_miss(const struct uev_event *event, bool is_missing);

#endif
