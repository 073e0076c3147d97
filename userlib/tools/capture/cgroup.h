/* SPDX-License-Identifier: MIT */
/* user-events: control groups by path, unit of systemd, or container. */
#ifndef USER_EVENTS_CAPTURE_CGROUP_H
#define USER_EVENTS_CAPTURE_CGROUP_H

/* How a control group is named */
enum capture_cgroup_kind {
	CAPTURE_CGROUP_PATH, /* a path, or one below the mount point */
	CAPTURE_CGROUP_UNIT, /* a unit of systemd; default suffix: .service */
	CAPTURE_CGROUP_CONTAINER, /* an ID, or at least 8 digits of its start */
};

/*
 * capture_cgroup_root() - Returns the mount point of the hierarchy of perf
 * @mounts: the directory of the mount points, usually /sys/fs/cgroup
 * Return: a path, for free()
 */
char *capture_cgroup_root(const char *mounts);

/*
 * capture_cgroup_find() - Finds the directory of a control group
 * @root: as of capture_cgroup_root()
 * @path: set to its path, for free(); NULL on error
 * Return: 0; -EINVAL for an invalid name; -ENOENT if there is none; -EEXIST if
 *         there are several
 */
int capture_cgroup_find(const char *root, enum capture_cgroup_kind kind,
			const char *name, char **path);

#endif
