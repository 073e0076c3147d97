/* SPDX-License-Identifier: MIT */
/* Files and directories with a temporary name, until they are complete. */
#ifndef USEREVENTS_UTIL_TEMPORARY_H
#define USEREVENTS_UTIL_TEMPORARY_H

/*
 * uev_temporary_create() - Creates one in the directory of the final path
 * @create: creates @name, which must not exist. Returns 0, a descriptor, or a
 *        negative errno
 * @name: set to the temporary path, for free(); NULL on error
 *
 * Names of killed processes with the same number are not used again.
 *
 * Return: as @create; -EEXIST if there are too many such names; -ENOMEM
 */
int uev_temporary_create(const char *path, int (*create)(const char *name),
			 char **name);

#endif
