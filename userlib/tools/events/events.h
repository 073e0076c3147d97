/* SPDX-License-Identifier: MIT */
/* user-events: events and their details in tracefs. */
#ifndef USER_EVENTS_EVENTS_H
#define USER_EVENTS_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "tool.h"

/* Bits of tracers */
#define EVENTS_FTRACE (1U << 0)
#define EVENTS_PERF (1U << 1)
#define EVENTS_OTHER (1U << 2)

/* Their names, as in user_events_status */
extern const struct event_tracer {
	const char *name;
	unsigned int bit;
} event_tracers[3];

/*
 * struct event_use - State of an event in an instance of ftrace
 * @instance: its name; "" for the top instance
 * @path: directory of the event in it
 * @is_enabled: records are written to its buffer
 * @is_soft: enabled for triggers only
 * @filter: NULL without one
 * @triggers: lines of the file
 */
struct event_use {
	char *instance;
	char *path;
	bool is_enabled;
	bool is_soft;
	char *filter;
	char **triggers;
	size_t trigger_count;
};

/* Of struct event_loss: the module does not tell the processors. */
#define EVENTS_ALL_CPUS UINT32_MAX

/*
 * struct event_loss - Records that tracers did not get for a reason
 * @reason: as user_events_profile names it
 * @cpu: the processor, or EVENTS_ALL_CPUS
 */
struct event_loss {
	char *reason;
	uint64_t count;
	uint32_t cpu;
};

/*
 * struct event - An event
 * @system: "user_events" or "user_events_multi"
 * @id: 0 if it is not readable, as are the following members
 * @schema: NULL if it is not readable
 * @is_selected: by events_select()
 * @is_eventheader: by its name and its fields; @parts is valid
 * @uses: instances that use it, from events_details()
 * @tracers: EVENTS_FTRACE, ..., as far as known
 * @has_status: user_events_status lists it
 * @has_profile: user_events_profile has the following counters
 * @hits: records that were passed to tracers
 * @lost: records that could not be stored, of any reason in events_losses
 * @losses: by reason, in the order of the file
 * @cpu_losses: the same by processor, if the file has them
 * @definition: "NAME FIELDS", with ":RIGHTS" behind a name that has some; NULL
 *        if it is not known, or without EVENTS_DEFINITIONS
 * @has_rights: the following members are set for the event
 * @uid: owner
 * @gid: group
 * @mode: permissions
 */
struct event {
	char *system;
	char *name;
	uint32_t id;
	struct uev_schema *schema;
	bool is_selected;
	bool is_eventheader;
	struct uev_eventheader_name parts;
	struct event_use *uses;
	size_t use_count;
	unsigned int tracers;
	bool has_status;
	bool has_profile;
	uint64_t hits;
	uint64_t lost;
	struct event_loss *losses;
	size_t loss_count;
	struct event_loss *cpu_losses;
	size_t cpu_loss_count;
	char *definition;
	bool has_rights;
	unsigned int uid;
	unsigned int gid;
	unsigned int mode;
};

/*
 * struct events - Events, sorted by system and name
 * @error: of the last file of theirs that could not be read, which is printed, or 0
 */
struct events {
	char *tracefs;
	int error;
	struct event *events;
	size_t count;
};

/*
 * events_read() - Reads the list of events
 * @tracefs: path of tracefs
 *
 * Return: 0; -ENODEV if it has no user_events; or another error.
 */
int events_read(struct events *events, const char *tracefs);
void events_free(struct events *events);

/* Tests whether a pattern has wildcards, so that it can match no event. */
bool events_is_glob(const char *pattern);

/*
 * events_select() - Selects the events that match patterns
 * @patterns: as for uev_tracefs_matches(); none: all events
 *
 * Return: TOOL_OK; TOOL_NOT_FOUND if a pattern without wildcards matches no
 * event, which is printed.
 */
int events_select(struct events *events, char **patterns, size_t count);

/* events_match() - Selects the events that match patterns; none: all */
void events_match(struct events *events, const char *const *patterns,
		  size_t count);

/* Bits for events_details(). */
#define EVENTS_USES (1U << 0) /* also filters and triggers */
#define EVENTS_DEFINITIONS (1U << 1) /* also definitions of all user events */

/*
 * events_details() - Reads details of the selected events
 *
 * Files that do not exist and those without permission are no errors.
 *
 * Return: 0; an error of read(2), which is printed, and details are missing
 */
int events_details(struct events *events, unsigned int flags);

/*
 * events_counts() - Reads only the counters of the selected events
 * @removed: gets those of removed events, with names that start with a slash, as
 *        in user_events_profile, for events_free(); or NULL
 */
void events_counts(struct events *events, struct events *removed);

/*
 * events_read_losses() - Reads the losses of all events
 * @events: sorted by name; the system is ""; freed by events_free()
 *
 * If the file does not tell the processors, @cpu_losses has those of all.
 *
 * Return: whether the file could be read
 */
bool events_read_losses(struct events *events, const char *tracefs);

/*
 * events_loss_count() - Finds the number of a loss of an event, by reason and
 * processor, in the result of events_read_losses(); 0 without it
 */
uint64_t events_loss_count(const struct events *events, const char *name,
			   const struct event_loss *loss);

/* Returns the reason with index 0, 1, 2, ...; NULL after the last. */
const char *events_loss_reason(size_t index);

/* Describes a reason of struct event_loss; NULL if it is not known. */
const char *events_loss_text(const char *reason);

/* "critical", ..., or NULL for 6 to 255. */
const char *events_level(unsigned int level);
#define EVENTS_LEVELS "critical error warning information verbose"

/* The value of an option, an unsigned int: one of these, or a number up to 255 */
int events_take_level(void *level, const struct tool_argument *argument);

/*
 * events_name() - Returns the name as a pattern, without the system user_events
 * Return: for free()
 */
char *events_name(const struct event *event);

/*
 * events_fields() - Returns "type name; type name" of an event.
 * Return: for free()
 */
char *events_fields(const struct event *event);

/* Returns "NAME FIELDS", as for user-events add; for free() */
char *events_definition(const struct event *event);

/*
 * Returns the type of a field with its length, as in a definition; for free().
 */
char *events_type(const struct uev_format_field *field);

/* Returns text as one shell word, quoted if necessary; for free(). */
char *events_quote(const char *text);

#endif
