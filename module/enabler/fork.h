/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_ENABLER_FORK_H
#define USER_EVENTS_ENABLER_FORK_H

struct task_struct;
struct user_event_mm;

int ue_mm_prepare_fork(struct user_event_mm *entry);
void ue_mm_fork(struct task_struct *parent, struct task_struct *child);
void ue_mm_clone(struct task_struct *parent);

#endif /* USER_EVENTS_ENABLER_FORK_H */
