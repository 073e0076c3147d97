// SPDX-License-Identifier: MIT
#include "doctor/finding.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

void doctor_add(struct doctor *doctor, enum doctor_level level,
		const char *check, const char *command, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = tool_vprint(format, arguments);
	va_end(arguments);
	*tool_add(doctor->findings, doctor->count) = (struct doctor_finding){
		.level = level,
		.check = check,
		.text = text,
		.command = command ? tool_copy(command) : NULL,
	};
}

void doctor_free(struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		free(doctor->findings[i].text);
		free(doctor->findings[i].command);
	}
	free(doctor->findings);
	free(doctor->config);
	free(doctor->tracefs);
	memset(doctor, 0, sizeof(*doctor));
}

const char *doctor_level_name(enum doctor_level level)
{
	static const char *const names[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_NOTE] = "note",
		[DOCTOR_WARNING] = "warning",
		[DOCTOR_ERROR] = "error",
	};

	return names[level];
}
