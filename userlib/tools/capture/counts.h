/* SPDX-License-Identifier: MIT */
/*
 * user-events: how often events happened, in all and since the last look.
 */
#ifndef USER_EVENTS_CAPTURE_COUNTS_H
#define USER_EVENTS_CAPTURE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

/* Processes that are told apart in an event between two looks. */
#define CAPTURE_PROCESSES_MAX 64

struct capture_process {
	uint32_t pid;
	uint64_t count;
};

/*
 * struct capture_count - one event
 * @source: the session's
 * @hits: how often it happened; @lost: how many of these had no room, 0 where
 *	the kernel does not tell
 * @new_hits: since the last look
 * @records, @bytes: of records that were taken since then
 * @processes: who wrote them, as many as there is room for
 * @process_count: of these
 * @has_more: there were others
 */
struct capture_count {
	const struct uev_source *source;
	uint64_t hits;
	uint64_t lost;
	uint64_t new_hits;
	uint64_t records;
	uint64_t bytes;
	struct capture_process processes[CAPTURE_PROCESSES_MAX];
	size_t process_count;
	bool has_more;
};

/*
 * struct capture_counts - all events of a session, in the order of their
 * sources; all zero at first
 * @order: the same, for capture_counts_sort()
 */
struct capture_counts {
	struct capture_count **counts;
	struct capture_count **order;
	size_t count;
};

/*
 * capture_counts_update() - asks the kernel
 * Return: 0, or what uev_session_source_counts() returns
 */
int capture_counts_update(struct capture_counts *counts,
			  const struct uev_session *session);

/* capture_counts_add() - adds a record to what came since the last look. */
void capture_counts_add(struct capture_counts *counts,
			const struct uev_session *session,
			const struct uev_sample *record);

/* capture_counts_reset() - forgets what came since the last look. */
void capture_counts_reset(struct capture_counts *counts);

/*
 * capture_counts_sort() - puts @order in order: what happened most since the
 * last look comes first, then what happened most, then by name; and the processes of
 * each, those that wrote most first
 */
void capture_counts_sort(struct capture_counts *counts);

void capture_counts_release(struct capture_counts *counts);

#endif
