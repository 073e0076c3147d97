/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_CORE_WRITE_H
#define USEREVENTS_CORE_WRITE_H

#include <stddef.h>
#include <sys/uio.h>

struct uev_event;
struct uev_registration;

/* Call the following four as a writer, see core/writers.h. */

/* Returns the event of the kernel, NULL while the event is not registered. */
struct uev_registration *uev_registration_of(const struct uev_event *event);

/* Returns the bytes of payload, or more than UEV_PAYLOAD_MAX. */
size_t uev_payload_size(const struct iovec *vector, int count);

/* Counts a record with @size bytes of payload that was written. */
void uev_write_count(struct uev_registration *registration, size_t size);

/* Writes and counts a record, as uev_event_writev() does. */
int uev_write_counted(struct uev_registration *registration,
		      const struct iovec *vector, int count);

/*
 * uev_event_try_large() - As uev_event_writev(), for a record that the caller can
 * shorten
 *
 * Call it as uev_event_writev(), not as a writer.
 *
 * Return: -E2BIG if it is too large for all tracers; it is not counted then.
 */
int uev_event_try_large(struct uev_event *event, const struct iovec *vector,
			int count);

#endif
