/* SPDX-License-Identifier: MIT */
/*
 * Names of threads and their descent at the time of a record: new names and
 * forks are applied ordered by time, independent of their order in the input.
 */
#ifndef USEREVENTS_PERF_NAMES_H
#define USEREVENTS_PERF_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/attr.h"
#include "perf/comms.h"
#include "perf/record_queue.h"

/*
 * Limits of queued changes and of their bytes. Beyond them the oldest are
 * applied.
 */
#define UEV_NAMES_PENDING_MAX 65536
#define UEV_NAMES_MEMORY_MAX ((size_t)32 << 20)

/*
 * @comms: names at the time of the last record
 * @changes: later changes, as records: tid, and a name or, without raw, the
 *        creating thread as id
 * @newest: time of the newest change so far
 * @followed: threads of uev_names_follow() and their descendants, also those
 *        that have exited, until their ID is used again
 * @follows: uev_names_follow() was called
 * @follows_all: memory for @followed was missing
 */
struct uev_names {
	struct uev_comms comms;
	struct uev_queue changes;
	uint64_t newest;
	struct uev_id_table followed;
	bool follows;
	bool follows_all;
};

/* Zeros are the initial state, in which uev_names_free() leaves them. */
void uev_names_free(struct uev_names *names);

/*
 * Reads a PERF_RECORD_COMM or a PERF_RECORD_FORK of @size bytes with its
 * header.
 * @attr: tells whether it has a time; without one it is applied at once
 * @reason: set to the error, or to NULL
 *
 * Return: 0; -ENOMEM, and nothing is changed
 */
int uev_names_read(struct uev_names *names, const struct uev_attr *attr,
		   const uint8_t *bytes, size_t size, bool big,
		   const char **reason);

/*
 * Sets the name of a thread from now on, later than all previous changes.
 *
 * Return: 0 or -ENOMEM
 */
int uev_names_add(struct uev_names *names, uint32_t tid, const char *name,
		  size_t size);

/*
 * Follows a thread and those that it creates from now on.
 *
 * Return: 0 or -ENOMEM
 */
int uev_names_follow(struct uev_names *names, uint32_t tid);

/*
 * Tests whether a thread is followed at the time of the last record. Without
 * memory all threads are, since too many records are better than too few.
 */
bool uev_names_is_followed(const struct uev_names *names, uint32_t tid);

/*
 * Applies the changes that are not newer than a record. Without memory threads
 * have no name.
 */
void uev_names_advance(struct uev_names *names, uint64_t time, uint32_t tid);

#endif
