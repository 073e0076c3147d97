/* SPDX-License-Identifier: MIT */
/* user-events: permissions and names of users. */
#ifndef USER_EVENTS_DOCTOR_USER_H
#define USER_EVENTS_DOCTOR_USER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "doctor/context.h"

/* Numbers of capabilities, bits of doctor_context.capabilities. */
enum {
	USER_CAP_DAC_OVERRIDE = 1,
	USER_CAP_DAC_READ_SEARCH = 2,
	USER_CAP_SYS_ADMIN = 21,
	USER_CAP_PERFMON = 38,
};

bool user_has(const struct doctor_context *context, unsigned int capability);

/* Tests whether the caller has the privileges to trace. */
bool user_may_trace(const struct doctor_context *context);

bool user_is_in(const struct doctor_context *context, unsigned int group);

/*
 * user_may() - Tests whether the mode of a file gives the caller access
 * @about: the file
 * @bits: R_OK, W_OK, X_OK of access(2)
 */
bool user_may(const struct doctor_context *context, const struct stat *about,
	      int bits);

/* Returns the name of a user or group in /etc, or its number; for free(). */
char *user_name(const struct doctor_context *context, unsigned int uid);
char *user_group_name(const struct doctor_context *context, unsigned int gid);

/* Returns "mode 0640, owner root:root" of a file, for free(). */
char *user_describe(const struct doctor_context *context,
		    const struct stat *about);

#endif
