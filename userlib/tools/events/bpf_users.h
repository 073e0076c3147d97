/* SPDX-License-Identifier: MIT */
/* user-events: BPF programs that are attached to an event. */
#ifndef USER_EVENTS_EVENTS_BPF_USERS_H
#define USER_EVENTS_EVENTS_BPF_USERS_H

#include <stddef.h>
#include <stdint.h>

#include "events/users.h"

/* Name of a descriptor of perf_event_open(2) in /proc. */
#define PERF_EVENT_FILE "anon_inode:[perf_event]"

/*
 * struct bpf_user - A program that is attached to an event
 * @event: name of the event
 * @program: ID of the program
 * @pid: the process that attached it
 */
struct bpf_user {
	char *event;
	uint32_t program;
	int pid;
};

struct bpf_users {
	struct bpf_user *users;
	size_t count;
};

/*
 * bpf_users_find() - Queries the perf events of processes
 * @proc: path of procfs
 * @processes: processes with perf events; without CAP_SYS_ADMIN nothing is
 *        found
 */
void bpf_users_find(struct bpf_users *found, const char *proc,
		    const struct users *processes);
void bpf_users_free(struct bpf_users *found);

#endif
