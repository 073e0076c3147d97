/* SPDX-License-Identifier: MIT */
/* A queue of records ordered by time, with copies of their bytes and stacks. */
#ifndef USEREVENTS_PERF_RECORD_QUEUE_H
#define USEREVENTS_PERF_RECORD_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

struct uev_queue_chunk;
struct uev_queue_entry;

/*
 * @newest_first: records are inserted in reverse order, see uev_ring_read()
 * @heap: ordered by time, the oldest first, then by order of insertion
 * @run: records that were inserted in their order, beside those of @heap
 * @run_first: the oldest of @run
 * @run_end: the end of @run
 * @count: number of queued records
 * @fill: chunk for new records
 * @free_chunks: empty chunks
 * @popped: chunk of the last removed record, which is still valid
 * @memory: total bytes of the queue
 * @waiting: bytes of the queued records
 * @popped_time: time of the newest removed record
 * @popped_offset: offset of the last removed record
 */
struct uev_queue {
	bool newest_first;
	struct uev_queue_entry *heap;
	size_t heap_count;
	size_t heap_room;
	struct uev_queue_entry *run;
	size_t run_first;
	size_t run_end;
	size_t run_room;
	size_t count;
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

/* Zeros are an empty queue. */
void uev_queue_free(struct uev_queue *queue);

/*
 * Copies a record, its bytes, and its stack, which is in the byte order of the
 * input before.
 * @offset: offset in the input
 *
 * Return: 0; -ENOMEM, and nothing is changed
 */
int uev_queue_push(struct uev_queue *queue, const struct uev_sample *record,
		   uint64_t offset);

/*
 * Removes the oldest record, if it is not newer than @until. It is valid until
 * the next call.
 *
 * Return: the record, or NULL
 */
const struct uev_sample *uev_queue_pop(struct uev_queue *queue, uint64_t until);

/* Returns the oldest record without removing it, or NULL. */
const struct uev_sample *uev_queue_first(const struct uev_queue *queue);

/* Returns the number of records that are not newer than @until. */
size_t uev_queue_ready(const struct uev_queue *queue, uint64_t until);

/* Returns the bytes of queued records and their overhead. */
static inline size_t uev_queue_memory(const struct uev_queue *queue)
{
	return queue->memory - queue->free_memory;
}

#endif
