/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries of a module in dynamic_events.
 */
#ifndef USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H
#define USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H

#include <linux/types.h>

#include "internals/dyn_event.h"

/**
 * struct dyn_entry - an entry of ours
 * @ev: what the kernel knows of it
 * @first: if it is the last of entries of ours in a row, the first of them,
 *	   else NULL
 * @last: if it is the first of them, the last one, else NULL
 *
 * Rows are there to be skipped: there can be ten thousands of ours.
 */
struct dyn_entry {
	struct dyn_event ev;
	struct dyn_entry *first;
	struct dyn_entry *last;
};

int ue_dynamic_events_init(void);
void ue_dynamic_events_add(struct dyn_entry *entry);
void ue_dynamic_events_remove(struct dyn_entry *entry);
bool ue_dynamic_events_have(const char *system, const char *name);
void ue_dynamic_events_join(struct dyn_event_operations *ops);
void ue_dynamic_events_leave(void);

#endif /* USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H */
