// SPDX-License-Identifier: MIT
#include "perf/comms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct uev_comm {
	struct uev_comm *older;
	struct uev_comm *newer;
	uint32_t tid;
	char name[UEV_COMM_SIZE];
};

void uev_comms_free(struct uev_comms *comms)
{
	struct uev_comm *comm;

	while (comms->oldest) {
		comm = comms->oldest;
		comms->oldest = comm->newer;
		free(comm);
	}
	uev_id_table_free(&comms->by_tid);
	*comms = (struct uev_comms){ 0 };
}

static void unlink_comm(struct uev_comms *comms, const struct uev_comm *comm)
{
	if (comm->older)
		comm->older->newer = comm->newer;
	else
		comms->oldest = comm->newer;
	if (comm->newer)
		comm->newer->older = comm->older;
	else
		comms->newest = comm->older;
}

static void link_newest(struct uev_comms *comms, struct uev_comm *comm)
{
	comm->older = comms->newest;
	comm->newer = NULL;
	if (comms->newest)
		comms->newest->newer = comm;
	else
		comms->oldest = comm;
	comms->newest = comm;
}

void uev_comms_remove(struct uev_comms *comms, uint32_t tid)
{
	struct uev_comm *comm = uev_id_table_get(&comms->by_tid, tid);

	if (!comm)
		return;
	uev_id_table_remove(&comms->by_tid, tid);
	unlink_comm(comms, comm);
	free(comm);
}

void uev_comms_touch(struct uev_comms *comms, uint32_t tid)
{
	struct uev_comm *comm = uev_id_table_get(&comms->by_tid, tid);

	if (!comm || comm == comms->newest)
		return;
	unlink_comm(comms, comm);
	link_newest(comms, comm);
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
	link_newest(comms, comm);

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
		uev_comms_remove(comms, comms->oldest->tid);

	return 0;
}

const char *uev_comms_get(const struct uev_comms *comms, uint32_t tid)
{
	const struct uev_comm *comm = uev_id_table_get(&comms->by_tid, tid);

	return comm ? comm->name : NULL;
}
