/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of the records of events, for each CPU.
 */
#ifndef USER_EVENTS_EVENT_COUNTS_H
#define USER_EVENTS_EVENT_COUNTS_H

#include <linux/percpu.h>
#include <linux/types.h>

struct counts_block;

/**
 * struct user_event_counts - counters of the records of an event
 * @hits: records that were offered to tracers
 * @lost: number of times a record was too large for a tracer
 */
struct user_event_counts {
	u64 hits;
	u64 lost;
};

struct user_event_counts __percpu *ue_counts_get(struct counts_block **from);
void ue_counts_put(struct counts_block *block,
		   struct user_event_counts __percpu *counts);
struct user_event_counts
ue_counts_sum(const struct user_event_counts __percpu *counts);

#endif /* USER_EVENTS_EVENT_COUNTS_H */
