// SPDX-License-Identifier: MIT
#include "perf/comms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/common.h"

struct uev_comm {
	struct uev_age use;
	uint32_t tid;
	char name[UEV_COMM_SIZE];
};

static struct uev_comm *oldest_of(const struct uev_comms *comms)
{
	return container_of(comms->by_use.oldest, struct uev_comm, use);
}

/* The records of a thread often follow one another. */
static struct uev_comm *find(const struct uev_comms *comms, uint32_t tid)
{
	struct uev_comm *newest = comms->by_use.newest
					  ? container_of(comms->by_use.newest,
							 struct uev_comm, use)
					  : NULL;

	return newest && newest->tid == tid
		       ? newest
		       : uev_id_table_get(&comms->by_tid, tid);
}

void uev_comms_free(struct uev_comms *comms)
{
	struct uev_comm *comm;

	while (comms->by_use.oldest) {
		comm = oldest_of(comms);
		uev_age_list_remove(&comms->by_use, &comm->use);
		free(comm);
	}
	uev_id_table_free(&comms->by_tid);
	*comms = (struct uev_comms){ 0 };
}

static void remove_comm(struct uev_comms *comms, struct uev_comm *comm)
{
	uev_id_table_remove(&comms->by_tid, comm->tid);
	uev_age_list_remove(&comms->by_use, &comm->use);
	free(comm);
}

void uev_comms_remove(struct uev_comms *comms, uint32_t tid)
{
	struct uev_comm *comm = uev_id_table_get(&comms->by_tid, tid);

	if (comm)
		remove_comm(comms, comm);
}

void uev_comms_touch(struct uev_comms *comms, uint32_t tid)
{
	struct uev_comm *comm = find(comms, tid);

	if (comm)
		uev_age_list_touch(&comms->by_use, &comm->use);
}

/* Return: NULL if out of memory. */
static struct uev_comm *add(struct uev_comms *comms, uint32_t tid)
{
	struct uev_comm *comm = calloc(1, sizeof(*comm));

	if (!comm)
		return NULL;
	if (uev_id_table_set(&comms->by_tid, tid, comm)) {
		free(comm);
		return NULL;
	}
	comm->tid = tid;
	uev_age_list_add_newest(&comms->by_use, &comm->use);

	return comm;
}

int uev_comms_set(struct uev_comms *comms, uint32_t tid, const char *name,
		  size_t size)
{
	struct uev_comm *comm;

	uev_comms_touch(comms, tid);
	comm = uev_id_table_get(&comms->by_tid, tid);
	if (!comm)
		comm = add(comms, tid);
	if (!comm)
		return -ENOMEM;
	size = strnlen(name, size < UEV_COMM_SIZE ? size : UEV_COMM_SIZE - 1);
	/* The name could be the thread's own. */
	memmove(comm->name, name, size);
	comm->name[size] = '\0';
	/* After the copy, because it could be the name of the oldest. */
	if (comms->by_tid.count > UEV_COMMS_MAX)
		remove_comm(comms, oldest_of(comms));

	return 0;
}

const char *uev_comms_get(const struct uev_comms *comms, uint32_t tid)
{
	const struct uev_comm *comm = find(comms, tid);

	return comm ? comm->name : NULL;
}
