// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "session/maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "session/targets.h"
#include "util/sys_perf.h"
#include "util/text_file.h"

/* What the kernel calls a mapping without a name. */
#define ANONYMOUS "//anon"

static uint32_t protection_of(const char *bits)
{
	return (bits[0] == 'r' ? PROT_READ : 0U) |
	       (bits[1] == 'w' ? PROT_WRITE : 0U) |
	       (bits[2] == 'x' ? PROT_EXEC : 0U);
}

/*
 * Parses "START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH". Return: whether
 * it is executable
 */
static bool parse_line(const char *line, struct uev_mapping *mapping)
{
	char bits[5];
	int path = 0;

	*mapping = (struct uev_mapping){ 0 };
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32
		   ":%" SCNx32 " %" SCNu64 " %n",
		   &mapping->start, &mapping->end, bits, &mapping->offset,
		   &mapping->major, &mapping->minor, &mapping->inode,
		   &path) != 7 ||
	    strlen(bits) != 4 || bits[2] != 'x' ||
	    mapping->end <= mapping->start)
		return false;
	mapping->protection = protection_of(bits);
	mapping->flags = bits[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	mapping->path = line[path] ? line + path : ANONYMOUS;

	return true;
}

/* A process that has exited has no mappings, and those of others can be hidden. */
static int read_process(struct uev_session *session, uint32_t pid)
{
	struct uev_mapping mapping;
	char *rest;
	char *line;
	char *text;
	int ret;

	ret = uev_text_file_of_process(pid, "maps", &text, NULL);
	if (ret == -ENOMEM)
		return ret;
	if (ret) {
		session->unreadable_maps += ret != -ENOENT && ret != -ESRCH;
		return 0;
	}

	rest = text;
	while (!ret && (line = strsep(&rest, "\n")))
		if (parse_line(line, &mapping))
			ret = uev_mappings_add(&session->mappings, pid,
					       &mapping);
	free(text);

	return ret;
}

static int visit_process(void *data, const char *name)
{
	if (name[strspn(name, "0123456789")])
		return 0;

	return read_process(data, (uint32_t)strtoul(name, NULL, 10));
}

/* Tests whether a thread is the one that the process is named after. */
static bool is_leader(pid_t tid)
{
	char *text;
	const char *group;
	int ret;

	if (uev_text_file_of_process((uint32_t)tid, "status", &text, NULL))
		return true;
	group = strstr(text, "\nTgid:");
	ret = group && strtol(group + strlen("\nTgid:"), NULL, 10) != tid;
	free(text);

	return !ret;
}

int uev_session_read_maps(struct uev_session *session)
{
	struct uev_tasks tasks;
	size_t i;
	int ret;

	session->unreadable_maps = 0;
	if (!session->options.pid_count) {
		ret = uev_sys_perf_list("/proc", visit_process, session);
		return ret == -ENOMEM ? ret : 0;
	}
	ret = uev_tasks_find(&tasks, session->targets, session->target_count,
			     session->follows);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	for (i = 0; i < tasks.count && !ret; i++)
		if (is_leader(tasks.tids[i]))
			ret = read_process(session, (uint32_t)tasks.tids[i]);
	uev_tasks_free(&tasks);

	return ret;
}
