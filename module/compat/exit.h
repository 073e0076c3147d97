/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Since Linux 6.16 the tracepoint of an exit has an argument that tells whether
 * the last thread exits, and is called before the memory is released.
 */
#ifndef USER_EVENTS_COMPAT_EXIT_H
#define USER_EVENTS_COMPAT_EXIT_H

/* Arguments of a probe of sched_process_exit behind the task. */
#ifdef HAVE_EXIT_GROUP_DEAD
#define EXIT_GROUP_DEAD , bool group_dead
#else
#define EXIT_GROUP_DEAD
#endif

#endif /* USER_EVENTS_COMPAT_EXIT_H */
