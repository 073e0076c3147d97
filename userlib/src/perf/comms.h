/* SPDX-License-Identifier: MIT */
/*
 * What threads are called.
 */
#ifndef USEREVENTS_PERF_COMMS_H
#define USEREVENTS_PERF_COMMS_H

#include "util/id_table.h"

/* So many threads are remembered: no machine has more of them at once. */
#define UEV_COMMS_MAX 65536
/* So many bytes of a name, with its NUL: no kernel has longer ones. */
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
 * Names a thread, by what is before a NUL. Of very many threads those are
 * forgotten that nobody has named or used for the longest time.
 *
 * Return: 0 or -ENOMEM; then the thread has no name
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
