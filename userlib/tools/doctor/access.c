// SPDX-License-Identifier: MIT
#include "doctor/access.h"

#include <stdlib.h>
#include <string.h>

#include "doctor/distribution.h"
#include "doctor/user.h"
#include "tool.h"

#define SETTINGS "/etc/user-events.conf"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* The most restrictive value with which CAP_PERFMON permits perf anywhere. */
#define PARANOID_MAX 2

/* ---- Groups ---- */

/* Returns the group of the service user-events, for free(). */
static char *read_group(const struct doctor_context *context)
{
	static const char key[] = "EMIT_GROUP=";
	char *text = context_text(context, SETTINGS), *group = NULL;
	const char *line = text;

	while (line && strncmp(line, key, strlen(key)) != 0) {
		line = strchr(line, '\n');
		line += line != NULL;
	}
	if (line) {
		line += strlen(key);
		group = tool_print("%.*s", (int)strcspn(line, " \n"), line);
	}
	free(text);

	return group ? group : tool_copy("tracing");
}

static char *suggest_service(const struct doctor_context *context,
			     enum access_purpose purpose)
{
	char *name = user_name(context, context->uid);
	char *group = read_group(context), *command;
	char *join = distribution_join(context, group, name);

	if (purpose == ACCESS_WRITE)
		command = tool_print("systemctl enable --now user-events && %s",
				     join);
	else
		command = tool_print(
			"sed -i 's/^COLLECT=.*/COLLECT=yes/' " SETTINGS " && "
			"systemctl reload-or-restart user-events && %s",
			join);
	free(join);
	free(group);
	free(name);

	return command;
}

/* Returns a command that permits a group and adds the caller to it. */
static char *suggest_group(const struct doctor_context *context,
			   enum access_purpose purpose, const char *how)
{
	char *name, *command, *group, *join;

	if (context_has(context, SETTINGS))
		return suggest_service(context, purpose);
	name = user_name(context, context->uid);
	group = distribution_new_group(context, "tracing");
	join = distribution_join(context, "tracing", name);
	command = tool_print("%s %s && %s", group, join, how);
	free(join);
	free(group);
	free(name);

	return command;
}

static char *suggest_joining(const struct doctor_context *context,
			     unsigned int gid)
{
	char *name = user_name(context, context->uid);
	char *group = user_group_name(context, gid);
	char *command = distribution_join(context, group, name);

	free(name);
	free(group);

	return command;
}

char *access_suggest(const struct doctor_context *context,
		     const struct stat *about, int bits,
		     enum access_purpose purpose, const char *how)
{
	unsigned int wanted = (unsigned int)bits << 3;

	if (about->st_gid && (about->st_mode & wanted) == wanted &&
	    !user_is_in(context, about->st_gid))
		return suggest_joining(context, about->st_gid);

	return suggest_group(context, purpose, how);
}

/* ---- perf ---- */

/*
 * Kernels of Debian and Ubuntu refuse perf without CAP_SYS_ADMIN when
 * perf_event_paranoid is more than 2; others treat these values like 2. The
 * option only selects the initial value, so a kernel that has the option and
 * leaves it unset ("# ... is not set") refuses, too.
 */
static bool restricts_perf(const struct doctor_context *context,
			   const char *config)
{
	if (config)
		return strstr(config, "CONFIG_SECURITY_PERF_EVENTS_RESTRICT");

	return distribution_family(context) == DISTRIBUTION_DEBIAN;
}

/* CAP_PERFMON for one program is less than perf for all users. */
static char *suggest_capability(const struct doctor_context *context,
				bool is_restricted)
{
	const char *program = context->program ? context->program
					       : "user-events";
	char *how = tool_print("chgrp tracing %s && chmod 750 %s && "
			       "setcap cap_perfmon=ep %s%s",
			       program, program, program,
			       is_restricted ? " && sysctl "
					       "kernel.perf_event_paranoid=2"
					     : "");
	char *command = suggest_group(context, ACCESS_RECORD, how);

	free(how);

	return command;
}

static void explain_refusal(struct doctor *doctor,
			    const struct doctor_context *context,
			    const char *paranoid, bool is_restricted)
{
	char *command = suggest_capability(context, is_restricted);

	doctor_add(doctor, DOCTOR_ERROR, "perf", command,
		   "no permission to read records: perf_event_paranoid is "
		   "%s, without CAP_PERFMON%s",
		   paranoid,
		   is_restricted ? ", which this kernel refuses, too" : "");
	free(command);
}

void access_examine_perf(struct doctor *doctor,
			 const struct doctor_context *context,
			 const char *config)
{
	char *line = context_line(context, PARANOID);
	long paranoid = line ? strtol(line, NULL, 10) : 0;
	bool is_restricted = paranoid > PARANOID_MAX &&
			     restricts_perf(context, config);

	if (!line)
		doctor_add(doctor, DOCTOR_ERROR, "perf", NULL,
			   "the kernel has no perf events");
	else if (paranoid < 0)
		doctor_add(doctor, DOCTOR_OK, "perf", NULL,
			   "permitted for all users (perf_event_paranoid is "
			   "%s)",
			   line);
	else if (!user_may_trace(context))
		explain_refusal(doctor, context, line, is_restricted);
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
	free(line);
}
