/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks into fork, exec and exit.
 */
#ifndef USER_EVENTS_ENABLER_TASK_H
#define USER_EVENTS_ENABLER_TASK_H

int ue_tasks_init(void);
int ue_tasks_attach_hooks(void);
void ue_tasks_exit(void);

#endif /* USER_EVENTS_ENABLER_TASK_H */
