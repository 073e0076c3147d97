// SPDX-License-Identifier: MIT
#include "doctor/print.h"

#include <string.h>

#include "ui/out.h"

bool selftest_works(const struct selftest_verdict *verdict)
{
	return verdict->writing && verdict->ftrace && verdict->perf;
}

/* At most one of them has recorded the event: it was written for both, then. */
static const char *describe_recording(const struct selftest_verdict *verdict)
{
	if (verdict->ftrace)
		return "works with ftrace, but not with perf";
	if (verdict->perf)
		return "works with perf, but not with ftrace";

	return "does not work for this user";
}

void doctor_print_verdict(const struct selftest_verdict *verdict)
{
	if (selftest_works(verdict)) {
		out_print("\nuser_events works: ftrace and perf recorded a "
			  "test event\n");
		return;
	}
	out_print("\nwriting events: %s\n",
		  verdict->writing ? "works" : "does not work for this user");
	out_print("recording events: %s\n", describe_recording(verdict));
}

void doctor_print_findings(const struct doctor *doctor)
{
	static const enum out_color colors[] = {
		[DOCTOR_OK] = OUT_GREEN,
		[DOCTOR_NOTE] = OUT_CYAN,
		[DOCTOR_WARNING] = OUT_YELLOW,
		[DOCTOR_ERROR] = OUT_RED,
	};
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		const struct doctor_finding *finding = &doctor->findings[i];

		out_print("%s%-7s%s  %-11s  ",
			  out_begin(colors[finding->level]),
			  doctor_level_name(finding->level), out_end(),
			  finding->check);
		out_text(finding->text, strlen(finding->text));
		out_print("\n");
		if (finding->command) {
			out_print("%23s# ", "");
			out_text(finding->command, strlen(finding->command));
			out_print("\n");
		}
	}
}

void doctor_print_json(const struct doctor *doctor,
		       const struct selftest_verdict *verdict)
{
	struct uev_output text = UEV_OUTPUT_INIT, *json = &text;
	size_t i;

	out_json_object(json, NULL);
	out_json_bool(json, "works",
		      verdict ? selftest_works(verdict)
			      : !doctor_has_error(doctor));
	if (verdict) {
		out_json_bool(json, "writing", verdict->writing);
		out_json_bool(json, "ftrace", verdict->ftrace);
		out_json_bool(json, "perf", verdict->perf);
	}
	out_json_array(json, "findings");
	for (i = 0; i < doctor->count; i++) {
		const struct doctor_finding *finding = &doctor->findings[i];

		out_json_object(json, NULL);
		out_json_string(json, "level",
				doctor_level_name(finding->level));
		out_json_string(json, "check", finding->check);
		out_json_string(json, "text", finding->text);
		out_json_string(json, "command", finding->command);
		out_json_object_end(json);
	}
	out_json_array_end(json);
	out_json_object_end(json);
	out_json_end(json);
}
