// SPDX-License-Identifier: GPL-2.0-only
/* A memory cgroup in the unified hierarchy. */
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "user_events.h"

#define MOUNT_POINT "/tmp/" PREFIX "cgroups"
#define CGROUP MOUNT_POINT "/" PREFIX "payer"

void cgroup_make(void)
{
	mkdir(MOUNT_POINT, 0700);
	/* A test that was killed might have left it mounted. */
	while (!umount(MOUNT_POINT))
		;
	if (mount("none", MOUNT_POINT, "cgroup2", 0, NULL))
		SKIP("cannot mount cgroup2: %s", harness_errno(errno));
	if (write_file("+memory", MOUNT_POINT "/cgroup.subtree_control")) {
		umount(MOUNT_POINT);
		SKIP("no memory controller in cgroup2");
	}
	rmdir(CGROUP);
	ASSERT_OK(mkdir(CGROUP, 0700));
}

void cgroup_need_small_charges(void)
{
	if (PAGE != 4096)
		SKIP("memory is charged in steps of %zu KiB", 64 * PAGE / 1024);
}

void cgroup_remove(void)
{
	long long start = 0;

	/* An exited process can still be counted for a moment. */
	while (rmdir(CGROUP))
		if (errno != EBUSY ||
		    !harness_deadline(&start, WAIT_TIMEOUT_S)) {
			FAIL("cannot remove the cgroup: %s",
			     harness_errno(errno));
			break;
		}
	EXPECT_OK(umount(MOUNT_POINT));
}

void cgroup_enter(void)
{
	cgroup_set("cgroup.procs", "0");
}

void cgroup_set(const char *file, const char *value)
{
	ASSERT_OK(write_file(value, text(CGROUP "/%s", file)));
}

const char *cgroup_get(const char *file)
{
	return read_file(text(CGROUP "/%s", file));
}

long long cgroup_charged(void)
{
	const char *bytes = cgroup_get("memory.current");

	ASSERT_TRUE(bytes);

	return strtoll(bytes, NULL, 10);
}
