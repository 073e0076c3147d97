// SPDX-License-Identifier: MIT
/* user-events doctor: what a container or a user namespace takes away. */
#include <limits.h>
#include <mntent.h>
#include <string.h>

#include "doctor/checks.h"
#include "files.h"

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
	_cleanup_free_ char *cgroup = context_text(context, "/proc/1/cgroup");
	_cleanup_free_ char *path = context_path(context, "/proc/1/environ");
	_cleanup_free_ char *variables = NULL;
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (context_has(context, files[i].path))
			return files[i].kind;
	for (i = 0; i < ARRAY_SIZE(words) && cgroup; i++)
		if (strstr(cgroup, words[i].word))
			return words[i].kind;
	if (!files_read(path, &variables, &size) &&
	    memmem(variables, size, "container=", strlen("container=")))
		return "unknown kind";

	return NULL;
}

/* Tests whether the caller is in the initial user namespace. */
static bool is_first_namespace(const struct doctor_context *context)
{
	_cleanup_free_ char *line = context_line(context, "/proc/self/uid_map");
	unsigned long first = 0, outside = 0, count = UINT_MAX;

	return !line ||
	       (sscanf(line, "%lu %lu %lu", &first, &outside, &count) == 3 &&
		!first && !outside && count == UINT_MAX);
}

static bool is_sys_read_only(const struct doctor_context *context)
{
	FILE *mounts = context_mounts(context);
	const struct mntent *entry;
	bool is_read_only = false;

	/* The last mount covers earlier ones. */
	while (mounts && (entry = getmntent(mounts)))
		if (strcmp(entry->mnt_dir, "/sys") == 0)
			is_read_only = context_is_read_only(entry);
	if (mounts)
		endmntent(mounts);

	return is_read_only;
}

void doctor_check_container(struct doctor *doctor)
{
	static const char outside[] =
		"docker run --cap-add PERFMON "
		"-v /sys/kernel/tracing:/sys/kernel/tracing IMAGE";
	const char *kind = find_container(doctor->context);

	if (kind)
		doctor_add(doctor,
			   doctor->has_tracefs ? DOCTOR_NOTE : DOCTOR_WARNING,
			   "container", outside,
			   "container (%s): kernel, modules and settings are "
			   "those of the host, tracefs must be mounted from "
			   "the host",
			   kind);
	else
		doctor_add(doctor, DOCTOR_OK, "container", NULL,
			   "no container detected");
	if (is_sys_read_only(doctor->context) && !doctor->has_tracefs)
		doctor_add(doctor, DOCTOR_WARNING, "container", outside,
			   "/sys is read-only: nothing can be mounted below "
			   "it");
	if (!is_first_namespace(doctor->context))
		doctor_add(doctor, DOCTOR_WARNING, "container", NULL,
			   "user namespace: only owners and modes of files "
			   "permit tracing, capabilities do not");
}
