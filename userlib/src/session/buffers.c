// SPDX-License-Identifier: MIT
#include "session/buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <linux/perf_event.h>

#include "session/alive.h"
#include "session/events.h"
#include "session/records.h"
#include "util/sys_perf.h"

/*
 * A dummy event owns the ring buffer, so that the buffer outlives events and
 * processes. It is of all processes if everything is collected, and is watched;
 * otherwise it is of this process, which requires no privilege.
 */
static int open_owner(struct uev_session *session, unsigned int cpu)
{
	struct perf_event_attr attr = uev_session_attr(session);
	bool everything = uev_session_is_of_all(session);

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.disabled = !everything;
	attr.read_format = UEV_SESSION_WATCHED;

	return uev_sys_perf_event(&attr, everything ? -1 : uev_sys_perf_pid(),
				  (int)cpu, 0);
}

static void close_buffer(struct uev_session_buffer *buffer)
{
	uev_ring_unmap(&buffer->ring);
	if (buffer->fd >= 0)
		uev_sys_perf_close(buffer->fd);
	buffer->fd = -1;
}

/* Return: 0, or a negative errno; -ENODEV when the processor is offline */
static int open_buffer(struct uev_session *session,
		       struct uev_session_buffer *buffer)
{
	bool overwrite = session->options.flags & UEV_SESSION_OVERWRITE;
	int ret;

	buffer->fd = open_owner(session, buffer->cpu);
	if (buffer->fd < 0)
		return buffer->fd;
	ret = uev_ring_map(&buffer->ring, buffer->fd, session->ring_size,
			   overwrite);
	if (!ret)
		ret = uev_sys_perf_epoll_add(session->epoll, buffer->fd);
	if (!ret)
		ret = uev_session_watch(buffer);
	if (ret)
		close_buffer(buffer);

	return ret;
}

static struct uev_session_buffer *buffer_of(const struct uev_session *session,
					    unsigned int cpu)
{
	size_t i;

	for (i = 0; i < session->buffer_count; i++)
		if (session->buffers[i].cpu == cpu)
			return &session->buffers[i];

	return NULL;
}

static int add_buffer(struct uev_session *session, unsigned int cpu)
{
	size_t count = session->buffer_count;
	struct uev_session_buffer *buffers;
	int ret;

	buffers = realloc(session->buffers, (count + 1) * sizeof(*buffers));
	if (!buffers)
		return -ENOMEM;
	session->buffers = buffers;
	buffers[count] = (struct uev_session_buffer){ .cpu = cpu, .fd = -1 };
	ret = open_buffer(session, &buffers[count]);
	if (ret)
		return ret;
	session->buffer_count++;

	ret = uev_session_attach_buffer(session, count);
	if (ret) {
		session->buffer_count--;
		close_buffer(&buffers[count]);
	} else if (session->running) {
		session->interrupted++;
	}

	return ret;
}

/*
 * Those of processes survive an offline processor, with the events of their
 * children, which would end with them.
 */
static int reopen_events(struct uev_session *session,
			 struct uev_session_buffer *buffer)
{
	int ret = uev_session_renew_late(session,
					 (size_t)(buffer - session->buffers));

	if (!ret)
		buffer->offline = false;

	return ret;
}

/* Events do not survive an offline processor and must be opened again. */
static int reopen_buffer(struct uev_session *session,
			 struct uev_session_buffer *buffer)
{
	size_t index = (size_t)(buffer - session->buffers);
	int ret;

	ret = uev_session_read_buffer(session, buffer);
	if (ret)
		return ret;
	uev_session_detach_buffer(session, index);
	close_buffer(buffer);
	ret = open_buffer(session, buffer);
	if (ret)
		return ret;

	ret = uev_session_attach_buffer(session, index);
	if (ret) {
		close_buffer(buffer);
		return ret;
	}
	buffer->offline = false;
	if (session->running)
		session->interrupted++;

	return 0;
}

static int update_buffer(struct uev_session *session, unsigned int cpu)
{
	struct uev_session_buffer *buffer = buffer_of(session, cpu);
	int ret = 0;

	if (!buffer)
		ret = add_buffer(session, cpu);
	else if (buffer->offline && uev_session_is_of_all(session))
		ret = reopen_buffer(session, buffer);
	else if (buffer->offline)
		ret = reopen_events(session, buffer);

	/* It went offline again in the meantime. */
	return ret == -ENODEV ? 0 : ret;
}

int uev_session_make_buffers(struct uev_session *session)
{
	const struct uev_cpu_list *wanted = &session->cpus;
	struct uev_cpu_list online = { 0 };
	size_t i;
	int ret;

	ret = uev_cpu_list_online(&online);
	if (ret)
		return ret;

	for (i = 0; i < session->buffer_count; i++)
		if (!uev_cpu_list_has(&online, session->buffers[i].cpu))
			session->buffers[i].offline = true;
	for (i = 0; i < online.count && !ret; i++)
		if (!wanted->count || uev_cpu_list_has(wanted, online.cpus[i]))
			ret = update_buffer(session, online.cpus[i]);
	uev_cpu_list_free(&online);

	return ret;
}

void uev_session_free_buffers(struct uev_session *session)
{
	size_t i;

	for (i = 0; i < session->buffer_count; i++)
		close_buffer(&session->buffers[i]);
	free(session->buffers);
}
