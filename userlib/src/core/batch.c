// SPDX-License-Identifier: MIT
/*
 * Records that are written together.
 *
 * The kernel writes a batch up to the first record that fails. That one is then
 * written by itself, which handles all errors.
 */
#include <userevents/batch.h>

#include <errno.h>
#include <linux/user_events.h>
#include <stdlib.h>
#include <string.h>

#include "core/registration.h"
#include "core/sys.h"
#include "core/write.h"
#include "core/writers.h"
#include "util/alloc.h"

/*
 * struct record - a record that is not written yet
 * @event: of the program
 * @registration: its registration while the batch is being written, or NULL
 * @fd: file to write to, -1 if the kernel does not have the event
 * @cookie: of the file, or 0
 */
struct record {
	struct uev_event *event;
	struct uev_registration *registration;
	int fd;
	uint64_t cookie;
};

/*
 * struct uev_batch - records
 * @error: of the first record that failed since the last uev_batch_write()
 * @single_fd: a file that does not support batches, or -1
 * @count: number of @records
 * @used: bytes of @payloads
 * @size: size of @payloads
 * @described: @records as the kernel reads them; their indices are set when they
 *        are written
 */
struct uev_batch {
	int error;
	int single_fd;
	int count;
	size_t used;
	size_t size;
	struct record records[UEV_BATCH_MAX];
	struct user_record described[UEV_BATCH_MAX];
	unsigned char payloads[];
};

int uev_batch_new(struct uev_batch **batch, size_t size)
{
	if (size < UEV_PAYLOAD_MAX)
		size = UEV_PAYLOAD_MAX;
	*batch = NULL;
	if (size > SIZE_MAX / 2)
		return -ENOMEM;
	*batch = uev_calloc(1, sizeof(**batch) + size);
	if (!*batch)
		return -ENOMEM;
	(*batch)->size = size;
	(*batch)->single_fd = -1;

	return 0;
}

void uev_batch_free(struct uev_batch *batch)
{
	free(batch);
}

/* Finds where records are written. Those of an event are often in a row. */
static void find_targets(struct uev_batch *batch)
{
	/* UEV_NO_ROUTE has the file -1. */
	static const struct uev_target none = { UEV_NO_ROUTE, 0 };
	struct uev_registration *registration = NULL;
	const struct uev_event *event = NULL;
	struct uev_target target = none;
	int i;

	for (i = 0; i < batch->count; i++) {
		struct record *record = &batch->records[i];

		if (record->event != event) {
			event = record->event;
			registration = uev_registration_of(event);
			target = registration ? uev_target_of(registration)
					      : none;
		}
		record->registration = registration;
		record->fd = uev_route_fd(target.route);
		record->cookie = target.cookie;
		batch->described[i].write_index = (uint32_t)target.route;
	}
}

/* Writes records to one file; as uev_sys_batch(). */
static int write_to_file(const struct record *first,
			 const struct user_record *records, int count)
{
	const struct user_write own = {
		.size = sizeof(own),
		.cookie = first->cookie,
		.payload = (uintptr_t)records,
		.payload_size = (uint32_t)count,
		.flags = USER_WRITE_BATCH,
	};
	const struct user_batch batch = {
		.size = sizeof(batch),
		.count = (uint32_t)count,
		.records = (uintptr_t)records,
	};
	int result = -EPERM;

	if (first->cookie)
		result = uev_sys_record(first->fd, &own);

	return result == -EPERM ? uev_sys_batch(first->fd, &batch) : result;
}

/*
 * The kernel tells what tracers did with a record only if it is written by
 * itself.
 */
static bool can_be_together(const struct record *one)
{
	return one->fd >= 0 && !(one->registration->flags & UEV_REPORT);
}

static bool has_same_target(const struct record *one,
			    const struct record *other)
{
	return one->fd == other->fd && one->cookie == other->cookie &&
	       can_be_together(other);
}

/* Counts records that were written, those of an event in a row together. */
static void count_written(const struct uev_batch *batch, int first, int end)
{
	struct uev_registration *registration;
	uint64_t large;
	int i = first;

	while (i < end) {
		first = i;
		registration = batch->records[i].registration;
		large = 0;
		do {
			large += batch->described[i].size >
				 UEV_PAYLOAD_FTRACE_MAX;
			i++;
		} while (i < end &&
			 batch->records[i].registration == registration);
		uev_write_count(registration, (uint64_t)(i - first), large);
	}
}

/*
 * Writes records from one on that have the same file together.
 *
 * Return: number of records written, 0 if the first one has to be written by
 * itself.
 */
static int write_together(struct uev_batch *batch, int first)
{
	const struct record *one = &batch->records[first];
	int end = first + 1;
	int done;

	if (!can_be_together(one) || one->fd == batch->single_fd)
		return 0;
	while (end < batch->count && has_same_target(one, &batch->records[end]))
		end++;
	if (end - first < 2)
		return 0;
	done = write_to_file(one, &batch->described[first], end - first);
	if (done == -ENOTTY)
		batch->single_fd = one->fd;
	count_written(batch, first, first + done);

	return done < 0 ? 0 : done;
}

static void write_alone(struct uev_batch *batch, int i)
{
	const struct user_record *record = &batch->described[i];
	const struct iovec payload = {
		.iov_base = (void *)(uintptr_t)record->payload,
		.iov_len = record->size,
	};
	struct uev_registration *registration = batch->records[i].registration;
	int err;

	if (!registration)
		return;
	err = uev_write_counted(registration, &payload, 1);
	if (!batch->error)
		batch->error = err;
}

static void write_all(struct uev_batch *batch)
{
	uint32_t *writer = uev_writer_enter();
	int i, done;

	find_targets(batch);
	for (i = 0; i < batch->count; i += done) {
		done = write_together(batch, i);
		if (done)
			continue;
		write_alone(batch, i);
		done = 1;
	}
	uev_writer_leave(writer);
	batch->count = 0;
	batch->used = 0;
}

int uev_batch_write(struct uev_batch *batch)
{
	int err;

	write_all(batch);
	err = batch->error;
	batch->error = 0;

	return err;
}

/* Counts a record that is not added. */
static int reject(struct uev_event *event, enum uev_counter counter, int err)
{
	uev_event_count(event, counter);

	return err;
}

/* Adds a record for which there is room. */
static void append(struct uev_batch *batch, struct uev_event *event,
		   const struct iovec *vector, int count, size_t size)
{
	unsigned char *at = batch->payloads + batch->used;
	struct user_record *described = &batch->described[batch->count];
	int i;

	batch->records[batch->count++].event = event;
	batch->used += size;
	described->size = (uint32_t)size;
	described->payload = (uintptr_t)at;
	for (i = 0; i < count; i++) {
		if (!vector[i].iov_len)
			continue;
		memcpy(at, vector[i].iov_base, vector[i].iov_len);
		at += vector[i].iov_len;
	}
}

int uev_batch_add(struct uev_batch *batch, struct uev_event *event,
		  const struct iovec *vector, int count)
{
	size_t size;

	if (!uev_registration_of(event))
		return 0;
	if (count < 0)
		return reject(event, UEV_COUNTER_FAILED, -EINVAL);
	size = uev_payload_size(vector, count);
	if (size > UEV_PAYLOAD_MAX)
		return reject(event, UEV_COUNTER_OVERSIZE, -E2BIG);
	if (batch->count == UEV_BATCH_MAX || size > batch->size - batch->used)
		write_all(batch);
	append(batch, event, vector, count, size);

	return 0;
}
