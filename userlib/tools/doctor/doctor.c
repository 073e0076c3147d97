// SPDX-License-Identifier: MIT
#include "doctor/doctor.h"

#include <string.h>

#include "doctor/checks.h"
#include "tool.h"

/* In the order of their findings. @needs_tracefs: it must be usable */
static const struct {
	void (*check)(struct doctor *doctor);
	bool needs_tracefs;
} checks[] = {
	{ doctor_check_kernel, false },	     { doctor_check_lockdown, false },
	{ doctor_check_secure_boot, false }, { doctor_check_user, false },
	{ doctor_check_tracefs, false },     { doctor_check_module, false },
	{ doctor_check_files, true },	     { doctor_check_limits, true },
	{ doctor_check_tracing_on, true },   { doctor_check_perf, false },
	{ doctor_check_container, false },
};

static void (*const next_checks[])(struct doctor *doctor) = {
	doctor_check_kernel,  doctor_check_secure_boot, doctor_check_options,
	doctor_check_symbols, doctor_check_module,
};

static void examine_next(struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(next_checks) && !doctor->is_built_in; i++)
		next_checks[i](doctor);
}

bool doctor_has_error(const struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < doctor->count; i++)
		if (doctor->findings[i].level == DOCTOR_ERROR)
			return true;

	return false;
}

void doctor_examine(struct doctor *doctor, const struct doctor_context *context)
{
	size_t i;

	memset(doctor, 0, sizeof(*doctor));
	doctor->context = context;
	if (context->is_next) {
		examine_next(doctor);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(checks); i++)
		if (doctor->tracefs || !checks[i].needs_tracefs)
			checks[i].check(doctor);
}
