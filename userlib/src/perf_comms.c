// SPDX-License-Identifier: MIT
#include "perf_comms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* No machine has so many threads at once, and no kernel such long names. */
#define COMMS_MAX 65536
#define NAME_SIZE 64

struct uev_comm {
	struct uev_comm *next;
	char name[NAME_SIZE];
};

void uev_comms_free(struct uev_comms *comms)
{
	struct uev_comm *comm;

	while (comms->all) {
		comm = comms->all;
		comms->all = comm->next;
		free(comm);
	}
	uev_id_table_free(&comms->by_tid);
	*comms = (struct uev_comms){ 0 };
}

/* Return: NULL without memory. */
static struct uev_comm *add(struct uev_comms *comms, uint32_t tid)
{
	struct uev_comm *comm = calloc(1, sizeof(*comm));

	if (!comm)
		return NULL;
	if (uev_id_table_set(&comms->by_tid, tid, comm)) {
		free(comm);
		return NULL;
	}
	comm->next = comms->all;
	comms->all = comm;
	comms->count++;

	return comm;
}

int uev_comms_set(struct uev_comms *comms, uint32_t tid, const char *name,
		  size_t size)
{
	struct uev_comm *comm = uev_id_table_get(&comms->by_tid, tid);

	if (!comm && comms->count == COMMS_MAX)
		return 0;
	if (!comm)
		comm = add(comms, tid);
	if (!comm)
		return -ENOMEM;
	size = strnlen(name, size < NAME_SIZE ? size : NAME_SIZE - 1);
	/* It may be the thread's own. */
	memmove(comm->name, name, size);
	comm->name[size] = '\0';

	return 0;
}

const char *uev_comms_get(const struct uev_comms *comms, uint32_t tid)
{
	const struct uev_comm *comm = uev_id_table_get(&comms->by_tid, tid);

	return comm ? comm->name : NULL;
}
