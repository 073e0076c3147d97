/* SPDX-License-Identifier: MIT */
/* Names of threads. */
#ifndef USEREVENTS_PERF_COMMS_H
#define USEREVENTS_PERF_COMMS_H

#include "util/id_table.h"

/* Maximum number of remembered threads, more than exist at a time. */
#define UEV_COMMS_MAX 65536
/* Maximum bytes of a name with its NUL, as in the kernel. */
#define UEV_COMM_SIZE 64

struct uev_comm;

/*
 * @by_tid: struct uev_comm
 * @oldest, @newest: the same, by when they were last named or asked for
 */
struct uev_comms {
	struct uev_id_table by_tid;
	struct uev_comm *oldest;
	struct uev_comm *newest;
};

/* All zero is none. */
void uev_comms_free(struct uev_comms *comms);

/*
 * Sets the name of a thread, up to a NUL. If there are too many threads, those
 * that were named or used least recently are forgotten.
 *
 * Return: 0; -ENOMEM, and the thread has no name
 */
int uev_comms_set(struct uev_comms *comms, uint32_t tid, const char *name,
		  size_t size);

/* It has no name from now on. */
void uev_comms_remove(struct uev_comms *comms, uint32_t tid);

/* A thread is in use, and not to be forgotten before others. */
void uev_comms_touch(struct uev_comms *comms, uint32_t tid);

/* Return: the name, or NULL */
const char *uev_comms_get(const struct uev_comms *comms, uint32_t tid);

#endif
