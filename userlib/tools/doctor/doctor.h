/* SPDX-License-Identifier: MIT */
/*
 * user-events: what stands between this machine, or this user, and user_events.
 */
#ifndef USER_EVENTS_DOCTOR_H
#define USER_EVENTS_DOCTOR_H

#include <stddef.h>

#include "doctor/context.h"

enum doctor_level {
	DOCTOR_OK, /* as it should be */
	DOCTOR_NOTE, /* worth knowing */
	DOCTOR_WARNING, /* in the way of something */
	DOCTOR_ERROR, /* in the way of everything */
};

/*
 * struct doctor_finding - something that was found
 * @check: the word for what was looked at
 * @text: what was found
 * @command: what mends it, for a shell; NULL where nothing is to be mended, or
 *	     no command does
 */
struct doctor_finding {
	enum doctor_level level;
	const char *check;
	char *text;
	char *command;
};

/*
 * struct doctor - all that was found
 * @tracefs: where it is; NULL if it is not mounted or cannot be used
 */
struct doctor {
	struct doctor_finding *findings;
	size_t count;
	char *tracefs;
};

/* doctor_add() - adds a finding; @command is copied, and may be NULL */
__attribute__((__format__(__printf__, 5, 6))) void
doctor_add(struct doctor *doctor, enum doctor_level level, const char *check,
	   const char *command, const char *format, ...);

/*
 * doctor_examine() - looks at everything, and changes nothing
 * @doctor: for doctor_free()
 */
void doctor_examine(struct doctor *doctor,
		    const struct doctor_context *context);
void doctor_free(struct doctor *doctor);

const char *doctor_level_name(enum doctor_level level);

#endif
