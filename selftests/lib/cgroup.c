// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory cgroups, in the unified hierarchy.
 */
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "user_events.h"

#define WHERE "/tmp/" PREFIX "cgroups"
#define CGROUP WHERE "/" PREFIX "payer"

void cgroup_make(void)
{
	mkdir(WHERE, 0700);
	/* A test that ended early may have left it. */
	while (!umount(WHERE))
		;
	if (mount("none", WHERE, "cgroup2", 0, NULL))
		SKIP("no cgroup2: %s", harness_errno(errno));
	if (put_file("+memory", WHERE "/cgroup.subtree_control")) {
		umount(WHERE);
		SKIP("memory is not charged here");
	}
	rmdir(CGROUP);
	ASSERT_OK(mkdir(CGROUP, 0700));
}

void cgroup_remove(void)
{
	long long start = 0;

	/* A process that was waited for may still be counted for a moment. */
	while (rmdir(CGROUP))
		if (errno != EBUSY || !harness_deadline(&start, SOON)) {
			FAIL("cannot remove the cgroup: %s",
			     harness_errno(errno));
			break;
		}
	EXPECT_OK(umount(WHERE));
}

void cgroup_enter(void)
{
	cgroup_set("cgroup.procs", "0");
}

void cgroup_set(const char *file, const char *value)
{
	ASSERT_OK(put_file(value, text(CGROUP "/%s", file)));
}

const char *cgroup_get(const char *file)
{
	return get_file(text(CGROUP "/%s", file));
}

long long cgroup_charged(void)
{
	const char *bytes = cgroup_get("memory.current");

	ASSERT_TRUE(bytes);

	return strtoll(bytes, NULL, 10);
}
