/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds events by name without a lock, for BPF programs.
 */
#ifndef USER_EVENTS_EVENT_LOOKUP_H
#define USER_EVENTS_EVENT_LOOKUP_H

#include <linux/types.h>

struct user_event;

#ifdef HAVE_KFUNC_SETS
void ue_lookup_use(void);
void ue_lookup_add(struct user_event *event);
void ue_lookup_remove(struct user_event *event);
struct user_event *ue_lookup_find(const char *name, size_t size);
#else
static inline void ue_lookup_add(struct user_event *event)
{
}

static inline void ue_lookup_remove(struct user_event *event)
{
}
#endif

#endif /* USER_EVENTS_EVENT_LOOKUP_H */
