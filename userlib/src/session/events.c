// SPDX-License-Identifier: MIT
#include "session/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/tracefs.h"
#include "util/sys_perf.h"

#define FIRST_ROOM 16

/* Values of the IDs of an event that could not be added. */
static struct uev_source no_source;
static struct uev_session_late no_late;

/* With @targets, an event is collected from all processes and filtered. */
static const pid_t all_tasks = -1;

/* The descriptors of one event in one buffer. */
static int *fds_in(const struct uev_session *session,
		   const struct uev_session_event *event, size_t buffer)
{
	return event->fds + buffer * session->target_count;
}

static void close_fds(const struct uev_session *session, int *fds)
{
	size_t i;

	for (i = 0; i < session->target_count; i++) {
		if (fds[i] >= 0)
			uev_sys_perf_close(fds[i]);
		fds[i] = -1;
	}
}

/* Without PERF_FORMAT_LOST only one number is read. */
static int add_values(int fd, struct uev_session_values *sum)
{
	struct uev_session_values values = { 0 };
	ssize_t got = uev_sys_perf_read(fd, &values, sizeof(values));

	if (got < 0)
		return (int)got;
	sum->hits += values.hits;
	sum->lost += values.lost;

	return 0;
}

/* Adds the counters of an event in one buffer. Return: 0, or an error of read(2) */
static int add_values_in(const struct uev_session *session,
			 const struct uev_session_event *event, size_t buffer,
			 struct uev_session_values *sum)
{
	const int *fds = fds_in(session, event, buffer);
	size_t i;
	int ret = 0;

	sum->hits += event->closed[buffer].hits;
	sum->lost += event->closed[buffer].lost;
	for (i = 0; i < session->target_count && !ret; i++)
		if (fds[i] >= 0)
			ret = add_values(fds[i], sum);

	return ret;
}

/* Closes descriptors of an event whose counters are kept. */
static void save_and_close_fds(const struct uev_session *session,
			       struct uev_session_event *event, size_t buffer)
{
	int *fds = fds_in(session, event, buffer);
	size_t i;

	for (i = 0; i < session->target_count; i++)
		if (fds[i] >= 0)
			add_values(fds[i], &event->closed[buffer]);
	close_fds(session, fds);
}

static void replace_event(const struct uev_session *session,
			  struct uev_session_event *event)
{
	size_t buffer;

	for (buffer = 0; buffer < event->buffer_count; buffer++)
		save_and_close_fds(session, event, buffer);
	event->replaced = true;
}

static void close_event(const struct uev_session *session,
			struct uev_session_event *event)
{
	size_t buffer;

	for (buffer = 0; buffer < event->buffer_count; buffer++)
		close_fds(session, fds_in(session, event, buffer));
	free(event->fds);
	free(event->closed);
	free(event->late);
	event->fds = NULL;
	event->closed = NULL;
	event->late = NULL;
	event->buffer_count = 0;
}

void uev_session_free_events(struct uev_session *session)
{
	size_t i;

	for (i = 0; i < session->event_count; i++)
		close_event(session, &session->events[i]);
	free(session->events);
}

/*
 * Kernels before 6.0 do not support counting of lost records and return an
 * error.
 */
static int open_counted(struct uev_session *session,
			struct perf_event_attr *attr, pid_t target, int cpu)
{
	int fd = -EINVAL;

	if (session->has_lost) {
		attr->read_format = PERF_FORMAT_LOST;
		fd = uev_sys_perf_event(attr, target, cpu, session->open_flags);
	}
	if (fd == -EINVAL) {
		attr->read_format = 0;
		fd = uev_sys_perf_event(attr, target, cpu, session->open_flags);
		if (fd >= 0)
			session->has_lost = false;
	}

	return fd;
}

/* Prepares an event before its records are used. */
static int set_up_event(struct uev_session *session,
			const struct uev_session_event *event,
			const struct uev_session_buffer *buffer, int fd)
{
	const char *filter = event->pattern->filter;
	uint64_t id;
	int ret;

	ret = uev_sys_perf_ioctl(fd, PERF_EVENT_IOC_ID, (unsigned long)&id);
	if (!ret)
		ret = uev_sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT,
					 (unsigned long)buffer->fd);
	if (!ret && filter)
		ret = uev_sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_FILTER,
					 (unsigned long)filter);
	if (!ret)
		ret = uev_id_table_set(&session->by_id, id, event->source);
	if (!ret && event->late)
		ret = uev_id_table_set(&session->late_by_id, id, event->late);
	if (!ret && session->running)
		ret = uev_sys_perf_ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);

	return ret;
}

static int open_target(struct uev_session *session,
		       const struct uev_session_event *event,
		       const struct uev_session_buffer *buffer, pid_t target,
		       int *fd)
{
	struct perf_event_attr attr = uev_session_attr(session);
	int ret;

	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = event->source->id;
	if (session->options.flags & UEV_SESSION_INHERIT && !event->late)
		attr.inherit = 1;

	ret = open_counted(session, &attr, target, (int)buffer->cpu);
	/* The processor is offline, or the thread has exited. */
	if (ret == -ENODEV || ret == -ESRCH)
		return 0;
	if (ret < 0)
		return ret;

	*fd = ret;
	ret = set_up_event(session, event, buffer, *fd);
	if (ret) {
		uev_sys_perf_close(*fd);
		*fd = -1;
	}

	return ret;
}

/* Opens an event for those targets for which it is not open. */
static int open_missing(struct uev_session *session,
			const struct uev_session_event *event, size_t buffer)
{
	const pid_t *targets = event->late ? &all_tasks : session->targets;
	size_t count = event->late ? 1 : session->target_count;
	int *fds = fds_in(session, event, buffer);
	size_t i;
	int ret = 0;

	if (session->buffers[buffer].fd < 0)
		return 0;
	for (i = 0; i < count && !ret; i++)
		if (fds[i] < 0)
			ret = open_target(session, event,
					  &session->buffers[buffer], targets[i],
					  &fds[i]);

	return ret;
}

static int open_in_buffer(struct uev_session *session,
			  const struct uev_session_event *event, size_t buffer)
{
	int *fds = fds_in(session, event, buffer);
	size_t i;
	int ret;

	for (i = 0; i < session->target_count; i++)
		fds[i] = -1;
	ret = open_missing(session, event, buffer);
	if (ret)
		close_fds(session, fds);

	return ret;
}

/* Allocates descriptors of an event for one more buffer. */
static int grow_event(const struct uev_session *session,
		      struct uev_session_event *event)
{
	size_t buffers = event->buffer_count + 1;
	struct uev_session_values *closed;
	int *fds;

	fds = realloc(event->fds,
		      buffers * session->target_count * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	event->fds = fds;
	closed = realloc(event->closed, buffers * sizeof(*closed));
	if (!closed)
		return -ENOMEM;
	closed[event->buffer_count] = (struct uev_session_values){ 0 };
	event->closed = closed;

	return 0;
}

/*
 * From now on, its records are of no event: they can be in the buffers already.
 */
static void forget_ids(struct uev_session *session,
		       const struct uev_session_event *event)
{
	uev_id_table_replace(&session->by_id, event->source, &no_source);
	if (event->late)
		uev_id_table_replace(&session->late_by_id, event->late,
				     &no_late);
}

static int open_event(struct uev_session *session,
		      struct uev_session_event *event)
{
	int ret = 0;

	while (event->buffer_count < session->buffer_count && !ret) {
		ret = grow_event(session, event);
		if (!ret)
			ret = open_in_buffer(session, event,
					     event->buffer_count);
		if (!ret)
			event->buffer_count++;
	}
	if (ret) {
		forget_ids(session, event);
		close_event(session, event);
	}

	return ret;
}

/* Children that exist already inherit nothing, see struct uev_session_late. */
static int open_late(struct uev_session *session,
		     struct uev_session_event *event)
{
	event->late = calloc(1, sizeof(*event->late));

	return event->late ? open_event(session, event) : -ENOMEM;
}

static int open_new(struct uev_session *session,
		    struct uev_session_event *event)
{
	int ret = -EACCES;

	event->is_late = session->started;
	if (session->follows && event->is_late)
		ret = open_late(session, event);
	/* Then only children that are created from now on are collected. */
	if (ret == -EACCES || ret == -EPERM)
		ret = open_event(session, event);

	return ret;
}

void uev_session_detach_buffer(struct uev_session *session, size_t buffer)
{
	struct uev_session_event *event;
	size_t i;

	for (i = 0; i < session->event_count; i++) {
		event = &session->events[i];
		if (buffer < event->buffer_count)
			save_and_close_fds(session, event, buffer);
	}
}

static int attach_buffer(struct uev_session *session,
			 struct uev_session_event *event, size_t buffer)
{
	int ret;

	if (event->replaced)
		return 0;
	if (buffer < event->buffer_count)
		return open_in_buffer(session, event, buffer);
	ret = grow_event(session, event);
	if (!ret)
		ret = open_in_buffer(session, event, buffer);
	if (!ret)
		event->buffer_count++;

	return ret;
}

int uev_session_attach_buffer(struct uev_session *session, size_t buffer)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < session->event_count && !ret; i++)
		ret = attach_buffer(session, &session->events[i], buffer);
	if (ret)
		uev_session_detach_buffer(session, buffer);

	return ret;
}

/* Records of an event of all processes were missed. */
static int renew_event(struct uev_session *session,
		       struct uev_session_event *event, size_t buffer)
{
	if (event->replaced || buffer >= event->buffer_count)
		return 0;
	if (event->late) {
		save_and_close_fds(session, event, buffer);
		session->interrupted += session->running;
	}

	return open_missing(session, event, buffer);
}

int uev_session_renew_late(struct uev_session *session, size_t buffer)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < session->event_count && !ret; i++)
		ret = renew_event(session, &session->events[i], buffer);

	return ret;
}

static int make_room(struct uev_session *session)
{
	size_t room = session->event_room ? session->event_room * 2
					  : FIRST_ROOM;
	struct uev_session_event *events;

	if (uev_id_table_reserve(&session->by_name, 1))
		return -ENOMEM;
	if (session->event_count < session->event_room)
		return 0;
	events = realloc(session->events, room * sizeof(*events));
	if (!events)
		return -ENOMEM;
	session->events = events;
	session->event_room = room;

	return 0;
}

/*
 * Reads the event from tracefs; its format might not be readable.
 *
 * Return: 0, -ENOENT if the file does not exist, or another error
 */
static int read_description(const struct uev_session *session,
			    struct uev_source *source, const char *system,
			    const char *name)
{
	char *format;
	size_t size;
	int ret;

	ret = uev_source_set_system(source, system, strlen(system));
	if (!ret)
		ret = uev_source_set_name(source, name, strlen(name));
	if (ret)
		return ret;

	ret = uev_tracefs_text(session->tracefs, system, name, "format",
			       &format, &size);
	if (ret)
		return ret == -ENOMEM || ret == -ENOENT ? ret : 0;
	ret = uev_source_set_format(source, format, size);
	free(format);

	return ret;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	/* FNV-1a, with the NUL */
	do
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	while (*text++);

	return hash;
}

static uint64_t hash_name(const char *system, const char *name)
{
	return hash_text(hash_text(UINT64_C(0xcbf29ce484222325), system), name);
}

/* Adds the last event to the table of names. There is room. */
static void add_name(struct uev_session *session)
{
	const struct uev_source *source =
		session->events[session->event_count - 1].source;

	uev_id_table_set(&session->by_name,
			 hash_name(source->system, source->name),
			 (void *)(uintptr_t)session->event_count);
}

static int add_event(struct uev_session *session,
		     const struct uev_session_pattern *pattern,
		     const char *system, const char *name, uint32_t id)
{
	struct uev_session_event event = { .pattern = pattern };
	bool is_partial;
	int ret;

	ret = make_room(session);
	if (ret)
		return ret;
	event.source = uev_source_table_add(&session->sources, id);
	if (!event.source)
		return -ENOMEM;

	ret = read_description(session, event.source, system, name);
	is_partial = ret == -ENOENT;
	if (!ret)
		ret = open_new(session, &event);
	if (ret) {
		uev_source_table_drop_last(&session->sources);
		/* The kernel creates or removes its files; see the next scan. */
		return is_partial ? 0 : ret;
	}
	session->events[session->event_count++] = event;
	add_name(session);
	session->added++;

	return 0;
}

static bool is_current(const struct uev_session_event *event,
		       const char *system, const char *name)
{
	return !event->replaced && !strcmp(event->source->name, name) &&
	       !strcmp(event->source->system, system);
}

/*
 * Returns the event of a name that is currently collected. The table has the
 * number of the last event with the hash of the name, which is rarely another one.
 */
static struct uev_session_event *find_event(const struct uev_session *session,
					    const char *system,
					    const char *name)
{
	size_t i = (uintptr_t)uev_id_table_get(&session->by_name,
					       hash_name(system, name));

	for (; i > 0; i--)
		if (is_current(&session->events[i - 1], system, name))
			return &session->events[i - 1];

	return NULL;
}

struct search {
	struct uev_session *session;
	const struct uev_session_pattern *pattern;
};

/*
 * Tests whether an event is incomplete: its files are removed one after the
 * other when it is deleted, and before Linux 6.6 made one after the other, with
 * the format last.
 */
static bool is_incomplete(const struct uev_session *session, const char *system,
			  const char *name)
{
	char *text;
	int ret = uev_tracefs_text(session->tracefs, system, name, "format",
				   &text, NULL);

	free(text);

	return ret == -ENOENT;
}

static int visit(void *data, const char *system, const char *name, uint32_t id)
{
	const struct search *search = data;
	struct uev_session *session = search->session;
	struct uev_session_event *known = find_event(session, system, name);
	int ret;

	if (known && known->source->id == id)
		return 0;
	if (known)
		replace_event(session, known);

	ret = add_event(session, search->pattern, system, name, id);

	return ret && is_incomplete(session, system, name) ? 0 : ret;
}

int uev_session_find_events(struct uev_session *session,
			    const struct uev_session_pattern *pattern)
{
	struct search search = { .session = session, .pattern = pattern };

	return uev_tracefs_events(session->tracefs, pattern->text, visit,
				  &search);
}

int uev_session_control(struct uev_session *session, unsigned long request)
{
	const struct uev_session_event *event;
	size_t count;
	int first = 0;
	size_t i;
	size_t j;
	int ret;

	for (i = 0; i < session->event_count; i++) {
		event = &session->events[i];
		count = event->buffer_count * session->target_count;
		for (j = 0; j < count; j++) {
			if (event->fds[j] < 0)
				continue;
			ret = uev_sys_perf_ioctl(event->fds[j], request, 0);
			if (!first)
				first = ret;
		}
	}

	return first;
}

/*
 * Kernels before 6.0 count no lost records of an event. After the end of the
 * session, records that were not read can be those of followed processes, except
 * those that newer ones have overwritten.
 */
static uint64_t late_hits(const struct uev_session *session,
			  const struct uev_session_late *late, uint64_t all)
{
	bool knows_unread = !session->has_lost && !session->running &&
			    !(session->options.flags & UEV_SESSION_OVERWRITE);

	return late->hits +
	       (knows_unread && all > late->seen ? all - late->seen : 0);
}

int uev_session_source_stats(const struct uev_session *session, uint32_t index,
			     uint64_t *hits, uint64_t *lost)
{
	const struct uev_session_event *event;
	struct uev_session_values sum = { 0 };
	size_t buffer;
	int ret = 0;

	if (index >= session->event_count)
		return -ENOENT;
	event = &session->events[index];
	for (buffer = 0; buffer < event->buffer_count && !ret; buffer++)
		ret = add_values_in(session, event, buffer, &sum);
	if (ret)
		return ret;

	*hits = event->late ? late_hits(session, event->late, sum.hits)
			    : sum.hits;
	*lost = session->has_lost ? sum.lost : UINT64_MAX;

	return 0;
}

int uev_session_source_lost(const struct uev_session *session, uint32_t index,
			    uint32_t buffer, uint64_t *lost)
{
	struct uev_session_values sum = { 0 };
	const struct uev_session_event *event;
	int ret;

	if (index >= session->event_count || buffer >= session->buffer_count)
		return -ENOENT;
	if (!session->has_lost)
		return -ENODATA;
	event = &session->events[index];
	*lost = 0;
	if (buffer >= event->buffer_count)
		return 0;
	ret = add_values_in(session, event, buffer, &sum);
	if (!ret)
		*lost = sum.lost;

	return ret;
}

bool uev_session_source_is_late(const struct uev_session *session,
				uint32_t index)
{
	return index < session->event_count && session->events[index].is_late;
}
