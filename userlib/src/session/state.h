/* SPDX-License-Identifier: MIT */
/*
 * A session: its options, and what its parts have open and have read.
 */
#ifndef USEREVENTS_SESSION_STATE_H
#define USEREVENTS_SESSION_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/perf_event.h>

#include <userevents/session.h>

#include "session/cpu_list.h"
#include "util/id_table.h"
#include "perf/attr.h"
#include "perf/names.h"
#include "perf/ring.h"
#include "perf/record_queue.h"
#include "perf/sources.h"

/*
 * The buffer of one processor.
 * @fd: an event that never happens and owns @ring; -1 without one
 * @offline: the processor was offline at the last scan
 */
struct uev_session_buffer {
	unsigned int cpu;
	int fd;
	bool offline;
	struct uev_ring ring;
	struct uev_counts counts;
};

/*
 * What the caller asked for.
 * @failed: it could not be added; only what was added by then points here
 */
struct uev_session_pattern {
	struct uev_session_pattern *next;
	char *system;
	char *name;
	char *filter;
	bool failed;
};

/* What the kernel counts for an event, as read(2) gives it. */
struct uev_session_values {
	uint64_t hits;
	uint64_t lost;
};

/*
 * An event that is collected, or was.
 * @fds: one for each buffer and each of its targets; -1 where there is none
 * @buffer_count: how many buffers @fds are for
 * @replaced: another event has its name now
 * @closed: what was counted on descriptors that are closed by now
 */
struct uev_session_event {
	struct uev_source *source;
	const struct uev_session_pattern *pattern;
	int *fds;
	size_t buffer_count;
	bool replaced;
	struct uev_session_values closed;
};

/*
 * @cpus: those asked for; empty for all
 * @targets: threads, or the one descriptor of a cgroup, or -1 for everything
 * @open_flags: for all targets
 * @has_lost: the kernel counts what each event loses, as far as is known
 * @events: in the order of their sources
 * @by_id: of what the kernel calls events in records to their sources
 * @newest: of all records that were read
 * @until: what is not newer is in order
 * @record: where records are copied to
 * @name_rings: of all processors that are online; @name_ring_count of them
 * @name_attr: how their records look
 * @names: what they have told
 * @names_denied: names are not permitted on all processors, so none are read
 */
struct uev_session {
	struct uev_session_options options;
	char *tracefs;
	struct uev_cpu_list cpus;
	pid_t *targets;
	size_t target_count;
	unsigned long open_flags;
	struct uev_clock clock;
	bool has_lost;
	bool running;
	int epoll;
	struct uev_session_buffer *buffers;
	size_t buffer_count;
	size_t ring_size;
	struct uev_session_pattern *patterns;
	struct uev_session_event *events;
	size_t event_count;
	size_t event_room;
	int added;
	struct uev_source_table sources;
	struct uev_id_table by_id;
	struct uev_queue queue;
	struct uev_attr attr;
	uint64_t newest;
	uint64_t until;
	uint8_t *record;
	struct uev_session_buffer *name_rings;
	size_t name_ring_count;
	struct uev_attr name_attr;
	struct uev_names names;
	bool names_denied;
};

/* What all events have in common: members of records, clock, wake-up. */
struct perf_event_attr uev_session_attr(const struct uev_session *session);

#endif
