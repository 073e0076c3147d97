// SPDX-License-Identifier: MIT
#include "session/alive.h"

#include <time.h>

#include "util/sys_perf.h"

/* Minimum time between two looks. Each interrupts the processors. */
#define LOOK_INTERVAL_NS 100000000ULL

/* The time of an event advances meanwhile, also if its clock counts ticks. */
#define ADVANCE_NS 20000000ULL

/* As read(2) returns it for UEV_SESSION_WATCHED. */
struct values {
	uint64_t count;
	uint64_t enabled;
};

bool uev_session_is_of_all(const struct uev_session *session)
{
	return !session->options.pid_count;
}

static int read_enabled(const struct uev_session_buffer *buffer,
			uint64_t *enabled)
{
	struct values values = { 0 };
	ssize_t got = uev_sys_perf_read(buffer->fd, &values, sizeof(values));

	*enabled = values.enabled;

	return got < 0 ? (int)got : 0;
}

/*
 * Neither clock advances while the machine is suspended. That of the process is read
 * last here and first by the next look, so that a pause in between makes the time
 * that has passed shorter, not longer.
 */
int uev_session_watch(struct uev_session_buffer *buffer)
{
	int ret = read_enabled(buffer, &buffer->enabled);

	return ret ? ret : uev_sys_perf_clock(CLOCK_MONOTONIC, &buffer->looked);
}

/*
 * The two clocks can differ a little. An event that was removed shortly before
 * this look is found by the next one.
 */
static int look(struct uev_session_buffer *buffer, uint64_t now)
{
	uint64_t passed = now > buffer->looked ? now - buffer->looked : 0;
	uint64_t before = buffer->enabled;
	int ret;

	if (buffer->fd < 0 || buffer->offline || passed < LOOK_INTERVAL_NS)
		return 0;
	ret = uev_session_watch(buffer);
	if (ret)
		return ret;
	/* A kernel may return nothing for an event that was removed. */
	if (buffer->enabled < before || buffer->enabled - before < passed / 2)
		buffer->offline = true;

	return 0;
}

/* A buffer of events of processes is only as alive as the other events. */
static void mark_buffer(struct uev_session *session, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < session->buffer_count; i++)
		if (session->buffers[i].cpu == cpu)
			session->buffers[i].offline = true;
}

static int look_at_names(struct uev_session *session, uint64_t now)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < session->name_ring_count && !ret; i++) {
		ret = look(&session->name_rings[i], now);
		if (session->name_rings[i].offline)
			mark_buffer(session, session->name_rings[i].cpu);
	}

	return ret;
}

int uev_session_find_dead(struct uev_session *session)
{
	uint64_t now;
	size_t i;
	int ret;

	ret = uev_sys_perf_clock(CLOCK_MONOTONIC, &now);
	for (i = 0; uev_session_is_of_all(session) &&
		    i < session->buffer_count && !ret;
	     i++)
		ret = look(&session->buffers[i], now);

	return ret || !session->running ? ret : look_at_names(session, now);
}

/* Usually, the second reading differs at once. */
static int stands_still(const struct uev_session_buffer *buffer, bool *stands)
{
	uint64_t first, enabled;
	int ret = read_enabled(buffer, &first);

	if (!ret)
		ret = read_enabled(buffer, &enabled);
	if (!ret && enabled == first) {
		uev_sys_perf_sleep(ADVANCE_NS);
		ret = read_enabled(buffer, &enabled);
	}
	if (ret)
		return ret;
	*stands = enabled == first;

	return 0;
}

int uev_session_count_dead(struct uev_session *session)
{
	struct uev_session_buffer *buffer;
	bool is_dead;
	size_t i;
	int ret = 0;

	for (i = 0; uev_session_is_of_all(session) &&
		    i < session->buffer_count && !ret;
	     i++) {
		buffer = &session->buffers[i];
		if (buffer->fd < 0 || buffer->offline)
			continue;
		ret = stands_still(buffer, &is_dead);
		if (ret || !is_dead)
			continue;
		buffer->offline = true;
		session->interrupted++;
	}

	return ret;
}
