/* SPDX-License-Identifier: MIT */
/*
 * user-events: which events there are, and what tracefs tells of each.
 */
#ifndef USER_EVENTS_EVENTS_H
#define USER_EVENTS_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

/* Bits of what listens, as user_events_status calls it. */
#define EVENTS_FTRACE (1U << 0)
#define EVENTS_PERF (1U << 1)
#define EVENTS_OTHER (1U << 2)

/*
 * struct event_use - what ftrace does with an event in one of its instances
 * @instance: its name; "" for the one at the top
 * @is_enabled: records are written to its buffer
 * @is_soft: triggers look at the records
 * @filter: NULL without one
 * @triggers: as the file has them, a line each
 */
struct event_use {
	char *instance;
	bool is_enabled;
	bool is_soft;
	char *filter;
	char **triggers;
	size_t trigger_count;
};

/*
 * struct event - an event
 * @system: "user_events" or "user_events_multi"
 * @id: 0 where it cannot be read, as all that follows
 * @schema: NULL
 * @is_selected: by events_select()
 * @is_eventheader: by its name and its fields, and then there are @parts
 * @uses: of events_details(): the instances that have to do with it
 * @tracers: EVENTS_FTRACE, ..., as far as is known
 * @has_status: whether user_events_status has told of all of them
 * @has_profile: whether user_events_profile has told these
 * @hits: records that were offered to readers
 * @lost: how often a reader was not given one that was too large for it
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
};

/* Sorted by system and name. */
struct events {
	char *tracefs;
	struct event *events;
	size_t count;
};

/*
 * events_read() - which events there are
 * @tracefs: where
 *
 * Return: 0; -ENODEV if there is no user_events there; or why it cannot be read.
 */
int events_read(struct events *events, const char *tracefs);
void events_free(struct events *events);

/*
 * events_matches() - whether a pattern means an event
 * @pattern: "[SYSTEM:]GLOB", without SYSTEM user_events
 */
bool events_matches(const char *pattern, const char *system, const char *name);

/* Whether a pattern may mean any number of events, and none as well. */
bool events_is_glob(const char *pattern);

/*
 * events_select() - selects what patterns mean
 * @patterns: none: all events
 *
 * Return: TOOL_OK; TOOL_NOT_FOUND, having said which one, if a pattern that is
 * no glob means no event.
 */
int events_select(struct events *events, char **patterns, size_t count);

/* Bits for events_details(). */
#define EVENTS_USES (1U << 0) /* filters and triggers as well */

/* events_details() - what is known of those that are selected */
void events_details(struct events *events, unsigned int flags);

/* "critical", ..., or NULL: 6 to 255 are the provider's own. */
const char *events_level(unsigned int level);

/*
 * events_name() - the name as a pattern that means it: without user_events
 * Return: for free()
 */
char *events_name(const struct event *event);

/* events_fields() - "type name, type name" of an event. Return: for free() */
char *events_fields(const struct event *event);

/* The type of a field with its length, as in a definition; for free(). */
char *events_type(const struct uev_format_field *field);

/* Text as one word of a shell, quoted where that is needed; for free(). */
char *events_quote(const char *text);

#endif
