/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_CORE_WRITE_H
#define USEREVENTS_CORE_WRITE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include <userevents/userevents.h>

struct uev_registration;

/* Call the following four as a writer, see core/writers.h. */

/* Returns the event of the kernel, NULL while the event is not registered. */
static inline struct uev_registration *
uev_registration_of(const struct uev_event *event)
{
	return __atomic_load_n(&event->registration, __ATOMIC_SEQ_CST);
}

/* Returns the bytes of payload, or more than UEV_PAYLOAD_MAX. */
static inline size_t uev_payload_size(const struct iovec *vector, int count)
{
	size_t size = 0;
	int i;

	for (i = 0; i < count && size <= UEV_PAYLOAD_MAX; i++) {
		if (vector[i].iov_len > UEV_PAYLOAD_MAX)
			return UEV_PAYLOAD_MAX + 1;
		size += vector[i].iov_len;
	}

	return size;
}

/*
 * uev_write_count() - Counts records that were written
 * @large: those with more than UEV_PAYLOAD_FTRACE_MAX bytes
 */
void uev_write_count(struct uev_registration *registration, uint64_t records,
		     uint64_t large);

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
