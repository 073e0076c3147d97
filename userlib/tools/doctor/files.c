// SPDX-License-Identifier: MIT
/* user-events doctor: permission for the files of user_events. */
#include <unistd.h>

#include "doctor/access.h"
#include "doctor/checks.h"
#include "doctor/user.h"

static void explain_denied(struct doctor *doctor, const char *name, int bits,
			   const struct stat *about)
{
	_cleanup_free_ char *text = user_describe(doctor->context, about);
	_cleanup_free_ char *how = tool_print(
		"chgrp tracing %s/%s && chmod g+%s %s/%s", doctor->tracefs,
		name, bits & W_OK ? "rw" : "r", doctor->tracefs, name);
	_cleanup_free_ char *command =
		access_suggest(doctor->context, about, bits, ACCESS_WRITE, how);
	bool writes = bits & W_OK;

	doctor_add(doctor, writes ? DOCTOR_ERROR : DOCTOR_WARNING, "files",
		   command, "%s: no permission to %s (%s)", name,
		   writes ? "register events" : "read the status of events",
		   text);
}

static void examine_file(struct doctor *doctor, const char *name, int bits)
{
	const struct doctor_context *context = doctor->context;
	_cleanup_free_ char *path =
		context_path(context, "%s/%s", doctor->tracefs, name);
	_cleanup_free_ char *text = NULL;
	struct stat about;

	if (stat(path, &about))
		return;
	if (!user_may(context, &about, bits)) {
		explain_denied(doctor, name, bits, &about);
		return;
	}
	text = user_describe(context, &about);
	doctor_add(doctor, DOCTOR_OK, "files", NULL,
		   "%s: permission granted (%s)", name, text);
}

void doctor_check_files(struct doctor *doctor)
{
	if (doctor->has_files) {
		examine_file(doctor, "user_events_data", W_OK);
		examine_file(doctor, "user_events_status", R_OK);
	} else if (doctor->is_built_in || doctor->is_loaded) {
		doctor_add(doctor, DOCTOR_ERROR, "files", NULL,
			   "no user_events_data in tracefs although "
			   "user_events is available%s",
			   doctor->no_tracing ? ": the kernel is locked down"
					      : "");
	}
}
