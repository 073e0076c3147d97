// SPDX-License-Identifier: MIT
/* user-events doctor: whether the module is loaded, and why not. */
#include <stdlib.h>
#include <string.h>

#include <userevents/decode.h>

#include "doctor/checks.h"
#include "doctor/distribution.h"
#include "doctor/module_file.h"
#include "files.h"

#define MODULE "user_events"

#define BUILD \
	"make modules && make install && modprobe " MODULE "  # in its sources"

/* ---- Files of the module ---- */

/* Returns the path of the file that modprobe would load, for free(), or NULL */
static char *find_file(const struct doctor_context *context)
{
	_cleanup_free_ char *directory =
		context_path(context, "/lib/modules/%s", context->release);
	_cleanup_free_ char *file = module_file_find(directory, MODULE);

	return file ? tool_print("/lib/modules/%s/%s", context->release, file)
		    : NULL;
}

/* Directories of external modules, which modprobe knows only after depmod. */
static char *find_unknown(const struct doctor_context *context)
{
	static const char *const directories[] = {
		"updates", "updates/dkms", "updates/module",
		"extra",   "extra/module", "extra/user-events",
	};
	static const char *const endings[] = { "", ".xz", ".gz", ".zst" };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(directories); i++)
		for (j = 0; j < ARRAY_SIZE(endings); j++)
			if (files_exist("%s/lib/modules/%s/%s/" MODULE ".ko%s",
					context->root, context->release,
					directories[i], endings[j]))
				return tool_print("/lib/modules/%s/%s/" MODULE
						  ".ko%s",
						  context->release,
						  directories[i], endings[j]);

	return NULL;
}

/* Returns a kernel release with an installed module, for free(); or NULL */
static char *find_other_release(const struct doctor_context *context)
{
	_cleanup_(files_names_free) struct files_names names;
	_cleanup_free_ char *path = context_path(context, "/lib/modules");
	size_t i;

	files_names(path, &names);
	for (i = 0; i < names.count; i++) {
		_cleanup_free_ char *directory =
			tool_print("%s/%s", path, names.names[i]);
		_cleanup_free_ char *file = module_file_find(directory, MODULE);

		if (file)
			return tool_copy(names.names[i]);
	}

	return NULL;
}

/* ---- The module is not loaded ---- */

static char *suggest_signing(const struct doctor_context *context,
			     const char *path)
{
	bool has_key = context_has(context, "/var/lib/dkms/mok.key");
	const char *key = has_key ? "/var/lib/dkms/mok.key" : "KEY.priv";
	const char *certificate = has_key ? "/var/lib/dkms/mok.pub" : "KEY.der";

	return tool_print("/lib/modules/%s/build/scripts/sign-file sha256 "
			  "%s %s %s && mokutil --import %s",
			  context->release, key, certificate, path,
			  certificate);
}

static void examine_signature(struct doctor *doctor,
			      const struct module_file *file, const char *path)
{
	_cleanup_free_ char *command = suggest_signing(doctor->context, path);

	if (file->is_signed)
		doctor_add(doctor, DOCTOR_OK, "signature", NULL, "%s is signed",
			   path);
	else if (!doctor->no_unsigned_modules)
		doctor_add(doctor, DOCTOR_NOTE, "signature", NULL,
			   "%s is not signed, which this kernel permits", path);
	else
		doctor_add(doctor, DOCTOR_ERROR, "signature", command,
			   "%s is not signed, which this kernel requires",
			   path);
}

/*
 * Returns the command that builds and loads the module, by DKMS if it has the
 * sources; for free()
 */
static char *suggest_building(const struct doctor_context *context)
{
	_cleanup_(files_names_free) struct files_names names;
	_cleanup_free_ char *path = context_path(context, "/usr/src");
	bool has_dkms = false;
	size_t i;

	files_names(path, &names);
	for (i = 0; i < names.count && !has_dkms; i++)
		has_dkms = tool_starts(names.names[i], "user-events-");

	if (context->is_next)
		return has_dkms ? tool_print("dkms autoinstall -k %s",
					     context->release)
				: tool_print("make install KDIR=/lib/modules/%s"
					     "/build  # in its sources",
					     context->release);

	return has_dkms ? tool_print("dkms autoinstall -k %s && "
				     "modprobe " MODULE,
				     context->release)
			: tool_copy(BUILD);
}

/*
 * Tells whether a file is for another kernel. Those in weak-updates are links to
 * modules for another release of RHEL's kernel with the same symbols.
 */
static bool is_for_another(const struct module_file *file, const char *path,
			   const char *release)
{
	return file->release && strcmp(file->release, release) != 0 &&
	       !strstr(path, "/weak-updates/");
}

/* Examines a file that modprobe would load. */
static void examine_file(struct doctor *doctor, const char *path)
{
	_cleanup_(module_file_free) struct module_file file;
	_cleanup_free_ char *full_path =
		context_path(doctor->context, "%s", path);
	_cleanup_free_ char *build = suggest_building(doctor->context);
	const char *release = doctor->context->release;

	module_file_read(&file, full_path);
	if (is_for_another(&file, path, release))
		doctor_add(doctor, DOCTOR_ERROR, "module", build,
			   "%s was built for Linux %s", path, file.release);
	else if (doctor->context->is_next)
		doctor_add(doctor, DOCTOR_OK, "module", NULL, "%s is installed",
			   path);
	else if (doctor->no_signed_modules &&
		 (file.is_signed || !file.is_readable))
		doctor_add(doctor, DOCTOR_ERROR, "module", NULL,
			   "%s is installed, but this kernel rejects it until "
			   "the machine trusts its key",
			   path);
	else
		doctor_add(doctor, DOCTOR_ERROR, "module", "modprobe " MODULE,
			   "%s is installed but not loaded", path);
	if (file.is_readable)
		examine_signature(doctor, &file, path);
}

static void explain_headers(struct doctor *doctor)
{
	const struct doctor_context *context = doctor->context;
	_cleanup_free_ char *command = distribution_headers(context);

	if (!files_exist("%s/lib/modules/%s/build", context->root,
			 context->release))
		doctor_add(doctor, DOCTOR_WARNING, "headers", command,
			   "headers of Linux %s not installed",
			   context->release);
}

static void explain_absence(struct doctor *doctor)
{
	const struct doctor_context *context = doctor->context;
	_cleanup_free_ char *unknown = find_unknown(context);
	_cleanup_free_ char *other = find_other_release(context);
	_cleanup_free_ char *build = suggest_building(context);

	if (unknown) {
		_cleanup_free_ char *command =
			context->is_next
				? tool_print("depmod -a %s", context->release)
				: tool_copy("depmod -a && modprobe " MODULE);

		doctor_add(doctor, DOCTOR_ERROR, "module", command,
			   "%s is installed but unknown to modprobe", unknown);
		return;
	}
	/* The headers come first: building requires them. */
	explain_headers(doctor);
	if (other)
		doctor_add(doctor, DOCTOR_ERROR, "module", build,
			   "the module is installed for Linux %s, but not "
			   "for %s",
			   other,
			   context->is_next ? context->release : "this kernel");
	else
		doctor_add(doctor, DOCTOR_ERROR, "module", build,
			   "the module is not installed");
}

static void explain_not_loaded(struct doctor *doctor)
{
	const struct doctor_context *context = doctor->context;
	_cleanup_free_ char *path = find_file(context);

	if (path)
		examine_file(doctor, path);
	else
		explain_absence(doctor);
	if (!context->is_next &&
	    context_line_is(context, "/proc/sys/kernel/modules_disabled", "1"))
		doctor_add(doctor, DOCTOR_ERROR, "module", "reboot",
			   "kernel.modules_disabled is set: no module can be "
			   "loaded before a reboot");
}

/* ---- The module is loaded ---- */

/* Returns "NAME=VALUE" of a parameter, for free(). */
static char *read_parameter(const char *directory, const char *name)
{
	_cleanup_free_ char *path = tool_print("%s/%s", directory, name);
	_cleanup_free_ char *value = files_line(path);

	/* Modes are shown in decimal. */
	if (value && strstr(name, "_mode"))
		return tool_print("%s=0%lo", name, strtoul(value, NULL, 10));

	return tool_print("%s=%s", name, value ? value : "?");
}

/* Appends " (NAME=VALUE, ...)", of all parameters. */
static void append_parameters(struct uev_output *to,
			      const struct doctor_context *context)
{
	_cleanup_free_ char *directory =
		context_path(context, "/sys/module/" MODULE "/parameters");
	_cleanup_(files_names_free) struct files_names names;
	size_t i;

	files_names(directory, &names);
	for (i = 0; i < names.count; i++) {
		_cleanup_free_ char *parameter =
			read_parameter(directory, names.names[i]);

		tool_put(to, i ? ", " : " (");
		tool_put(to, parameter);
	}
	tool_put(to, i ? ")" : "");
}

/* Returns the version that modprobe would load, for free(); or NULL */
static char *find_version(const struct doctor_context *context)
{
	_cleanup_(module_file_free) struct module_file file = { 0 };
	_cleanup_free_ char *path = find_file(context), *full_path = NULL;
	_cleanup_free_ char *dkms =
		context_path(context, "/var/lib/dkms/user-events");

	if (!path)
		return NULL;
	full_path = context_path(context, "%s", path);
	module_file_read(&file, full_path);

	return file.version ? tool_copy(file.version)
			    : module_file_dkms_version(dkms, context->release);
}

/* The module in memory remains after an upgrade. */
static void compare_versions(struct doctor *doctor, const char *loaded)
{
	_cleanup_free_ char *installed = find_version(doctor->context);

	if (loaded && installed && strcmp(loaded, installed) != 0)
		doctor_add(doctor, DOCTOR_WARNING, "module",
			   "user-events reload",
			   "version %s is installed, but version %s is loaded",
			   installed, loaded);
}

static void describe_loaded(struct doctor *doctor)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	_cleanup_free_ char *version =
		context_line(doctor->context, "/sys/module/" MODULE "/version");

	tool_put(&text, version ? ", version " : "");
	tool_put(&text, version ? version : "");
	append_parameters(&text, doctor->context);
	doctor_add(doctor, DOCTOR_OK, "module", NULL, "the module is loaded%s",
		   text.text);
	compare_versions(doctor, version);
}

/* The files in tracefs, or the configuration, tell what is built in. */
static bool might_be_built_in(const struct doctor *doctor)
{
	return doctor->has_tracefs && !doctor->tracefs && !doctor->config;
}

void doctor_check_module(struct doctor *doctor)
{
	if (doctor->is_loaded)
		describe_loaded(doctor);
	else if (!doctor->is_built_in && !doctor->has_files &&
		 !might_be_built_in(doctor))
		explain_not_loaded(doctor);
}
