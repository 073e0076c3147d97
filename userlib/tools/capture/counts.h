/* SPDX-License-Identifier: MIT */
/* user-events: counters of events, in total and per interval. */
#ifndef USER_EVENTS_CAPTURE_COUNTS_H
#define USER_EVENTS_CAPTURE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

/*
 * Maximum number of processes that are counted separately per event and
 * interval.
 */
#define CAPTURE_PROCESSES_MAX 64

struct capture_process {
	uint32_t pid;
	uint64_t count;
};

/* struct capture_loss - Lost records of an event for a reason */
struct capture_loss {
	char reason[UEV_LOSS_REASON_SIZE];
	uint64_t count;
};

/*
 * struct capture_count - Counters of one event
 * @source: belongs to the session
 * @hits: number of events; @lost: number of these that did not fit the buffers,
 *        0 if unknown, and of records that are lost for another reason
 * @losses: @loss_count reasons, as far as they are known; @others: the number of
 *        those that are no events
 * @new_hits: events since the last reset
 * @records, @bytes: records that were read since the last reset
 * @processes: their writers, up to the maximum number
 * @process_count: number of @processes
 * @has_more: there were other writers
 */
struct capture_count {
	const struct uev_source *source;
	uint64_t hits;
	uint64_t lost;
	struct capture_loss *losses;
	size_t loss_count;
	uint64_t others;
	uint64_t new_hits;
	uint64_t records;
	uint64_t bytes;
	struct capture_process processes[CAPTURE_PROCESSES_MAX];
	size_t process_count;
	bool has_more;
};

/*
 * struct capture_counts - All events of a session, in the order of their
 * sources; initialized to zeros
 * @order: the same, for capture_counts_sort()
 */
struct capture_counts {
	struct capture_count **counts;
	struct capture_count **order;
	size_t count;
};

/*
 * capture_counts_update() - Reads the kernel's counters
 * Return: 0, or an error of uev_session_source_stats()
 */
int capture_counts_update(struct capture_counts *counts,
			  const struct uev_session *session);

/* capture_counts_add() - Counts a record. */
void capture_counts_add(struct capture_counts *counts,
			const struct uev_session *session,
			const struct uev_sample *record);

/* capture_counts_loss() - Counts lost records, if their event is known. */
void capture_counts_loss(struct capture_counts *counts,
			 const struct uev_session *session,
			 const struct uev_loss *loss);

/* capture_counts_reset() - Starts a new interval. */
void capture_counts_reset(struct capture_counts *counts);

/*
 * capture_counts_sort() - Sorts @order by events of the interval, total events
 * and name; and the processes of each event by their records
 */
void capture_counts_sort(struct capture_counts *counts);

void capture_counts_release(struct capture_counts *counts);

#endif
