// SPDX-License-Identifier: MIT
/* user-events doctor: whether the caller can read records with perf. */
#include <stdlib.h>
#include <string.h>

#include "doctor/access.h"
#include "doctor/checks.h"
#include "doctor/distribution.h"
#include "doctor/user.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* The most restrictive value with which CAP_PERFMON permits perf anywhere. */
#define PARANOID_MAX 2

/*
 * Kernels of Debian and Ubuntu refuse perf without CAP_SYS_ADMIN when
 * perf_event_paranoid is more than 2; others treat these values like 2. The
 * option only selects the initial value, so a kernel that has the option and
 * leaves it unset ("# ... is not set") refuses, too.
 */
static bool restricts_perf(const struct doctor *doctor)
{
	if (doctor->config)
		return strstr(doctor->config,
			      "CONFIG_SECURITY_PERF_EVENTS_RESTRICT");

	return distribution_family(doctor->context) == DISTRIBUTION_DEBIAN;
}

/* CAP_PERFMON for one program is less than perf for all users. */
static void explain_refusal(struct doctor *doctor, const char *paranoid,
			    bool is_restricted)
{
	const struct doctor_context *context = doctor->context;
	const char *program = context->program ? context->program
					       : "user-events";
	_cleanup_free_ char *how =
		tool_print("chgrp tracing %s && chmod 750 %s && "
			   "setcap cap_perfmon=ep %s%s",
			   program, program, program,
			   is_restricted ? " && sysctl "
					   "kernel.perf_event_paranoid=2"
					 : "");
	_cleanup_free_ char *command =
		access_suggest_group(context, ACCESS_RECORD, how);

	doctor_add(doctor, DOCTOR_ERROR, "perf", command,
		   "no permission to read records: perf_event_paranoid is "
		   "%s, without CAP_PERFMON%s",
		   paranoid,
		   is_restricted ? ", which this kernel refuses, too" : "");
}

void doctor_check_perf(struct doctor *doctor)
{
	const struct doctor_context *context = doctor->context;
	_cleanup_free_ char *line = context_line(context, PARANOID);
	long paranoid = line ? strtol(line, NULL, 10) : 0;
	bool is_restricted = paranoid > PARANOID_MAX && restricts_perf(doctor);

	if (!line && context_has(context, PARANOID))
		doctor_add(doctor, DOCTOR_WARNING, "perf", NULL,
			   PARANOID " cannot be read");
	else if (!line)
		doctor_add(doctor, DOCTOR_ERROR, "perf", NULL,
			   "the kernel has no perf events");
	else if (paranoid < 0)
		doctor_add(doctor, DOCTOR_OK, "perf", NULL,
			   "permitted for all users (perf_event_paranoid is "
			   "%s)",
			   line);
	else if (!user_may_trace(context))
		explain_refusal(doctor, line, is_restricted);
	else if (is_restricted && !user_has(context, USER_CAP_SYS_ADMIN))
		doctor_add(doctor, DOCTOR_ERROR, "perf",
			   "sysctl kernel.perf_event_paranoid=2",
			   "no permission to read records: this kernel refuses "
			   "CAP_PERFMON while perf_event_paranoid is %s",
			   line);
	else
		doctor_add(doctor, DOCTOR_OK, "perf", NULL,
			   "permitted by a capability (perf_event_paranoid "
			   "is %s)",
			   line);
}
