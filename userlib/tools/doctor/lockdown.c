// SPDX-License-Identifier: MIT
/* user-events doctor: what lockdown forbids. */
#include <string.h>

#include "doctor/checks.h"
#include "doctor/distribution.h"

#define BEFORE "lockdown=confidentiality"
#define AFTER "lockdown=integrity"

static void explain_confidentiality(struct doctor *doctor)
{
	_cleanup_free_ char *options =
		context_line(doctor->context, "/proc/cmdline");
	_cleanup_free_ char *command = NULL;
	static const char text[] = "locked down in confidentiality mode, which "
				   "disables tracing";

	if (options && strstr(options, BEFORE)) {
		command = distribution_boot_option(doctor->context, BEFORE,
						   AFTER);
		doctor_add(doctor, DOCTOR_ERROR, "lockdown", command, "%s",
			   text);
	} else if (context_has_line(
			   doctor->config,
			   "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y")) {
		doctor_add(doctor, DOCTOR_ERROR, "lockdown", NULL,
			   "%s, by the configuration of the kernel", text);
	} else {
		doctor_add(doctor, DOCTOR_ERROR, "lockdown", "reboot",
			   "%s, by a program since the boot", text);
	}
}

void doctor_check_lockdown(struct doctor *doctor)
{
	const struct doctor_context *context = doctor->context;
	_cleanup_free_ char *line =
		context_line(context, "/sys/kernel/security/lockdown");

	doctor->no_tracing = line && strstr(line, "[confidentiality]");
	doctor->no_unsigned_modules =
		doctor->no_tracing || (line && strstr(line, "[integrity]")) ||
		context_line_is(context,
				"/sys/module/module/parameters/sig_enforce",
				"Y");
	if (!line)
		doctor_add(doctor, DOCTOR_OK, "lockdown", NULL,
			   "lockdown not supported, or state not readable");
	else if (doctor->no_tracing)
		explain_confidentiality(doctor);
	else if (strstr(line, "[integrity]"))
		doctor_add(doctor, DOCTOR_NOTE, "lockdown", NULL,
			   "locked down in integrity mode: modules must be "
			   "signed");
	else
		doctor_add(doctor, DOCTOR_OK, "lockdown", NULL,
			   "not locked down");
}
