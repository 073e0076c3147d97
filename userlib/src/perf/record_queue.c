// SPDX-License-Identifier: MIT
#include "perf/record_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Most records are much smaller; a larger one has its own chunk. */
#define CHUNK_SIZE (64 * 1024)
#define ALIGNMENT 8
#define FIRST_ROOM 256

/*
 * A chunk of records. Records are removed in nearly the order of insertion, so
 * whole chunks become free.
 *
 * @users: number of its records that are queued or valid
 */
struct uev_queue_chunk {
	struct uev_queue_chunk *next;
	size_t size;
	size_t used;
	size_t users;
	uint8_t bytes[] __attribute__((aligned(ALIGNMENT)));
};

struct uev_queue_entry {
	uint64_t time;
	uint64_t number;
	uint64_t offset;
	struct uev_queue_chunk *chunk;
	const struct uev_sample *record;
};

static size_t aligned(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t stack_bytes(const struct uev_sample *record)
{
	return record->stack_size * sizeof(uint64_t);
}

/* A record, followed by its stack and its bytes. */
static size_t size_of(const struct uev_sample *record)
{
	return aligned(sizeof(*record)) + stack_bytes(record) +
	       aligned(record->raw_size);
}

/* The source can be at any address. */
static const uint64_t *copy_stack(void *to, const struct uev_sample *record)
{
	uint64_t *stack = to;
	uint32_t i;

	memcpy(stack, record->stack, stack_bytes(record));
	if (record->flags & UEV_IS_FOREIGN)
		for (i = 0; i < record->stack_size; i++)
			stack[i] = __builtin_bswap64(stack[i]);

	return stack;
}

static bool before(const struct uev_queue_entry *one,
		   const struct uev_queue_entry *other)
{
	return one->time < other->time ||
	       (one->time == other->time && one->number < other->number);
}

/* Keeps an empty chunk of the usual size for the next record. */
static void recycle_chunk(struct uev_queue *queue,
			  struct uev_queue_chunk *chunk)
{
	if (chunk->size == CHUNK_SIZE) {
		chunk->used = 0;
		chunk->next = queue->free_chunks;
		queue->free_chunks = chunk;
		queue->free_memory += chunk->size;
	} else {
		queue->memory -= chunk->size;
		free(chunk);
	}
}

static void release_record(struct uev_queue *queue,
			   struct uev_queue_chunk *chunk)
{
	chunk->users--;
	if (chunk->users)
		return;

	if (chunk == queue->fill)
		chunk->used = 0;
	else
		recycle_chunk(queue, chunk);
}

static struct uev_queue_chunk *chunk_of(struct uev_queue *queue, size_t size)
{
	struct uev_queue_chunk *chunk = queue->free_chunks;

	if (size <= CHUNK_SIZE && chunk) {
		queue->free_chunks = chunk->next;
		queue->free_memory -= chunk->size;
		return chunk;
	}

	if (size < CHUNK_SIZE)
		size = CHUNK_SIZE;
	chunk = malloc(sizeof(*chunk) + size);
	if (!chunk)
		return NULL;
	*chunk = (struct uev_queue_chunk){ .size = size };
	queue->memory += size;

	return chunk;
}

static struct uev_queue_chunk *chunk_with_room(struct uev_queue *queue,
					       size_t size)
{
	struct uev_queue_chunk *fill = queue->fill;
	struct uev_queue_chunk *chunk;

	if (fill && fill->size - fill->used >= size)
		return fill;

	chunk = chunk_of(queue, size);
	if (!chunk)
		return NULL;
	queue->fill = chunk;
	if (fill && !fill->users)
		recycle_chunk(queue, fill);

	return chunk;
}

static int make_room(struct uev_queue *queue, struct uev_queue_entry **entries,
		     size_t count, size_t *room)
{
	size_t wanted = *room ? *room * 2 : FIRST_ROOM;
	struct uev_queue_entry *grown;

	if (count < *room)
		return 0;

	grown = realloc(*entries, wanted * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	queue->memory += (wanted - *room) * sizeof(*grown);
	*entries = grown;
	*room = wanted;

	return 0;
}

/* Moves the run to the start, if at least half of its memory is free. */
static void compact_run(struct uev_queue *queue)
{
	size_t count = queue->run_end - queue->run_first;

	if (!queue->run_first || queue->run_end < queue->run_room ||
	    count > queue->run_room / 2)
		return;
	memmove(queue->run, queue->run + queue->run_first,
		count * sizeof(*queue->run));
	queue->run_first = 0;
	queue->run_end = count;
}

/* Tests whether a record of @time follows the newest one of the run. */
static bool extends_run(const struct uev_queue *queue, uint64_t time)
{
	uint64_t newest;

	if (queue->run_first == queue->run_end)
		return true;
	newest = queue->run[queue->run_end - 1].time;

	return queue->newest_first ? newest < time : newest <= time;
}

/* Makes room for a record of @time, where insert() puts it. */
static int make_room_for(struct uev_queue *queue, uint64_t time)
{
	if (!extends_run(queue, time))
		return make_room(queue, &queue->heap, queue->heap_count,
				 &queue->heap_room);

	compact_run(queue);

	return make_room(queue, &queue->run, queue->run_end, &queue->run_room);
}

static void sift_up(struct uev_queue *queue, struct uev_queue_entry entry)
{
	size_t at = queue->heap_count++;

	while (at && before(&entry, &queue->heap[(at - 1) / 2])) {
		queue->heap[at] = queue->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	queue->heap[at] = entry;
}

/* Inserts @entry at the top of the heap. */
static void sift_down(struct uev_queue *queue, struct uev_queue_entry entry)
{
	size_t at = 0;
	size_t child;

	for (child = 1; child < queue->heap_count; child = at * 2 + 1) {
		if (child + 1 < queue->heap_count &&
		    before(&queue->heap[child + 1], &queue->heap[child]))
			child++;
		if (!before(&queue->heap[child], &entry))
			break;
		queue->heap[at] = queue->heap[child];
		at = child;
	}
	queue->heap[at] = entry;
}

static void insert(struct uev_queue *queue, struct uev_queue_entry entry)
{
	queue->count++;
	if (extends_run(queue, entry.time))
		queue->run[queue->run_end++] = entry;
	else
		sift_up(queue, entry);
}

/* Returns the oldest entry, or NULL. */
static const struct uev_queue_entry *first_entry(const struct uev_queue *queue)
{
	const struct uev_queue_entry *run;

	if (queue->run_first == queue->run_end)
		return queue->heap_count ? queue->heap : NULL;

	run = queue->run + queue->run_first;

	return queue->heap_count && before(queue->heap, run) ? queue->heap
							     : run;
}

static void remove_entry(struct uev_queue *queue,
			 const struct uev_queue_entry *entry)
{
	queue->count--;
	if (entry != queue->heap) {
		queue->run_first++;
		return;
	}
	queue->heap_count--;
	if (queue->heap_count)
		sift_down(queue, queue->heap[queue->heap_count]);
}

int uev_queue_push(struct uev_queue *queue, const struct uev_sample *record,
		   uint64_t offset)
{
	size_t size = size_of(record);
	struct uev_queue_chunk *chunk;
	struct uev_sample *copy;
	uint8_t *bytes;
	uint64_t number;

	if (make_room_for(queue, record->time))
		return -ENOMEM;
	chunk = chunk_with_room(queue, size);
	if (!chunk)
		return -ENOMEM;

	bytes = chunk->bytes + chunk->used;
	copy = (struct uev_sample *)bytes;
	*copy = *record;
	bytes += aligned(sizeof(*record));
	if (record->stack)
		copy->stack = copy_stack(bytes, record);
	bytes += stack_bytes(record);
	if (record->raw)
		copy->raw = memcpy(bytes, record->raw, record->raw_size);
	chunk->used += size;
	chunk->users++;
	queue->waiting += size;

	number = queue->pushed++;
	insert(queue, (struct uev_queue_entry){
			      .time = record->time,
			      .number = queue->newest_first ? ~number : number,
			      .offset = offset,
			      .chunk = chunk,
			      .record = copy,
		      });

	return 0;
}

const struct uev_sample *uev_queue_pop(struct uev_queue *queue, uint64_t until)
{
	const struct uev_queue_entry *first;
	const struct uev_sample *record;

	if (queue->popped)
		release_record(queue, queue->popped);
	queue->popped = NULL;

	first = first_entry(queue);
	if (!first || first->time > until)
		return NULL;

	record = first->record;
	queue->popped = first->chunk;
	queue->popped_offset = first->offset;
	queue->waiting -= size_of(record);
	if (queue->popped_time < record->time)
		queue->popped_time = record->time;
	remove_entry(queue, first);

	return record;
}

const struct uev_sample *uev_queue_first(const struct uev_queue *queue)
{
	const struct uev_queue_entry *first = first_entry(queue);

	return first ? first->record : NULL;
}

size_t uev_queue_ready(const struct uev_queue *queue, uint64_t until)
{
	size_t ready = 0;
	size_t i;

	for (i = 0; i < queue->heap_count; i++)
		ready += queue->heap[i].time <= until;
	for (i = queue->run_first; i < queue->run_end; i++)
		ready += queue->run[i].time <= until;

	return ready;
}

void uev_queue_free(struct uev_queue *queue)
{
	struct uev_queue_chunk *chunk;

	while (uev_queue_pop(queue, UINT64_MAX))
		;
	while (queue->free_chunks) {
		chunk = queue->free_chunks;
		queue->free_chunks = chunk->next;
		free(chunk);
	}
	free(queue->fill);
	free(queue->heap);
	free(queue->run);
	*queue = (struct uev_queue){ 0 };
}
