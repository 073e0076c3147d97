/* SPDX-License-Identifier: MIT */
/*
 * user-events: which processes have a file open.
 */
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
 * processes_find() - looks through all descriptors of all processes
 * @proc: where procfs is
 * @file: the last part of the path that the descriptor has: mounts of tracefs
 *	  are at different places for different processes
 * @except: the number of a process that is left out
 */
void processes_find(struct processes *found, const char *proc, const char *file,
		    int except);
void processes_free(struct processes *found);

/* "name[pid], name[pid]"; for free() */
char *processes_text(const struct processes *found);

#endif
