/* SPDX-License-Identifier: MIT */
/*
 * What threads are called, as far as perf.data says so.
 */
#ifndef USEREVENTS_PERF_COMMS_H
#define USEREVENTS_PERF_COMMS_H

#include "id_table.h"

struct uev_comm;

/*
 * @by_tid: struct uev_comm
 * @all: the same
 */
struct uev_comms {
	struct uev_id_table by_tid;
	struct uev_comm *all;
	size_t count;
};

/* All zero is none. */
void uev_comms_free(struct uev_comms *comms);

/*
 * Names a thread, by what is before a NUL; of very many threads, those that come
 * last stay without a name.
 *
 * Return: 0 or -ENOMEM
 */
int uev_comms_set(struct uev_comms *comms, uint32_t tid, const char *name,
		  size_t size);

/* Return: the name, or NULL */
const char *uev_comms_get(const struct uev_comms *comms, uint32_t tid);

#endif
