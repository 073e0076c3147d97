// SPDX-License-Identifier: MIT
#include "session/records.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "util/bytes.h"
#include "perf/sample.h"
#include "session/names.h"
#include "session/vpids.h"
#include "util/sys_perf.h"

/* Offsets in records of lost events. */
#define LOST_COUNT 16
#define LOST_SAMPLES_COUNT 8

struct buffer_read {
	struct uev_session *session;
	struct uev_session_buffer *buffer;
};

static int read_sample(struct uev_session *session,
		       struct uev_trace_stats *counts, const uint8_t *bytes,
		       size_t size)
{
	bool big = uev_host_is_big();
	const struct uev_source *source;
	struct uev_sample record;

	if (uev_sample_read(&record, &session->attr, bytes, size, big)) {
		counts->corrupt++;
		return 0;
	}
	source = uev_id_table_get(&session->by_id, record.id);
	/* Records of unknown events, or of events that could not be added. */
	if (!source || !source->system) {
		counts->corrupt++;
		return 0;
	}

	record.source = source;
	uev_session_set_vpid(session, &record);
	if (uev_queue_push(&session->queue, &record, 0))
		return -ENOMEM;
	if (record.time < session->queue.popped_time)
		counts->unordered++;
	if (record.time > session->newest)
		session->newest = record.time;
	counts->records++;
	counts->bytes += size;

	return 0;
}

/* Adds the number at @offset of a record, if the record has it. */
static void count_lost(struct uev_trace_stats *counts, const uint8_t *bytes,
		       size_t size, size_t offset)
{
	if (size < offset + sizeof(uint64_t))
		counts->corrupt++;
	else
		counts->lost += uev_get64(bytes + offset, uev_host_is_big());
}

static int read_record(void *data, const uint8_t *bytes, size_t size)
{
	const struct buffer_read *buffer_read = data;
	struct uev_trace_stats *counts = &buffer_read->buffer->counts;

	switch (uev_get32(bytes, uev_host_is_big())) {
	case PERF_RECORD_SAMPLE:
		return read_sample(buffer_read->session, counts, bytes, size);
	case PERF_RECORD_LOST:
		count_lost(counts, bytes, size, LOST_COUNT);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		count_lost(counts, bytes, size, LOST_SAMPLES_COUNT);
		break;
	case PERF_RECORD_THROTTLE:
		counts->throttled++;
		break;
	default:
		counts->other++;
	}

	return 0;
}

int uev_session_read_buffer(struct uev_session *session,
			    struct uev_session_buffer *buffer)
{
	struct buffer_read buffer_read = { .session = session,
					   .buffer = buffer };

	if (!buffer->ring.map)
		return 0;

	return uev_ring_read(&buffer->ring, session->record,
			     &buffer->counts.corrupt, read_record,
			     &buffer_read);
}

/* Reads every buffer once, also after an error. */
static int read_all(struct uev_session *session)
{
	int first = 0;
	size_t i;
	int ret;

	for (i = 0; i < session->buffer_count; i++) {
		ret = uev_session_read_buffer(session, &session->buffers[i]);
		if (!first)
			first = ret;
	}
	/* Read after the records, so that no older name is missing. */
	ret = uev_session_read_names(session);

	return first ? first : ret;
}

/*
 * A record that is newer than one seen in a pass could be in a buffer that this
 * pass had already read. After the next pass this is impossible.
 */
static int read_in_passes(struct uev_session *session)
{
	uint64_t seen = session->newest;
	int ret;

	ret = read_all(session);
	if (ret)
		return ret;
	session->until = seen;
	if (session->newest == seen)
		return 0;

	seen = session->newest;
	ret = read_all(session);
	if (!ret)
		session->until = seen;

	return ret;
}

/* Pauses or resumes the first @count buffers. Return: number of successes */
static size_t pause_buffers(struct uev_session *session, size_t count,
			    bool pause, int *error)
{
	size_t i;
	int ret;

	for (i = 0; i < count; i++) {
		if (session->buffers[i].fd < 0)
			continue;
		ret = uev_sys_perf_ioctl(session->buffers[i].fd,
					 PERF_EVENT_IOC_PAUSE_OUTPUT, pause);
		if (!ret)
			continue;
		if (!*error)
			*error = ret;
		if (pause)
			break;
	}

	return i;
}

/* Otherwise new records would overwrite those that are read. */
static int read_snapshot(struct uev_session *session)
{
	size_t count = session->buffer_count;
	size_t paused;
	int ret = 0;
	int resumed = 0;

	paused = pause_buffers(session, count, true, &ret);
	if (!ret)
		ret = read_all(session);
	pause_buffers(session, paused, false, &resumed);
	session->until = UINT64_MAX;

	return ret ? ret : resumed;
}

/* Tests whether the queue is full. */
static bool is_full(const struct uev_session *session)
{
	size_t all = session->buffer_count * session->ring_size;

	return session->queue.waiting > 2 * all &&
	       uev_queue_ready(&session->queue, session->until);
}

ssize_t uev_session_read(struct uev_session *session, unsigned int flags)
{
	int ret = 0;

	if (flags & ~UEV_READ_DRAIN)
		return -EINVAL;

	if (session->options.flags & UEV_SESSION_OVERWRITE)
		ret = read_snapshot(session);
	else if (!is_full(session))
		ret = read_in_passes(session);
	else
		ret = uev_session_read_names(session);
	if (flags & UEV_READ_DRAIN)
		session->until = UINT64_MAX;
	if (ret)
		return ret;

	return (ssize_t)uev_queue_ready(&session->queue, session->until);
}

/* Tests whether a record is of a process that is followed, and counts it. */
static bool is_wanted(struct uev_session *session,
		      const struct uev_sample *record)
{
	struct uev_session_late *late;

	late = uev_id_table_get(&session->late_by_id, record->id);
	if (!late)
		return true;
	late->seen++;
	if (!uev_names_is_followed(&session->names, record->tid)) {
		session->skipped++;
		return false;
	}
	late->hits++;

	return true;
}

int uev_session_next(struct uev_session *session,
		     const struct uev_sample **record)
{
	do {
		*record = uev_queue_pop(&session->queue, session->until);
		if (!*record)
			return 0;
		uev_names_advance(&session->names, (*record)->time,
				  (*record)->tid);
		uev_mappings_advance(&session->mappings, (*record)->time,
				     (*record)->pid);
	} while (!is_wanted(session, *record));

	return 1;
}
