/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Since Linux 6.16 the tracepoint of an exit says itself whether that was the
 * last thread, and says so while the memory is still there.
 */
#ifndef USER_EVENTS_COMPAT_EXIT_H
#define USER_EVENTS_COMPAT_EXIT_H

/* What a probe of sched_process_exit is given beside the thread. */
#ifdef HAVE_EXIT_GROUP_DEAD
#define EXIT_GROUP_DEAD , bool group_dead
#else
#define EXIT_GROUP_DEAD
#endif

#endif /* USER_EVENTS_COMPAT_EXIT_H */
