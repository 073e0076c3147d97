// SPDX-License-Identifier: MIT
#include "events/processes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

bool processes_is_open(const char *link, const char *file)
{
	char target[PATH_MAX];
	ssize_t size = readlink(link, target, sizeof(target) - 1);
	const char *last;

	if (size < 0)
		return false;
	target[size] = '\0';
	last = strrchr(target, '/');

	return strcmp(last ? last + 1 : target, file) == 0;
}

/*
 * Return: whether it has the file open; clears *@is_complete without
 * permission.
 */
static bool has_open(const char *directory, const char *file, bool *is_complete)
{
	char *path = tool_print("%s/fd", directory), *link;
	struct files_names names;
	bool has = false;
	size_t i;

	/* It might have exited, which is harmless. */
	if (files_names(path, &names) && access(directory, F_OK) == 0)
		*is_complete = false;
	for (i = 0; i < names.count && !has; i++) {
		link = tool_print("%s/%s", path, names.names[i]);
		has = processes_is_open(link, file);
		free(link);
	}
	files_names_free(&names);
	free(path);

	return has;
}

static void add(struct processes *found, const char *directory, int pid)
{
	char *path = tool_print("%s/comm", directory);
	char *name = files_line(path);

	found->processes = tool_grow(
		found->processes, (found->count + 1) * sizeof(struct process));
	found->processes[found->count++] = (struct process){
		.pid = pid,
		.name = name ? name : tool_copy("?"),
	};
	free(path);
}

void processes_find(struct processes *found, const char *proc, const char *file,
		    int except)
{
	struct files_names names;
	char *directory;
	uint64_t pid;
	size_t i;

	memset(found, 0, sizeof(*found));
	found->is_complete = files_names(proc, &names) == 0;
	for (i = 0; i < names.count; i++) {
		if (!tool_number(names.names[i], 1, INT_MAX, &pid) ||
		    (int)pid == except)
			continue;
		directory = tool_print("%s/%s", proc, names.names[i]);
		if (has_open(directory, file, &found->is_complete))
			add(found, directory, (int)pid);
		free(directory);
	}
	files_names_free(&names);
}

void processes_free(struct processes *found)
{
	size_t i;

	for (i = 0; i < found->count; i++)
		free(found->processes[i].name);
	free(found->processes);
	memset(found, 0, sizeof(*found));
}

char *processes_text(const struct processes *found)
{
	char *text = tool_copy(""), *longer;
	size_t i;

	for (i = 0; i < found->count; i++) {
		longer = tool_print("%s%s%s[%d]", text, i ? ", " : "",
				    found->processes[i].name,
				    found->processes[i].pid);
		free(text);
		text = longer;
	}

	return text;
}
