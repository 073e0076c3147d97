/* SPDX-License-Identifier: MIT */
/* State of a session: its options, open files and records. */
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
#include "perf/mappings.h"
#include "perf/names.h"
#include "perf/ring.h"
#include "perf/record_queue.h"
#include "perf/sources.h"

/* Options that collect stacks. */
#define UEV_SESSION_ALL_STACKS (UEV_SESSION_STACKS | UEV_SESSION_KERNEL_STACKS)

/*
 * The buffer of one processor.
 * @fd: a dummy event that owns @ring; -1 without one
 * @offline: the processor was offline at the last scan, or since
 * @looked: when uev_session_watch() or a look read @enabled, in ns
 * @enabled: for how long the event was enabled then, in ns
 */
struct uev_session_buffer {
	unsigned int cpu;
	int fd;
	bool offline;
	uint64_t looked;
	uint64_t enabled;
	struct uev_ring ring;
	struct uev_trace_stats counts;
};

/*
 * A pattern of the caller.
 * @failed: it could not be added; only events that were added before refer to
 *        it
 */
struct uev_session_pattern {
	struct uev_session_pattern *next;
	char *text;
	char *filter;
	bool failed;
};

/* Counters of an event, as read(2) returns them. */
struct uev_session_values {
	uint64_t hits;
	uint64_t lost;
};

/*
 * Counters of an event that was found while the session followed processes.
 * They can have children that were created before, so the event is collected
 * from all processes, and records of others are skipped.
 * @hits: number of records of followed processes
 * @seen: number of all records that were read
 */
struct uev_session_late {
	uint64_t hits;
	uint64_t seen;
};

/*
 * An event that is or was collected.
 * @is_late: it was found after the session had started
 * @late: it is filtered; or NULL
 * @fds: one per buffer and target; -1 if not open. If it is filtered, only the
 *        first one of each buffer is used.
 * @closed: counters of closed descriptors, one per buffer
 * @buffer_count: number of buffers in @fds and @closed
 * @replaced: another event has its name now
 */
struct uev_session_event {
	struct uev_source *source;
	const struct uev_session_pattern *pattern;
	bool is_late;
	struct uev_session_late *late;
	int *fds;
	struct uev_session_values *closed;
	size_t buffer_count;
	bool replaced;
};

/* Maximum number of remembered processes. With one more, all are forgotten. */
#define UEV_SESSION_VPIDS_MAX 65536

/*
 * The PID of a process in its own pid namespace.
 * @time: of the record with which the process was looked up
 * @vpid: 0: the same, or unknown
 */
struct uev_session_vpid {
	uint64_t time;
	uint32_t vpid;
};

/*
 * Processes that were looked up.
 * @by_pid: their numbers, from 1 on
 */
struct uev_session_vpids {
	struct uev_id_table by_pid;
	struct uev_session_vpid *processes;
	size_t count;
	size_t room;
};

/*
 * @cpus: requested processors; empty for all
 * @targets: threads, or one descriptor of a cgroup, or -1 for all
 * @open_flags: for all targets
 * @has_lost: the kernel counts lost records of each event, as far as known
 * @started: the session was started once
 * @events: in the order of their sources
 * @by_id: map of event IDs in records to their sources
 * @late_by_id: map of event IDs to struct uev_session_late
 * @by_name: map of hashes of the names of events to their number, from 1 on
 * @newest: time of the newest record that was read
 * @until: records up to this time are ordered
 * @record: buffer for copies of records
 * @name_rings: @name_ring_count rings of all online processors
 * @name_attr: layout of their records
 * @names: names from these records
 * @mappings: mappings from these records
 * @vpids: with UEV_SESSION_VPIDS
 * @names_denied: the kernel denies names on some processors, so none are read
 * @follows: @targets are followed in @names
 * @skipped: records of other processes
 * @forks_lost: new threads, names and mappings that did not fit @name_rings
 * @misses_forks: @names lacks some of these threads
 * @interrupted: how often events of a processor were missing while the session
 *        ran
 * @unreadable_maps: processes whose mappings could not be read at the start
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
	bool started;
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
	struct uev_id_table late_by_id;
	struct uev_id_table by_name;
	struct uev_queue queue;
	struct uev_attr attr;
	uint64_t newest;
	uint64_t until;
	uint8_t *record;
	struct uev_session_buffer *name_rings;
	size_t name_ring_count;
	struct uev_attr name_attr;
	struct uev_names names;
	struct uev_mappings mappings;
	struct uev_session_vpids vpids;
	bool names_denied;
	bool follows;
	uint64_t skipped;
	uint64_t forks_lost;
	bool misses_forks;
	uint64_t interrupted;
	uint64_t unreadable_maps;
};

/* Attributes that all events share: members of records, clock, wake-up. */
struct perf_event_attr uev_session_attr(const struct uev_session *session);

#endif
