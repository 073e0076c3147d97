/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries of the module in dynamic_events.
 */
#ifndef USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H
#define USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H

#include <linux/types.h>

#include "internals/dyn_event.h"

/**
 * struct dyn_entry - an entry of the module
 * @ev: the entry of the kernel
 * @first: first entry of a run of our entries, if this is the last, else NULL
 * @last: last entry of a run of our entries, if this is the first, else NULL
 *
 * With runs, a search can skip our entries, of which there can be tens of
 * thousands.
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
