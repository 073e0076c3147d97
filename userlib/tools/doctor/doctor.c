// SPDX-License-Identifier: MIT
#include "doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/access.h"
#include "doctor/distribution.h"
#include "doctor/lockdown.h"
#include "doctor/module.h"
#include "doctor/user.h"
#include "files.h"
#include "tool.h"
#include "util/mounts.h"

#define MODULE "user_events"

/* Percentage of the event limit that is worth a warning. */
#define NEARLY_FULL_PERCENT 90

/*
 * Results for later checks. @has_tracefs: it is mounted, whether accessible or
 * not.
 */
struct examination {
	struct doctor *doctor;
	const struct doctor_context *context;
	char *mounts;
	char *config;
	bool is_built_in;
	bool is_loaded;
	bool has_tracefs;
	bool has_files;
	struct lockdown lockdown;
};

/* ---- The kernel ---- */

/* Returns the decompressed content of a file, for free(); NULL on error. */
static char *unpack(const char *path)
{
	char *arguments[] = { "gzip", "-dc", (char *)path, NULL };
	posix_spawn_file_actions_t actions;
	char link[32], *text = NULL;
	int ends[2], status;
	pid_t child;

	if (access(path, R_OK) || pipe2(ends, O_CLOEXEC))
		return NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
					 O_WRONLY, 0);
	status = posix_spawnp(&child, arguments[0], &actions, NULL, arguments,
			      environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!status) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", ends[0]);
		files_read(link, &text, NULL);
		if (waitpid(child, &status, 0) != child || status) {
			free(text);
			text = NULL;
		}
	}
	close(ends[0]);

	return text;
}

/* Returns the kernel configuration, for free(); NULL if it is not found. */
static char *read_config(const struct doctor_context *context)
{
	static const char *const patterns[] = {
		"/boot/config-%s",
		"/lib/modules/%s/config",
	};
	char *path = context_path(context, "/proc/config.gz");
	char *text = unpack(path), *name;
	size_t i;

	free(path);
	for (i = 0; !text && i < ARRAY_SIZE(patterns); i++) {
		size_t before = strcspn(patterns[i], "%");

		name = tool_print("%.*s%s%s", (int)before, patterns[i],
				  context->release, patterns[i] + before + 2);
		text = context_text(context, name);
		free(name);
	}

	return text;
}

static void examine_kernel(struct examination *examination)
{
	const struct doctor_context *context = examination->context;
	const char *config = examination->config;

	examination->is_built_in =
		config && context_has_line(config, "CONFIG_USER_EVENTS=y");
	if (examination->is_built_in)
		doctor_add(examination->doctor, DOCTOR_OK, "kernel", NULL,
			   "Linux %s has user_events built in",
			   context->release);
	else if (config)
		doctor_add(examination->doctor, DOCTOR_NOTE, "kernel", NULL,
			   "Linux %s is built without CONFIG_USER_EVENTS and "
			   "requires the module",
			   context->release);
	else if (examination->is_loaded)
		doctor_add(examination->doctor, DOCTOR_OK, "kernel", NULL,
			   "Linux %s", context->release);
	else
		doctor_add(examination->doctor, DOCTOR_NOTE, "kernel", NULL,
			   "Linux %s: configuration not found, user_events "
			   "might be built in",
			   context->release);
}

/* ---- The module ---- */

#define BUILD \
	"make modules && make install && modprobe " MODULE "  # in its sources"

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

static void examine_signature(struct examination *examination,
			      const struct module_file *file, const char *path)
{
	char *command;

	if (file->is_signed) {
		doctor_add(examination->doctor, DOCTOR_OK, "signature", NULL,
			   "%s is signed", path);
		return;
	}
	if (!examination->lockdown.unsigned_modules) {
		doctor_add(examination->doctor, DOCTOR_NOTE, "signature", NULL,
			   "%s is not signed, which this kernel permits", path);
		return;
	}
	command = suggest_signing(examination->context, path);
	doctor_add(examination->doctor, DOCTOR_ERROR, "signature", command,
		   "%s is not signed, which this kernel requires", path);
	free(command);
}

/*
 * Returns the command that builds and loads the module, by DKMS if it has the
 * sources; for free()
 */
static char *suggest_building(const struct doctor_context *context)
{
	char *path = context_path(context, "/usr/src");
	struct files_names names;
	bool has_dkms = false;
	size_t i;

	files_names(path, &names);
	for (i = 0; i < names.count && !has_dkms; i++)
		has_dkms = strncmp(names.names[i], "user-events-",
				   strlen("user-events-")) == 0;
	files_names_free(&names);
	free(path);

	return has_dkms ? tool_print("dkms autoinstall -k %s && "
				     "modprobe " MODULE,
				     context->release)
			: tool_copy(BUILD);
}

/* Examines a file that modprobe would load. */
static void examine_file(struct examination *examination, const char *path)
{
	const struct doctor_context *context = examination->context;
	char *full_path = context_path(context, "%s", path);
	char *build = suggest_building(context);
	struct module_file file;

	module_file_read(&file, full_path);
	free(full_path);
	if (file.release && strcmp(file.release, context->release) != 0)
		doctor_add(examination->doctor, DOCTOR_ERROR, "module", build,
			   "%s was built for Linux %s", path, file.release);
	else if (examination->lockdown.signed_modules &&
		 (file.is_signed || !file.is_readable))
		doctor_add(examination->doctor, DOCTOR_ERROR, "module", NULL,
			   "%s is installed, but this kernel rejects it until "
			   "the machine trusts its key",
			   path);
	else
		doctor_add(examination->doctor, DOCTOR_ERROR, "module",
			   "modprobe " MODULE,
			   "%s is installed but not "
			   "loaded",
			   path);
	if (file.is_readable)
		examine_signature(examination, &file, path);
	module_file_free(&file);
	free(build);
}

/* Directories of external modules, which modprobe knows only after depmod. */
static char *find_unknown(const struct doctor_context *context)
{
	static const char *const directories[] = {
		"updates", "updates/dkms", "updates/module",
		"extra",   "extra/module",
	};
	static const char *const endings[] = { "", ".xz", ".gz", ".zst" };
	char *path;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(directories); i++)
		for (j = 0; j < ARRAY_SIZE(endings); j++) {
			path = tool_print("/lib/modules/%s/%s/" MODULE ".ko%s",
					  context->release, directories[i],
					  endings[j]);
			if (context_has(context, path))
				return path;
			free(path);
		}

	return NULL;
}

/* Returns a kernel release with an installed module, for free(); or NULL */
static char *find_other_release(const struct doctor_context *context)
{
	char *path = context_path(context, "/lib/modules"), *directory, *file;
	struct files_names names;
	char *found = NULL;
	size_t i;

	files_names(path, &names);
	for (i = 0; i < names.count && !found; i++) {
		directory = tool_print("%s/%s", path, names.names[i]);
		file = module_file_find(directory, MODULE);
		if (file)
			found = tool_copy(names.names[i]);
		free(file);
		free(directory);
	}
	files_names_free(&names);
	free(path);

	return found;
}

static void explain_headers(struct examination *examination)
{
	const struct doctor_context *context = examination->context;
	char *headers = tool_print("/lib/modules/%s/build", context->release);
	char *command;

	if (!context_has(context, headers)) {
		command = distribution_headers(context);
		doctor_add(examination->doctor, DOCTOR_WARNING, "headers",
			   command, "headers of Linux %s not installed",
			   context->release);
		free(command);
	}
	free(headers);
}

static void explain_absence(struct examination *examination)
{
	const struct doctor_context *context = examination->context;
	char *unknown = find_unknown(context);
	char *other = find_other_release(context);
	char *build = suggest_building(context);

	if (unknown)
		doctor_add(examination->doctor, DOCTOR_ERROR, "module",
			   "depmod -a && modprobe " MODULE,
			   "%s is installed but unknown to modprobe", unknown);
	/* The headers come first: building requires them. */
	else
		explain_headers(examination);
	if (!unknown && other)
		doctor_add(examination->doctor, DOCTOR_ERROR, "module", build,
			   "the module is installed for Linux %s, but not "
			   "for this kernel",
			   other);
	else if (!unknown)
		doctor_add(examination->doctor, DOCTOR_ERROR, "module", build,
			   "the module is not installed");
	free(unknown);
	free(other);
	free(build);
}

/* Returns the path of the file that modprobe would load, for free(), or NULL */
static char *find_file(const struct doctor_context *context)
{
	char *directory =
		context_path(context, "/lib/modules/%s", context->release);
	char *file = module_file_find(directory, MODULE), *path = NULL;

	if (file)
		path = tool_print("/lib/modules/%s/%s", context->release, file);
	free(file);
	free(directory);

	return path;
}

static void explain_not_loaded(struct examination *examination)
{
	const struct doctor_context *context = examination->context;
	char *path = find_file(context);

	if (path)
		examine_file(examination, path);
	else
		explain_absence(examination);
	free(path);
	if (context_line_is(context, "/proc/sys/kernel/modules_disabled", "1"))
		doctor_add(examination->doctor, DOCTOR_ERROR, "module",
			   "reboot",
			   "kernel.modules_disabled is set: no module can be "
			   "loaded before a reboot");
}

/* "name=value ...", of all parameters; for free() */
static char *read_parameters(const struct doctor_context *context)
{
	char *directory =
		context_path(context, "/sys/module/" MODULE "/parameters");
	char *text = tool_copy(""), *path, *value, *longer;
	struct files_names names;
	size_t i;

	files_names(directory, &names);
	for (i = 0; i < names.count; i++) {
		path = tool_print("%s/%s", directory, names.names[i]);
		value = files_line(path);
		/* Modes are shown in decimal. */
		if (value && strstr(names.names[i], "_mode")) {
			unsigned long mode = strtoul(value, NULL, 10);

			free(value);
			value = tool_print("0%lo", mode);
		}
		longer = tool_print("%s%s%s=%s", text, *text ? ", " : "",
				    names.names[i], value ? value : "?");
		free(text);
		free(value);
		free(path);
		text = longer;
	}
	files_names_free(&names);
	free(directory);

	return text;
}

/* Returns the version that modprobe would load, for free(); or NULL */
static char *find_version(const struct doctor_context *context)
{
	char *path = find_file(context), *full_path, *version;
	struct module_file file = { 0 };

	if (path) {
		full_path = context_path(context, "%s", path);
		module_file_read(&file, full_path);
		free(full_path);
	}
	version = file.version;
	file.version = NULL;
	module_file_free(&file);
	if (path && !version) {
		full_path = context_path(context, "/var/lib/dkms/user-events");
		version = module_dkms_version(full_path, context->release);
		free(full_path);
	}
	free(path);

	return version;
}

/* The module in memory remains after an upgrade. */
static void compare_versions(struct examination *examination,
			     const char *loaded)
{
	char *installed = find_version(examination->context);

	if (loaded && installed && strcmp(loaded, installed) != 0)
		doctor_add(examination->doctor, DOCTOR_WARNING, "module",
			   "user-events reload",
			   "version %s is installed, but version %s is loaded",
			   installed, loaded);
	free(installed);
}

/* The files in tracefs, or the configuration, tell what is built in. */
static bool might_be_built_in(const struct examination *examination)
{
	return examination->has_tracefs && !examination->doctor->tracefs &&
	       !examination->config;
}

static void examine_module(struct examination *examination)
{
	const struct doctor_context *context = examination->context;
	char *version, *parameters;

	if (examination->is_loaded) {
		version =
			context_line(context, "/sys/module/" MODULE "/version");
		parameters = read_parameters(context);
		doctor_add(examination->doctor, DOCTOR_OK, "module", NULL,
			   "the module is loaded%s%s%s%s%s",
			   version ? ", version " : "", version ? version : "",
			   *parameters ? " (" : "", parameters,
			   *parameters ? ")" : "");
		compare_versions(examination, version);
		free(version);
		free(parameters);
	} else if (!examination->is_built_in && !examination->has_files &&
		   !might_be_built_in(examination)) {
		explain_not_loaded(examination);
	}
}

/* ---- tracefs ---- */

/* "mode 0640, owner root:root"; for free() */
static char *describe(const struct doctor_context *context,
		      const struct stat *about)
{
	char *owner = user_name(context, about->st_uid);
	char *group = user_group_name(context, about->st_gid);
	char *text = tool_print("mode 0%o, owner %s:%s",
				(unsigned int)about->st_mode & 07777, owner,
				group);

	free(owner);
	free(group);

	return text;
}

/* Returns the first directory of a path without search permission, or NULL. */
static char *find_inaccessible(const struct doctor_context *context,
			       const char *path)
{
	size_t length = 1;
	struct stat status;
	char *part, *full_path;
	bool is_inaccessible;

	while (path[length]) {
		length += strcspn(path + length, "/");
		part = tool_print("%.*s", (int)length, path);
		full_path = context_path(context, "%s", part);
		is_inaccessible = stat(full_path, &status) == 0 &&
				  !user_may(context, &status, X_OK);
		free(full_path);
		if (is_inaccessible)
			return part;
		free(part);
		length += path[length] == '/';
	}

	return NULL;
}

/*
 * Returns word @number of the line of /proc/mounts that ends at @end: "device
 * directory type options number number".
 */
static const char *mount_word(const char *begin, const char *end,
			      unsigned int number, size_t *length)
{
	const char *line = end - (end > begin && end[-1] == '\n');

	while (line > begin && line[-1] != '\n')
		line--;
	while (number && line < end)
		number -= *line++ == ' ';
	*length = strcspn(line, " \n");

	return line;
}

static bool is_of_type(const char *begin, const char *end, const char *type)
{
	size_t length;
	const char *word = mount_word(begin, end, 2, &length);

	return length == strlen(type) && strncmp(word, type, length) == 0;
}

static bool has_option(const char *begin, const char *end, const char *option)
{
	size_t length, size;
	const char *word = mount_word(begin, end, 3, &length);
	const char *last = word + length;

	for (; word < last; word += size + 1) {
		size = strcspn(word, ", \n");
		if (size == strlen(option) && strncmp(word, option, size) == 0)
			return true;
	}

	return false;
}

static void explain_no_tracefs(struct examination *examination)
{
	char *types = context_text(examination->context, "/proc/filesystems");

	if (types && !strstr(types, "\ttracefs\n"))
		doctor_add(examination->doctor, DOCTOR_ERROR, "tracefs", NULL,
			   "the kernel is built without tracefs");
	else
		doctor_add(examination->doctor, DOCTOR_ERROR, "tracefs",
			   "mount -t tracefs nodev /sys/kernel/tracing",
			   "no tracefs is mounted");
	free(types);
}

static void explain_unreadable(struct examination *examination,
			       const char *directory, const struct stat *about)
{
	char *how = tool_print("mount -o remount,mode=750,gid=$(getent group "
			       "tracing | cut -d: -f3) %s",
			       directory);
	char *command = access_suggest(examination->context, about, R_OK | X_OK,
				       ACCESS_RECORD, how);

	doctor_add(examination->doctor, DOCTOR_WARNING, "tracefs", command,
		   "%s: no permission to read: events can be written, but not "
		   "recorded",
		   directory);
	free(command);
	free(how);
}

/* Examines the mount point of tracefs. */
static void examine_mount(struct examination *examination,
			  const char *directory, bool is_read_only)
{
	const struct doctor_context *context = examination->context;
	/* The "/." triggers an automount. */
	char *full_path = context_path(context, "%s/.", directory);
	char *inaccessible = find_inaccessible(context, directory);
	char *text, *how, *command;
	bool is_tracefs = inaccessible && strcmp(inaccessible, directory) == 0;
	struct stat status;

	if (inaccessible) {
		free(full_path);
		full_path = context_path(context, "%s", inaccessible);
	}
	if (stat(full_path, &status)) {
		doctor_add(examination->doctor, DOCTOR_ERROR, "tracefs", NULL,
			   "%s: cannot stat: %s", directory, strerror(errno));
	} else if (inaccessible) {
		text = describe(context, &status);
		/* Programs that only write need no more. */
		how = is_tracefs ? tool_print("mount -o remount,mode=711 %s",
					      inaccessible)
				 : tool_print("chmod a+x %s", inaccessible);
		command = access_suggest(context, &status, X_OK, ACCESS_WRITE,
					 how);
		doctor_add(examination->doctor, DOCTOR_ERROR, "tracefs",
			   command, "%s: no permission to search (%s)",
			   inaccessible, text);
		free(command);
		free(how);
		free(text);
	} else {
		text = describe(context, &status);
		doctor_add(examination->doctor, DOCTOR_OK, "tracefs", NULL,
			   "mounted at %s (%s)", directory, text);
		free(text);
		examination->doctor->tracefs = tool_copy(directory);
		if (!user_may(context, &status, R_OK | X_OK))
			explain_unreadable(examination, directory, &status);
	}
	if (is_read_only) {
		command = tool_print("mount -o remount,rw %s", directory);
		doctor_add(examination->doctor, DOCTOR_ERROR, "tracefs",
			   command, "%s is mounted read-only", directory);
		free(command);
	}
	free(inaccessible);
	free(full_path);
}

/* Prefers tracefs to a debugfs, and the usual path to others. */
static unsigned int value_of(const char *directory, bool is_tracefs)
{
	return 1 + is_tracefs +
	       (is_tracefs && strcmp(directory, "/sys/kernel/tracing") == 0);
}

static void examine_tracefs(struct examination *examination)
{
	const char *mounts = examination->mounts, *at = mounts;
	char directory[PATH_MAX], best[PATH_MAX];
	unsigned int best_value = 0, value;
	bool is_read_only = false;
	char *data;

	while (at && uev_mounts_next(&at, directory, sizeof(directory))) {
		value = value_of(directory, is_of_type(mounts, at, "tracefs"));
		if (value <= best_value)
			continue;
		best_value = value;
		strcpy(best, directory);
		is_read_only = has_option(mounts, at, "ro");
	}
	if (!best_value) {
		explain_no_tracefs(examination);
		return;
	}
	examination->has_tracefs = true;
	examine_mount(examination, best, is_read_only);
	data = tool_print("%s/user_events_data", best);
	examination->has_files = context_has(examination->context, data);
	free(data);
}

/* ---- The files of user_events ---- */

static void examine_file_of(struct examination *examination, const char *name,
			    int bits, enum doctor_level level,
			    const char *what_for)
{
	const struct doctor_context *context = examination->context;
	const char *tracefs = examination->doctor->tracefs;
	char *path = context_path(context, "%s/%s", tracefs, name);
	char *text, *how, *command;
	struct stat status;

	if (stat(path, &status)) {
		free(path);
		return;
	}
	text = describe(context, &status);
	if (user_may(context, &status, bits)) {
		doctor_add(examination->doctor, DOCTOR_OK, "files", NULL,
			   "%s: permission granted (%s)", name, text);
	} else {
		how = tool_print("chgrp tracing %s/%s && chmod g+%s %s/%s",
				 tracefs, name, bits & W_OK ? "rw" : "r",
				 tracefs, name);
		command = access_suggest(context, &status, bits, ACCESS_WRITE,
					 how);
		doctor_add(examination->doctor, level, "files", command,
			   "%s: no permission to %s (%s)", name, what_for,
			   text);
		free(command);
		free(how);
	}
	free(text);
	free(path);
}

static void examine_files(struct examination *examination)
{
	if (examination->has_files) {
		examine_file_of(examination, "user_events_data", W_OK,
				DOCTOR_ERROR, "register events");
		examine_file_of(examination, "user_events_status", R_OK,
				DOCTOR_WARNING, "read the status of events");
	} else if (examination->is_built_in || examination->is_loaded) {
		doctor_add(examination->doctor, DOCTOR_ERROR, "files", NULL,
			   "no user_events_data in tracefs although "
			   "user_events is available%s",
			   examination->lockdown.tracing
				   ? ": the kernel is locked down"
				   : "");
	}
}

/* Reads a number after @word at the start of a line; false if there is none. */
static bool find_number(const char *text, const char *word, uint64_t *value)
{
	const char *at = text;

	while (at && strncmp(at, word, strlen(word)) != 0) {
		at = strchr(at, '\n');
		at += at != NULL;
	}
	if (at)
		*value = strtoull(at + strlen(word), NULL, 10);

	return at != NULL;
}

static void examine_limits(struct examination *examination)
{
	const struct doctor_context *context = examination->context;
	static const char setting[] = "/proc/sys/kernel/user_events_max";
	char *path = tool_print("%s/user_events_status",
				examination->doctor->tracefs);
	char *status = context_text(context, path);
	char *line = context_line(context, setting);
	uint64_t active = 0, max = 0;
	char *command;
	bool is_known;

	is_known = status && find_number(status, "Active: ", &active) &&
		   ((line && tool_number(line, 0, UINT64_MAX, &max)) ||
		    find_number(status, "Max: ", &max));
	command = line ? tool_print("sysctl kernel.user_events_max=%llu",
				    (unsigned long long)(max ? max * 2 : 32768))
		       : tool_copy("user-events del PATTERN");
	if (is_known && active >= max)
		doctor_add(examination->doctor, DOCTOR_ERROR, "limits", command,
			   "event limit reached (%llu of %llu)",
			   (unsigned long long)active, (unsigned long long)max);
	else if (is_known && active * 100 >= max * NEARLY_FULL_PERCENT)
		doctor_add(examination->doctor, DOCTOR_WARNING, "limits",
			   command, "event limit nearly reached (%llu of %llu)",
			   (unsigned long long)active, (unsigned long long)max);
	else if (is_known)
		doctor_add(examination->doctor, DOCTOR_OK, "limits", NULL,
			   "%llu of %llu events in use",
			   (unsigned long long)active, (unsigned long long)max);
	free(command);
	free(line);
	free(status);
	free(path);

	path = tool_print("%s/tracing_on", examination->doctor->tracefs);
	if (context_line_is(context, path, "0")) {
		command = tool_print("echo 1 > %s", path);
		doctor_add(examination->doctor, DOCTOR_NOTE, "tracing-on",
			   command,
			   "recording is switched off in the top instance of "
			   "ftrace");
		free(command);
	}
	free(path);
}

/* ---- The caller ---- */

static void examine_user(struct examination *examination)
{
	const struct doctor_context *context = examination->context;
	char *name = user_name(context, context->uid);
	char *groups = tool_copy(""), *group, *longer;
	size_t i;

	for (i = 0; i < context->group_count; i++) {
		group = user_group_name(context, context->groups[i]);
		longer = tool_print("%s%s%s", groups, i ? ", " : "", group);
		free(groups);
		free(group);
		groups = longer;
	}
	doctor_add(examination->doctor, DOCTOR_OK, "user", NULL,
		   "%s, in group%s %s%s", name,
		   context->group_count == 1 ? "" : "s",
		   *groups ? groups : "(none)",
		   user_may_trace(context)
			   ? ""
			   : ", without CAP_PERFMON and CAP_SYS_ADMIN");
	free(name);
	free(groups);
}

/* ---- Containers ---- */

/* Returns the kind of container, or NULL. */
static const char *find_container(const struct doctor_context *context)
{
	static const struct {
		const char *path;
		const char *kind;
	} files[] = {
		{ "/.dockerenv", "Docker" },
		{ "/run/.containerenv", "Podman" },
		{ "/var/run/secrets/kubernetes.io", "Kubernetes" },
	};
	static const struct {
		const char *word;
		const char *kind;
	} words[] = {
		{ "kubepods", "Kubernetes" },
		{ "docker", "Docker" },
		{ "libpod", "Podman" },
		{ "containerd", "containerd" },
		{ "lxc", "LXC" },
	};
	const char *kind = NULL;
	char *text, *path;
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(files) && !kind; i++)
		if (context_has(context, files[i].path))
			kind = files[i].kind;
	text = context_text(context, "/proc/1/cgroup");
	for (i = 0; i < ARRAY_SIZE(words) && text && !kind; i++)
		if (strstr(text, words[i].word))
			kind = words[i].kind;
	free(text);
	path = context_path(context, "/proc/1/environ");
	if (!kind && !files_read(path, &text, &size)) {
		if (memmem(text, size, "container=", strlen("container=")))
			kind = "unknown kind";
		free(text);
	}
	free(path);

	return kind;
}

/* Tests whether the caller is in the initial user namespace. */
static bool is_first_namespace(const struct doctor_context *context)
{
	char *line = context_line(context, "/proc/self/uid_map");
	unsigned long first = 0, outside = 0, count = UINT_MAX;
	bool is_first;

	is_first = !line || (sscanf(line, "%lu %lu %lu", &first, &outside,
				    &count) == 3 &&
			     !first && !outside && count == UINT_MAX);
	free(line);

	return is_first;
}

static bool is_sys_read_only(const struct examination *examination)
{
	const char *mounts = examination->mounts, *end = mounts, *word;
	bool is_read_only = false;
	size_t length;

	/* The last mount covers earlier ones. */
	while (end && *end) {
		end += strcspn(end, "\n");
		end += *end == '\n';
		word = mount_word(mounts, end, 1, &length);
		if (length == strlen("/sys") &&
		    strncmp(word, "/sys", length) == 0)
			is_read_only = has_option(mounts, end, "ro");
	}

	return is_read_only;
}

static void examine_container(struct examination *examination)
{
	static const char outside[] =
		"docker run --cap-add PERFMON "
		"-v /sys/kernel/tracing:/sys/kernel/tracing IMAGE";
	const struct doctor_context *context = examination->context;
	const char *kind = find_container(context);

	if (!kind) {
		doctor_add(examination->doctor, DOCTOR_OK, "container", NULL,
			   "no container detected");
	} else {
		doctor_add(examination->doctor,
			   examination->has_tracefs ? DOCTOR_NOTE
						    : DOCTOR_WARNING,
			   "container", outside,
			   "container (%s): kernel, modules and settings are "
			   "those of the host, tracefs must be mounted from "
			   "the host",
			   kind);
	}
	if (is_sys_read_only(examination) && !examination->has_tracefs)
		doctor_add(examination->doctor, DOCTOR_WARNING, "container",
			   outside,
			   "/sys is read-only: nothing can be mounted below "
			   "it");
	if (!is_first_namespace(context))
		doctor_add(examination->doctor, DOCTOR_WARNING, "container",
			   NULL,
			   "user namespace: only owners and modes of files "
			   "permit tracing, capabilities do not");
}

void doctor_examine(struct doctor *doctor, const struct doctor_context *context)
{
	struct examination examination = {
		.doctor = doctor,
		.context = context,
	};

	memset(doctor, 0, sizeof(*doctor));
	examination.mounts = context_text(context, "/proc/self/mounts");
	examination.config = read_config(context);
	examination.is_loaded = context_has(context, "/sys/module/" MODULE);

	examine_kernel(&examination);
	lockdown_examine(doctor, &examination.lockdown, context,
			 examination.config,
			 !examination.is_loaded && !examination.is_built_in);
	examine_user(&examination);
	examine_tracefs(&examination);
	examine_module(&examination);
	if (doctor->tracefs) {
		examine_files(&examination);
		examine_limits(&examination);
	}
	access_examine_perf(doctor, context, examination.config);
	examine_container(&examination);
	free(examination.config);
	free(examination.mounts);
}
