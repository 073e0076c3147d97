/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_MM_FORK_H
#define USER_EVENTS_MM_FORK_H

struct task_struct;
struct user_event_mm;

int mm_prepare_fork(struct user_event_mm *entry);
void mm_fork(struct task_struct *parent, struct task_struct *child);

#endif /* USER_EVENTS_MM_FORK_H */
