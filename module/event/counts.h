/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of the records of events, for each CPU: those that were offered to
 * tracers, and those that a tracer did not get, by reason.
 */
#ifndef USER_EVENTS_EVENT_COUNTS_H
#define USER_EVENTS_EVENT_COUNTS_H

#include <linux/percpu.h>
#include <linux/types.h>

struct counts_block;

/**
 * struct user_event_counts - counters of the records of an event
 * @hits: records that were offered to tracers; an interrupt, or a BPF program that a
 *	  tracer calls, can emit another one of the same event
 */
struct user_event_counts {
	u64 hits;
};

/**
 * enum event_loss - reasons why a tracer did not get a record
 * @LOSS_DISABLED: no tracer was attached when the record was written
 * @LOSS_FAULT: memory of the process could not be read
 * @LOSS_INVALID: the record is shorter than the fields, or a word is not valid
 * @LOSS_NOMEM: no memory for a large record
 * @LOSS_FTRACE_TOO_LARGE: too large for the buffer of a trace instance
 * @LOSS_FTRACE_BUFFER: that buffer is off, or full and does not overwrite
 * @LOSS_FTRACE_FILTERED: rejected by a filter for fields or processes
 * @LOSS_FTRACE_SOFT_DISABLED: the event is enabled for triggers only
 * @LOSS_FTRACE_DETACHED: the last trace instance was detached meanwhile
 * @LOSS_PERF_TOO_LARGE: too large for perf and BPF
 * @LOSS_PERF_ABSENT: no perf event of this CPU and process, and no BPF program
 * @LOSS_COUNT: number of reasons
 *
 * For the first ones, no tracer was offered the record, so it is no hit. A hit can
 * have several of the others: one for each trace instance, and one for perf.
 */
enum event_loss {
	LOSS_DISABLED,
	LOSS_FAULT,
	LOSS_INVALID,
	LOSS_NOMEM,
	LOSS_FTRACE_TOO_LARGE,
	LOSS_FTRACE_BUFFER,
	LOSS_FTRACE_FILTERED,
	LOSS_FTRACE_SOFT_DISABLED,
	LOSS_FTRACE_DETACHED,
	LOSS_PERF_TOO_LARGE,
	LOSS_PERF_ABSENT,
	LOSS_COUNT,
};

/* What came of a record: the bit of each loss, and this one if a tracer has taken it. */
#define RECORD_TAKEN BIT(LOSS_COUNT)

/**
 * struct user_event_losses - losses of an event by reason
 * @count: their numbers
 */
struct user_event_losses {
	u64 count[LOSS_COUNT];
};

struct user_event_counts __percpu *ue_counts_get(struct counts_block **from);
void ue_counts_put(struct counts_block *block,
		   struct user_event_counts __percpu *counts);
u64 ue_counts_sum(const struct user_event_counts __percpu *counts);
struct user_event_losses
ue_losses_sum(const struct user_event_losses __percpu *losses);

#endif /* USER_EVENTS_EVENT_COUNTS_H */
