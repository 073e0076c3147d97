/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes records to perf events and BPF programs.
 */
#ifndef USER_EVENTS_EMIT_PERF_H
#define USER_EVENTS_EMIT_PERF_H

#include <linux/perf_event.h>
#include <linux/trace_events.h>

#include "emit/record.h"
#include "event/user_event.h"
#include "limits.h"

/**
 * struct perf_entry - a record in memory of perf
 * @entry: its bytes
 * @size: their number
 * @regs: where the registers of the writer are stored
 * @context: number of the memory; a nested record gets other memory
 * @head: perf events on this CPU
 */
struct perf_entry {
	void *entry;
	size_t size;
	struct pt_regs *regs;
	int context;
	struct hlist_head *head;
};

void ue_perf_submit(struct user_event *event, const struct perf_entry *from);
void ue_perf_discard(struct user_event *event, const struct perf_entry *from);
void ue_perf_emit(struct user_event *event, struct event_record record);

#ifdef CONFIG_PERF_EVENTS
/*
 * perf stores raw data behind a length of 4 bytes and pads it to 8 bytes with
 * the bytes that follow. A record of this size includes zero bytes for the
 * padding. The largest records leave no room for it.
 */
static inline size_t ue_perf_size(size_t len)
{
	return min_t(size_t,
		     ALIGN(len + sizeof(u32), sizeof(u64)) - sizeof(u32),
		     PERF_MAX_TRACE_SIZE);
}

/* Tells whether a perf event on this CPU or BPF gets the records of an event. */
static __always_inline bool ue_perf_is_read(struct user_event *event,
					    const struct hlist_head *head)
{
	return !hlist_empty(head) || bpf_prog_array_valid(&event->call);
}

/**
 * ue_perf_reserve - Prepares a record for the perf events on this CPU and BPF
 * @event: the event, with perf attached
 * @len: bytes of the record, header included
 * @to: the entry, for ue_perf_submit() or ue_perf_discard()
 *
 * The header and the bytes of the entry behind the record are zero.
 *
 * Context: In an emit section.
 * Return: the entry; or NULL if nothing reads it, if it is too large, or if perf
 *	   is writing another one.
 */
static __always_inline void *ue_perf_reserve(struct user_event *event,
					     size_t len, struct perf_entry *to)
{
	size_t room;

	to->head = this_cpu_ptr(event->call.perf_events);
	if (!ue_perf_is_read(event, to->head) || len > PERF_MAX_TRACE_SIZE)
		return NULL;

	to->size = ue_perf_size(len);
	room = ALIGN(to->size, sizeof(u64));
	to->entry = perf_trace_buf_alloc(room, &to->regs, &to->context);
	if (!to->entry)
		return NULL;

	/* More than what can follow the record: 11 bytes. */
	memset(to->entry, 0, USER_EVENT_HEADER_SIZE);
	memset(to->entry + room - 2 * sizeof(u64), 0, 2 * sizeof(u64));
	return to->entry;
}
#endif

#endif /* USER_EVENTS_EMIT_PERF_H */
