/* SPDX-License-Identifier: MIT */
/*
 * Registrations: the kernel's events in this process. Events of the program with
 * the same command share one.
 *
 * Writers reach their data without a lock: event->registration points to a
 * struct uev_registration. A writer that is interrupted while the event is
 * unregistered continues with the same data: a registration without events is
 * retired, and reused for another command only after the writers that could have
 * found it have left. Its memory is a registration until uev_shutdown(), because
 * tests of the status page are not counted as writers.
 *
 * Call all functions with the lock held, except uev_target_of().
 */
#ifndef USEREVENTS_CORE_REGISTRATION_H
#define USEREVENTS_CORE_REGISTRATION_H

#include <stdbool.h>
#include <stdint.h>
#include <userevents/userevents.h>

#include "core/failures.h"
#include "core/hash.h"
#include "core/writers.h"

/* Route while the kernel does not have the event. */
#define UEV_NO_ROUTE UINT64_MAX

/*
 * Flag of a registration besides those of the program: it is described by types,
 * so the library lays its records out.
 */
#define UEV_HAS_TYPES (1U << 31)

/*
 * struct uev_attachment - An event of the program
 * @by_event: entry of the table by address
 * @next: next one of the same registration
 * @link: pointer to this one
 * @event: the event
 * @error: 0 if the kernel has it, otherwise the reason; while user_events is
 *         not open, the reason is that of the process
 * @semaphore_bit: number of the bit of @semaphore
 * @is_raised: the library has incremented the semaphore of the event
 * @semaphore: the semaphore of which the kernel sets a bit, too; or NULL
 * @failure: the same as @error for the program's handler, only errors of the kernel
 */
struct uev_attachment {
	struct uev_hash_entry by_event;
	struct uev_attachment *next;
	struct uev_attachment **link;
	struct uev_event *event;
	int error;
	uint8_t semaphore_bit;
	bool is_raised;
	volatile unsigned short *semaphore;
	struct uev_failure failure;
};

/*
 * Alignment of 64-bit data that writers change, on all machines. On i386 it
 * would otherwise be 4, and an atomic operation that spans two cache lines
 * stops all processors.
 */
#define UEV_ALIGNED_64 __attribute__((__aligned__(8)))

/* Counters of writers. */
struct uev_record_counts {
	uint64_t written;
	uint64_t skipped;
	uint64_t oversize;
	uint64_t large;
	uint64_t failed;
	uint64_t missed;
	uint64_t shortened;
	uint64_t lost;
} UEV_ALIGNED_64;

/*
 * struct uev_registration - An event of the kernel
 * @by_command: entry of the table by command; lock
 * @next: next registration; lock
 * @attachments: events of the program; lock
 * @next_retired: next retired registration; lock
 * @link_retired: pointer to this one, NULL while it is used; lock
 * @grace: writers since it was retired; lock
 * @flags: changed only without writers, as is @command
 * @route: descriptor in the upper half, index in the lower half, because
 *        writers must read both at once
 * @cookie: of the file of @route, 0 if it has none; set before @route
 * @status: byte of the status page, NULL without a status page
 * @mask: bit in @status; set before @status
 * @text_base: with UEV_HAS_TYPES: what an offset in the payload is added to for
 *        the location of a text, or 0 if locations are relative. Set before the
 *        kernel can enable the event, then constant
 * @is_shared: registered as UEV_MULTI_FORMAT because of UEV_SHARE_NAME; lock
 * @is_missing: records are missed, since the module is about to be replaced and
 *        the event was enabled
 * @before, @after: keep the counters, which all writers change, away from
 *        what all writers read, in this structure and the next one in memory
 * @counts: counters of all writers
 * @command: owned
 */
struct uev_registration {
	struct uev_hash_entry by_command;
	struct uev_registration *next;
	struct uev_attachment *attachments;
	struct uev_registration *next_retired;
	struct uev_registration **link_retired;
	struct uev_grace grace;
	unsigned int flags;

	uint64_t route UEV_ALIGNED_64;

	uint64_t cookie UEV_ALIGNED_64;
	const uint8_t *status;
	uint8_t mask;
	uint8_t text_base;
	bool is_shared;
	bool is_missing;
	char before[UEV_CACHE_LINE];
	struct uev_record_counts counts;
	char after[UEV_CACHE_LINE];
	char *command;
};

static inline uint64_t uev_route(int fd, uint32_t index)
{
	return (uint64_t)(uint32_t)fd << 32 | index;
}

static inline int uev_route_fd(uint64_t route)
{
	return (int)(route >> 32);
}

/*
 * struct uev_target - Where records are written
 * @route: see struct uev_registration
 * @cookie: of the file of @route, or 0
 */
struct uev_target {
	uint64_t route;
	uint64_t cookie;
};

/*
 * uev_target_of() - Returns where writers write the records of an event
 *
 * Another thread can open the file again meanwhile. Before it sets a new cookie,
 * it clears the route.
 */
static inline struct uev_target
uev_target_of(const struct uev_registration *registration)
{
	struct uev_target target;
	uint64_t route =
		__atomic_load_n(&registration->route, __ATOMIC_ACQUIRE);

	do {
		target.route = route;
		target.cookie = __atomic_load_n(&registration->cookie,
						__ATOMIC_ACQUIRE);
		route = __atomic_load_n(&registration->route, __ATOMIC_ACQUIRE);
	} while (route != target.route);

	return target;
}

/* Returns the first of all registrations. */
struct uev_registration *uev_registrations_first(void);

/*
 * uev_registration_get() - Returns the registration for a command, which is
 * checked; NULL if out of memory
 *
 * Retire it if it gets no event.
 */
struct uev_registration *uev_registration_get(const char *command,
					      unsigned int flags);

/* Retires a registration unless it has events. */
void uev_registration_retire(struct uev_registration *registration);

/* Adds the counters of a registration to @to. */
void uev_registration_add_counts(struct uev_stats *to,
				 struct uev_registration *registration);

/* Sets *@sum to the counters of all registrations that ever were. */
void uev_registrations_sum_counts(struct uev_stats *sum);

void uev_attachment_link(struct uev_registration *registration,
			 struct uev_attachment *attachment);
void uev_attachment_unlink(struct uev_attachment *attachment);

/* Returns the attachment of an event, or NULL; a copy of an event has none. */
struct uev_attachment *uev_attachment_find(const struct uev_event *event);

typedef void uev_attachment_function(struct uev_registration *registration,
				     struct uev_attachment *attachment);

/* Calls @function with each attachment and its registration. */
void uev_attachments_each(uev_attachment_function *function);

/* Frees everything, when no event and no writer exists. */
void uev_registrations_release(void);

#endif
