/* SPDX-License-Identifier: MIT */
/*
 * user-events: the file of a kernel module.
 */
#ifndef USER_EVENTS_DOCTOR_MODULE_H
#define USER_EVENTS_DOCTOR_MODULE_H

#include <stdbool.h>

/*
 * struct module_file - what a file says of itself
 * @is_readable: it could be read, and is not compressed
 * @is_signed: a signature is behind it, by whomever
 * @release: of the kernel that it is for, for free(); NULL if it is not there
 */
struct module_file {
	bool is_readable;
	bool is_signed;
	char *release;
};

void module_file_read(struct module_file *file, const char *path);

/*
 * module_file_find() - which file of a module modprobe would load
 * @directory: /lib/modules/RELEASE
 * @name: of the module
 *
 * Return: the path below @directory, as modules.dep has it, for free(); NULL if
 * modprobe knows none
 */
char *module_file_find(const char *directory, const char *name);

#endif
