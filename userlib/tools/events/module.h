/* SPDX-License-Identifier: MIT */
/* user-events: replacement of the module. */
#ifndef USER_EVENTS_EVENTS_MODULE_H
#define USER_EVENTS_EVENTS_MODULE_H

#include <stdint.h>

#include "events/state.h"

/*
 * struct module_reload - The replacement of the module; the caller sets the first
 * three members
 * @tracefs: path of tracefs
 * @timeout: seconds to wait for programs
 * @command: command that loads the new module
 * @data: path of user_events_data
 * @state: saved state
 */
struct module_reload {
	char *tracefs;
	uint64_t timeout;
	char **command;
	char *data;
	struct state state;
};

/*
 * module_replace() - Unloads the module, loads another one, and restores modes,
 *        events and their use by ftrace
 *
 * Signals that end the program end the waiting, and are delivered at the end.
 *
 * Return: an exit status; errors are printed
 */
int module_replace(struct module_reload *reload);

#endif
