/* SPDX-License-Identifier: MIT */
/* user-events: problems of this machine or user with user_events. */
#ifndef USER_EVENTS_DOCTOR_H
#define USER_EVENTS_DOCTOR_H

#include "doctor/context.h"
#include "doctor/finding.h"

/*
 * doctor_examine() - Examines everything without changes
 * @doctor: set to the findings, for doctor_free()
 *
 * If @context is that of a kernel that is not running, examines only what is
 * known of it: its configuration, its symbols and its modules.
 */
void doctor_examine(struct doctor *doctor,
		    const struct doctor_context *context);

/* Tests whether a finding has the level DOCTOR_ERROR. */
bool doctor_has_error(const struct doctor *doctor);

#endif
