/* SPDX-License-Identifier: MIT */
/* user-events: a file that processes have open. */
#ifndef USER_EVENTS_EVENTS_PROCESS_FILE_H
#define USER_EVENTS_EVENTS_PROCESS_FILE_H

#include <stdbool.h>
#include <sys/types.h>

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

#endif
