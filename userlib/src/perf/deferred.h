/* SPDX-License-Identifier: MIT */
/*
 * Stacks of user space that the kernel records when the thread returns to it
 * (perf record --call-graph fp,defer, Linux 7.0): the stack of a sample ends
 * with a mark and a cookie, and a later record has the rest of the stack for
 * that cookie.
 */
#ifndef USEREVENTS_PERF_DEFERRED_H
#define USEREVENTS_PERF_DEFERRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

#include "util/id_table.h"
#include "perf/attr.h"

struct uev_deferred_stack;

/*
 * @by_cookie: the stacks
 * @first, @last: all of them in the order of the file
 * @memory: bytes of all of them
 * @budget: number of entries that can still be added to samples. Many small
 *        samples of a malformed file can name one large stack.
 * @joined, @sample: the last sample with its whole stack
 */
struct uev_deferred {
	struct uev_id_table by_cookie;
	struct uev_deferred_stack *first;
	struct uev_deferred_stack *last;
	size_t memory;
	uint64_t budget;
	uint64_t *joined;
	size_t room;
	struct uev_sample sample;
};

/* Zeros are the initial state. */
void uev_deferred_free(struct uev_deferred *deferred);

/* Allows more work for @size bytes of a file. */
void uev_deferred_allow(struct uev_deferred *deferred, size_t size);

/*
 * Reads a record with a stack.
 *
 * @reason: set to the error of the record, or NULL
 * Return: 0 or -ENOMEM
 */
int uev_deferred_read(struct uev_deferred *deferred,
		      const struct uev_attr *attr, const uint8_t *bytes,
		      size_t size, bool big, const char **reason);

/* Tests whether a sample has a stack whose rest was not read so far. */
bool uev_deferred_is_missing(const struct uev_deferred *deferred,
			     const struct uev_sample *sample);

/*
 * Joins a sample with the rest of its stack, as far as it is known, and frees
 * stacks that are older.
 *
 * Return: the sample, which is valid until the next call; NULL without memory
 */
const struct uev_sample *uev_deferred_join(struct uev_deferred *deferred,
					   const struct uev_sample *sample);

#endif
