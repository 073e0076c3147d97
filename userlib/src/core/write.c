// SPDX-License-Identifier: MIT
/*
 * Writing of records. Nothing here takes a lock or allocates memory, so that
 * signal handlers can write.
 */
#include "core/write.h"

#include <errno.h>
#include <string.h>
#include <userevents/userevents.h>

#include "core/registration.h"
#include "core/retry_thread.h"
#include "core/sys.h"
#include "core/writers.h"

/* Maximum bytes of payload that is copied to one piece. */
#define COPY_MAX 512

/* Result of a record that no tracer has enabled. */
#define SKIPPED 1

/* A writer has found user_events_data closed. */
static bool is_reported;

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

	for (i = 1; i < count && size <= UEV_PAYLOAD_MAX; i++) {
		if (vector[i].iov_len > UEV_PAYLOAD_MAX)
			return UEV_PAYLOAD_MAX + 1;
		size += vector[i].iov_len;
	}

	return size;
}

/*
 * Writes a small payload in one piece: importing a vector costs the kernel more
 * than the copy.
 */
static ssize_t write_copy(int fd, uint32_t index, const struct iovec *vector,
			  int count)
{
	unsigned char payload[COPY_MAX];
	struct iovec record[] = {
		{ .iov_base = &index, .iov_len = sizeof(index) },
		{ .iov_base = payload, .iov_len = 0 },
	};
	int i;

	for (i = 1; i < count; i++) {
		if (!vector[i].iov_len)
			continue;
		memcpy(payload + record[1].iov_len, vector[i].iov_base,
		       vector[i].iov_len);
		record[1].iov_len += vector[i].iov_len;
	}

	return uev_sys_writev(fd, record, 2);
}

static ssize_t write_pieces(int fd, uint32_t index, struct iovec *vector,
			    int count)
{
	ssize_t result;

	vector[0].iov_base = &index;
	vector[0].iov_len = sizeof(index);
	result = uev_sys_writev(fd, vector, count);
	/* The index is valid only in this function. */
	vector[0].iov_base = NULL;

	return result;
}

static int write_route(uint64_t route, struct iovec *vector, int count,
		       size_t size)
{
	uint32_t index = (uint32_t)route;
	int fd = uev_route_fd(route);
	ssize_t result;

	do {
		result = size <= COPY_MAX
				 ? write_copy(fd, index, vector, count)
				 : write_pieces(fd, index, vector, count);
	} while (result == -EINTR);

	return result < 0 ? (int)result : 0;
}

/*
 * Makes the next uev_register_pending() open the file again, which a signal
 * handler cannot do.
 */
static void report_closed(void)
{
	if (!__atomic_exchange_n(&is_reported, true, __ATOMIC_RELAXED))
		uev_retry_thread_notify();
}

/*
 * Writes a record. If another thread has opened the file again, the record is
 * written again.
 *
 * Return: SKIPPED, or as uev_event_writev().
 */
static int write_record(struct uev_registration *registration,
			struct iovec *vector, int count, size_t size)
{
	uint64_t route =
		__atomic_load_n(&registration->route, __ATOMIC_ACQUIRE);
	uint64_t last;
	int err;

	do {
		if (route == UEV_NO_ROUTE)
			return SKIPPED;
		err = write_route(route, vector, count, size);
		if (err != -ESTALE)
			return err == -EBADF ? SKIPPED : err;
		last = route;
		route = __atomic_load_n(&registration->route, __ATOMIC_ACQUIRE);
	} while (route != last);
	report_closed();

	return -EBADF;
}

void uev_write_count(struct uev_registration *registration, size_t size)
{
	count_one(&registration->counts.written);
	if (size > UEV_PAYLOAD_FTRACE_MAX)
		count_one(&registration->counts.large);
}

int uev_write_counted(struct uev_registration *registration,
		      struct iovec *vector, int count)
{
	struct uev_record_counts *counts = &registration->counts;
	size_t size = uev_payload_size(vector, count);
	int err;

	if (size > UEV_PAYLOAD_MAX) {
		count_one(&counts->oversize);
		return -E2BIG;
	}
	err = count < 1 ? -EINVAL
			: write_record(registration, vector, count, size);
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

int uev_event_writev(struct uev_event *event, struct iovec *vector, int count)
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

void uev_write_expect_open(void)
{
	__atomic_store_n(&is_reported, false, __ATOMIC_RELAXED);
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
