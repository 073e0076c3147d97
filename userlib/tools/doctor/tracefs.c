// SPDX-License-Identifier: MIT
/* user-events doctor: whether tracefs is mounted and usable. */
#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/access.h"
#include "doctor/checks.h"
#include "doctor/user.h"
#include "files.h"

/*
 * struct mount - The tracefs to use
 * @value: more than that of others
 */
struct mount {
	char *directory;
	unsigned int value;
	bool is_read_only;
};

/* Prefers tracefs to a debugfs, and the usual path to others. */
static unsigned int value_of(const struct mntent *entry)
{
	if (strcmp(entry->mnt_type, "debugfs") == 0)
		return 1;
	if (strcmp(entry->mnt_type, "tracefs") != 0)
		return 0;

	return strcmp(entry->mnt_dir, "/sys/kernel/tracing") == 0 ? 3 : 2;
}

static void take_mount(struct mount *mount, const struct mntent *entry)
{
	unsigned int value = value_of(entry);

	if (value <= mount->value)
		return;
	free(mount->directory);
	mount->directory = tool_print("%s%s", entry->mnt_dir,
				      value == 1 ? "/tracing" : "");
	mount->value = value;
	mount->is_read_only = context_is_read_only(entry);
}

static struct mount find_mount(const struct doctor_context *context)
{
	FILE *mounts = context_mounts(context);
	const struct mntent *entry;
	struct mount mount = { 0 };

	while (mounts && (entry = getmntent(mounts)))
		take_mount(&mount, entry);
	if (mounts)
		endmntent(mounts);

	return mount;
}

/* Returns the first directory of a path without search permission, or NULL. */
static char *find_inaccessible(const struct doctor_context *context,
			       const char *path)
{
	size_t length = 1;
	struct stat status;

	while (path[length]) {
		_cleanup_free_ char *full_path = NULL;

		length += strcspn(path + length, "/");
		full_path = context_path(context, "%.*s", (int)length, path);
		if (stat(full_path, &status) == 0 &&
		    !user_may(context, &status, X_OK))
			return tool_print("%.*s", (int)length, path);
		length += path[length] == '/';
	}

	return NULL;
}

static void explain_no_tracefs(struct doctor *doctor)
{
	_cleanup_free_ char *types =
		context_text(doctor->context, "/proc/filesystems");

	if (types && !strstr(types, "\ttracefs\n"))
		doctor_add(doctor, DOCTOR_ERROR, "tracefs", NULL,
			   "the kernel is built without tracefs");
	else
		doctor_add(doctor, DOCTOR_ERROR, "tracefs",
			   "mount -t tracefs nodev /sys/kernel/tracing",
			   "no tracefs is mounted");
}

/* Tells whether only the mode of tracefs keeps others from reading its files. */
static bool files_are_readable(const struct doctor_context *context)
{
	unsigned int major, minor;

	return sscanf(context->release, "%u.%u", &major, &minor) == 2 &&
	       (major < 5 || (major == 5 && minor < 16));
}

/*
 * Returns the command that permits to search a directory, tracefs or above it,
 * for free(). Programs that only write need no more.
 */
static char *permit_search(const struct doctor_context *context,
			   const char *tracefs, const char *directory)
{
	_cleanup_free_ char *protect =
		files_are_readable(context)
			? tool_print("chmod o-rwx %s/* && ", tracefs)
			: tool_copy("");

	if (strcmp(directory, tracefs) == 0)
		return tool_print("%smount -o remount,mode=711 %s", protect,
				  directory);
	/* The rest of debugfs is not for others. */
	if (strcmp(directory, "/sys/kernel/debug") == 0)
		return tool_print("%smount -t tracefs -o mode=711 nodev "
				  "/sys/kernel/tracing",
				  protect);

	return tool_print("chmod a+x %s", directory);
}

static void explain_inaccessible(struct doctor *doctor, const char *directory,
				 const char *inaccessible,
				 const struct stat *status)
{
	_cleanup_free_ char *text = user_describe(doctor->context, status);
	_cleanup_free_ char *how =
		permit_search(doctor->context, directory, inaccessible);
	_cleanup_free_ char *command = access_suggest(doctor->context, status,
						      X_OK, ACCESS_WRITE, how);

	doctor_add(doctor, DOCTOR_ERROR, "tracefs", command,
		   "%s: no permission to search (%s)", inaccessible, text);
}

static void explain_unreadable(struct doctor *doctor, const struct stat *status)
{
	_cleanup_free_ char *how =
		tool_print("mount -o remount,mode=750,gid=$(getent group "
			   "tracing | cut -d: -f3) %s",
			   doctor->tracefs);
	_cleanup_free_ char *command = access_suggest(
		doctor->context, status, R_OK | X_OK, ACCESS_RECORD, how);

	doctor_add(doctor, DOCTOR_WARNING, "tracefs", command,
		   "%s: no permission to read: events can be written, but not "
		   "recorded",
		   doctor->tracefs);
}

static void take_tracefs(struct doctor *doctor, const char *directory,
			 const struct stat *status)
{
	_cleanup_free_ char *text = user_describe(doctor->context, status);

	doctor_add(doctor, DOCTOR_OK, "tracefs", NULL, "mounted at %s (%s)",
		   directory, text);
	doctor->tracefs = tool_copy(directory);
	if (!user_may(doctor->context, status, R_OK | X_OK))
		explain_unreadable(doctor, status);
}

static void examine_mount(struct doctor *doctor, const char *directory)
{
	const struct doctor_context *context = doctor->context;
	_cleanup_free_ char *inaccessible =
		find_inaccessible(context, directory);
	/* The "/." triggers an automount. */
	_cleanup_free_ char *full_path = context_path(
		context, "%s%s", inaccessible ? inaccessible : directory,
		inaccessible ? "" : "/.");
	struct stat status;

	if (stat(full_path, &status))
		doctor_add(doctor, DOCTOR_ERROR, "tracefs", NULL,
			   "%s: cannot stat: %s", directory, strerror(errno));
	else if (inaccessible)
		explain_inaccessible(doctor, directory, inaccessible, &status);
	else
		take_tracefs(doctor, directory, &status);
}

static void explain_read_only(struct doctor *doctor, const char *directory)
{
	_cleanup_free_ char *command =
		tool_print("mount -o remount,rw %s", directory);

	doctor_add(doctor, DOCTOR_ERROR, "tracefs", command,
		   "%s is mounted read-only", directory);
}

void doctor_check_tracefs(struct doctor *doctor)
{
	struct mount mount = find_mount(doctor->context);
	_cleanup_free_ char *directory = mount.directory;

	doctor->has_tracefs = directory;
	if (!directory) {
		explain_no_tracefs(doctor);
		return;
	}
	examine_mount(doctor, directory);
	if (mount.is_read_only)
		explain_read_only(doctor, directory);
	doctor->has_files = files_exist("%s%s/user_events_data",
					doctor->context->root, directory);
}
