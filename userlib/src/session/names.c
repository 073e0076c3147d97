// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "session/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "session/alive.h"
#include "session/maps.h"
#include "session/targets.h"
#include "util/sys_perf.h"
#include "util/text_file.h"

/* Offset in records of lost names, and their size. */
#define LOST_COUNT 16
#define LOST_SIZE 24

/*
 * Size per processor: changes of names are much rarer than events. A new
 * program has many mappings.
 */
#define RING_SIZE (128 * 1024)
#define RING_SIZE_MAPPINGS (512 * 1024)

static bool wants_mappings(const struct uev_session *session)
{
	return session->options.flags & UEV_SESSION_STACKS;
}

static bool wants_names(const struct uev_session *session)
{
	return (session->options.flags &
		(UEV_SESSION_COMMS | UEV_SESSION_INHERIT |
		 UEV_SESSION_STACKS)) &&
	       !session->names_denied;
}

static size_t ring_size(const struct uev_session *session)
{
	return wants_mappings(session) ? RING_SIZE_MAPPINGS : RING_SIZE;
}

/* Unlike those of records, these rings are never overwritten. */
static struct perf_event_attr name_attr(const struct uev_session *session)
{
	struct perf_event_attr attr = uev_session_attr(session);

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_type = PERF_SAMPLE_TIME;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.write_backward = 0;
	attr.exclude_callchain_kernel = 0;
	attr.exclude_callchain_user = 0;
	attr.sample_max_stack = 0;
	attr.wakeup_watermark = (uint32_t)ring_size(session) / 4;
	attr.read_format = UEV_SESSION_WATCHED;
	attr.comm = 1;
	/* Also forks, because a thread starts with the name of its creator. */
	attr.task = 1;
	if (wants_mappings(session)) {
		attr.mmap = 1;
		attr.mmap2 = 1;
	}

	return attr;
}

static void close_ring(struct uev_session_buffer *ring)
{
	uev_ring_unmap(&ring->ring);
	uev_sys_perf_close(ring->fd);
}

static int enable_ring(struct uev_session_buffer *ring)
{
	int ret = uev_sys_perf_ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0);

	return ret ? ret : uev_session_watch(ring);
}

static int map_ring(const struct uev_session *session,
		    struct uev_session_buffer *ring)
{
	size_t size = uev_sys_perf_page_size();
	int ret;

	if (size < ring_size(session))
		size = ring_size(session);
	ret = uev_ring_map(&ring->ring, ring->fd, size, false);
	/* A caller that takes snapshots does so at any time. */
	if (!ret && !(session->options.flags & UEV_SESSION_OVERWRITE))
		ret = uev_sys_perf_epoll_add(session->epoll, ring->fd);
	if (!ret && session->running)
		ret = enable_ring(ring);

	return ret;
}

/*
 * Of all threads, because the ones that are created later are unknown, and only
 * a privileged process can collect at all.
 */
static int open_ring(struct uev_session *session,
		     struct uev_session_buffer *ring)
{
	struct perf_event_attr attr = name_attr(session);
	int ret;

	uev_attr_read(&session->name_attr, &attr, sizeof(attr),
		      uev_host_is_big());
	ring->fd = uev_sys_perf_event(&attr, -1, (int)ring->cpu, 0);
	if (ring->fd < 0)
		return ring->fd;
	ret = map_ring(session, ring);
	if (ret)
		close_ring(ring);

	return ret;
}

/* No permission, or the limit of locked memory. */
static bool is_denied(int error)
{
	return error == -EACCES || error == -EPERM;
}

static int add_ring(struct uev_session *session, unsigned int cpu)
{
	size_t count = session->name_ring_count;
	struct uev_session_buffer ring = { .cpu = cpu };
	struct uev_session_buffer *rings;
	int ret;

	rings = realloc(session->name_rings, (count + 1) * sizeof(*rings));
	if (!rings)
		return -ENOMEM;
	session->name_rings = rings;

	ret = open_ring(session, &ring);
	/* The processor went offline. */
	if (ret == -ENODEV)
		return 0;
	if (ret)
		return ret;
	rings[count] = ring;
	session->name_ring_count++;

	return 0;
}

static bool has_ring(const struct uev_session *session, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < session->name_ring_count; i++)
		if (session->name_rings[i].cpu == cpu)
			return true;

	return false;
}

/*
 * Closes the rings of processors that are offline, or were since they were
 * opened, after reading them.
 */
static void drop_rings(struct uev_session *session,
		       const struct uev_cpu_list *online)
{
	struct uev_session_buffer *rings = session->name_rings;
	size_t kept = 0;
	size_t i;

	for (i = 0; i < session->name_ring_count; i++) {
		if (uev_cpu_list_has(online, rings[i].cpu) && !rings[i].offline)
			rings[kept++] = rings[i];
		else
			close_ring(&rings[i]);
	}
	session->name_ring_count = kept;
}

/* ---- Names of existing threads ---- */

/* A thread that has exited or is hidden has no name. */
static int read_proc_comm(struct uev_session *session, uint32_t tid)
{
	size_t size;
	char *text;
	int ret;

	ret = uev_text_file_of_process(tid, "comm", &text, &size);
	if (ret)
		return ret == -ENOMEM ? ret : 0;

	/* The line ends with the name. */
	if (size && text[size - 1] == '\n')
		size--;
	ret = uev_names_add(&session->names, tid, text, size);
	free(text);

	return ret;
}

static int read_thread_comm(void *data, const char *name)
{
	char *end;
	unsigned long tid = strtoul(name, &end, 10);

	return *end || !tid ? 0 : read_proc_comm(data, (uint32_t)tid);
}

static int read_process_comms(void *data, const char *name)
{
	char *path;
	int ret;

	if (name[strspn(name, "0123456789")])
		return 0;
	if (asprintf(&path, "/proc/%s/task", name) < 0)
		return -ENOMEM;
	ret = uev_sys_perf_list(path, read_thread_comm, data);
	free(path);

	return ret == -ENOMEM ? ret : 0;
}

static int read_existing_comms(struct uev_session *session)
{
	size_t i;
	int ret = 0;

	if (!(session->options.flags & UEV_SESSION_COMMS))
		return 0;
	if (!session->options.pid_count) {
		ret = uev_sys_perf_list("/proc", read_process_comms, session);
		return ret == -ENOMEM ? ret : 0;
	}
	for (i = 0; i < session->target_count && !ret; i++)
		ret = read_proc_comm(session, (uint32_t)session->targets[i]);

	return ret;
}

/* The targets and their children at this moment. */
static int follow_existing(struct uev_session *session)
{
	struct uev_tasks tasks;
	size_t i;
	int ret;

	if (!session->follows)
		return 0;
	ret = uev_tasks_find(&tasks, session->targets, session->target_count,
			     true);
	if (ret)
		return ret;
	for (i = 0; i < tasks.count && !ret; i++)
		ret = uev_names_follow(&session->names,
				       (uint32_t)tasks.tids[i]);
	uev_tasks_free(&tasks);

	return ret;
}

/* Reads what is known of the threads that exist. */
static int read_existing(struct uev_session *session)
{
	int ret = follow_existing(session);

	if (!ret)
		ret = read_existing_comms(session);
	if (!ret && wants_mappings(session))
		ret = uev_session_read_maps(session);

	return ret;
}

/* ---- Rings of all processors ---- */

/* Adds the missing rings. Return: 0 or a negative errno */
static int add_rings(struct uev_session *session,
		     const struct uev_cpu_list *online)
{
	size_t before = session->name_ring_count;
	size_t i;
	int ret = 0;

	for (i = 0; i < online->count && !ret; i++)
		if (!has_ring(session, online->cpus[i]))
			ret = add_ring(session, online->cpus[i]);
	/* What happened on a processor before it had a ring is not known. */
	if (!ret && session->running && session->name_ring_count > before)
		ret = read_existing(session);

	return ret;
}

int uev_session_make_name_rings(struct uev_session *session)
{
	struct uev_cpu_list online = { 0 };
	int ret;

	if (!wants_names(session))
		return 0;
	ret = uev_cpu_list_online(&online);
	if (ret)
		return ret;

	/* A processor that is not online does not write. */
	ret = uev_session_read_names(session);
	if (!ret) {
		drop_rings(session, &online);
		ret = add_rings(session, &online);
	}
	uev_cpu_list_free(&online);
	if (!is_denied(ret))
		return ret;
	uev_session_free_names(session);
	session->names_denied = true;
	session->follows = false;

	return 0;
}

void uev_session_free_names(struct uev_session *session)
{
	size_t i;

	for (i = 0; i < session->name_ring_count; i++)
		close_ring(&session->name_rings[i]);
	free(session->name_rings);
	session->name_rings = NULL;
	session->name_ring_count = 0;
	uev_names_free(&session->names);
	uev_mappings_free(&session->mappings);
}

int uev_session_start_names(struct uev_session *session)
{
	size_t i;
	int ret;

	if (!session->name_ring_count)
		return 0;
	/* Changes before a pause precede names from /proc. */
	ret = uev_session_read_names(session);
	for (i = 0; i < session->name_ring_count && !ret; i++)
		ret = enable_ring(&session->name_rings[i]);

	return ret ? ret : read_existing(session);
}

void uev_session_stop_names(struct uev_session *session)
{
	size_t i;

	for (i = 0; i < session->name_ring_count; i++)
		uev_sys_perf_ioctl(session->name_rings[i].fd,
				   PERF_EVENT_IOC_DISABLE, 0);
}

/* ---- Changes of names ---- */

static int read_mapping(struct uev_session *session, const uint8_t *bytes,
			size_t size)
{
	const char *reason;

	if (!wants_mappings(session))
		return 0;

	return uev_mappings_read(&session->mappings, &session->name_attr, bytes,
				 size, uev_host_is_big(), &reason);
}

static int read_name(void *data, const uint8_t *bytes, size_t size)
{
	bool big = uev_host_is_big();
	struct uev_session *session = data;
	const char *reason;
	int ret;

	switch (uev_get32(bytes, big)) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
		ret = uev_names_read(&session->names, &session->name_attr,
				     bytes, size, big, &reason);
		return ret ? ret : read_mapping(session, bytes, size);
	case PERF_RECORD_EXIT:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return read_mapping(session, bytes, size);
	case PERF_RECORD_LOST:
		if (size >= LOST_SIZE)
			session->forks_lost +=
				uev_get64(bytes + LOST_COUNT, big);
		session->misses_forks = true;
		return 0;
	default:
		return 0;
	}
}

int uev_session_read_names(struct uev_session *session)
{
	uint64_t corrupt = 0;
	size_t i;
	int ret = 0;

	for (i = 0; i < session->name_ring_count && !ret; i++)
		ret = uev_ring_read(&session->name_rings[i].ring,
				    session->record, &corrupt, read_name,
				    session);
	/* Finds most of the missed threads: those whose parent still exists. */
	if (!ret && session->misses_forks) {
		session->misses_forks = false;
		ret = follow_existing(session);
	}

	return ret;
}
