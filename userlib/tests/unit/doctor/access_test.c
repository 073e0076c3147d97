// SPDX-License-Identifier: MIT
/* Access to events: reasons for its lack, and the least that gives it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/access.h"
#include "doctor/checks.h"
#include "doctor/user.h"
#include "lib/file_tree.h"
#include "lib/runner.h"
#include "tool.h"

#define PERFMON (UINT64_C(1) << USER_CAP_PERFMON)
#define ADMIN (UINT64_C(1) << USER_CAP_SYS_ADMIN)
#define RESTRICT "# CONFIG_SECURITY_PERF_EVENTS_RESTRICT is not set\n"
#define REFUSES "this kernel refuses CAP_PERFMON"
#define SETTINGS "/etc/user-events.conf"

static struct doctor doctor;
static unsigned int groups[] = { 1000 };
static struct doctor_context context;

static void setup(void)
{
	file_tree_begin();
	context = (struct doctor_context){
		.root = file_tree_root(),
		.program = "/bin/user-events",
		.uid = 1000,
		.groups = groups,
		.group_count = 1,
	};
	memset(&doctor, 0, sizeof(doctor));
	doctor.context = &context;
	file_tree_file("/etc/passwd", "alice:x:1000:1000::/:/bin/sh\n");
	file_tree_file("/etc/group", "alice:x:1000:\ntracers:x:50:bob\n");
}

static void teardown(void)
{
	doctor_free(&doctor);
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

static const struct {
	const char *os_release;
	const char *config;
	const char *paranoid;
	uint64_t capabilities;
	enum doctor_level level;
	const char *text;
	const char *command;
} perf[] = {
	/* Values above 2 mean more only to kernels with the restriction. */
	{ "debian", RESTRICT, "3\n", PERFMON, DOCTOR_ERROR, REFUSES,
	  "sysctl kernel.perf_event_paranoid=2" },
	{ "debian", RESTRICT, "2\n", PERFMON, DOCTOR_OK, "by a capability",
	  NULL },
	{ "debian", RESTRICT, "3\n", ADMIN, DOCTOR_OK, "by a capability",
	  NULL },
	{ "debian", RESTRICT, "-1\n", 0, DOCTOR_OK, "for all users", NULL },
	{ "fedora", "", "3\n", PERFMON, DOCTOR_OK, "by a capability", NULL },
	/* Without a configuration, the distribution decides. */
	{ "ubuntu", NULL, "4\n", PERFMON, DOCTOR_ERROR, REFUSES,
	  "sysctl kernel.perf_event_paranoid=2" },
	{ "fedora", NULL, "4\n", PERFMON, DOCTOR_OK, "by a capability", NULL },
	/* A capability of the tool is enough, or it and the value 2. */
	{ "debian", RESTRICT, "3\n", 0, DOCTOR_ERROR,
	  "is 3, without CAP_PERFMON, which this kernel refuses, too",
	  "groupadd -f tracing && usermod -aG tracing alice && "
	  "chgrp tracing /bin/user-events && chmod 750 /bin/user-events && "
	  "setcap cap_perfmon=ep /bin/user-events && "
	  "sysctl kernel.perf_event_paranoid=2" },
	{ "fedora", "", "2\n", 0, DOCTOR_ERROR, "is 2, without CAP_PERFMON",
	  "groupadd -f tracing && usermod -aG tracing alice && "
	  "chgrp tracing /bin/user-events && chmod 750 /bin/user-events && "
	  "setcap cap_perfmon=ep /bin/user-events" },
	/* Busybox has other commands for groups. */
	{ "alpine", "", "2\n", 0, DOCTOR_ERROR, "is 2, without CAP_PERFMON",
	  "addgroup -S tracing; addgroup alice tracing && "
	  "chgrp tracing /bin/user-events && chmod 750 /bin/user-events && "
	  "setcap cap_perfmon=ep /bin/user-events" },
	{ "debian", RESTRICT, NULL, ADMIN, DOCTOR_ERROR, "has no perf events",
	  NULL },
};

static void found(enum doctor_level level, const char *text,
		  const char *command)
{
	ck_assert_uint_eq(doctor.count, 1);
	ck_assert_str_eq(doctor.findings[0].check, "perf");
	ck_assert_int_eq(doctor.findings[0].level, level);
	ck_assert_ptr_nonnull(strstr(doctor.findings[0].text, text));
	if (command)
		ck_assert_str_eq(doctor.findings[0].command, command);
	else
		ck_assert_ptr_null(doctor.findings[0].command);
}

TEST_LOOP(perf_verdict, ARRAY_SIZE(perf))
{
	char *os_release = tool_print("ID=%s\n", perf[_i].os_release);

	file_tree_file("/etc/os-release", os_release);
	free(os_release);
	if (perf[_i].paranoid)
		file_tree_file("/proc/sys/kernel/perf_event_paranoid",
			       perf[_i].paranoid);
	context.capabilities = perf[_i].capabilities;
	if (perf[_i].config)
		doctor.config = tool_copy(perf[_i].config);
	doctor_check_perf(&doctor);
	found(perf[_i].level, perf[_i].text, perf[_i].command);
}

TEST(perf_with_service)
{
	file_tree_file("/proc/sys/kernel/perf_event_paranoid", "3\n");
	file_tree_file(SETTINGS, "# EMIT_GROUP=x\nEMIT_GROUP=tracers\n");
	doctor.config = tool_copy(RESTRICT);
	doctor_check_perf(&doctor);
	found(DOCTOR_ERROR, "is 3",
	      "sed -i 's/^COLLECT=.*/COLLECT=yes/' " SETTINGS " && "
	      "systemctl reload-or-restart user-events && "
	      "usermod -aG tracers alice");
}

static const struct {
	const char *settings;
	unsigned int gid;
	unsigned int mode;
	enum access_purpose purpose;
	const char *command;
} suggestions[] = {
	{ NULL, 0, 0600, ACCESS_WRITE,
	  "groupadd -f tracing && usermod -aG tracing alice && how" },
	{ NULL, 50, 0660, ACCESS_WRITE, "usermod -aG tracers alice" },
	/* The members must have all access, and the caller not be one. */
	{ NULL, 50, 0620, ACCESS_WRITE,
	  "groupadd -f tracing && usermod -aG tracing alice && how" },
	{ NULL, 1000, 0660, ACCESS_WRITE,
	  "groupadd -f tracing && usermod -aG tracing alice && how" },
	{ "COLLECT=no\n", 0, 0600, ACCESS_WRITE,
	  "systemctl enable --now user-events && usermod -aG tracing alice" },
	{ "EMIT_GROUP=tracers\n", 0, 0600, ACCESS_WRITE,
	  "systemctl enable --now user-events && usermod -aG tracers alice" },
};

TEST_LOOP(suggestion, ARRAY_SIZE(suggestions))
{
	struct stat about = {
		.st_gid = suggestions[_i].gid,
		.st_mode = suggestions[_i].mode,
	};
	char *command;

	if (suggestions[_i].settings)
		file_tree_file(SETTINGS, suggestions[_i].settings);
	command = access_suggest(&context, &about, R_OK | W_OK,
				 suggestions[_i].purpose, "how");
	ck_assert_str_eq(command, suggestions[_i].command);
	free(command);
}
