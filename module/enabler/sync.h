/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Updates the words of enablers.
 */
#ifndef USER_EVENTS_ENABLER_SYNC_H
#define USER_EVENTS_ENABLER_SYNC_H

#include <linux/types.h>

struct enabler_set;
struct user_event;
struct user_event_mm;
struct work_struct;

int ue_mm_sync_init(void);
void ue_mm_sync_exit(void);

void ue_enablers_update(struct user_event *event);
void ue_enabler_set_mark_written(struct enabler_set *set);
void ue_mm_sync_work(struct work_struct *work);
bool ue_mm_child_may_be_stale(const struct user_event_mm *parent);
void ue_mm_queue_sync(struct user_event_mm *entry);
void ue_mm_queue_sync_locked(struct user_event_mm *entry);

#endif /* USER_EVENTS_ENABLER_SYNC_H */
