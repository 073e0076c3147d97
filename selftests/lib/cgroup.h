/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory cgroups of tests.
 */
#ifndef SELFTESTS_USER_EVENTS_CGROUP_H
#define SELFTESTS_USER_EVENTS_CGROUP_H

/*
 * cgroup_make - make a cgroup with a memory controller
 *
 * One in a test. Skips the test where the kernel has no such controller.
 */
void cgroup_make(void);

/* Removes the cgroup, in which no process may be left. */
void cgroup_remove(void);

/* Moves the calling process into the cgroup. */
void cgroup_enter(void);

/* Writes one of the cgroup's files, and fails the test if that is refused. */
void cgroup_set(const char *file, const char *value);

/* Whole content of one of the cgroup's files, or NULL with errno. */
const char *cgroup_get(const char *file);

/* Bytes of memory that are charged to the cgroup. */
long long cgroup_charged(void);

#endif /* SELFTESTS_USER_EVENTS_CGROUP_H */
