/* SPDX-License-Identifier: MIT */
/* user-events: processes that have a file open. */
#ifndef USER_EVENTS_EVENTS_PROCESSES_H
#define USER_EVENTS_EVENTS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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
 * struct process_file - A file that processes can have open
 * @name: last component of its path; without a path, the text of the links to
 *        it in procfs
 * @has_path: it has a path, and is identified by @device and @inode
 * @exists: these are set
 */
struct process_file {
	const char *name;
	bool has_path;
	bool exists;
	dev_t device;
	ino_t inode;
};

/*
 * process_file_init() - Gets the identity of a file
 *
 * The path alone is not enough: tracefs can be mounted elsewhere for other
 * processes, and every user can create files of the same name elsewhere.
 *
 * @path: absolute path, or the text of the links to it, as "anon_inode:[NAME]";
 *        must exist as long as @file
 */
void process_file_init(struct process_file *file, const char *path);

/*
 * process_file_is_open() - Tests whether a descriptor is of a file
 * @link: path of the descriptor in procfs
 */
bool process_file_is_open(const struct process_file *file, const char *link);

/*
 * process_file_is_mapped() - Tests whether a process has a file mapped
 * @maps: content of the file maps in procfs
 */
bool process_file_is_mapped(const struct process_file *file, const char *maps);

/*
 * processes_find() - Examines all descriptors of all processes
 * @proc: path of procfs
 * @path: as for process_file_init()
 * @except: ID of a process that is skipped
 */
void processes_find(struct processes *found, const char *proc, const char *path,
		    int except);
void processes_free(struct processes *found);

/* "name[pid], name[pid]"; for free() */
char *processes_text(const struct processes *found);

#endif
