/* SPDX-License-Identifier: MIT */
/*
 * user-events: how the caller gets access to events, with the least privileges.
 */
#ifndef USER_EVENTS_DOCTOR_ACCESS_H
#define USER_EVENTS_DOCTOR_ACCESS_H

#include <sys/stat.h>

#include "doctor/context.h"

/* What the caller wants to do. */
enum access_purpose {
	ACCESS_WRITE,
	ACCESS_RECORD
};

/*
 * access_suggest() - Returns a command that gives the caller access to a file
 * @about: the file
 * @bits: R_OK, W_OK, X_OK of access(2)
 * @how: command that gives access to the group "tracing", where the service
 *       user-events does not
 *
 * Return: for free()
 */
char *access_suggest(const struct doctor_context *context,
		     const struct stat *about, int bits,
		     enum access_purpose purpose, const char *how);

/*
 * access_suggest_group() - Returns a command that permits the group "tracing",
 *        or that of the service, and adds the caller to it
 *
 * Return: for free()
 */
char *access_suggest_group(const struct doctor_context *context,
			   enum access_purpose purpose, const char *how);

#endif
