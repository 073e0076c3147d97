/* SPDX-License-Identifier: MIT */
/* user-events: the machine and the caller that doctor examines. */
#ifndef USER_EVENTS_DOCTOR_CONTEXT_H
#define USER_EVENTS_DOCTOR_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * struct doctor_context - The machine and the caller to examine
 * @root: prefix of every path, "" for this machine
 * @release: release of the running kernel
 * @uid: effective user ID of the caller
 * @groups: all groups of the caller
 * @capabilities: bitmap of effective capabilities
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
