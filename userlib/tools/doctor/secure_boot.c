// SPDX-License-Identifier: MIT
/* user-events doctor: whether Secure Boot permits the module. */
#include <string.h>

#include "doctor/checks.h"
#include "files.h"

#define VARIABLES "/sys/firmware/efi/efivars/"
#define SECURE_BOOT VARIABLES "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SHIM "-605dab50-e046-4300-abb6-3dd810dd8b23"

#define ENROLL "reboot  # and select \"Enroll MOK\""

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
	_cleanup_free_ char *path = context_path(context, "%s", list);
	_cleanup_free_ char *text = NULL;
	size_t length;

	return !files_read(path, &text, &length) &&
	       memmem(text, length, bytes, size);
}

enum enrollment {
	KEY_ENROLLED,
	KEY_REQUESTED, /* by mokutil, for the next boot */
	KEY_NOT_ENROLLED,
};

static enum enrollment find_enrollment(const struct doctor_context *context,
				       const char *key)
{
	static const struct {
		const char *list;
		enum enrollment enrollment;
	} lists[] = {
		{ "/sys/firmware/efi/mok-variables/MokListRT", KEY_ENROLLED },
		{ VARIABLES "MokListRT" SHIM, KEY_ENROLLED },
		{ VARIABLES "db-d719b2cb-3d3a-4596-a3bc-dad00e67656f",
		  KEY_ENROLLED },
		{ VARIABLES "MokNew" SHIM, KEY_REQUESTED },
	};
	_cleanup_free_ char *path = context_path(context, "%s", key);
	_cleanup_free_ char *bytes = NULL;
	size_t i, size;

	/* A key that cannot be read is not reported. */
	if (files_read(path, &bytes, &size))
		return KEY_ENROLLED;
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		if (has_certificate(context, lists[i].list, bytes, size))
			return lists[i].enrollment;

	return KEY_NOT_ENROLLED;
}

static void explain_key(struct doctor *doctor, const char *key,
			enum enrollment enrollment)
{
	enum doctor_level level = doctor->no_unsigned_modules ? DOCTOR_ERROR
							      : DOCTOR_WARNING;
	_cleanup_free_ char *command = NULL;

	doctor->no_signed_modules = doctor->no_unsigned_modules;
	if (enrollment == KEY_REQUESTED) {
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
}

/* The module is neither loaded nor built in. */
static void examine_key(struct doctor *doctor)
{
	const char *key = find_key(doctor->context);
	enum enrollment enrollment = key ? find_enrollment(doctor->context, key)
					 : KEY_ENROLLED;

	if (enrollment == KEY_ENROLLED)
		doctor_add(doctor, DOCTOR_NOTE, "secure-boot", NULL,
			   "Secure Boot enabled: modules might need a "
			   "signature with a trusted key");
	else
		explain_key(doctor, key, enrollment);
}

void doctor_check_secure_boot(struct doctor *doctor)
{
	_cleanup_free_ char *path = context_path(doctor->context, SECURE_BOOT);
	_cleanup_free_ char *bytes = NULL;
	size_t size;

	/* Four bytes of attributes and one byte of data. */
	if (files_read(path, &bytes, &size))
		doctor_add(doctor, DOCTOR_OK, "secure-boot", NULL,
			   "Secure Boot not supported, or state not readable");
	else if (size != 5 || bytes[4] != 1)
		doctor_add(doctor, DOCTOR_OK, "secure-boot", NULL,
			   "Secure Boot disabled");
	else if (!doctor->is_loaded && !doctor->is_built_in)
		examine_key(doctor);
	else
		doctor_add(doctor, DOCTOR_OK, "secure-boot", NULL,
			   "Secure Boot enabled");
}
