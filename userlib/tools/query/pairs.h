/* SPDX-License-Identifier: MIT */
/* user-events: starts that wait for their stop, in bounded memory. */
#ifndef USER_EVENTS_QUERY_PAIRS_H
#define USER_EVENTS_QUERY_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/age_list.h"

/* Maximum number of starts that wait, and of bytes of their keys and names */
#define QUERY_PAIRS_MAX 65536
#define QUERY_PAIRS_BYTES_MAX ((size_t)16 << 20)

struct query_start;

/*
 * struct query_pairs - Starts that wait; initialized to zeros, released with
 * query_pairs_release()
 * @limit: maximum number of starts that wait; 0: QUERY_PAIRS_MAX
 * @waiting: number of them
 * @matched: stops with a start
 * @unmatched: stops without one
 * @evicted: oldest starts that were dropped for newer ones
 */
struct query_pairs {
	size_t limit;
	size_t waiting;
	uint64_t matched;
	uint64_t unmatched;
	uint64_t evicted;

	size_t bytes;
	uint64_t key[2];
	struct query_start **slots;
	struct uev_age_list by_age;
	struct query_start *last;
};

/* struct query_text - Bytes of a key or a name */
struct query_text {
	const char *text;
	size_t size;
};

/*
 * query_pairs_start() - Adds a start
 * @key: its stop has the same; of several starts, a stop ends the last one
 * @name: kept for the stop
 */
void query_pairs_start(struct query_pairs *pairs, struct query_text key,
		       struct query_text name, uint64_t time);

/*
 * query_pairs_stop() - Finds and removes the start of a stop
 * @name: set to the name of the start; valid until the next call
 * @duration: set to the time since the start
 * Return: false if there is no start at or before @time
 */
bool query_pairs_stop(struct query_pairs *pairs, struct query_text key,
		      uint64_t time, struct query_text *name,
		      uint64_t *duration);

/* query_pairs_clear() - Drops the waiting starts. Return: their number */
size_t query_pairs_clear(struct query_pairs *pairs);

void query_pairs_release(struct query_pairs *pairs);

#endif
