/* SPDX-License-Identifier: MIT */
/*
 * user-events: the state of user_events that a new module does not have: modes
 * and owners of files, the event limit, parameters, persistent events, and what
 * ftrace does with events.
 */
#ifndef USER_EVENTS_EVENTS_STATE_H
#define USER_EVENTS_EVENTS_STATE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "events/events.h"

#define STATE_FILES 2
#define STATE_PARAMETERS 3

/*
 * struct state - The saved state
 * @sysctl: path of the event limit
 * @events: all events, with their uses in ftrace and their definitions
 * @is_persistent: for each event, it was deleted and must be created again;
 *        set by state_clear()
 * @files: modes and owners
 * @limit: the event limit; NULL if unknown
 * @parameters: values of parameters of the module; NULL if unknown
 */
struct state {
	char *sysctl;
	struct events events;
	bool *is_persistent;
	struct stat files[STATE_FILES];
	char *limit;
	char *parameters[STATE_PARAMETERS];
};

/*
 * state_save() - Reads the state
 * @sysctl: path of the event limit
 *
 * Return: 0, or a negative errno and nothing to free
 */
int state_save(struct state *state, const char *tracefs, const char *sysctl);
void state_free(struct state *state);

/*
 * state_clear() - Detaches ftrace from all events and deletes them
 *
 * Events that are in use remain.
 */
void state_clear(struct state *state);

/*
 * state_restore_files() - Restores parameters, modes, owners and the event limit,
 * and creates persistent events again
 *
 * Return: the number of failures, which are printed.
 */
unsigned int state_restore_files(const struct state *state);

/*
 * state_restore_uses() - Restores what ftrace does with the events that exist
 * @restored: for each event, whether that is done; set by this function, which
 *        skips such events
 *
 * A trigger can need an event or a trigger that does not exist yet. Its event
 * is not done then.
 *
 * Return: the number of events that do not exist yet.
 */
unsigned int state_restore_uses(const struct state *state, bool *restored);

/*
 * state_report_uses() - Tries again to restore the remaining events
 *
 * Return: the number of failures, which are printed.
 */
unsigned int state_report_uses(const struct state *state, const bool *restored);

/* Number of events that are created again or that ftrace uses. */
unsigned int state_count(const struct state *state);

/*
 * state_trigger() - Returns a line of the file trigger in the form in which it
 * can be written; for free()
 */
char *state_trigger(const char *line);

#endif
