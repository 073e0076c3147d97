/* SPDX-License-Identifier: MIT */
/*
 * user-events: how often events happened, in all and since the last look.
 */
#ifndef USER_EVENTS_LIVE_COUNTS_H
#define USER_EVENTS_LIVE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

/* Processes that are told apart in an event between two looks. */
#define LIVE_PROCESSES 64

struct live_process {
	uint32_t pid;
	uint64_t count;
};

/*
 * struct live_count - one event
 * @source: the session's
 * @hits: how often it happened; @lost: how many of these had no room, 0 where
 *	the kernel does not tell
 * @new_hits: since the last look
 * @records, @bytes: of records that were taken since then
 * @processes: who wrote them, as many as there is room for
 * @process_count: of these
 * @has_more: there were others
 */
struct live_count {
	const struct uev_source *source;
	uint64_t hits;
	uint64_t lost;
	uint64_t new_hits;
	uint64_t records;
	uint64_t bytes;
	struct live_process processes[LIVE_PROCESSES];
	size_t process_count;
	bool has_more;
};

/*
 * struct live_counts - all events of a session, in the order of their sources;
 * all zero at first
 * @order: the same, for live_counts_sort()
 */
struct live_counts {
	struct live_count **counts;
	struct live_count **order;
	size_t count;
};

/*
 * live_counts_look() - asks the kernel
 * Return: 0, or what uev_session_source_counts() returns
 */
int live_counts_look(struct live_counts *counts,
		     const struct uev_session *session);

/* live_counts_take() - adds a record to what came since the last look. */
void live_counts_take(struct live_counts *counts,
		      const struct uev_session *session,
		      const struct uev_sample *record);

/* live_counts_forget() - what came since the last look, which is a new one. */
void live_counts_forget(struct live_counts *counts);

/*
 * live_counts_sort() - puts @order in order: what happened most since the last
 * look comes first, then what happened most, then by name; and the processes of
 * each, those that wrote most first
 */
void live_counts_sort(struct live_counts *counts);

void live_counts_release(struct live_counts *counts);

#endif
