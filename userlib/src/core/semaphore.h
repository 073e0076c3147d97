/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of probes. A program tests one before it prepares the arguments of
 * a probe, so the kernel sets a bit of it while the event is enabled, as it does
 * with the word of the event. Events of a registration with the same semaphore need
 * one bit.
 *
 * Call all functions with the lock held. They are async-signal-safe.
 */
#ifndef USEREVENTS_CORE_SEMAPHORE_H
#define USEREVENTS_CORE_SEMAPHORE_H

#include <stddef.h>

#include "core/kernel.h"
#include "core/registration.h"

/* Returns the semaphore of an event, or NULL. */
volatile unsigned short *uev_semaphore_of(const struct uev_event *event);

/*
 * uev_semaphore_follow() - Registers the semaphore of an event, unless another
 * event of the registration has
 * @attachment: of the event, which the kernel has
 * @word: arguments of the registration of the event; changed
 *
 * If the kernel does not accept it, it is raised.
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
 *
 * The memory of the event is not accessed.
 *
 * Return: 0 if the kernel does not access it any more
 */
int uev_semaphore_leave(struct uev_attachment *attachment);

/*
 * uev_semaphores_leave() - Unregisters several with one call, if the kernel has it
 *
 * Those that are left need uev_semaphore_leave().
 */
void uev_semaphores_leave(struct uev_attachment **attachments, size_t count);

/* Increments it once, as a tracer does, and undoes that. */
void uev_semaphore_raise(struct uev_attachment *attachment);
void uev_semaphore_lower(struct uev_attachment *attachment);

#endif
