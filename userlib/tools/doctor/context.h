/* SPDX-License-Identifier: MIT */
/*
 * user-events: the machine and the caller that the doctor examines.
 */
#ifndef USER_EVENTS_DOCTOR_CONTEXT_H
#define USER_EVENTS_DOCTOR_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * struct doctor_context - the machine and the caller that are looked at
 * @root: in front of every path, "" for this machine
 * @release: of the kernel that runs
 * @uid: the caller's, effective
 * @groups: all groups of the caller
 * @capabilities: effective ones, a bit each
 */
struct doctor_context {
	const char *root;
	const char *release;
	unsigned int uid;
	const unsigned int *groups;
	size_t group_count;
	uint64_t capabilities;
};

#endif
