/* SPDX-License-Identifier: MIT */
/*
 * user-events: how the caller gets access to events, with the least privileges.
 */
#ifndef USER_EVENTS_DOCTOR_ACCESS_H
#define USER_EVENTS_DOCTOR_ACCESS_H

#include <sys/stat.h>

#include "doctor/context.h"
#include "doctor/finding.h"

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
 * access_examine_perf() - Tests whether the caller can read records with perf
 * @config: configuration of the kernel, or NULL
 */
void access_examine_perf(struct doctor *doctor,
			 const struct doctor_context *context,
			 const char *config);

#endif
