// SPDX-License-Identifier: MIT
#include "capture/detached.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

/* With 1 in it, the kernel removes no perf events. */
#define DUMPABLE "/proc/sys/fs/suid_dumpable"

#define READ_ALL \
	(UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_DAC_READ_SEARCH)

/*
 * struct rights - Those of a process
 * @real_uid, @uid: its user, and the effective one; @real_gid, @gid: its group
 * @groups: numbers of other groups, up to the end of the line
 * @capabilities: bits of those that are effective
 * @keeps: files give it no others
 */
struct rights {
	unsigned int real_uid;
	unsigned int uid;
	unsigned int real_gid;
	unsigned int gid;
	const char *groups;
	unsigned long long capabilities;
	bool keeps;
};

/* @status: content of /proc/PID/status */
static bool read_rights(struct rights *rights, const char *status)
{
	const char *uid = files_value(status, "Uid:");
	const char *gid = files_value(status, "Gid:");
	const char *capabilities = files_value(status, "CapEff:");
	const char *keeps = files_value(status, "NoNewPrivs:");

	*rights = (struct rights){ .groups = files_value(status, "Groups:") };
	rights->keeps = keeps && strtoul(keeps, NULL, 10);

	return uid && gid && capabilities && rights->groups &&
	       sscanf(uid, "%u %u", &rights->real_uid, &rights->uid) == 2 &&
	       sscanf(gid, "%u %u", &rights->real_gid, &rights->gid) == 2 &&
	       sscanf(capabilities, "%llx", &rights->capabilities) == 1;
}

static bool is_in_group(const struct rights *rights, gid_t gid)
{
	const char *at = rights->groups;
	unsigned int group;
	int length;

	if (rights->gid == gid)
		return true;
	for (at += strspn(at, " \t");
	     *at != '\n' && sscanf(at, "%u%n", &group, &length) == 1;
	     at += strspn(at, " \t")) {
		if (group == gid)
			return true;
		at += length;
	}

	return false;
}

static bool can_read(const struct rights *rights, const struct stat *file)
{
	mode_t bit = 0004;

	if (rights->capabilities & READ_ALL)
		return true;
	if (rights->uid == file->st_uid)
		bit = 0400;
	else if (is_in_group(rights, file->st_gid))
		bit = 0040;

	return file->st_mode & bit;
}

/* Tests whether the process has rights that its user does not have. */
static bool has_others(const struct rights *rights, const struct stat *file,
		       const char *path)
{
	const mode_t set_group = S_ISGID | 0010;
	unsigned int uid = rights->uid, gid = rights->gid;

	if (!rights->keeps && file->st_mode & S_ISUID)
		uid = file->st_uid;
	if (!rights->keeps && (file->st_mode & set_group) == set_group)
		gid = file->st_gid;

	return uid != rights->uid || gid != rights->gid ||
	       uid != rights->real_uid || gid != rights->real_gid ||
	       (uid && !rights->keeps &&
		getxattr(path, "security.capability", NULL, 0) > 0);
}

static bool is_script(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char start[2];
	bool is = fd >= 0 && read(fd, start, sizeof(start)) == sizeof(start) &&
		  memcmp(start, "#!", sizeof(start)) == 0;

	if (fd >= 0)
		close(fd);

	return is;
}

/* Tests whether the kernel ignores set-ID bits and capabilities of a file. */
static bool gives_no_rights(const char *path)
{
	struct statvfs mount;

	return (!statvfs(path, &mount) && mount.f_flag & ST_NOSUID) ||
	       is_script(path);
}

/* Tests whether perf events survive each execution. */
static bool all_survive(void)
{
	_cleanup_free_ char *line = files_line(DUMPABLE);

	return line && strcmp(line, "1") == 0;
}

static bool is_detached(struct rights *rights, const struct stat *file,
			const char *path)
{
	if (!can_read(rights, file))
		return true;
	rights->keeps = rights->keeps || gives_no_rights(path);

	return has_others(rights, file, path);
}

bool capture_is_detached(pid_t pid, const char *path)
{
	_cleanup_free_ char *name = tool_print("/proc/%d/status", (int)pid);
	_cleanup_free_ char *status = NULL;
	struct rights rights;
	struct stat file;

	files_read(name, &status, NULL);

	return status && read_rights(&rights, status) && !stat(path, &file) &&
	       is_detached(&rights, &file, path) && !all_survive();
}
