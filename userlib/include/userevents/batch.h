/* SPDX-License-Identifier: MIT */
/*
 * Batches: many records with few system calls.
 *
 * A batch keeps records in memory until it is written. Their time is that of
 * the write. Where the kernel cannot write batches, each record is written by
 * itself.
 *
 * Functions return 0 or a negative errno. A batch is used by one thread at a
 * time, and not in signal handlers. After fork(), parent and child both have the
 * records that were not written yet.
 */
#ifndef USEREVENTS_BATCH_H
#define USEREVENTS_BATCH_H

#include <userevents/userevents.h>

UEV_BEGIN_DECLS

struct uev_batch;

/* Maximum number of records in a batch. */
#define UEV_BATCH_MAX 64

/**
 * uev_batch_new() - Creates an empty batch
 * @batch: set to the batch, to be freed with uev_batch_free(), or to NULL
 * @size: bytes for the payloads of records; smaller values, such as 0, mean
 *        UEV_PAYLOAD_MAX
 *
 * Return: 0; -ENOMEM.
 */
UEV_API int uev_batch_new(struct uev_batch **batch, size_t size);

/**
 * uev_batch_add() - Adds a record
 * @batch: the batch
 * @event: the event, which must exist until the batch is written
 * @vector: the payload, as for uev_event_writev()
 * @count: number of elements
 *
 * Copies the payload. A batch that is full is written first, and
 * uev_batch_write() returns the error if that fails. Test uev_enabled() before
 * the call.
 *
 * Return: 0, also if the event is not registered; -E2BIG if the payload is larger
 * than UEV_PAYLOAD_MAX; -EINVAL if @count is negative. A record that is not added
 * counts, see uev_event_stats().
 */
UEV_API int uev_batch_add(struct uev_batch *batch, struct uev_event *event,
			  const struct iovec *vector, int count);

/**
 * uev_batch_write() - Writes all records, in the order in which they were added
 * @batch: the batch, which is empty afterwards
 *
 * A record that fails does not affect the others. All are counted, see
 * uev_event_stats().
 *
 * Return: 0, or the error of the first record that failed since the last call of
 * this function, as uev_event_writev().
 */
UEV_API int uev_batch_write(struct uev_batch *batch);

/**
 * uev_batch_free() - Frees a batch, without writing its records
 * @batch: the batch, or NULL
 */
UEV_API void uev_batch_free(struct uev_batch *batch);

UEV_END_DECLS

#endif
