// SPDX-License-Identifier: MIT
#include "events/processes.h"

#include <limits.h>
#include <linux/fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "files.h"
#include "tool.h"

/* ---- A file ---- */

/*
 * Attributes of the kernel's cache: a remote file system might not answer. musl
 * before 1.2.5 has no statx().
 */
static bool identify(const char *path, dev_t *device, ino_t *inode)
{
	struct statx about;

	if (syscall(SYS_statx, AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO,
		    &about))
		return false;
	*device = makedev(about.stx_dev_major, about.stx_dev_minor);
	*inode = about.stx_ino;

	return true;
}

void process_file_init(struct process_file *file, const char *path)
{
	const char *last = strrchr(path, '/');

	*file = (struct process_file){
		.name = last ? last + 1 : path,
		.has_path = last != NULL,
	};
	file->exists = last && identify(path, &file->device, &file->inode);
}

static bool is_same(const struct process_file *file, const char *link)
{
	dev_t device;
	ino_t inode;

	return identify(link, &device, &inode) && device == file->device &&
	       inode == file->inode;
}

bool process_file_is_open(const struct process_file *file, const char *link)
{
	char target[PATH_MAX];
	ssize_t size = readlink(link, target, sizeof(target) - 1);
	const char *last;

	if (size < 0 || file->exists != file->has_path)
		return false;
	target[size] = '\0';
	if (!file->has_path)
		return strcmp(target, file->name) == 0;
	last = strrchr(target, '/');

	return last && strcmp(last + 1, file->name) == 0 && is_same(file, link);
}

/* More than the text before the path. */
#define MAPPING_SIZE 160

/*
 * "ADDRESS-ADDRESS MODE OFFSET MAJOR:MINOR INODE PATH". A copy of the line,
 * because sscanf() reads the text to its end.
 */
static bool is_mapping(const struct process_file *file, const char *text)
{
	unsigned int major_number, minor_number;
	unsigned long long inode;
	char line[MAPPING_SIZE];

	snprintf(line, sizeof(line), "%.*s", (int)sizeof(line) - 1, text);

	return sscanf(line, "%*x-%*x %*s %*x %x:%x %llu", &major_number,
		      &minor_number, &inode) == 3 &&
	       makedev(major_number, minor_number) == file->device &&
	       inode == file->inode;
}

bool process_file_is_mapped(const struct process_file *file, const char *maps)
{
	while (file->exists && maps && *maps) {
		if (is_mapping(file, maps))
			return true;
		maps = strchr(maps, '\n');
		maps += maps != NULL;
	}

	return false;
}

/* ---- Processes ---- */

/*
 * Return: whether it has the file open; clears *@is_complete without
 * permission.
 */
static bool has_open(const char *directory, const struct process_file *file,
		     bool *is_complete)
{
	_cleanup_(files_names_free) struct files_names names;
	_cleanup_free_ char *path = tool_print("%s/fd", directory);
	bool has = false;
	size_t i;

	/* It might have exited, which is harmless. */
	if (files_names(path, &names) && access(directory, F_OK) == 0)
		*is_complete = false;
	for (i = 0; i < names.count && !has; i++) {
		_cleanup_free_ char *link =
			tool_print("%s/%s", path, names.names[i]);

		has = process_file_is_open(file, link);
	}

	return has;
}

static void add_process(struct processes *found, const char *directory, int pid)
{
	_cleanup_free_ char *path = tool_print("%s/comm", directory);
	char *name = files_line(path);

	*tool_add(found->processes, found->count) = (struct process){
		.pid = pid,
		.name = name ? name : tool_copy("?"),
	};
}

void processes_find(struct processes *found, const char *proc, const char *path,
		    int except)
{
	_cleanup_(files_names_free) struct files_names names;
	struct process_file file;
	uint64_t pid;
	size_t i;

	memset(found, 0, sizeof(*found));
	process_file_init(&file, path);
	found->is_complete = files_names(proc, &names) == 0;
	for (i = 0; i < names.count; i++) {
		_cleanup_free_ char *directory =
			tool_print("%s/%s", proc, names.names[i]);

		if (tool_number(names.names[i], 1, INT_MAX, &pid) &&
		    (int)pid != except &&
		    has_open(directory, &file, &found->is_complete))
			add_process(found, directory, (int)pid);
	}
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
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < found->count; i++)
		tool_list_add(&text, "%s[%d]", found->processes[i].name,
			      found->processes[i].pid);

	return text.text ? text.text : tool_copy("");
}
