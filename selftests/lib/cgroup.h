/* SPDX-License-Identifier: GPL-2.0-only */
/* A memory cgroup for tests. */
#ifndef SELFTESTS_LIB_CGROUP_H
#define SELFTESTS_LIB_CGROUP_H

/*
 * cgroup_make - make a cgroup with a memory controller
 *
 * One per test. Skips the test if the kernel has no memory controller.
 */
void cgroup_make(void);

/*
 * Skips the test if memory is charged in steps of more than 256 KiB: each CPU has
 * a stock of 64 pages.
 */
void cgroup_need_small_charges(void);

/* Removes the cgroup, which must not contain processes. */
void cgroup_remove(void);

/* Moves the calling process into the cgroup. */
void cgroup_enter(void);

/* Writes a file of the cgroup, or fails the test. */
void cgroup_set(const char *file, const char *value);

/* Reads a whole file of the cgroup. Return: the content, or NULL with errno. */
const char *cgroup_get(const char *file);

/* Bytes of memory charged to the cgroup. */
long long cgroup_charged(void);

#endif /* SELFTESTS_LIB_CGROUP_H */
