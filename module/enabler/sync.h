/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeping the bits of processes up to date.
 */
#ifndef USER_EVENTS_MM_SYNC_H
#define USER_EVENTS_MM_SYNC_H

#include <linux/types.h>

struct enabler_set;
struct user_event;
struct user_event_mm;
struct work_struct;

int mm_sync_init(void);
void mm_sync_exit(void);

void enablers_update(struct user_event *event);
void enabler_set_was_written(struct enabler_set *set);
void mm_sync_work(struct work_struct *work);
bool mm_child_may_be_stale(const struct user_event_mm *parent);
void mm_queue_sync(struct user_event_mm *entry);

#endif /* USER_EVENTS_MM_SYNC_H */
