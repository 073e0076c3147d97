/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries of the module in dynamic_events.
 */
#ifndef USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H
#define USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H

#include <linux/types.h>

#include "internals/dyn_event.h"

int ue_dynamic_events_init(void);
void ue_dynamic_events_add(struct dyn_event *entry);
void ue_dynamic_events_remove(struct dyn_event *entry);
bool ue_dynamic_events_have(const char *system, const char *name);
void ue_dynamic_events_join(struct dyn_event_operations *ops);
void ue_dynamic_events_leave(void);

#endif /* USER_EVENTS_INTERNALS_DYNAMIC_EVENTS_H */
