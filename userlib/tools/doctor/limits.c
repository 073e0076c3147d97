// SPDX-License-Identifier: MIT
/* user-events doctor: limits and switches of the kernel. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/checks.h"
#include "files.h"

/* Percentage of the event limit that is worth a warning. */
#define NEARLY_FULL_PERCENT 90

static bool find_number(const char *text, const char *key, uint64_t *number)
{
	const char *value = files_value(text, key);

	if (value)
		*number = strtoull(value, NULL, 10);

	return value;
}

static void compare_active(struct doctor *doctor, const char *command,
			   uint64_t active, uint64_t max)
{
	if (active >= max)
		doctor_add(doctor, DOCTOR_ERROR, "limits", command,
			   "event limit reached (%" PRIu64 " of %" PRIu64 ")",
			   active, max);
	else if (active * 100 >= max * NEARLY_FULL_PERCENT)
		doctor_add(doctor, DOCTOR_WARNING, "limits", command,
			   "event limit nearly reached (%" PRIu64 " of %" PRIu64
			   ")",
			   active, max);
	else
		doctor_add(doctor, DOCTOR_OK, "limits", NULL,
			   "%" PRIu64 " of %" PRIu64 " events in use", active,
			   max);
}

void doctor_check_limits(struct doctor *doctor)
{
	_cleanup_free_ char *path =
		tool_print("%s/user_events_status", doctor->tracefs);
	_cleanup_free_ char *status = context_text(doctor->context, path);
	_cleanup_free_ char *line = context_line(
		doctor->context, "/proc/sys/kernel/user_events_max");
	_cleanup_free_ char *command = NULL;
	uint64_t active, max = 0;

	if (!find_number(status, "Active: ", &active) ||
	    (!(line && tool_number(line, 0, UINT64_MAX, &max)) &&
	     !find_number(status, "Max: ", &max)))
		return;
	command = line ? tool_print("sysctl kernel.user_events_max=%" PRIu64,
				    max ? max * 2 : 32768)
		       : tool_copy("user-events del PATTERN");
	compare_active(doctor, command, active, max);
}

void doctor_check_tracing_on(struct doctor *doctor)
{
	_cleanup_free_ char *path =
		tool_print("%s/tracing_on", doctor->tracefs);
	_cleanup_free_ char *command = tool_print("echo 1 > %s", path);

	if (context_line_is(doctor->context, path, "0"))
		doctor_add(doctor, DOCTOR_NOTE, "tracing-on", command,
			   "recording is switched off in the top instance of "
			   "ftrace");
}
