// SPDX-License-Identifier: MIT
#include "perf/deferred.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/sample.h"

/* PERF_CONTEXT_USER_DEFERRED, which is followed by the cookie. */
#define MARK ((uint64_t)-640)
#define MARK_ENTRIES 2

/* Offsets of a record. */
#define COOKIE 8
#define COUNT 16
#define STACK 24

/* Limit of the stacks that wait for their samples. */
#define MEMORY_MAX ((size_t)64 << 20)

/*
 * Entries that are added to samples per byte of a file. The kernel's stacks have
 * at most some hundred, and a sample has more than a hundred bytes.
 */
#define ENTRIES_PER_BYTE 8

struct uev_deferred_stack {
	struct uev_deferred_stack *next;
	uint64_t cookie;
	uint64_t time;
	uint32_t tid;
	uint32_t count;
	uint64_t entries[];
};

static size_t memory_of(const struct uev_deferred_stack *stack)
{
	return sizeof(*stack) + stack->count * sizeof(*stack->entries);
}

static void remove_first(struct uev_deferred *deferred)
{
	struct uev_deferred_stack *stack = deferred->first;

	deferred->first = stack->next;
	if (!deferred->first)
		deferred->last = NULL;
	deferred->memory -= memory_of(stack);
	if (uev_id_table_get(&deferred->by_cookie, stack->cookie) == stack)
		uev_id_table_remove(&deferred->by_cookie, stack->cookie);
	free(stack);
}

void uev_deferred_free(struct uev_deferred *deferred)
{
	while (deferred->first)
		remove_first(deferred);
	uev_id_table_free(&deferred->by_cookie);
	free(deferred->joined);
}

void uev_deferred_allow(struct uev_deferred *deferred, size_t size)
{
	deferred->budget += size * ENTRIES_PER_BYTE;
}

/* ---- Records ---- */

static int add(struct uev_deferred *deferred, struct uev_deferred_stack *stack)
{
	if (uev_id_table_set(&deferred->by_cookie, stack->cookie, stack)) {
		free(stack);
		return -ENOMEM;
	}
	if (deferred->last)
		deferred->last->next = stack;
	else
		deferred->first = stack;
	deferred->last = stack;
	deferred->memory += memory_of(stack);
	while (deferred->memory > MEMORY_MAX)
		remove_first(deferred);

	return 0;
}

int uev_deferred_read(struct uev_deferred *deferred,
		      const struct uev_attr *attr, const uint8_t *bytes,
		      size_t size, bool big, const char **reason)
{
	size_t trailer = uev_sample_id_size(attr);
	struct uev_deferred_stack *stack;
	uint64_t count, i;

	*reason = NULL;
	if (size < STACK + trailer) {
		*reason = "deferred stack too short";
		return 0;
	}
	count = uev_get64(bytes + COUNT, big);
	if (count > (size - STACK - trailer) / sizeof(uint64_t)) {
		*reason = "deferred stack exceeds its record";
		return 0;
	}
	stack = calloc(1, sizeof(*stack) + (size_t)count * sizeof(uint64_t));
	if (!stack)
		return -ENOMEM;
	stack->cookie = uev_get64(bytes + COOKIE, big);
	stack->count = (uint32_t)count;
	for (i = 0; i < count; i++)
		stack->entries[i] =
			uev_get64(bytes + STACK + i * sizeof(uint64_t), big);
	bytes += size - trailer;
	if (trailer && attr->sample_type & PERF_SAMPLE_TID)
		stack->tid = uev_get32(bytes + sizeof(uint32_t), big);
	if (!trailer || !uev_sample_id_time(attr, bytes, big, &stack->time))
		stack->time = UINT64_MAX;

	return add(deferred, stack);
}

/* ---- Samples ---- */

static bool is_deferred(const struct uev_sample *sample)
{
	return sample->stack_size >= MARK_ENTRIES &&
	       sample->stack[sample->stack_size - MARK_ENTRIES] == MARK;
}

static const struct uev_deferred_stack *
stack_of(const struct uev_deferred *deferred, const struct uev_sample *sample)
{
	const struct uev_deferred_stack *stack;

	stack = uev_id_table_get(&deferred->by_cookie,
				 sample->stack[sample->stack_size - 1]);

	return stack && stack->tid == sample->tid ? stack : NULL;
}

bool uev_deferred_is_missing(const struct uev_deferred *deferred,
			     const struct uev_sample *sample)
{
	return is_deferred(sample) && !stack_of(deferred, sample);
}

static int make_room(struct uev_deferred *deferred, size_t count)
{
	uint64_t *grown;

	if (count <= deferred->room)
		return 0;
	grown = realloc(deferred->joined, count * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	deferred->joined = grown;
	deferred->room = count;

	return 0;
}

/* A stack belongs to samples before it. */
static void remove_older(struct uev_deferred *deferred, uint64_t time)
{
	while (deferred->first && deferred->first->time < time)
		remove_first(deferred);
}

const struct uev_sample *uev_deferred_join(struct uev_deferred *deferred,
					   const struct uev_sample *sample)
{
	const struct uev_deferred_stack *stack;
	size_t front, count = 0;

	remove_older(deferred, sample->time);
	if (!is_deferred(sample))
		return sample;
	front = sample->stack_size - MARK_ENTRIES;
	stack = stack_of(deferred, sample);
	if (stack && stack->count <= deferred->budget) {
		count = stack->count;
		deferred->budget -= count;
	}
	/* One more, because the number can be 0. */
	if (make_room(deferred, front + count + 1))
		return NULL;
	memcpy(deferred->joined, sample->stack, front * sizeof(uint64_t));
	if (count)
		memcpy(deferred->joined + front, stack->entries,
		       count * sizeof(uint64_t));
	deferred->sample = *sample;
	deferred->sample.stack = front + count ? deferred->joined : NULL;
	deferred->sample.stack_size = (uint32_t)(front + count);

	return &deferred->sample;
}
