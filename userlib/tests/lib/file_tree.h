/* SPDX-License-Identifier: MIT */
/*
 * Directories and files that look like those of a machine, below one of /tmp.
 */
#ifndef FILE_TREE_H
#define FILE_TREE_H

#include <stddef.h>

/* file_tree_begin() - Creates an empty directory; file_tree_end() removes it */
void file_tree_begin(void);
void file_tree_end(void);

/* Where it is. */
const char *file_tree_root(void);

/*
 * file_tree_file() - Creates a file and its directories
 * @path: starts with a '/'
 */
void file_tree_file(const char *path, const char *text);
void file_tree_bytes(const char *path, const void *bytes, size_t size);
void file_tree_directory(const char *path);
void file_tree_link(const char *path, const char *target);
void file_tree_mode(const char *path, unsigned int mode);
void file_tree_owner(const char *path, unsigned int uid, unsigned int gid);

/* Removes a file, or a directory with all that is in it. */
void file_tree_remove(const char *path);

#endif
