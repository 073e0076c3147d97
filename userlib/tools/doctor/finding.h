/* SPDX-License-Identifier: MIT */
/* user-events doctor: the results of its checks. */
#ifndef USER_EVENTS_DOCTOR_FINDING_H
#define USER_EVENTS_DOCTOR_FINDING_H

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
 * struct doctor - All findings
 * @tracefs: directory of tracefs; NULL if it is not mounted or not usable
 */
struct doctor {
	struct doctor_finding *findings;
	size_t count;
	char *tracefs;
};

/* doctor_add() - Adds a finding; @command is copied and can be NULL */
__attribute__((__format__(__printf__, 5, 6))) void
doctor_add(struct doctor *doctor, enum doctor_level level, const char *check,
	   const char *command, const char *format, ...);

void doctor_free(struct doctor *doctor);

const char *doctor_level_name(enum doctor_level level);

#endif
