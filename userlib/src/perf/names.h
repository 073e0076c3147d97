/* SPDX-License-Identifier: MIT */
/*
 * What threads are called at the time of a record: the names that were told, in
 * the order of their times, however they came.
 */
#ifndef USEREVENTS_PERF_NAMES_H
#define USEREVENTS_PERF_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/attr.h"
#include "perf/comms.h"
#include "perf/record_queue.h"

/* So many changes wait for records, and take so many bytes; then the oldest come true. */
#define UEV_NAMES_PENDING_MAX 65536
#define UEV_NAMES_MEMORY_MAX ((size_t)32 << 20)

/*
 * @comms: as of the record that was given last
 * @changes: what comes after that, as records: tid, and a name or, without raw,
 *	the thread that made it as id
 * @newest: of the times of all of them so far
 */
struct uev_names {
	struct uev_comms comms;
	struct uev_queue changes;
	uint64_t newest;
};

/* All zero is none. */
void uev_names_free(struct uev_names *names);

/*
 * Reads a PERF_RECORD_COMM or a PERF_RECORD_FORK, @size bytes with the header.
 * @attr: tells whether it has a time, and where; without one it comes true at
 *	once
 * @reason: set to what is wrong with it in a sentence, or to NULL
 *
 * Return: 0 or -ENOMEM, and then nothing changed
 */
int uev_names_read(struct uev_names *names, const struct uev_attr *attr,
		   const uint8_t *bytes, size_t size, bool big,
		   const char **reason);

/*
 * A thread is called so now, later than all that was told so far.
 *
 * Return: 0 or -ENOMEM
 */
int uev_names_add(struct uev_names *names, uint32_t tid, const char *name,
		  size_t size);

/*
 * A record of a thread is given: what is not newer comes true. Without memory
 * threads have no name.
 */
void uev_names_advance(struct uev_names *names, uint64_t time, uint32_t tid);

#endif
