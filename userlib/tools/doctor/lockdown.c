// SPDX-License-Identifier: MIT
#include "doctor/lockdown.h"

#include <stdlib.h>
#include <string.h>

#include "doctor/distribution.h"
#include "files.h"
#include "tool.h"

#define VARIABLES "/sys/firmware/efi/efivars/"
#define SECURE_BOOT VARIABLES "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SHIM "-605dab50-e046-4300-abb6-3dd810dd8b23"

#define BEFORE "lockdown=confidentiality"
#define AFTER "lockdown=integrity"

static void explain_confidentiality(struct doctor *doctor,
				    const struct doctor_context *context,
				    const char *config)
{
	static const char text[] = "locked down in confidentiality mode, which "
				   "disables tracing";
	char *options = context_line(context, "/proc/cmdline");
	char *command;

	if (options && strstr(options, BEFORE)) {
		command = distribution_boot_option(context, BEFORE, AFTER);
		doctor_add(doctor, DOCTOR_ERROR, "lockdown", command, "%s",
			   text);
		free(command);
	} else if (config &&
		   context_has_line(
			   config,
			   "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y")) {
		doctor_add(doctor, DOCTOR_ERROR, "lockdown", NULL,
			   "%s, by the configuration of the kernel", text);
	} else {
		doctor_add(doctor, DOCTOR_ERROR, "lockdown", "reboot",
			   "%s, by a program since the boot", text);
	}
	free(options);
}

static void examine_mode(struct doctor *doctor, struct lockdown *lockdown,
			 const struct doctor_context *context,
			 const char *config)
{
	char *line = context_line(context, "/sys/kernel/security/lockdown");

	if (!line) {
		doctor_add(doctor, DOCTOR_OK, "lockdown", NULL,
			   "lockdown not supported, or state not readable");
	} else if (strstr(line, "[confidentiality]")) {
		lockdown->tracing = true;
		lockdown->unsigned_modules = true;
		explain_confidentiality(doctor, context, config);
	} else if (strstr(line, "[integrity]")) {
		lockdown->unsigned_modules = true;
		doctor_add(doctor, DOCTOR_NOTE, "lockdown", NULL,
			   "locked down in integrity mode: modules must be "
			   "signed");
	} else {
		doctor_add(doctor, DOCTOR_OK, "lockdown", NULL,
			   "not locked down");
	}
	free(line);

	if (context_line_is(context,
			    "/sys/module/module/parameters/sig_enforce", "Y"))
		lockdown->unsigned_modules = true;
}

/* ---- Secure Boot ---- */

/* Keys with which DKMS and akmods sign modules. */
static const char *find_key(const struct doctor_context *context)
{
	static const char *const paths[] = {
		"/var/lib/shim-signed/mok/MOK.der",
		"/var/lib/dkms/mok.pub",
		"/etc/pki/akmods/certs/public_key.der",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++)
		if (context_has(context, paths[i]))
			return paths[i];

	return NULL;
}

/* Lists have certificates as they are, in DER. */
static bool has_certificate(const struct doctor_context *context,
			    const char *list, const char *bytes, size_t size)
{
	char *path = context_path(context, "%s", list), *text;
	size_t length;
	bool found = false;

	if (!files_read(path, &text, &length))
		found = memmem(text, length, bytes, size) != NULL;
	free(text);
	free(path);

	return found;
}

enum enrollment {
	ENROLLED,
	REQUESTED, /* by mokutil, for the next boot */
	NOT_ENROLLED,
};

static enum enrollment find_enrollment(const struct doctor_context *context,
				       const char *key)
{
	static const struct {
		const char *list;
		enum enrollment enrollment;
	} lists[] = {
		{ "/sys/firmware/efi/mok-variables/MokListRT", ENROLLED },
		{ VARIABLES "MokListRT" SHIM, ENROLLED },
		{ VARIABLES "db-d719b2cb-3d3a-4596-a3bc-dad00e67656f",
		  ENROLLED },
		{ VARIABLES "MokNew" SHIM, REQUESTED },
	};
	char *path = context_path(context, "%s", key), *bytes;
	enum enrollment found = NOT_ENROLLED;
	size_t i, size;

	/* A key that cannot be read is not reported. */
	if (files_read(path, &bytes, &size))
		found = ENROLLED;
	free(path);
	for (i = 0; i < ARRAY_SIZE(lists) && found == NOT_ENROLLED; i++)
		if (has_certificate(context, lists[i].list, bytes, size))
			found = lists[i].enrollment;
	free(bytes);

	return found;
}

#define ENROLL "reboot  # and select \"Enroll MOK\""

static void examine_key(struct doctor *doctor, struct lockdown *lockdown,
			const struct doctor_context *context)
{
	const char *key = find_key(context);
	enum enrollment enrollment = key ? find_enrollment(context, key)
					 : ENROLLED;
	enum doctor_level level = DOCTOR_WARNING;
	char *command;

	if (enrollment == ENROLLED) {
		doctor_add(doctor, DOCTOR_NOTE, "secure-boot", NULL,
			   "Secure Boot enabled: modules might need a "
			   "signature with a trusted key");
		return;
	}
	if (lockdown->unsigned_modules) {
		lockdown->signed_modules = true;
		level = DOCTOR_ERROR;
	}
	if (enrollment == REQUESTED) {
		doctor_add(doctor, level, "secure-boot", ENROLL,
			   "Secure Boot enabled, and the machine trusts the "
			   "key that signs modules, %s, only after its MOK "
			   "manager has enrolled it",
			   key);
		return;
	}
	command = tool_print("mokutil --import %s && " ENROLL, key);
	doctor_add(doctor, level, "secure-boot", command,
		   "Secure Boot enabled, and the machine does not trust the "
		   "key that signs modules, %s",
		   key);
	free(command);
}

static void examine_secure_boot(struct doctor *doctor,
				struct lockdown *lockdown,
				const struct doctor_context *context,
				bool needs_module)
{
	char *path = context_path(context, SECURE_BOOT), *bytes;
	size_t size;

	/* Four bytes of attributes and one byte of data. */
	if (files_read(path, &bytes, &size))
		doctor_add(doctor, DOCTOR_OK, "secure-boot", NULL,
			   "Secure Boot not supported, or state not readable");
	else if (size != 5 || bytes[4] != 1)
		doctor_add(doctor, DOCTOR_OK, "secure-boot", NULL,
			   "Secure Boot disabled");
	else if (needs_module)
		examine_key(doctor, lockdown, context);
	else
		doctor_add(doctor, DOCTOR_OK, "secure-boot", NULL,
			   "Secure Boot enabled");
	free(bytes);
	free(path);
}

void lockdown_examine(struct doctor *doctor, struct lockdown *lockdown,
		      const struct doctor_context *context, const char *config,
		      bool needs_module)
{
	memset(lockdown, 0, sizeof(*lockdown));
	examine_mode(doctor, lockdown, context, config);
	examine_secure_boot(doctor, lockdown, context, needs_module);
}
