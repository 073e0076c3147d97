/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of processes: fork, exec and exit.
 */
#ifndef USER_EVENTS_TASK_H
#define USER_EVENTS_TASK_H

int tasks_init(void);
int tasks_follow(void);
void tasks_exit(void);

#endif /* USER_EVENTS_TASK_H */
