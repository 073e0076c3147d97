// SPDX-License-Identifier: MIT
#include "events/process_file.h"

#include <limits.h>
#include <linux/fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

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
