// SPDX-License-Identifier: MIT
/*
 * Writing of records. Nothing here waits for a lock or allocates memory, so that
 * signal handlers can write.
 */
#include "core/write.h"

#include <errno.h>
#include <string.h>
#include <userevents/userevents.h>

#include "core/event.h"
#include "core/registration.h"
#include "core/sys.h"
#include "core/writers.h"

/* Maximum bytes of payload that are copied to one piece. */
#define COPY_MAX 512

/* Maximum number of pieces of a larger payload that is not copied. */
#define PIECES_MAX 66

/* Result of a record that no tracer has enabled. */
#define SKIPPED 1

struct uev_registration *uev_registration_of(const struct uev_event *event)
{
	return __atomic_load_n(&event->registration, __ATOMIC_SEQ_CST);
}

bool uev_status_page_enabled(const struct uev_event *event)
{
	const struct uev_registration *registration =
		uev_registration_of(event);
	const uint8_t *status;

	if (!registration)
		return false;
	status = __atomic_load_n(&registration->status, __ATOMIC_ACQUIRE);

	return status &&
	       (__atomic_load_n(status, __ATOMIC_RELAXED) &
		__atomic_load_n(&registration->mask, __ATOMIC_RELAXED));
}

static void count_one(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

size_t uev_payload_size(const struct iovec *vector, int count)
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

static uint64_t route_of(struct uev_registration *registration)
{
	return __atomic_load_n(&registration->route, __ATOMIC_ACQUIRE);
}

/*
 * Returns the route after a write to a closed file. If another thread has not
 * opened the file again, this one does.
 */
static uint64_t route_after(struct uev_registration *registration,
			    uint64_t last)
{
	uint64_t route = route_of(registration);

	if (route != last)
		return route;
	uev_events_recover();

	return route_of(registration);
}

/*
 * Writes a record, whose first element is *@index, which is set. If the file is
 * closed and can be opened again, the record is written again.
 *
 * Return: SKIPPED, or as uev_event_writev().
 */
static inline int write_record(struct uev_registration *registration,
			       const struct iovec *record, int count,
			       uint32_t *index)
{
	uint64_t last, route = route_of(registration);
	ssize_t result;

	do {
		if (route == UEV_NO_ROUTE)
			return SKIPPED;
		*index = (uint32_t)route;
		do {
			result = uev_sys_writev(uev_route_fd(route), record,
						count);
		} while (result == -EINTR);
		if (result >= 0)
			return 0;
		if (result != -ESTALE)
			return result == -EBADF ? SKIPPED : (int)result;
		last = route;
		route = route_after(registration, last);
	} while (route != last);

	return -EBADF;
}

/* Writes the payload as it is. */
static int write_pieces(struct uev_registration *registration,
			const struct iovec *vector, int count)
{
	struct iovec record[1 + PIECES_MAX];
	uint32_t index;

	record[0].iov_base = &index;
	record[0].iov_len = sizeof(index);
	record[1] = vector[0];
	if (count > 1)
		memcpy(record + 2, vector + 1,
		       (size_t)(count - 1) * sizeof(*vector));

	return write_record(registration, record, 1 + count, &index);
}

/* Copies the payload to @buffer, which has room for it, and writes it. */
static inline int write_copy(struct uev_registration *registration,
			     const struct iovec *vector, int count,
			     unsigned char *buffer)
{
	struct iovec record[2];
	uint32_t index;
	size_t used = 0;
	int i;

	for (i = 0; i < count; i++) {
		if (!vector[i].iov_len)
			continue;
		memcpy(buffer + used, vector[i].iov_base, vector[i].iov_len);
		used += vector[i].iov_len;
	}
	record[0].iov_base = &index;
	record[0].iov_len = sizeof(index);
	record[1].iov_base = buffer;
	record[1].iov_len = used;

	return write_record(registration, record, 2, &index);
}

/* Importing many pieces costs the kernel more than this copy. */
static int write_small(struct uev_registration *registration,
		       const struct iovec *vector, int count)
{
	unsigned char buffer[COPY_MAX];

	return write_copy(registration, vector, count, buffer);
}

/* The only writer that takes much of a stack, which can be that of a signal. */
static __attribute__((__noinline__)) int
write_many(struct uev_registration *registration, const struct iovec *vector,
	   int count)
{
	unsigned char buffer[UEV_PAYLOAD_MAX];

	return write_copy(registration, vector, count, buffer);
}

static int write_payload(struct uev_registration *registration,
			 const struct iovec *vector, int count, size_t size)
{
	if (count < 0)
		return -EINVAL;
	if (count != 1 && size <= COPY_MAX)
		return write_small(registration, vector, count);
	if (count <= PIECES_MAX)
		return write_pieces(registration, vector, count);

	return write_many(registration, vector, count);
}

void uev_write_count(struct uev_registration *registration, size_t size)
{
	count_one(&registration->counts.written);
	if (size > UEV_PAYLOAD_FTRACE_MAX)
		count_one(&registration->counts.large);
}

int uev_write_counted(struct uev_registration *registration,
		      const struct iovec *vector, int count)
{
	struct uev_record_counts *counts = &registration->counts;
	size_t size = uev_payload_size(vector, count);
	int err;

	if (size > UEV_PAYLOAD_MAX) {
		count_one(&counts->oversize);
		return -E2BIG;
	}
	err = write_payload(registration, vector, count, size);
	if (err == SKIPPED) {
		count_one(__atomic_load_n(&registration->is_missing,
					  __ATOMIC_RELAXED)
				  ? &counts->missed
				  : &counts->skipped);
		return 0;
	}
	if (err) {
		count_one(&counts->failed);
		return err;
	}
	uev_write_count(registration, size);

	return 0;
}

int uev_event_writev(struct uev_event *event, const struct iovec *vector,
		     int count)
{
	struct uev_registration *registration;
	uint32_t *writer;
	int err = 0;

	if (!uev_registration_of(event))
		return 0;
	writer = uev_writer_enter();
	registration = uev_registration_of(event);
	if (registration)
		err = uev_write_counted(registration, vector, count);
	uev_writer_leave(writer);

	return err;
}

static uint64_t *counter_of(struct uev_record_counts *counts,
			    enum uev_counter counter)
{
	switch (counter) {
	case UEV_COUNTER_OVERSIZE:
		return &counts->oversize;
	case UEV_COUNTER_SHORTENED:
		return &counts->shortened;
	default:
		return &counts->failed;
	}
}

void uev_event_count(struct uev_event *event, enum uev_counter counter)
{
	struct uev_registration *registration;
	uint32_t *writer = uev_writer_enter();

	registration = uev_registration_of(event);
	if (registration)
		count_one(counter_of(&registration->counts, counter));
	uev_writer_leave(writer);
}
