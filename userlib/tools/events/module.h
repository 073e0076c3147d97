/* SPDX-License-Identifier: MIT */
/* user-events: replacement of the module. */
#ifndef USER_EVENTS_EVENTS_MODULE_H
#define USER_EVENTS_EVENTS_MODULE_H

#include <stdint.h>

/*
 * struct module_options - How the module is replaced
 * @tracefs: path of tracefs
 * @timeout: seconds to wait for programs
 * @command: command that loads the new module
 */
struct module_options {
	char *tracefs;
	uint64_t timeout;
	char **command;
};

/*
 * module_replace() - Unloads the module, loads another one, and restores modes,
 *        events and their use by ftrace
 *
 * Signals that end the program end the waiting, and are delivered at the end.
 *
 * Return: an exit status; errors are printed
 */
int module_replace(const struct module_options *options);

#endif
