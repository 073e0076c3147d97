/* SPDX-License-Identifier: MIT */
/* The threads or the cgroup that a session collects from. */
#ifndef USEREVENTS_SESSION_TARGETS_H
#define USEREVENTS_SESSION_TARGETS_H

#include "session/state.h"

/* @count threads at @tids */
struct uev_tasks {
	pid_t *tids;
	size_t count;
};

/*
 * uev_tasks_find() - Finds the threads of processes
 * @tasks: set to the threads, for uev_tasks_free(); none if all have exited
 * @pids: @count processes, or threads of these
 * @has_children: also the threads of their children, and of their children
 *
 * With @has_children the time grows with the number of processes of the
 * machine.
 *
 * Return: 0; -EINVAL for an invalid process; -ENOMEM; or an error of /proc
 */
int uev_tasks_find(struct uev_tasks *tasks, const pid_t *pids, size_t count,
		   bool has_children);
void uev_tasks_free(struct uev_tasks *tasks);

/* Finds the threads to collect. Return: 0 or a negative errno */
int uev_session_find_targets(struct uev_session *session,
			     const struct uev_session_options *options);

#endif
