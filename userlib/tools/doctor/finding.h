/* SPDX-License-Identifier: MIT */
/* user-events doctor: the results of its checks. */
#ifndef USER_EVENTS_DOCTOR_FINDING_H
#define USER_EVENTS_DOCTOR_FINDING_H

#include <stdbool.h>
#include <stddef.h>

enum doctor_level {
	DOCTOR_OK, /* no problem */
	DOCTOR_NOTE, /* information */
	DOCTOR_WARNING, /* some functions do not work */
	DOCTOR_ERROR, /* user_events does not work */
};

/*
 * struct doctor_finding - A result of a check
 * @check: name of the check
 * @text: the result
 * @command: shell command that fixes the problem; NULL if there is no problem
 *        or no command
 */
struct doctor_finding {
	enum doctor_level level;
	const char *check;
	char *text;
	char *command;
};

/*
 * struct doctor - All findings, and results for later checks
 * @context: the machine and the caller
 * @config: configuration of the kernel, or NULL
 * @is_built_in: user_events is part of the kernel
 * @is_loaded: the module is loaded
 * @no_tracing: lockdown disables tracing
 * @no_unsigned_modules: only modules with a trusted signature can be loaded
 * @no_signed_modules: the same, and the key that signs modules is not trusted
 * @has_tracefs: tracefs is mounted, whether accessible or not
 * @tracefs: its directory; NULL if it is not mounted or not usable
 * @has_files: the files of user_events are in it
 */
struct doctor {
	struct doctor_finding *findings;
	size_t count;
	const struct doctor_context *context;
	char *config;
	bool is_built_in;
	bool is_loaded;
	bool no_tracing;
	bool no_unsigned_modules;
	bool no_signed_modules;
	bool has_tracefs;
	char *tracefs;
	bool has_files;
};

/* doctor_add() - Adds a finding; @command is copied and can be NULL */
__attribute__((__format__(__printf__, 5, 6))) void
doctor_add(struct doctor *doctor, enum doctor_level level, const char *check,
	   const char *command, const char *format, ...);

void doctor_free(struct doctor *doctor);

const char *doctor_level_name(enum doctor_level level);

#endif
