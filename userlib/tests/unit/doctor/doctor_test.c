// SPDX-License-Identifier: MIT
/* Findings of doctor on machines that are simulated by directories. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "doctor/doctor.h"
#include "doctor/print.h"
#include "doctor/selftest.h"
#include "doctor/symbols.h"
#include "doctor/user.h"
#include "lib/fake_sys.h"
#include "lib/file_tree.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "files.h"
#include "tool.h"

#define RELEASE "6.1.0-test"
#define TRACEFS "/sys/kernel/tracing"
#define MODULES "/lib/modules/" RELEASE
#define MODULE MODULES "/extra/user_events.ko"
#define LOCKDOWN "/sys/kernel/security/lockdown"
#define MOUNTED "tracefs " TRACEFS " tracefs rw,rootmode=700 0 0\n"
#define SECURE_BOOT                  \
	"/sys/firmware/efi/efivars/" \
	"SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define MOK_LIST                     \
	"/sys/firmware/efi/efivars/" \
	"MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23"
#define MOK_NEW                      \
	"/sys/firmware/efi/efivars/" \
	"MokNew-605dab50-e046-4300-abb6-3dd810dd8b23"
#define SIGNATURE "~Module signature appended~\n"

#define BIT(number) (UINT64_C(1) << (number))

static struct doctor doctor;
static unsigned int groups[] = { 0 };
static struct doctor_context context;

/* A machine on which everything works, and root. */
static void setup(void)
{
	file_tree_begin();
	groups[0] = 0;
	context = (struct doctor_context){
		.root = file_tree_root(),
		.release = RELEASE,
		.program = "/bin/user-events",
		.groups = groups,
		.group_count = 1,
		.capabilities = UINT64_MAX,
	};
	file_tree_file("/boot/config-" RELEASE,
		       "# CONFIG_USER_EVENTS is not set\n");
	file_tree_file("/etc/passwd", "root:x:0:0::/:/bin/sh\n"
				      "alice:x:1000:1000::/:/bin/sh\n");
	file_tree_file("/etc/group", "root:x:0:\nalice:x:1000:\n"
				     "tracers:x:50:bob\n");
	file_tree_file("/proc/self/mounts", "proc /proc proc rw 0 0\n" MOUNTED);
	file_tree_file("/proc/self/uid_map",
		       "         0          0 4294967295\n");
	file_tree_file("/proc/1/cgroup", "0::/init.scope\n");
	file_tree_file("/proc/filesystems", "nodev\ttracefs\n");
	file_tree_file("/proc/sys/kernel/perf_event_paranoid", "2\n");
	file_tree_file("/sys/module/user_events/version", "1.2.3\n");
	file_tree_file("/sys/module/user_events/parameters/data_mode", "416\n");
	file_tree_file("/sys/module/user_events/parameters/gid", "0\n");
	file_tree_file(LOCKDOWN, "[none] integrity confidentiality\n");
	file_tree_file(TRACEFS "/user_events_data", "");
	file_tree_mode(TRACEFS "/user_events_data", 0640);
	file_tree_file(TRACEFS "/user_events_status",
		       "\nActive: 3\nBusy: 0\nMax: 100\n");
	file_tree_mode(TRACEFS "/user_events_status", 0640);
	file_tree_file(TRACEFS "/tracing_on", "1\n");
	file_tree_mode(TRACEFS, 0700);
}

static void teardown(void)
{
	file_tree_end();
}

TEST_FIXTURE(setup, teardown);

/* A user without privileges. */
static void be_alice(void)
{
	groups[0] = 1000;
	context.uid = 1000;
	context.capabilities = 0;
}

static bool is_it(const struct doctor_finding *finding, enum doctor_level level,
		  const char *check, const char *text, const char *command)
{
	return finding->level == level && strcmp(finding->check, check) == 0 &&
	       strstr(finding->text, text) &&
	       (command ? finding->command && strstr(finding->command, command)
			: !finding->command);
}

static bool has(enum doctor_level level, const char *check, const char *text,
		const char *command)
{
	size_t i;

	for (i = 0; i < doctor.count; i++)
		if (is_it(&doctor.findings[i], level, check, text, command))
			return true;
	for (i = 0; i < doctor.count; i++)
		printf("# %s %s: %s (%s)\n",
		       doctor_level_name(doctor.findings[i].level),
		       doctor.findings[i].check, doctor.findings[i].text,
		       doctor.findings[i].command ? doctor.findings[i].command
						  : "");

	return false;
}

/* The worst that was found. */
static enum doctor_level worst(void)
{
	enum doctor_level level = DOCTOR_OK;
	size_t i;

	for (i = 0; i < doctor.count; i++)
		if (doctor.findings[i].level > level)
			level = doctor.findings[i].level;

	return level;
}

/* Examines the machine, which has a finding. */
static void finds(enum doctor_level level, const char *check, const char *text,
		  const char *command)
{
	doctor_examine(&doctor, &context);
	ck_assert(has(level, check, text, command));
	doctor_free(&doctor);
}

TEST(no_problems)
{
	doctor_examine(&doctor, &context);
	ck_assert_int_eq(worst(), DOCTOR_NOTE);
	ck_assert(
		has(DOCTOR_NOTE, "kernel", "without CONFIG_USER_EVENTS", NULL));
	ck_assert(has(DOCTOR_OK, "module",
		      "loaded, version 1.2.3 (data_mode=0640, gid=0)", NULL));
	ck_assert(has(DOCTOR_OK, "lockdown", "not locked down", NULL));
	ck_assert(has(DOCTOR_OK, "secure-boot", "Secure Boot not supported",
		      NULL));
	ck_assert(has(DOCTOR_OK, "user", "root, in group root", NULL));
	ck_assert(has(DOCTOR_OK, "tracefs",
		      "mounted at " TRACEFS " (mode 0700, owner root:root)",
		      NULL));
	ck_assert(has(DOCTOR_OK, "files",
		      "user_events_data: permission granted", NULL));
	ck_assert(has(DOCTOR_OK, "files",
		      "user_events_status: permission granted", NULL));
	ck_assert(has(DOCTOR_OK, "limits", "3 of 100 events in use", NULL));
	ck_assert(has(DOCTOR_OK, "perf", "permitted by a capability", NULL));
	ck_assert(has(DOCTOR_OK, "container", "no container", NULL));
	ck_assert_str_eq(doctor.tracefs, TRACEFS);
	doctor_free(&doctor);
}

/* ---- The kernel ---- */

TEST(built_in)
{
	file_tree_file("/boot/config-" RELEASE,
		       "CONFIG_USER_EVENTS_TEST=y\nCONFIG_USER_EVENTS=y\n");
	file_tree_remove("/sys/module/user_events");
	doctor_examine(&doctor, &context);
	ck_assert_int_eq(worst(), DOCTOR_OK);
	ck_assert(has(DOCTOR_OK, "kernel", "built in", NULL));
	doctor_free(&doctor);
}

TEST(config_elsewhere)
{
	file_tree_remove("/boot");
	file_tree_file(MODULES "/config", "CONFIG_USER_EVENTS=y\n");
	finds(DOCTOR_OK, "kernel", "built in", NULL);
	file_tree_remove(MODULES "/config");
	/* Beside the module there cannot be another one. */
	finds(DOCTOR_OK, "kernel", "Linux " RELEASE, NULL);

	/* Without the module the configuration is required. */
	file_tree_remove("/sys/module/user_events");
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_NOTE, "kernel", "configuration not found", NULL));
	ck_assert_int_eq(worst(), DOCTOR_NOTE);
	doctor_free(&doctor);
}

/* A text of one line, packed by gzip. */
TEST(config_packed)
{
	static const unsigned char packed[] = {
		0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x03, 0x73, 0xf6, 0xf7, 0x73, 0xf3, 0x74, 0x8f, 0x0f,
		0x0d, 0x76, 0x0d, 0x8a, 0x77, 0x0d, 0x73, 0xf5, 0x0b,
		0x09, 0xb6, 0xad, 0xe4, 0x02, 0x00, 0x9d, 0xba, 0x06,
		0x0a, 0x15, 0x00, 0x00, 0x00,
	};

	file_tree_bytes("/proc/config.gz", packed, sizeof(packed));
	finds(DOCTOR_OK, "kernel", "built in", NULL);
	/* A file that is not compressed is not a configuration. */
	file_tree_file("/proc/config.gz", "CONFIG_USER_EVENTS=y\n");
	finds(DOCTOR_NOTE, "kernel", "without CONFIG_USER_EVENTS", NULL);
}

TEST(locked_down)
{
	file_tree_file(LOCKDOWN, "none [integrity] confidentiality\n");
	finds(DOCTOR_NOTE, "lockdown", "must be signed", NULL);
	file_tree_file(LOCKDOWN, "none integrity [confidentiality]\n");
	finds(DOCTOR_ERROR, "lockdown", "by a program", "reboot");
	file_tree_file("/proc/cmdline", "quiet lockdown=confidentiality\n");
	finds(DOCTOR_ERROR, "lockdown", "disables tracing",
	      "sed -i 's/lockdown=confidentiality/lockdown=integrity/'");
	file_tree_remove("/proc/cmdline");
	file_tree_file("/boot/config-" RELEASE,
		       "#CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y\n");
	finds(DOCTOR_ERROR, "lockdown", "by a program", "reboot");
	file_tree_file("/boot/config-" RELEASE,
		       "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y\n");
	finds(DOCTOR_ERROR, "lockdown", "by the configuration", NULL);
	file_tree_remove(LOCKDOWN);
	finds(DOCTOR_OK, "lockdown", "lockdown not supported", NULL);
}

TEST(secure_boot)
{
	file_tree_bytes(SECURE_BOOT, "\6\0\0\0\1", 5);
	finds(DOCTOR_OK, "secure-boot", "Secure Boot enabled", NULL);
	file_tree_bytes(SECURE_BOOT, "\6\0\0\0\0", 5);
	finds(DOCTOR_OK, "secure-boot", "Secure Boot disabled", NULL);
}

/* ---- The module ---- */

/* The module is not loaded, and so its files are not there. */
static void unload(void)
{
	file_tree_remove("/sys/module/user_events");
	file_tree_remove(TRACEFS "/user_events_data");
	file_tree_remove(TRACEFS "/user_events_status");
}

TEST(keys)
{
	unload();
	file_tree_bytes(SECURE_BOOT, "\6\0\0\0\1", 5);
	finds(DOCTOR_NOTE, "secure-boot", "might need a signature", NULL);
	file_tree_bytes("/var/lib/dkms/mok.pub", "0\202\0key", 6);
	finds(DOCTOR_WARNING, "secure-boot", "does not trust the key",
	      "mokutil --import /var/lib/dkms/mok.pub && reboot");
	file_tree_bytes(MOK_LIST, "\6\0\0\0list 0\202\0kex", 15);
	finds(DOCTOR_WARNING, "secure-boot", "does not trust the key",
	      "Enroll MOK");
	file_tree_bytes(MOK_LIST, "\6\0\0\0list 0\202\0key", 15);
	finds(DOCTOR_NOTE, "secure-boot", "might need a signature", NULL);
	/* Ubuntu's key comes before. */
	file_tree_file("/var/lib/shim-signed/mok/MOK.der", "ubuntu");
	finds(DOCTOR_WARNING, "secure-boot", "does not trust the key",
	      "mokutil --import /var/lib/shim-signed/mok/MOK.der");
}

static void install(const char *for_release, const char *behind)
{
	char bytes[256];
	int size =
		snprintf(bytes, sizeof(bytes),
			 "\177ELF....%cvermagic=%s SMP mod%cversion=1.2.4%c%s",
			 0, for_release, 0, 0, behind);

	file_tree_bytes(MODULE, bytes, (size_t)size);
	file_tree_file(MODULES "/modules.dep",
		       "kernel/fs/ext4.ko.xz: kernel/lib/crc.ko.xz\n"
		       "extra/user_events.ko:\n");
}

TEST(not_loaded)
{
	unload();
	install(RELEASE, "");
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_ERROR, "module",
		      MODULE " is installed but not loaded",
		      "modprobe user_events"));
	ck_assert(has(DOCTOR_NOTE, "signature",
		      "is not signed, which this kernel permits", NULL));
	doctor_free(&doctor);
}

TEST(other_version_installed)
{
	static const char text[] =
		"version 1.2.4 is installed, but version 1.2.3 is loaded";

	file_tree_link("/var/lib/dkms/user-events/kernel-" RELEASE "-x86_64",
		       "1.2.5/" RELEASE "/x86_64");
	install(RELEASE, "");
	finds(DOCTOR_WARNING, "module", text, "user-events reload");
	file_tree_file("/sys/module/user_events/version", "1.2.4\n");
	doctor_examine(&doctor, &context);
	ck_assert_int_lt(worst(), DOCTOR_WARNING);
	doctor_free(&doctor);
	/* A compressed file is not read. */
	file_tree_bytes(MODULE, "\375", 1);
	finds(DOCTOR_WARNING, "module", "version 1.2.5 is installed",
	      "user-events reload");
	file_tree_remove(MODULES "/modules.dep");
	doctor_examine(&doctor, &context);
	ck_assert_int_lt(worst(), DOCTOR_WARNING);
	doctor_free(&doctor);
}

TEST(for_another_kernel)
{
	unload();
	install("6.1.0-other", "");
	finds(DOCTOR_ERROR, "module", "was built for Linux 6.1.0-other",
	      "make modules");
}

/* weak-modules of RHEL links a module to kernels with the same symbols. */
TEST(for_compatible_kernels)
{
	unload();
	install("6.1.0-other", "");
	file_tree_file(MODULES "/modules.dep",
		       "weak-updates/user-events/user_events.ko:\n");
	file_tree_link(MODULES "/weak-updates/user-events/user_events.ko",
		       "../../extra/user_events.ko");
	finds(DOCTOR_ERROR, "module",
	      "/weak-updates/user-events/user_events.ko is installed but not "
	      "loaded",
	      "modprobe user_events");
}

TEST(signatures)
{
	unload();
	install(RELEASE, SIGNATURE);
	finds(DOCTOR_OK, "signature", "is signed", NULL);
	install(RELEASE, "");
	file_tree_file(LOCKDOWN, "none [integrity] confidentiality\n");
	finds(DOCTOR_ERROR, "signature", "is not signed",
	      "sign-file sha256 KEY.priv KEY.der " MODULE);
	file_tree_file("/var/lib/dkms/mok.key", "key");
	finds(DOCTOR_ERROR, "signature", "is not signed",
	      "sign-file sha256 /var/lib/dkms/mok.key /var/lib/dkms/mok.pub");
	file_tree_remove(LOCKDOWN);
	file_tree_file("/sys/module/module/parameters/sig_enforce", "Y\n");
	finds(DOCTOR_ERROR, "signature", "is not signed", MODULE);
	file_tree_file("/sys/module/module/parameters/sig_enforce", "N\n");
	finds(DOCTOR_NOTE, "signature", "which this kernel permits", NULL);
}

/* The kernel requires a signature, and does not trust the key of DKMS. */
TEST(rejected_key)
{
	unload();
	install(RELEASE, SIGNATURE);
	file_tree_bytes(SECURE_BOOT, "\6\0\0\0\1", 5);
	file_tree_bytes("/var/lib/dkms/mok.pub", "0\202\0key", 6);
	finds(DOCTOR_WARNING, "secure-boot", "does not trust the key",
	      "mokutil --import");
	finds(DOCTOR_ERROR, "module", "is installed but not loaded",
	      "modprobe");
	file_tree_file(LOCKDOWN, "none [integrity] confidentiality\n");
	finds(DOCTOR_ERROR, "secure-boot", "does not trust the key",
	      "mokutil --import /var/lib/dkms/mok.pub && reboot");
	finds(DOCTOR_ERROR, "module", "rejects it until", NULL);
	file_tree_bytes(MOK_NEW, "\6\0\0\0list 0\202\0key", 15);
	finds(DOCTOR_ERROR, "secure-boot", "only after its MOK manager",
	      "reboot  # and select \"Enroll MOK\"");
	finds(DOCTOR_ERROR, "module", "rejects it until", NULL);
	file_tree_bytes(MOK_LIST, "\6\0\0\0list 0\202\0key", 15);
	finds(DOCTOR_NOTE, "secure-boot", "might need a signature", NULL);
	finds(DOCTOR_ERROR, "module", "is installed but not loaded",
	      "modprobe");
	/* A module without a signature needs one first. */
	file_tree_remove(MOK_LIST);
	install(RELEASE, "");
	finds(DOCTOR_ERROR, "module", "is installed but not loaded",
	      "modprobe");
	finds(DOCTOR_ERROR, "signature", "is not signed", "sign-file");
}

TEST(compressed)
{
	unload();
	file_tree_bytes(MODULE ".xz",
			"\375"
			"7zXZ",
			5);
	file_tree_file(MODULES "/modules.dep", "extra/user_events.ko.xz: a\n");
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_ERROR, "module", MODULE ".xz is installed",
		      "modprobe"));
	for (size_t i = 0; i < doctor.count; i++)
		ck_assert_str_ne(doctor.findings[i].check, "signature");
	doctor_free(&doctor);
}

TEST(unknown_to_modprobe)
{
	unload();
	file_tree_file(MODULE, "\177ELF");
	file_tree_file(MODULES "/modules.dep",
		       "kernel/my_user_events.ko:\nextra/user_events.ko.d/a:\n"
		       "kernel/a.ko: extra/user_events.ko\n");
	finds(DOCTOR_ERROR, "module", "unknown to modprobe", "depmod -a");
}

TEST(only_for_another_kernel)
{
	unload();
	file_tree_file("/lib/modules/5.10/modules.dep",
		       "extra/user_events.ko:\n");
	finds(DOCTOR_ERROR, "module", "for Linux 5.10, but not for this",
	      "make");
}

TEST(no_module)
{
	unload();
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_ERROR, "module", "is not installed",
		      "make modules"));
	ck_assert(has(DOCTOR_WARNING, "headers",
		      "headers of Linux " RELEASE " not installed", NULL));
	doctor_free(&doctor);

	file_tree_file("/etc/os-release", "ID=debian\n");
	finds(DOCTOR_WARNING, "headers", "not installed",
	      "apt-get install linux-headers-" RELEASE);
	file_tree_directory("/usr/src/user-events-1.2.3");
	finds(DOCTOR_ERROR, "module", "is not installed",
	      "dkms autoinstall -k " RELEASE " && modprobe user_events");

	file_tree_directory(MODULES "/build");
	doctor_examine(&doctor, &context);
	for (size_t i = 0; i < doctor.count; i++)
		ck_assert_str_ne(doctor.findings[i].check, "headers");
	doctor_free(&doctor);
}

TEST(modules_disabled)
{
	unload();
	file_tree_file("/proc/sys/kernel/modules_disabled", "1\n");
	finds(DOCTOR_ERROR, "module", "modules_disabled", "reboot");
}

/* ---- tracefs ---- */

TEST(no_tracefs)
{
	file_tree_file("/proc/self/mounts", "proc /proc proc rw 0 0\n");
	finds(DOCTOR_ERROR, "tracefs", "no tracefs is mounted",
	      "mount -t tracefs nodev /sys/kernel/tracing");
	file_tree_file("/proc/filesystems", "nodev\tproc\n");
	finds(DOCTOR_ERROR, "tracefs", "built without tracefs", NULL);
}

TEST(prefers_tracefs_at_the_usual_path)
{
	/* The usual place, wherever its line is, before others and debugfs. */
	file_tree_directory("/debug/tracing");
	file_tree_directory("/other");
	file_tree_file("/proc/self/mounts",
		       "debugfs /debug debugfs rw 0 0\n"
		       "tracefs /other tracefs ro 0 0\n" MOUNTED);
	doctor_examine(&doctor, &context);
	ck_assert_str_eq(doctor.tracefs, TRACEFS);
	ck_assert_int_eq(worst(), DOCTOR_NOTE);
	doctor_free(&doctor);

	file_tree_file("/proc/self/mounts", "debugfs /debug debugfs rw 0 0\n"
					    "tracefs /other tracefs rw 0 0\n");
	doctor_examine(&doctor, &context);
	ck_assert_str_eq(doctor.tracefs, "/other");
	doctor_free(&doctor);

	file_tree_file("/proc/self/mounts", "debugfs /debug debugfs rw 0 0\n");
	doctor_examine(&doctor, &context);
	ck_assert_str_eq(doctor.tracefs, "/debug/tracing");
	doctor_free(&doctor);

	/* The kernel writes a space as three octal digits. */
	file_tree_directory("/a b");
	file_tree_file("/proc/self/mounts", "t /a\\040b tracefs rw 0 0\n");
	doctor_examine(&doctor, &context);
	ck_assert_str_eq(doctor.tracefs, "/a b");
	doctor_free(&doctor);

	/* A listed mount can be invisible. */
	file_tree_file("/proc/self/mounts", "t /gone tracefs rw 0 0\n");
	finds(DOCTOR_ERROR, "tracefs", "/gone: cannot stat", NULL);
}

TEST(read_only)
{
	file_tree_file("/proc/self/mounts",
		       "t " TRACEFS " tracefs nosuid,ro,gid=5 0 0\n"
		       "proc /proc proc rw 0 0\n");
	finds(DOCTOR_ERROR, "tracefs", "mounted read-only",
	      "mount -o remount,rw " TRACEFS);
}

TEST(no_permission_for_tracefs)
{
	be_alice();
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_ERROR, "tracefs",
		      TRACEFS ": no permission to search",
		      "usermod -aG tracing alice && "
		      "mount -o remount,mode=711 " TRACEFS));
	ck_assert(has(DOCTOR_OK, "user",
		      "alice, in group alice, without CAP_PERFMON", NULL));
	ck_assert_ptr_null(doctor.tracefs);
	doctor_free(&doctor);

	/* A group with permission exists. */
	file_tree_mode(TRACEFS, 0750);
	file_tree_owner(TRACEFS, 0, 50);
	finds(DOCTOR_ERROR, "tracefs", "mode 0750, owner root:tracers",
	      "usermod -aG tracers alice");
	groups[0] = 50;
	finds(DOCTOR_OK, "tracefs", "mounted at", NULL);
}

/* A directory above it denies access. */
/* Counts the findings of a check. */
static size_t count_of(const char *check)
{
	size_t i, count = 0;

	for (i = 0; i < doctor.count; i++)
		count += strcmp(doctor.findings[i].check, check) == 0;

	return count;
}

/* What needs tracefs is unknown then, and not an error. */
TEST(skips_checks_without_permission)
{
	struct selftest_verdict verdict;

	be_alice();
	file_tree_remove("/boot");
	file_tree_remove("/sys/module/user_events");
	/* For root, which runs the test, it would be accessible. */
	file_tree_remove(TRACEFS "/user_events_data");
	file_tree_file("/.dockerenv", "");
	file_tree_file("/proc/self/mounts",
		       "sysfs /sys sysfs ro 0 0\n" MOUNTED);
	doctor_examine(&doctor, &context);
	verdict = doctor_selftest(&doctor);
	ck_assert(!verdict.writing && !verdict.ftrace && !verdict.perf);
	ck_assert(has(DOCTOR_ERROR, "tracefs", "no permission to search",
		      "mode=711 " TRACEFS));
	ck_assert(has(DOCTOR_NOTE, "container", "container (Docker)",
		      "docker run"));
	ck_assert_uint_eq(count_of("tracefs"), 1);
	ck_assert_uint_eq(count_of("container"), 1);
	ck_assert_uint_eq(count_of("module"), 0);
	ck_assert_uint_eq(count_of("headers"), 0);
	ck_assert_uint_eq(count_of("files"), 0);
	ck_assert_uint_eq(count_of("limits"), 0);
	ck_assert_uint_eq(count_of("registering"), 0);
	doctor_free(&doctor);

	/* The configuration tells that the module is required. */
	file_tree_file("/boot/config-" RELEASE,
		       "# CONFIG_USER_EVENTS is not set\n");
	doctor_examine(&doctor, &context);
	ck_assert_uint_eq(count_of("module"), 1);
	doctor_free(&doctor);
}

/* The test event is registered with a fake kernel. */
TEST_LOOP(tells_of_relative_texts, 2)
{
	fake_reset(FAKE_ENABLER);
	fake_rt(_i);
	doctor.tracefs = tool_print("/does/not/exist");
	ck_assert(doctor_selftest(&doctor).writing);
	ck_assert_uint_eq(count_of("registering"), 1);
	ck_assert_uint_eq(count_of("texts"), (size_t)_i);
	doctor_free(&doctor);
}

TEST(no_permission_above_tracefs)
{
	file_tree_mode(TRACEFS, 0755);
	file_tree_mode("/sys/kernel", 0700);
	be_alice();
	finds(DOCTOR_ERROR, "tracefs", "/sys/kernel: no permission",
	      "chmod a+x /sys/kernel");
}

/* Others are not to read what only a directory has protected. */
TEST(permission_is_for_user_events_only)
{
	be_alice();
	context.release = "5.10.0-test";
	finds(DOCTOR_ERROR, "tracefs", TRACEFS ": no permission to search",
	      "chmod o-rwx " TRACEFS
	      "/* && mount -o remount,mode=711 " TRACEFS);
	context.release = "5.16.0-test";
	finds(DOCTOR_ERROR, "tracefs", TRACEFS ": no permission to search",
	      "usermod -aG tracing alice && mount -o remount,mode=711 " TRACEFS);

	file_tree_directory("/sys/kernel/debug/tracing");
	file_tree_mode("/sys/kernel/debug", 0700);
	file_tree_file("/proc/self/mounts",
		       "t /sys/kernel/debug/tracing tracefs rw 0 0\n");
	finds(DOCTOR_ERROR, "tracefs",
	      "/sys/kernel/debug: no permission to search",
	      "mount -t tracefs -o mode=711 nodev " TRACEFS);
}

/* Search permission is enough to write, but not to record. */
TEST(permission_to_write)
{
	file_tree_mode(TRACEFS, 0711);
	be_alice();
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_OK, "tracefs", "mounted at", NULL));
	ck_assert(has(DOCTOR_WARNING, "tracefs",
		      "can be written, but not recorded",
		      "mount -o remount,mode=750,gid="));
	ck_assert_str_eq(doctor.tracefs, TRACEFS);
	doctor_free(&doctor);
}

TEST(no_permission_for_files)
{
	file_tree_mode(TRACEFS, 0755);
	be_alice();
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_ERROR, "files", "user_events_data: no permission",
		      "chgrp tracing " TRACEFS "/user_events_data"));
	ck_assert(has(DOCTOR_WARNING, "files",
		      "user_events_status: no permission", "chmod g+r"));
	doctor_free(&doctor);

	file_tree_mode(TRACEFS "/user_events_data", 0660);
	file_tree_owner(TRACEFS "/user_events_data", 0, 50);
	finds(DOCTOR_ERROR, "files", "mode 0660, owner root:tracers",
	      "usermod -aG tracers alice");
	groups[0] = 50;
	finds(DOCTOR_OK, "files", "user_events_data: permission granted", NULL);
	/* A group that may only read is not enough. */
	file_tree_mode(TRACEFS "/user_events_data", 0640);
	finds(DOCTOR_ERROR, "files", "user_events_data: no permission",
	      "usermod -aG tracing alice");
}

TEST(missing_files)
{
	file_tree_remove(TRACEFS "/user_events_data");
	finds(DOCTOR_ERROR, "files", "no user_events_data in tracefs", NULL);
}

TEST(event_limit)
{
	file_tree_file(TRACEFS "/user_events_status",
		       "1:Active: 7\n\nActive: 100\nBusy: 0\nMax: 100\n");
	finds(DOCTOR_ERROR, "limits", "limit reached (100 of 100)",
	      "user-events del");
	file_tree_file(TRACEFS "/user_events_status",
		       "\nActive: 90\nBusy: 0\nMax: 100\n");
	finds(DOCTOR_WARNING, "limits", "nearly reached (90 of 100)",
	      "user-events del");
	/* Linux 6.4 and later, and the module. */
	file_tree_file("/proc/sys/kernel/user_events_max", "90\n");
	file_tree_file(TRACEFS "/user_events_status",
		       "\nActive: 90\nBusy: 0\n");
	finds(DOCTOR_ERROR, "limits", "limit reached (90 of 90)",
	      "sysctl kernel.user_events_max=180");
	file_tree_file(TRACEFS "/user_events_status",
		       "\nActive: 80\nBusy: 0\n");
	finds(DOCTOR_OK, "limits", "80 of 90 events in use", NULL);
}

TEST(switched_off)
{
	file_tree_file(TRACEFS "/tracing_on", "0\n");
	finds(DOCTOR_NOTE, "tracing-on", "switched off",
	      "echo 1 > " TRACEFS "/tracing_on");
}

/* ---- The caller ---- */

TEST(perf)
{
	be_alice();
	finds(DOCTOR_ERROR, "perf", "perf_event_paranoid is 2",
	      "setcap cap_perfmon=ep /bin/user-events");
	file_tree_file("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	finds(DOCTOR_OK, "perf", "permitted for all users", NULL);
	file_tree_file("/proc/sys/kernel/perf_event_paranoid", "0\n");
	finds(DOCTOR_ERROR, "perf", "perf_event_paranoid is 0", "setcap");
	context.capabilities = BIT(USER_CAP_PERFMON);
	finds(DOCTOR_OK, "perf", "permitted by a capability", NULL);
	context.capabilities = BIT(USER_CAP_SYS_ADMIN);
	finds(DOCTOR_OK, "perf", "permitted by a capability", NULL);
	file_tree_remove("/proc/sys/kernel/perf_event_paranoid");
	finds(DOCTOR_ERROR, "perf", "has no perf events", NULL);
	/* Reading the first page of a process fails. */
	file_tree_link("/proc/sys/kernel/perf_event_paranoid",
		       "/proc/self/mem");
	finds(DOCTOR_WARNING, "perf", "cannot be read", NULL);
}

static const struct {
	unsigned int uid;
	unsigned int gid;
	unsigned int mode;
	uint64_t capabilities;
	int bits;
	bool may;
} rights[] = {
	{ 1, 1, 0600, 0, R_OK | W_OK, false },
	{ 1000, 1, 0600, 0, R_OK | W_OK, true },
	{ 1000, 1, 0400, 0, W_OK, false },
	/* The mode bits of the owner apply, regardless of others. */
	{ 1000, 1, 0077, 0, R_OK, false },
	{ 1, 50, 0060, 0, R_OK | W_OK, true },
	{ 1, 50, 0040, 0, W_OK, false },
	{ 1, 50, 0606, 0, R_OK, false },
	{ 1, 1, 0002, 0, W_OK, true },
	{ 1, 1, 0001, 0, X_OK, true },
	{ 1, 1, 0006, 0, X_OK, false },
	{ 1, 1, 0, BIT(USER_CAP_DAC_OVERRIDE), W_OK, true },
	{ 1, 1, 0, BIT(USER_CAP_DAC_READ_SEARCH), R_OK | X_OK, true },
	{ 1, 1, 0, BIT(USER_CAP_DAC_READ_SEARCH), W_OK, false },
};

TEST_LOOP(perf_permissions, ARRAY_SIZE(rights))
{
	struct stat about = {
		.st_uid = rights[_i].uid,
		.st_gid = rights[_i].gid,
		.st_mode = rights[_i].mode,
	};

	context.uid = 1000;
	groups[0] = 50;
	context.capabilities = rights[_i].capabilities;
	ck_assert_int_eq(user_may(&context, &about, rights[_i].bits),
			 rights[_i].may);
}

TEST(names_of_users)
{
	static const struct {
		unsigned int id;
		const char *name;
	} rows[] = { { 0, "root" }, { 1000, "alice" }, { 100, "100" } };
	size_t i;
	char *name;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		name = user_name(&context, rows[i].id);
		ck_assert_str_eq(name, rows[i].name);
		free(name);
	}
	file_tree_file("/etc/passwd", "broken\nx:y\nno:x:z\n:::\n");
	name = user_name(&context, 0);
	ck_assert_str_eq(name, "0");
	free(name);
}

/* ---- Containers ---- */

TEST(container_by_file)
{
	file_tree_file("/.dockerenv", "");
	finds(DOCTOR_NOTE, "container", "(Docker)", "docker run");
	file_tree_file("/proc/self/mounts", "sysfs /sys sysfs ro,nosuid 0 0\n");
	doctor_examine(&doctor, &context);
	ck_assert(has(DOCTOR_WARNING, "container", "(Docker)", "docker run"));
	ck_assert(has(DOCTOR_WARNING, "container", "/sys is read-only",
		      "docker run"));
	doctor_free(&doctor);
}

TEST(container_by_process)
{
	file_tree_file("/proc/1/cgroup", "0::/kubepods/besteffort/pod1\n");
	finds(DOCTOR_NOTE, "container", "(Kubernetes)", "docker run");
	file_tree_file("/proc/1/cgroup", "0::/\n");
	file_tree_bytes("/proc/1/environ", "HOME=/\0container=lxc\0", 21);
	finds(DOCTOR_NOTE, "container", "(unknown kind)", "docker run");
}

TEST(user_namespace)
{
	file_tree_file("/proc/self/uid_map",
		       "         0     100000      65536\n");
	finds(DOCTOR_WARNING, "container", "user namespace", NULL);
}

/* ---- A kernel that is not running ---- */

#define NEXT "6.12.0-next"
#define NEXT_CONFIG                                                     \
	"CONFIG_MODULES=y\nCONFIG_KALLSYMS=y\nCONFIG_EVENT_TRACING=y\n" \
	"CONFIG_DYNAMIC_EVENTS=y\nCONFIG_PERF_EVENTS=y\n"               \
	"CONFIG_DEBUG_INFO_BTF=y\n"

static const char *const next_symbols[] = { DOCTOR_SYMBOLS,
					    DOCTOR_SYMBOLS_DYNAMIC };
static const char *const own_symbols[] = { DOCTOR_SYMBOLS, DOCTOR_SYMBOLS_OWN };

/* Writes a System.map without one of the symbols, or with all. */
static void write_map_of(const char *release, const char *const names[],
			 size_t count, size_t without)
{
	_cleanup_free_ char *path = tool_print("/boot/System.map-%s", release);
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	tool_put(&text, "ffffffff81000000 T _text\n"
			"ffffffff81000010 T sprint_symbol\n");
	for (i = 0; i < count; i++) {
		_cleanup_free_ char *line =
			tool_print("ffffffff81000020 t %s%s\n", names[i],
				   i == without ? ".cold" : "");

		tool_put(&text, line);
	}
	file_tree_bytes(path, text.text, text.size);
	uev_output_release(&text);
}

static void write_map(size_t without)
{
	write_map_of(NEXT, next_symbols, ARRAY_SIZE(next_symbols), without);
}

/* A kernel with the module, beside one that has it loaded. */
static void install_next(void)
{
	context.release = NEXT;
	context.is_next = true;
	file_tree_file("/boot/config-" NEXT, NEXT_CONFIG);
	file_tree_file("/lib/modules/" NEXT "/modules.dep",
		       "extra/user_events.ko:\n");
	file_tree_file("/lib/modules/" NEXT "/extra/user_events.ko",
		       "\177ELF....");
	write_map(SIZE_MAX);
}

/* Examines a kernel that has all that the module needs. */
static void expect_suitable(void)
{
	doctor_examine(&doctor, &context);
	ck_assert(!doctor_has_error(&doctor));
	ck_assert(has(DOCTOR_OK, "options", "has the options", NULL));
	ck_assert(has(DOCTOR_OK, "symbols", "has the symbols", NULL));
}

TEST(next_kernel_without_problems)
{
	install_next();
	expect_suitable();
	ck_assert(
		has(DOCTOR_OK, "module", "user_events.ko is installed", NULL));
	ck_assert_int_eq(worst(), DOCTOR_NOTE);
	doctor_free(&doctor);
}

TEST(next_kernel_has_user_events)
{
	install_next();
	file_tree_file("/boot/config-" NEXT, "CONFIG_USER_EVENTS=y\n");
	doctor_examine(&doctor, &context);
	ck_assert_uint_eq(doctor.count, 1);
	ck_assert(has(DOCTOR_OK, "kernel", "built in", NULL));
	doctor_free(&doctor);
}

TEST(config_of_next_kernel_in_headers)
{
	install_next();
	file_tree_remove("/boot/config-" NEXT);
	file_tree_file("/lib/modules/" NEXT "/build/.config",
		       "CONFIG_USER_EVENTS=y\n");
	finds(DOCTOR_OK, "kernel", "built in", NULL);
}

TEST(next_kernel_lacks_option)
{
	static const struct {
		const char *option;
		enum doctor_level level;
	} rows[] = {
		{ "CONFIG_MODULES", DOCTOR_ERROR },
		{ "CONFIG_KALLSYMS", DOCTOR_ERROR },
		{ "CONFIG_EVENT_TRACING", DOCTOR_ERROR },
		{ "CONFIG_PERF_EVENTS", DOCTOR_WARNING },
		{ "CONFIG_DEBUG_INFO_BTF", DOCTOR_NOTE },
	};
	size_t i;

	install_next();
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char config[] = NEXT_CONFIG;

		memcpy(strstr(config, rows[i].option), "# ", 2);
		file_tree_file("/boot/config-" NEXT, config);
		finds(rows[i].level, "options", rows[i].option, NULL);
	}
}

/* Such as RHEL 8, and kernels without probes, such as one of Raspberry Pi OS. */
#define OWN_CONFIG                                                      \
	"CONFIG_MODULES=y\nCONFIG_KALLSYMS=y\nCONFIG_EVENT_TRACING=y\n" \
	"CONFIG_PERF_EVENTS=y\nCONFIG_DEBUG_INFO_BTF=y\n"

static void install_next_without_dynamic_events(void)
{
	install_next();
	file_tree_file("/boot/config-" NEXT,
		       OWN_CONFIG "CONFIG_KALLSYMS_ALL=y\n");
	write_map_of(NEXT, own_symbols, ARRAY_SIZE(own_symbols), SIZE_MAX);
}

TEST(next_kernel_without_dynamic_events)
{
	install_next_without_dynamic_events();
	expect_suitable();
	doctor_free(&doctor);
}

/* RHEL 8 has no option for BTF, either. */
TEST(old_next_kernel)
{
	install_next();
	context.release = "4.18.0-next";
	file_tree_file("/boot/config-4.18.0-next",
		       "CONFIG_MODULES=y\nCONFIG_KALLSYMS=y\n"
		       "CONFIG_KALLSYMS_ALL=y\nCONFIG_EVENT_TRACING=y\n"
		       "CONFIG_PERF_EVENTS=y\n");
	write_map_of("4.18.0-next", own_symbols, ARRAY_SIZE(own_symbols),
		     SIZE_MAX);
	file_tree_file("/lib/modules/4.18.0-next/modules.dep",
		       "extra/user_events.ko:\n");
	file_tree_file("/lib/modules/4.18.0-next/extra/user_events.ko",
		       "\177ELF....");
	expect_suitable();
	doctor_free(&doctor);
}

TEST(next_kernel_has_neither_dynamic_events_nor_names_of_data)
{
	install_next_without_dynamic_events();
	file_tree_file("/boot/config-" NEXT, OWN_CONFIG);
	finds(DOCTOR_ERROR, "options",
	      "no names of data: CONFIG_KALLSYMS_ALL is not set", NULL);
}

TEST_LOOP(next_kernel_lacks_own_symbol, ARRAY_SIZE(own_symbols))
{
	install_next_without_dynamic_events();
	write_map_of(NEXT, own_symbols, ARRAY_SIZE(own_symbols), (size_t)_i);
	finds(DOCTOR_ERROR, "symbols", own_symbols[_i], NULL);
}

/* Without the configuration, the symbols tell which others the module needs. */
TEST(next_kernel_without_configuration)
{
	install_next_without_dynamic_events();
	file_tree_remove("/boot/config-" NEXT);
	doctor_examine(&doctor, &context);
	ck_assert(!doctor_has_error(&doctor));
	doctor_free(&doctor);
}

TEST_LOOP(next_kernel_lacks_symbol, ARRAY_SIZE(next_symbols))
{
	install_next();
	write_map((size_t)_i);
	finds(DOCTOR_ERROR, "symbols", next_symbols[_i], NULL);
}

/* Debian's file is one line. */
TEST(symbols_of_next_kernel_are_unknown)
{
	install_next();
	file_tree_file("/boot/System.map-" NEXT,
		       "ffffffffffffffff B The real System.map is in the "
		       "linux-image-" NEXT "-dbg package\n");
	finds(DOCTOR_NOTE, "symbols", "no list of symbols", NULL);
	file_tree_remove("/boot/System.map-" NEXT);
	finds(DOCTOR_NOTE, "symbols", "no list of symbols", NULL);
}

TEST(next_kernel_lacks_module)
{
	install_next();
	file_tree_file("/etc/os-release", "ID=debian\n");
	file_tree_file("/usr/src/user-events-1.2.3/dkms.conf", "");
	file_tree_remove("/lib/modules/" NEXT "/modules.dep");
	finds(DOCTOR_ERROR, "module", "unknown to modprobe", "depmod -a " NEXT);
	file_tree_remove("/lib/modules/" NEXT "/extra");
	finds(DOCTOR_WARNING, "headers", "not installed",
	      "linux-headers-" NEXT);
	finds(DOCTOR_ERROR, "module", "the module is not installed",
	      "dkms autoinstall -k " NEXT);
	file_tree_remove("/usr/src");
	finds(DOCTOR_ERROR, "module", "the module is not installed",
	      "KDIR=/lib/modules/" NEXT "/build");
}

TEST(next_kernel_requires_signature)
{
	install_next();
	file_tree_file("/boot/config-" NEXT,
		       NEXT_CONFIG "CONFIG_MODULE_SIG_FORCE=y\n");
	finds(DOCTOR_ERROR, "signature", "is not signed", "sign-file");
}

/* ---- The verdict ---- */

static const struct {
	struct selftest_verdict verdict;
	const char *text;
} verdicts[] = {
	{ { true, true, true },
	  "\nuser_events works: ftrace and perf recorded a test event\n" },
	{ { true, true, false },
	  "\nwriting events: works\n"
	  "recording events: works with ftrace, but not with perf\n" },
	{ { true, false, true },
	  "\nwriting events: works\n"
	  "recording events: works with perf, but not with ftrace\n" },
	/* The record for perf was rejected. */
	{ { false, true, false },
	  "\nwriting events: does not work for this user\n"
	  "recording events: works with ftrace, but not with perf\n" },
};

TEST_LOOP(prints_the_verdict, ARRAY_SIZE(verdicts))
{
	_cleanup_free_ char *text = NULL;

	printed_begin(stdout);
	doctor_print_verdict(&verdicts[_i].verdict);
	text = printed_text(stdout);
	ck_assert_str_eq(text, verdicts[_i].text);
}

/* Each is a required row of the module's table. */
TEST(symbols_are_those_of_the_module)
{
	static const char *const names[] = { DOCTOR_SYMBOLS,
					     DOCTOR_SYMBOLS_DYNAMIC,
					     DOCTOR_SYMBOLS_OWN };
	_cleanup_free_ char *text = NULL;
	size_t i;

	ck_assert_int_eq(
		files_read("../module/internals/resolve.h", &text, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *row = tool_print("SYMBOL(%s,", names[i]);
		const char *at = strstr(text, row);
		bool is_required = false;

		/* event_mutex has a row for each kind of kernel. */
		for (; at && !is_required; at = strstr(at + 1, row)) {
			const char *end = strchr(at + strlen(row), ')');

			is_required = end && end - at > 8 &&
				      strncmp(end - 8, "REQUIRED", 8) == 0;
		}
		ck_assert_msg(is_required, "%s is not required", names[i]);
	}
}
