/* SPDX-License-Identifier: MIT */
/*
 * user-events: lost records of a session, by event, processor, reason and time.
 *
 * Perf counts the records that did not fit a buffer. The module counts those that
 * perf was not offered, of all processes, in user_events_profile.
 */
#ifndef USER_EVENTS_CAPTURE_LOSSES_H
#define USER_EVENTS_CAPTURE_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

#include "capture/options.h"
#include "capture/removed.h"
#include "events/events.h"
#include "formats/loss.h"

/*
 * struct capture_source_losses - Losses of a source so far
 * @buffers: those of perf in each of @buffer_count buffers
 * @too_large: of these records that were too large for perf
 * @absent: of records that no perf event of the session was offered
 * @is_complete: its event was registered before its program ran
 */
struct capture_source_losses {
	uint64_t *buffers;
	size_t buffer_count;
	uint64_t too_large;
	uint64_t absent;
	bool is_complete;
};

/*
 * struct capture_buffer_losses - Losses of a buffer so far
 * @lost: their number, as the buffer reports it
 * @since: time at which the counters of its events were read
 */
struct capture_buffer_losses {
	uint64_t lost;
	uint64_t since;
};

/*
 * struct capture_losses - All losses; initialized to zeros, released with
 * capture_losses_release()
 * @session, @options: set by the caller
 * @tracefs: path of tracefs; NULL: the usual one
 * @sources: of the first @source_count sources of the session
 * @buffers: of the first @buffer_count buffers
 * @before: what the module had counted at @since
 * @removed: events that were removed since the start
 * @start: time of the start of the session
 * @next_read: when the counters are read again, in milliseconds
 * @newest: time of the newest record
 * @found: losses that were found, for loss_queue_take()
 * @unseen: number of lost records that are no events of perf, without those that
 *        no perf event was offered, which are missing
 */
struct capture_losses {
	const struct uev_session *session;
	const struct capture_options *options;
	char *tracefs;
	struct capture_source_losses *sources;
	size_t source_count;
	struct capture_buffer_losses *buffers;
	size_t buffer_count;
	struct events before;
	struct capture_removed removed;
	uint64_t since;
	uint64_t start;
	uint64_t next_read;
	uint64_t newest;
	struct loss_queue found;
	uint64_t unseen;
};

/*
 * capture_losses_begin() - Starts to count losses of new sources, which are
 * enabled
 */
void capture_losses_begin(struct capture_losses *losses);

/*
 * capture_losses_find() - Looks for new losses
 * @has_stopped: the session has, so that all counters of perf are read
 *
 * Takes little time if there are none: counters of events are read once a buffer
 * reports a loss, and at the end; those of the module once a second.
 */
void capture_losses_find(struct capture_losses *losses, bool has_stopped);

/* capture_losses_read() - Reads what the module has counted. */
void capture_losses_read(struct capture_losses *losses);

/* capture_losses_saw() - Takes note of the time of a record. */
static inline void capture_losses_saw(struct capture_losses *losses,
				      const struct uev_sample *sample)
{
	if (sample->time > losses->newest)
		losses->newest = sample->time;
}

/*
 * capture_losses_add() - Adds records of a source that are lost since the start of
 * the session
 */
void capture_losses_add(struct capture_losses *losses,
			const struct uev_source *source, const char *reason,
			uint64_t count);

void capture_losses_release(struct capture_losses *losses);

#endif
