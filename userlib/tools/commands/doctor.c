// SPDX-License-Identifier: MIT
/* user-events doctor: finds the reasons why no event arrives. */
#include <string.h>

#include "doctor/print.h"
#include "ui/options.h"
#include "ui/out.h"

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
		doctor_print_json(doctor, &verdict);
	} else {
		doctor_print_findings(doctor);
		doctor_print_verdict(&verdict);
	}
	if (selftest_works(&verdict))
		return TOOL_OK;

	return verdict.writing ? TOOL_INCOMPLETE : TOOL_FAILED;
}

static int examine_next(const struct doctor *doctor, bool wants_json)
{
	bool has_error = doctor_has_error(doctor);

	if (wants_json) {
		doctor_print_json(doctor, NULL);
	} else {
		doctor_print_findings(doctor);
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

/* It becomes a part of paths. */
static int take_kernel(void *kernel, const struct tool_argument *argument)
{
	const char *release = argument->text;

	*(const char **)kernel = release;

	return *release && *release != '.' && !strchr(release, '/')
		       ? TOOL_OK
		       : tool_usage(&command_doctor,
				    "--kernel=%s: not the release of a kernel",
				    release);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	int status = tool_parse_common(&command_doctor, &options, argc, argv);

	if (status)
		return status;
	if (optind < argc)
		return tool_usage(&command_doctor, "%s: unexpected argument",
				  argv[optind]);

	return examine(&options);
}

static const struct tool_option own_options[] = {
	{ "kernel", 0, "RELEASE",
	  "examine an installed kernel that is not running",
	  SET_BY(struct options, kernel, take_kernel, NULL) },
	{ "json", 'j', NULL,
	  "print JSON: an object with \"works\" and \"findings\"",
	  SET_FLAG(struct options, wants_json) },
	OPTION_COLORS,
	{ 0 },
};

const struct tool_command command_doctor = {
	.name = "doctor",
	.arguments = "[--kernel=RELEASE] [--json] [--color=WHEN]",
	.summary = "Diagnose problems with user_events",
	.help = "Examines the kernel, the module, tracefs, permissions and limits, and traces a\n"
		"test event with ftrace and perf. Each problem is followed by a command that\n"
		"fixes it. The exit status is 0 if both recorded the test event, and 4 if events\n"
		"can be written, but not recorded with both.\n"
		"With --kernel, the exit status is 0 if nothing is known that prevents user_events\n"
		"from working on that kernel.\n",
	.options = OPTION_TABLES({ own_options }),
	.run = run,
};
