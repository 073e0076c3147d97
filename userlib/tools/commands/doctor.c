// SPDX-License-Identifier: MIT
/* user-events doctor: finds the reasons why no event arrives. */
#include <string.h>

#include "doctor/doctor.h"
#include "doctor/selftest.h"
#include "ui/options.h"
#include "ui/out.h"

static bool works(const struct selftest_verdict *verdict)
{
	return verdict->writing && verdict->ftrace && verdict->perf;
}

static const char *describe_recording(const struct selftest_verdict *verdict)
{
	if (verdict->ftrace && verdict->perf)
		return "works";
	if (verdict->ftrace)
		return "works with ftrace, but not with perf";
	if (verdict->perf)
		return "works with perf, but not with ftrace";

	return "does not work for this user";
}

static void print_verdict(const struct selftest_verdict *verdict)
{
	if (works(verdict)) {
		out_print("\nuser_events works: ftrace and perf recorded a "
			  "test event\n");
		return;
	}
	out_print("\nwriting events: %s\n",
		  verdict->writing ? "works" : "does not work for this user");
	out_print("recording events: %s\n", describe_recording(verdict));
}

static void print_findings(const struct doctor *doctor)
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

/* @verdict: NULL: of a kernel that is not running */
static void print_json(const struct doctor *doctor,
		       const struct selftest_verdict *verdict)
{
	struct out_json *json = out_json_begin();
	size_t i;

	out_json_object(json, NULL);
	out_json_bool(json, "works",
		      verdict ? works(verdict) : !doctor_has_error(doctor));
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

/*
 * struct options - The options of the command
 * @kernel: release of a kernel that is not running, or NULL
 */
struct options {
	const char *kernel;
	bool wants_json;
};

static int examine_machine(struct doctor *doctor, bool wants_json)
{
	struct selftest_verdict verdict = doctor_selftest(doctor);

	if (wants_json) {
		print_json(doctor, &verdict);
	} else {
		print_findings(doctor);
		print_verdict(&verdict);
	}
	if (works(&verdict))
		return TOOL_OK;

	return verdict.writing ? TOOL_INCOMPLETE : TOOL_FAILED;
}

static int examine_next(const struct doctor *doctor, bool wants_json)
{
	bool has_error = doctor_has_error(doctor);

	if (wants_json) {
		print_json(doctor, NULL);
	} else {
		print_findings(doctor);
		out_print("\nuser_events on Linux %s: %s\n",
			  doctor->context->release,
			  has_error ? "will not work" : "no problem found");
	}

	return has_error ? TOOL_FAILED : TOOL_OK;
}

static int examine(const struct options *options)
{
	_cleanup_(context_release) struct doctor_context context;
	_cleanup_(doctor_free) struct doctor doctor;

	context_read(&context);
	if (options->kernel)
		context_set_next(&context, options->kernel);
	doctor_examine(&doctor, &context);

	return context.is_next ? examine_next(&doctor, options->wants_json)
			       : examine_machine(&doctor, options->wants_json);
}

enum {
	OPTION_KERNEL = OPTION_FIRST,
};

static int take_option(void *data, int option, const char *argument)
{
	struct options *options = data;

	if (option == OPTION_KERNEL)
		options->kernel = argument;
	else
		options->wants_json = true;

	/* It becomes a part of paths. */
	return option != OPTION_KERNEL || (*argument && *argument != '.' &&
					   !strchr(argument, '/'))
		       ? TOOL_OK
		       : tool_usage(&command_doctor,
				    "--kernel=%s: not the release of a kernel",
				    argument);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	const struct tool_options parser = {
		.take = take_option,
		.data = &options,
	};
	int status = tool_parse_common(&command_doctor, &parser, argc, argv);

	if (status)
		return status;
	if (optind < argc)
		return tool_usage(&command_doctor, "%s: unexpected argument",
				  argv[optind]);

	return examine(&options);
}

static const struct tool_option own_options[] = {
	{ "kernel", OPTION_KERNEL, "RELEASE",
	  "examine an installed kernel that is not running" },
	{ "json", 'j', NULL,
	  "print JSON: an object with \"works\" and \"findings\"" },
	OPTION_COLORS,
	{ 0 },
};

const struct tool_command command_doctor = {
	.name = "doctor",
	.arguments = "[--kernel=RELEASE] [--json]",
	.summary = "Diagnose problems with user_events",
	.help = "Examines the kernel, the module, tracefs, permissions and limits, and traces a\n"
		"test event with ftrace and perf. Each problem is followed by a command that\n"
		"fixes it. The exit status is 0 if both recorded the test event, and 4 if events\n"
		"can be written, but not recorded with both.\n"
		"With --kernel, the exit status is 0 if nothing is known that prevents user_events\n"
		"from working on that kernel.\n",
	.options = (const struct tool_option *const[]){ own_options, NULL },
	.run = run,
};
