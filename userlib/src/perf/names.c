// SPDX-License-Identifier: MIT
#include "perf/names.h"

#include <string.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/sample.h"

/* Offsets of members of the records, and of a name. */
#define COMM_TID 12
#define COMM_TEXT 16
#define FORK_TID 16
#define FORK_PARENT_TID 20
#define FORK_SIZE 32

void uev_names_free(struct uev_names *names)
{
	uev_comms_free(&names->comms);
	uev_queue_free(&names->changes);
	uev_id_table_free(&names->followed);
	*names = (struct uev_names){ 0 };
}

int uev_names_follow(struct uev_names *names, uint32_t tid)
{
	names->follows = true;

	return uev_id_table_set(&names->followed, tid, names);
}

bool uev_names_is_followed(const struct uev_names *names, uint32_t tid)
{
	return !names->follows || names->follows_all ||
	       uev_id_table_get(&names->followed, tid);
}

static void apply_fork(struct uev_names *names, uint32_t creator, uint32_t tid)
{
	if (!names->follows)
		return;
	if (!uev_id_table_get(&names->followed, creator))
		uev_id_table_remove(&names->followed, tid);
	else if (uev_names_follow(names, tid))
		names->follows_all = true;
}

/* Without memory, no name is better than an outdated one. */
static void apply_change(struct uev_names *names,
			 const struct uev_sample *change)
{
	struct uev_comms *comms = &names->comms;
	const char *name = change->raw;
	size_t size = change->raw_size;

	if (!name) {
		apply_fork(names, (uint32_t)change->id, change->tid);
		name = uev_comms_get(comms, (uint32_t)change->id);
		size = name ? strlen(name) : 0;
	}
	if (!name || uev_comms_set(comms, change->tid, name, size))
		uev_comms_remove(comms, change->tid);
}

static bool is_over_limit(const struct uev_names *names)
{
	return names->changes.count > UEV_NAMES_PENDING_MAX ||
	       (names->changes.count &&
		uev_queue_memory(&names->changes) > UEV_NAMES_MEMORY_MAX);
}

static int add(struct uev_names *names, const struct uev_sample *change)
{
	int ret;

	if (!(change->flags & UEV_HAS_TIME)) {
		apply_change(names, change);
		return 0;
	}
	ret = uev_queue_push(&names->changes, change, 0);
	if (!ret && change->time > names->newest)
		names->newest = change->time;
	while (!ret && is_over_limit(names))
		apply_change(names, uev_queue_pop(&names->changes, UINT64_MAX));

	return ret;
}

int uev_names_read(struct uev_names *names, const struct uev_attr *attr,
		   const uint8_t *bytes, size_t size, bool big,
		   const char **reason)
{
	bool is_fork = uev_get32(bytes, big) == PERF_RECORD_FORK;
	size_t trailer = uev_sample_id_size(attr);
	size_t shortest = is_fork ? FORK_SIZE : COMM_TEXT;
	struct uev_sample change = { 0 };

	*reason = NULL;
	if (size < shortest) {
		*reason = is_fork ? "fork record too short"
				  : "comm record too short";
		return 0;
	}
	/* Files of other writers can lack the terminator. */
	if (size < shortest + trailer)
		trailer = 0;
	else if (uev_sample_id_time(attr, bytes + size - trailer, big,
				    &change.time))
		change.flags = UEV_HAS_TIME;
	if (is_fork) {
		change.tid = uev_get32(bytes + FORK_TID, big);
		change.id = uev_get32(bytes + FORK_PARENT_TID, big);
	} else {
		change.tid = uev_get32(bytes + COMM_TID, big);
		change.raw = bytes + COMM_TEXT;
		change.raw_size = (uint32_t)(size - trailer - COMM_TEXT);
		/* The part of a name that is not kept need not be queued. */
		if (change.raw_size > UEV_COMM_SIZE)
			change.raw_size = UEV_COMM_SIZE;
	}

	return add(names, &change);
}

int uev_names_add(struct uev_names *names, uint32_t tid, const char *name,
		  size_t size)
{
	struct uev_sample change = {
		.tid = tid,
		.raw = name,
		.raw_size = (uint32_t)size,
		.time = names->newest,
		.flags = names->newest ? UEV_HAS_TIME : 0,
	};

	return add(names, &change);
}

void uev_names_advance(struct uev_names *names, uint64_t time, uint32_t tid)
{
	const struct uev_sample *change;

	while ((change = uev_queue_pop(&names->changes, time)))
		apply_change(names, change);
	uev_comms_touch(&names->comms, tid);
}
