// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "session/targets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "util/id_table.h"
#include "util/sys_perf.h"
#include "util/text_file.h"

/* A process, as /proc describes it. */
struct process {
	pid_t pid;
	pid_t parent;
};

/*
 * A search for threads: perf takes single threads, not processes.
 * @found: threads found so far
 * @list: the same as a list
 * @processes: all processes of the machine
 */
struct search {
	struct uev_id_table found;
	struct uev_tasks *list;
	struct process *processes;
	size_t process_count;
};

static int add_task(struct search *search, pid_t tid)
{
	struct uev_tasks *list = search->list;
	size_t count = list->count;
	pid_t *tids;
	int ret;

	if (uev_id_table_get(&search->found, (uint64_t)tid))
		return 0;
	tids = realloc(list->tids, (count + 1) * sizeof(*tids));
	if (!tids)
		return -ENOMEM;
	list->tids = tids;
	ret = uev_id_table_set(&search->found, (uint64_t)tid, search);
	if (ret)
		return ret;
	tids[count] = tid;
	list->count = count + 1;

	return 0;
}

/* Returns the number that is the whole @name, or 0. */
static pid_t number_of(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	return *end || number <= 0 ? 0 : (pid_t)number;
}

static int visit_thread(void *data, const char *name)
{
	pid_t tid = number_of(name);

	return tid ? add_task(data, tid) : 0;
}

static int add_threads(struct search *search, pid_t pid)
{
	char *path;
	int ret;

	if (pid <= 0)
		return -EINVAL;
	if (asprintf(&path, "/proc/%d/task", (int)pid) < 0)
		return -ENOMEM;
	ret = uev_sys_perf_list(path, visit_thread, search);
	free(path);

	/* It has exited: nothing to collect. */
	return ret == -ENOENT || ret == -ESRCH ? 0 : ret;
}

/*
 * Reads "PID (NAME) STATE PARENT ...", where NAME can have any characters. A
 * process that has exited has no parent.
 */
static int read_parent(pid_t pid, pid_t *parent)
{
	char *text;
	const char *end;
	int number;
	int ret;

	*parent = 0;
	ret = uev_text_file_of_process((uint32_t)pid, "stat", &text, NULL);
	if (ret)
		return ret == -ENOMEM ? ret : 0;

	end = strrchr(text, ')');
	if (end && sscanf(end, ") %*c %d", &number) == 1)
		*parent = number;
	free(text);

	return 0;
}

static int visit_process(void *data, const char *name)
{
	struct search *search = data;
	size_t count = search->process_count;
	struct process process = { .pid = number_of(name) };
	struct process *processes;
	int ret;

	if (!process.pid)
		return 0;
	ret = read_parent(process.pid, &process.parent);
	if (ret)
		return ret;
	processes =
		realloc(search->processes, (count + 1) * sizeof(*processes));
	if (!processes)
		return -ENOMEM;
	processes[count] = process;
	search->processes = processes;
	search->process_count = count + 1;

	return 0;
}

/* Adds processes whose parent was found, until there is no other. */
static int add_children(struct search *search)
{
	const struct process *process;
	size_t before;
	size_t i;
	int ret;

	ret = uev_sys_perf_list("/proc", visit_process, search);
	/* Without /proc there are no threads, either. */
	if (ret == -ENOENT)
		return 0;
	do {
		before = search->list->count;
		for (i = 0; i < search->process_count && !ret; i++) {
			process = &search->processes[i];
			if (uev_id_table_get(&search->found,
					     (uint64_t)process->parent))
				ret = add_threads(search, process->pid);
		}
	} while (!ret && search->list->count > before);

	return ret;
}

int uev_tasks_find(struct uev_tasks *tasks, const pid_t *pids, size_t count,
		   bool has_children)
{
	struct search search = { .list = tasks };
	size_t i;
	int ret = 0;

	*tasks = (struct uev_tasks){ 0 };
	for (i = 0; i < count && !ret; i++)
		ret = add_threads(&search, pids[i]);
	if (!ret && has_children && tasks->count)
		ret = add_children(&search);
	uev_id_table_free(&search.found);
	free(search.processes);
	if (ret)
		uev_tasks_free(tasks);

	return ret;
}

void uev_tasks_free(struct uev_tasks *tasks)
{
	free(tasks->tids);
	*tasks = (struct uev_tasks){ 0 };
}

static int add_target(struct uev_session *session, pid_t target)
{
	session->targets = malloc(sizeof(*session->targets));
	if (!session->targets)
		return -ENOMEM;
	session->targets[0] = target;
	session->target_count = 1;

	return 0;
}

int uev_session_find_targets(struct uev_session *session,
			     const struct uev_session_options *options)
{
	bool has_children = options->flags & UEV_SESSION_INHERIT;
	struct uev_tasks tasks;
	int ret;

	if (options->cgroup_fd >= 0) {
		session->open_flags = PERF_FLAG_PID_CGROUP;
		return add_target(session, options->cgroup_fd);
	}
	if (!options->pid_count)
		return add_target(session, -1);

	ret = uev_tasks_find(&tasks, options->pids, options->pid_count,
			     has_children);
	if (ret)
		return ret;
	session->targets = tasks.tids;
	session->target_count = tasks.count;
	session->follows = has_children;

	return tasks.count ? 0 : -ESRCH;
}
