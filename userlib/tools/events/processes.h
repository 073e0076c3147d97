/* SPDX-License-Identifier: MIT */
/* user-events: processes that have a file open. */
#ifndef USER_EVENTS_EVENTS_PROCESSES_H
#define USER_EVENTS_EVENTS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

struct process {
	int pid;
	char *name;
};

/*
 * struct processes - Processes that were found
 * @is_complete: the caller could examine all processes
 */
struct processes {
	struct process *processes;
	size_t count;
	bool is_complete;
};

/*
 * processes_find() - Examines all descriptors of all processes
 * @proc: path of procfs
 * @file: last component of the descriptor's path, because tracefs can be
 *        mounted elsewhere for other processes
 * @except: ID of a process that is skipped
 */
void processes_find(struct processes *found, const char *proc, const char *file,
		    int except);
void processes_free(struct processes *found);

/*
 * processes_is_open() - Tests whether a descriptor is of a file
 * @link: path of the descriptor in procfs
 * @file: last component of the path of the file
 */
bool processes_is_open(const char *link, const char *file);

/* "name[pid], name[pid]"; for free() */
char *processes_text(const struct processes *found);

#endif
