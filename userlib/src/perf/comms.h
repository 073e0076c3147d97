/* SPDX-License-Identifier: MIT */
/* Names of threads. */
#ifndef USEREVENTS_PERF_COMMS_H
#define USEREVENTS_PERF_COMMS_H

#include "util/age_list.h"
#include "util/id_table.h"

/* Maximum number of remembered threads, more than exist at a time. */
#define UEV_COMMS_MAX 65536
/* Maximum bytes of a name with its NUL, as in the kernel. */
#define UEV_COMM_SIZE 64

/*
 * @by_tid: struct uev_comm
 * @by_use: list of these by last use
 */
struct uev_comms {
	struct uev_id_table by_tid;
	struct uev_age_list by_use;
};

/* Zeros are an empty table. */
void uev_comms_free(struct uev_comms *comms);

/*
 * Sets the name of a thread, up to a NUL. If there are too many threads, those
 * that were named or used least recently are forgotten.
 *
 * Return: 0; -ENOMEM, and the thread has no name
 */
int uev_comms_set(struct uev_comms *comms, uint32_t tid, const char *name,
		  size_t size);

/* Removes the name of a thread. */
void uev_comms_remove(struct uev_comms *comms, uint32_t tid);

/* Marks a thread as used, so that others are forgotten first. */
void uev_comms_touch(struct uev_comms *comms, uint32_t tid);

/* Return: the name, or NULL */
const char *uev_comms_get(const struct uev_comms *comms, uint32_t tid);

#endif
