/* SPDX-License-Identifier: MIT */
/*
 * user-events: the file of a kernel module.
 */
#ifndef USER_EVENTS_DOCTOR_MODULE_FILE_H
#define USER_EVENTS_DOCTOR_MODULE_FILE_H

#include <stdbool.h>

/*
 * struct module_file - Properties of a module file
 * @is_readable: readable and not compressed
 * @is_signed: has a signature of any key
 * @release: kernel release of the module; NULL if unknown
 * @version: its version; NULL if unknown
 */
struct module_file {
	bool is_readable;
	bool is_signed;
	char *release;
	char *version;
};

void module_file_read(struct module_file *file, const char *path);
void module_file_free(struct module_file *file);

/*
 * module_file_find() - Finds the file of a module that modprobe would load
 * @directory: /lib/modules/RELEASE
 * @name: name of the module
 *
 * Return: the path below @directory, as in modules.dep, for free(); NULL if
 * modprobe knows none
 */
char *module_file_find(const char *directory, const char *name);

/*
 * module_file_dkms_version() - Returns the version that DKMS has installed
 * @directory: /var/lib/dkms/PACKAGE
 * @release: release of the kernel
 *
 * Return: the version, for free(); NULL if unknown
 */
char *module_file_dkms_version(const char *directory, const char *release);

#endif
