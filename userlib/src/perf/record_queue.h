/* SPDX-License-Identifier: MIT */
/*
 * Records that wait to be put in order of time, with copies of their bytes.
 */
#ifndef USEREVENTS_PERF_RECORD_QUEUE_H
#define USEREVENTS_PERF_RECORD_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

struct uev_queue_chunk;
struct uev_queue_entry;

/*
 * @heap: by time, the oldest first; of what has the same time the first to come
 * @fill: the chunk that records are put into
 * @free_chunks: empty chunks
 * @popped: the chunk of the record that was taken last and may be looked at
 * @memory: bytes of all that belongs to the queue
 * @waiting: bytes of the records that wait
 * @popped_time: of the newest record that was ever taken
 * @popped_offset: of the record that was taken last
 */
struct uev_queue {
	struct uev_queue_entry *heap;
	size_t count;
	size_t room;
	uint64_t pushed;
	struct uev_queue_chunk *fill;
	struct uev_queue_chunk *free_chunks;
	struct uev_queue_chunk *popped;
	size_t memory;
	size_t free_memory;
	size_t waiting;
	uint64_t popped_time;
	uint64_t popped_offset;
};

/* All zero is an empty queue. */
void uev_queue_free(struct uev_queue *queue);

/*
 * Copies a record and its bytes.
 * @offset: where it was found, for whoever takes it
 *
 * Return: 0 or -ENOMEM, and then nothing changed
 */
int uev_queue_push(struct uev_queue *queue, const struct uev_sample *record,
		   uint64_t offset);

/*
 * Takes the oldest record, if it is not newer than @until. It stays until the
 * next call.
 *
 * Return: the record, or NULL
 */
const struct uev_sample *uev_queue_pop(struct uev_queue *queue, uint64_t until);

/* How many are not newer than @until. */
size_t uev_queue_ready(const struct uev_queue *queue, uint64_t until);

/* Bytes that are in use, of records that wait and around them. */
static inline size_t uev_queue_memory(const struct uev_queue *queue)
{
	return queue->memory - queue->free_memory;
}

#endif
