// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "session/targets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/perf_event.h>

#include "util/sys_perf.h"

/* perf takes single threads, so those of a process are enumerated. */

static int add_target(struct uev_session *session, pid_t target)
{
	size_t count = session->target_count;
	pid_t *targets;
	size_t i;

	for (i = 0; i < count; i++)
		if (session->targets[i] == target)
			return 0;
	targets = realloc(session->targets, (count + 1) * sizeof(*targets));
	if (!targets)
		return -ENOMEM;
	targets[count] = target;
	session->targets = targets;
	session->target_count = count + 1;

	return 0;
}

static int add_thread(void *data, const char *name)
{
	char *end;
	long tid = strtol(name, &end, 10);

	return *end || tid <= 0 ? 0 : add_target(data, (pid_t)tid);
}

static int add_process(struct uev_session *session, pid_t pid)
{
	char *path;
	int ret;

	if (pid <= 0)
		return -EINVAL;
	if (asprintf(&path, "/proc/%d/task", (int)pid) < 0)
		return -ENOMEM;
	ret = uev_sys_perf_list(path, add_thread, session);
	free(path);

	/* It has exited: nothing to collect. */
	return ret == -ENOENT || ret == -ESRCH ? 0 : ret;
}

int uev_session_find_targets(struct uev_session *session,
			     const struct uev_session_options *options)
{
	size_t i;
	int ret = 0;

	if (options->cgroup_fd >= 0) {
		session->open_flags = PERF_FLAG_PID_CGROUP;
		return add_target(session, options->cgroup_fd);
	}
	if (!options->pid_count)
		return add_target(session, -1);

	for (i = 0; i < options->pid_count && !ret; i++)
		ret = add_process(session, options->pids[i]);
	if (!ret && !session->target_count)
		ret = -ESRCH;

	return ret;
}
