// SPDX-License-Identifier: MIT
#include "capture/pids.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "capture/names.h"
#include "files.h"
#include "tool.h"

#define PID_LIMIT (1 << 22)

static bool is_number(const char *text)
{
	return !text[strspn(text, "0123456789")];
}

static void add_pid(struct capture_pids *pids, uint64_t pid)
{
	*tool_add(pids->pids, pids->count) = (pid_t)pid;
}

static bool has_name(const char *proc, const char *pid, const char *name)
{
	_cleanup_free_ char *path = tool_print("%s/%s/comm", proc, pid);
	_cleanup_free_ char *comm = files_line(path);

	return comm && strncmp(comm, name, CAPTURE_NAME_SIZE - 1) == 0;
}

static int add_by_name(struct capture_pids *pids, const char *name,
		       const char *proc)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	size_t before = pids->count, i;
	uint64_t pid;

	files_names(proc, &names);
	for (i = 0; i < names.count; i++)
		if (tool_number(names.names[i], 1, PID_LIMIT, &pid) &&
		    (pid_t)pid != getpid() &&
		    has_name(proc, names.names[i], name))
			add_pid(pids, pid);

	return pids->count > before ? 0 : -ESRCH;
}

int capture_pids_add(struct capture_pids *pids, const char *text,
		     const char *proc)
{
	uint64_t pid;

	if (!is_number(text))
		return add_by_name(pids, text, proc);
	if (!tool_number(text, 1, PID_LIMIT, &pid))
		return -EINVAL;
	add_pid(pids, pid);

	return 0;
}
