// SPDX-License-Identifier: MIT
/* Control groups by path, unit and container. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cgroup.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define DOCKER "0123456789abcdef0123456789abcdef"
#define PODMAN "fedcba9876543210fedcba9876543210"

static const struct {
	enum capture_cgroup_kind kind;
	const char *name;
	int error;
	const char *path;
} found[] = {
	{ CAPTURE_CGROUP_PATH, "system.slice/a.service", 0,
	  "/system.slice/a.service" },
	{ CAPTURE_CGROUP_PATH, ".", 0, "/." },
	{ CAPTURE_CGROUP_PATH, "a.service", -ENOENT, NULL },
	{ CAPTURE_CGROUP_PATH, "cgroup.procs", -ENOENT, NULL },
	{ CAPTURE_CGROUP_PATH, "", -EINVAL, NULL },
	{ CAPTURE_CGROUP_UNIT, "a", 0, "/system.slice/a.service" },
	{ CAPTURE_CGROUP_UNIT, "a.service", 0, "/system.slice/a.service" },
	{ CAPTURE_CGROUP_UNIT, "system.slice", 0, "/system.slice" },
	{ CAPTURE_CGROUP_UNIT, "a.serv", -ENOENT, NULL },
	{ CAPTURE_CGROUP_UNIT, "twice", -EEXIST, NULL },
	{ CAPTURE_CGROUP_UNIT, "", -EINVAL, NULL },
	{ CAPTURE_CGROUP_UNIT, "system.slice/a", -EINVAL, NULL },
	{ CAPTURE_CGROUP_CONTAINER, DOCKER, 0,
	  "/system.slice/docker-" DOCKER ".scope" },
	{ CAPTURE_CGROUP_CONTAINER, "01234567", 0,
	  "/system.slice/docker-" DOCKER ".scope" },
	{ CAPTURE_CGROUP_CONTAINER, PODMAN, 0,
	  "/machine.slice/libpod-" PODMAN ".scope" },
	/* Not the start of an ID; too short; not an ID */
	{ CAPTURE_CGROUP_CONTAINER, "12345678", -ENOENT, NULL },
	{ CAPTURE_CGROUP_CONTAINER, "0123456", -EINVAL, NULL },
	{ CAPTURE_CGROUP_CONTAINER, "a.service", -EINVAL, NULL },
};

static void make(const char *root)
{
	static const char *const groups[] = {
		"/system.slice/a.service/inner/a.service",
		"/system.slice/twice.service",
		"/user.slice/twice.service",
		"/system.slice/docker-" DOCKER ".scope/init.scope",
		"/machine.slice/libpod-" PODMAN ".scope",
		"/machine.slice/libpod-conmon-" PODMAN ".scope",
	};
	char *path;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		path = tool_print("%s%s/cgroup.procs", root, groups[i]);
		file_tree_file(path, "");
		free(path);
	}
	path = tool_print("%s/cgroup.procs", root);
	file_tree_file(path, "");
	free(path);
}

/* @root: of the hierarchy below the mount point */
static void check_one(int i, const char *root)
{
	char *mounted, *path, *wanted;

	file_tree_begin();
	make(root);
	mounted = capture_cgroup_root(file_tree_root());
	wanted = tool_print("%s%s", file_tree_root(), root);
	ck_assert_str_eq(mounted, wanted);
	free(wanted);
	ck_assert_int_eq(capture_cgroup_find(mounted, found[i].kind,
					     found[i].name, &path),
			 found[i].error);
	if (found[i].path) {
		wanted = tool_print("%s%s", mounted, found[i].path);
		ck_assert_str_eq(path, wanted);
		free(wanted);
	} else {
		ck_assert_ptr_null(path);
	}
	free(path);
	free(mounted);
	file_tree_end();
}

TEST_LOOP(version_2, ARRAY_SIZE(found))
{
	check_one(_i, "");
}

TEST_LOOP(version_1, ARRAY_SIZE(found))
{
	check_one(_i, "/perf_event");
}

TEST(whole_path)
{
	char *wanted, *path;

	file_tree_begin();
	make("");
	wanted = tool_print("%s/system.slice", file_tree_root());
	ck_assert_int_eq(capture_cgroup_find(file_tree_root(),
					     CAPTURE_CGROUP_PATH, wanted,
					     &path),
			 0);
	ck_assert_str_eq(path, wanted);
	free(path);
	free(wanted);
	file_tree_end();
}
