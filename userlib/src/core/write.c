// SPDX-License-Identifier: MIT
/*
 * Writing of records. Nothing here waits for a lock or allocates memory, so that
 * signal handlers can write.
 */
#include "core/write.h"

#include <errno.h>
#include <string.h>
#include <linux/user_events.h>
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

static void count_records(uint64_t *counter, uint64_t records)
{
	__atomic_fetch_add(counter, records, __ATOMIC_RELAXED);
}

static void count_one(uint64_t *counter)
{
	count_records(counter, 1);
}

/*
 * struct payload - The payload of a record
 * @vector: its pieces
 * @count: number of pieces, at most PIECES_MAX
 * @size: its bytes, at most UEV_PAYLOAD_MAX
 */
struct payload {
	const struct iovec *vector;
	int count;
	size_t size;
};

static bool is_same(const struct uev_target *one,
		    const struct uev_target *other)
{
	return one->route == other->route && one->cookie == other->cookie;
}

/*
 * Changes the target after a write to a closed file. If another thread has not
 * opened the file again, this one does.
 *
 * Return: whether the record can be written again.
 */
static __attribute__((__noinline__)) bool
recover_target(struct uev_registration *registration, struct uev_target *target)
{
	const struct uev_target last = *target;

	*target = uev_target_of(registration);
	if (!is_same(target, &last))
		return true;
	uev_events_recover();
	*target = uev_target_of(registration);

	return !is_same(target, &last);
}

/* Writes through a kernel whose files have no cookie. */
static __attribute__((__noinline__)) int
write_far(const struct uev_target *target, const struct payload *payload)
{
	struct iovec record[1 + PIECES_MAX];
	uint32_t index = (uint32_t)target->route;
	ssize_t result;

	record[0].iov_base = &index;
	record[0].iov_len = sizeof(index);
	if (payload->count)
		memcpy(record + 1, payload->vector,
		       (size_t)payload->count * sizeof(*record));
	do {
		result = uev_sys_writev(uev_route_fd(target->route), record,
					1 + payload->count);
	} while (result == -EINTR);

	return result < 0 ? (int)result : 0;
}

static __attribute__((__noinline__)) int
write_pieces(const struct uev_target *target, const struct payload *payload)
{
	struct user_piece pieces[PIECES_MAX];
	const struct user_write record = {
		.size = sizeof(record),
		.write_index = (uint32_t)target->route |
			       USER_EVENT_INDEX_REPORT,
		.cookie = target->cookie,
		.payload = (uintptr_t)pieces,
		.payload_size = (uint32_t)payload->size,
		.pieces = (uint16_t)payload->count,
	};
	int i;

	for (i = 0; i < payload->count; i++) {
		pieces[i].address = (uintptr_t)payload->vector[i].iov_base;
		pieces[i].size = payload->vector[i].iov_len;
	}

	return uev_sys_record(uev_route_fd(target->route), &record);
}

/* Writes a payload in one piece to the file with the cookie. */
static inline int write_own(const struct uev_target *target,
			    const void *payload, size_t size)
{
	const struct user_write record = {
		.size = sizeof(record),
		.write_index = (uint32_t)target->route |
			       USER_EVENT_INDEX_REPORT,
		.cookie = target->cookie,
		.payload = (uintptr_t)payload,
		.payload_size = (uint32_t)size,
	};

	return uev_sys_record(uev_route_fd(target->route), &record);
}

/* Tests whether there is a file, and whether it has a cookie. */
static inline bool has_cookie(const struct uev_target *target)
{
	return target->cookie && target->route != UEV_NO_ROUTE;
}

/* Return: -EPERM if the file has no cookie. */
static int write_with_cookie(const struct uev_target *target,
			     const struct payload *payload)
{
	if (!has_cookie(target))
		return -EPERM;

	return payload->count > 1 ? write_pieces(target, payload)
				  : write_own(target, payload->vector->iov_base,
					      payload->size);
}

/*
 * Finishes a record after the result of write_with_cookie(). If the file is closed
 * and can be opened again, the record is written again.
 *
 * Return: SKIPPED, or as uev_event_writev().
 */
static __attribute__((__noinline__)) int
finish_record(struct uev_registration *registration, struct uev_target target,
	      const struct payload *payload, int result)
{
	for (;;) {
		if (target.route == UEV_NO_ROUTE)
			return SKIPPED;
		if (result == -EPERM)
			result = write_far(&target, payload);
		if (result != -ESTALE)
			break;
		if (!recover_target(registration, &target))
			return -EBADF;
		result = write_with_cookie(&target, payload);
	}

	return result == -EBADF || result == -EAGAIN ? SKIPPED : result;
}

static int write_record(struct uev_registration *registration,
			const struct payload *payload)
{
	const struct uev_target target = uev_target_of(registration);

	return finish_record(registration, target, payload,
			     write_with_cookie(&target, payload));
}

/* write_record() of a payload in one piece, most of which end here. */
static inline int write_piece(struct uev_registration *registration,
			      const void *payload, size_t size)
{
	const struct uev_target target = uev_target_of(registration);
	const struct iovec all = { (void *)payload, size };
	const struct payload one = { &all, 1, size };
	int result = -EPERM;

	if (has_cookie(&target))
		result = write_own(&target, payload, size);

	return result ? finish_record(registration, target, &one, result) : 0;
}

/* Copies the payload to @buffer, which has room for it, and writes it. */
static inline int write_copy(struct uev_registration *registration,
			     const struct payload *payload,
			     unsigned char *buffer)
{
	unsigned char *at = buffer;
	int i;

	for (i = 0; i < payload->count; i++) {
		const struct iovec *piece = &payload->vector[i];

		if (!piece->iov_len)
			continue;
		memcpy(at, piece->iov_base, piece->iov_len);
		at += piece->iov_len;
	}

	return write_piece(registration, buffer, payload->size);
}

/* Importing many pieces costs the kernel more than this copy. */
static int write_small(struct uev_registration *registration,
		       const struct payload *payload)
{
	unsigned char buffer[COPY_MAX];

	return write_copy(registration, payload, buffer);
}

/* The only writer that takes much of a stack, which can be that of a signal. */
static __attribute__((__noinline__)) int
write_many(struct uev_registration *registration, const struct payload *payload)
{
	unsigned char buffer[UEV_PAYLOAD_MAX];

	return write_copy(registration, payload, buffer);
}

static int write_payload(struct uev_registration *registration,
			 const struct iovec *vector, int count, size_t size)
{
	const struct payload payload = { vector, count, size };

	if (count == 1)
		return write_piece(registration, vector->iov_base, size);
	if (count < 0)
		return -EINVAL;
	if (size <= COPY_MAX)
		return write_small(registration, &payload);
	if (count <= PIECES_MAX)
		return write_record(registration, &payload);

	return write_many(registration, &payload);
}

void uev_write_count(struct uev_registration *registration, uint64_t records,
		     uint64_t large)
{
	count_records(&registration->counts.written, records);
	if (large)
		count_records(&registration->counts.large, large);
}

static void count_skipped(struct uev_registration *registration)
{
	struct uev_record_counts *counts = &registration->counts;

	count_one(__atomic_load_n(&registration->is_missing, __ATOMIC_RELAXED)
			  ? &counts->missed
			  : &counts->skipped);
}

/*
 * Counts a record that was not written, or that no tracer took.
 *
 * Return: the result for the writer.
 */
static __attribute__((__noinline__)) int
count_error(struct uev_registration *registration, int err)
{
	const bool is_reported = registration->flags & UEV_REPORT;

	switch (err) {
	case SKIPPED:
		count_skipped(registration);
		return is_reported ? -EAGAIN : 0;
	case -E2BIG:
	case -ENOSPC:
		count_one(&registration->counts.lost);
		return is_reported ? err : 0;
	default:
		count_one(&registration->counts.failed);
		return err;
	}
}

/* @can_shorten: see uev_event_try_large() */
static inline int write_counted(struct uev_registration *registration,
				const struct iovec *vector, int count,
				bool can_shorten)
{
	size_t size = uev_payload_size(vector, count);
	int err;

	if (size > UEV_PAYLOAD_MAX) {
		count_one(&registration->counts.oversize);
		return -E2BIG;
	}
	err = write_payload(registration, vector, count, size);
	if (can_shorten && err == -E2BIG)
		return err;
	if (err)
		return count_error(registration, err);
	uev_write_count(registration, 1, size > UEV_PAYLOAD_FTRACE_MAX);

	return 0;
}

int uev_write_counted(struct uev_registration *registration,
		      const struct iovec *vector, int count)
{
	return write_counted(registration, vector, count, false);
}

static inline int write_event(struct uev_event *event,
			      const struct iovec *vector, int count,
			      bool can_shorten)
{
	struct uev_registration *registration;
	uint32_t *writer;
	int err = 0;

	if (!uev_registration_of(event))
		return 0;
	writer = uev_writer_enter();
	registration = uev_registration_of(event);
	if (registration)
		err = write_counted(registration, vector, count, can_shorten);
	uev_writer_leave(writer);

	return err;
}

int uev_event_writev(struct uev_event *event, const struct iovec *vector,
		     int count)
{
	return write_event(event, vector, count, false);
}

int uev_event_try_large(struct uev_event *event, const struct iovec *vector,
			int count)
{
	return write_event(event, vector, count, true);
}

static uint64_t *counter_of(struct uev_record_counts *counts,
			    enum uev_counter counter)
{
	switch (counter) {
	case UEV_COUNTER_OVERSIZE:
		return &counts->oversize;
	case UEV_COUNTER_SHORTENED:
		return &counts->shortened;
	case UEV_COUNTER_LOST:
		return &counts->lost;
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
