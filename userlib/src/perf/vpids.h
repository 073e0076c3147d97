/* SPDX-License-Identifier: MIT */
/* PIDs of processes in their own pid namespaces. */
#ifndef USEREVENTS_PERF_VPIDS_H
#define USEREVENTS_PERF_VPIDS_H

#include <stdint.h>

/* A part of the file format: the reader forgets what the writer forgets. */
#define UEV_VPIDS_MAX 1024

/*
 * The last process of each remainder of PIDs by UEV_VPIDS_MAX. Zeros are an empty
 * table.
 * @pid: the process
 * @vpid: its PID in its own pid namespace; 0: the same, or unknown
 */
struct uev_vpids {
	struct uev_vpid {
		uint32_t pid;
		uint32_t vpid;
	} processes[UEV_VPIDS_MAX];
};

/* Returns the place of a process, which can have another one or none. */
static inline struct uev_vpid *uev_vpids_at(struct uev_vpids *vpids,
					    uint32_t pid)
{
	return &vpids->processes[pid % UEV_VPIDS_MAX];
}

#endif
