// SPDX-License-Identifier: MIT
#include "events/bpf_users.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "files.h"
#include "tool.h"

/* Maximum length of event names. */
#define NAME_SIZE 256

/* Return: whether it is a tracepoint with an attached program. */
static bool query_program(int pid, unsigned int fd, char *name,
			  uint32_t *program)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.task_fd_query.pid = (uint32_t)pid;
	attr.task_fd_query.fd = fd;
	attr.task_fd_query.buf = (uintptr_t)name;
	attr.task_fd_query.buf_len = NAME_SIZE;
	if (syscall(SYS_bpf, BPF_TASK_FD_QUERY, &attr, sizeof(attr)))
		return false;
	*program = attr.task_fd_query.prog_id;

	return attr.task_fd_query.fd_type == BPF_FD_TYPE_TRACEPOINT;
}

/* There is a perf event per processor, of which one is enough. */
static void add_user(struct bpf_users *found, const char *event,
		     uint32_t program, int pid)
{
	size_t i;

	for (i = 0; i < found->count; i++)
		if (found->users[i].pid == pid &&
		    found->users[i].program == program &&
		    strcmp(found->users[i].event, event) == 0)
			return;
	*tool_add(found->users, found->count) = (struct bpf_user){
		.event = tool_copy(event),
		.program = program,
		.pid = pid,
	};
}

void bpf_users_find(struct bpf_users *found, const char *proc,
		    const struct users *processes)
{
	char name[NAME_SIZE];
	uint32_t program;
	uint64_t fd;
	size_t i, j;

	memset(found, 0, sizeof(*found));
	for (i = 0; i < processes->count; i++) {
		_cleanup_(files_names_free) struct files_names names;
		_cleanup_free_ char *path =
			tool_print("%s/%d/fd", proc, processes->users[i].pid);
		int pid = processes->users[i].pid;

		files_names(path, &names);
		for (j = 0; j < names.count; j++)
			if (tool_number(names.names[j], 0, INT_MAX, &fd) &&
			    query_program(pid, (unsigned int)fd, name,
					  &program))
				add_user(found, name, program, pid);
	}
}

void bpf_users_free(struct bpf_users *found)
{
	size_t i;

	for (i = 0; i < found->count; i++)
		free(found->users[i].event);
	free(found->users);
	memset(found, 0, sizeof(*found));
}
