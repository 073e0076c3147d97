/* SPDX-License-Identifier: MIT */
/*
 * Executable mappings of processes at the time of a record: mappings, forks and
 * exec() are applied ordered by time, independent of their order in the input.
 */
#ifndef USEREVENTS_PERF_MAPPINGS_H
#define USEREVENTS_PERF_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

#include "perf/attr.h"
#include "perf/record_queue.h"
#include "util/age_list.h"
#include "util/id_table.h"

/* Limit of mappings of a process. Others have no mapping. */
#define UEV_MAPPINGS_PER_PROCESS_MAX 4096
/*
 * Limit of the memory of all mappings. Beyond it, processes that have exited or
 * had no record for longest are forgotten.
 */
#define UEV_MAPPINGS_MEMORY_MAX ((size_t)64 << 20)
/*
 * Limits of queued changes and of their bytes. Beyond them the oldest are
 * applied.
 */
#define UEV_MAPPINGS_PENDING_MAX 65536
#define UEV_MAPPINGS_QUEUE_MAX ((size_t)32 << 20)
/* Limit of a path with its NUL, as in the kernel. */
#define UEV_MAPPING_PATH_MAX 4096

/*
 * @by_pid: struct uev_space
 * @by_use: list of these by last use
 * @changes: later changes: each is a record whose raw bytes are a struct change
 *	     and its path
 * @memory: approximate bytes of all mappings
 */
struct uev_mappings {
	struct uev_id_table by_pid;
	struct uev_age_list by_use;
	struct uev_queue changes;
	size_t memory;
};

/* Zeros are the initial state. */
void uev_mappings_free(struct uev_mappings *mappings);

/*
 * Reads a PERF_RECORD_MMAP, MMAP2, FORK, EXIT or COMM of @size bytes with its
 * header. Ignores mappings of data.
 * @attr: tells whether it has a time; without one it is applied at once
 * @reason: set to the error, or to NULL
 *
 * Return: 0; -ENOMEM, and nothing is changed
 */
int uev_mappings_read(struct uev_mappings *mappings,
		      const struct uev_attr *attr, const uint8_t *bytes,
		      size_t size, bool big, const char **reason);

/*
 * Adds a mapping at once, instead of those that it overlaps.
 *
 * Return: 0; -ENOMEM, and some of those can be missing
 */
int uev_mappings_add(struct uev_mappings *mappings, uint32_t pid,
		     const struct uev_mapping *mapping);

/*
 * Applies the changes that are not newer than a record. Without memory,
 * mappings are missing.
 */
void uev_mappings_advance(struct uev_mappings *mappings, uint64_t time,
			  uint32_t pid);

/* Return: the mapping at an address, or NULL */
const struct uev_mapping *uev_mappings_find(const struct uev_mappings *mappings,
					    uint32_t pid, uint64_t address);

#endif
