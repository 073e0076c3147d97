// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "util/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/common.h"
#include "util/mounts.h"
#include "util/sys_perf.h"
#include "util/text_file.h"

static const char *const usual[] = {
	"/sys/kernel/tracing",
	"/sys/kernel/debug/tracing",
};

/* Return: 0 if @directory has events/, or the error */
static int has_events(const char *directory)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/events", directory) < 0)
		return -ENOMEM;
	fd = uev_sys_perf_open(path, O_RDONLY | O_DIRECTORY);
	free(path);
	if (fd < 0)
		return fd;
	uev_sys_perf_close(fd);

	return 0;
}

static int keep(const char *path, char **directory)
{
	int ret = has_events(path);

	if (ret)
		return ret;
	*directory = strdup(path);

	return *directory ? 0 : -ENOMEM;
}

static int find_mounted(char **directory)
{
	char path[PATH_MAX];
	const char *rest;
	char *mounts;
	int ret;

	ret = uev_text_file_read("/proc/self/mounts", &mounts, NULL);
	if (ret)
		return ret;

	ret = -ENOENT;
	rest = mounts;
	while (ret && ret != -ENOMEM &&
	       uev_mounts_next(&rest, path, sizeof(path)))
		ret = keep(path, directory);
	free(mounts);

	return ret;
}

int uev_tracefs_directory(const char *given, char **directory)
{
	int refused = -ENOENT;
	size_t i;
	int ret;

	*directory = NULL;
	if (given)
		return keep(given, directory);

	for (i = 0; i < ARRAY_SIZE(usual); i++) {
		ret = keep(usual[i], directory);
		if (!ret || ret == -ENOMEM)
			return ret;
		/* No permission is more specific than other errors. */
		if (ret != -ENOENT)
			refused = ret;
	}
	ret = find_mounted(directory);

	return !ret || ret == -ENOMEM ? ret : refused;
}

int uev_tracefs_text(const char *directory, const char *system,
		     const char *name, const char *file, char **text,
		     size_t *size)
{
	char *path;
	int ret;

	*text = NULL;
	if (asprintf(&path, "%s/events/%s%s%s%s%s", directory, system,
		     *system ? "/" : "", name, *name ? "/" : "", file) < 0)
		return -ENOMEM;
	ret = uev_text_file_read(path, text, size);
	free(path);

	return ret;
}

struct search {
	const char *directory;
	const char *system;
	const char *name;
	/* The current system. */
	const char *current;
	int (*each)(void *data, const char *system, const char *name,
		    uint32_t id);
	void *data;
	/* Return value of @each, which is not an error of tracefs. */
	int result;
};

/* Skips events that were deleted, and files. */
static bool is_absence(int ret)
{
	return ret == -ENOENT || ret == -ENOTDIR || ret == -ENODEV;
}

static int visit_name(void *data, const char *name)
{
	struct search *search = data;
	uint32_t id;
	char *path;
	int ret;

	if (fnmatch(search->name, name, 0))
		return 0;
	if (asprintf(&path, "%s/events/%s/%s/id", search->directory,
		     search->current, name) < 0)
		return -ENOMEM;
	ret = uev_text_file_number(path, &id);
	free(path);
	if (ret)
		return is_absence(ret) ? 0 : ret;

	search->result = search->each(search->data, search->current, name, id);

	return search->result;
}

static int visit_system(void *data, const char *system)
{
	struct search *search = data;
	char *path;
	int ret;

	if (fnmatch(search->system, system, 0))
		return 0;
	search->current = system;
	if (asprintf(&path, "%s/events/%s", search->directory, system) < 0)
		return -ENOMEM;
	ret = uev_sys_perf_list(path, visit_name, search);
	free(path);

	return is_absence(ret) ? search->result : ret;
}

int uev_tracefs_events(const char *directory, const char *system,
		       const char *name,
		       int (*each)(void *data, const char *system,
				   const char *name, uint32_t id),
		       void *data)
{
	struct search search = {
		.directory = directory,
		.system = system,
		.name = name,
		.each = each,
		.data = data,
	};
	char *path;
	int ret;

	if (asprintf(&path, "%s/events", directory) < 0)
		return -ENOMEM;
	ret = uev_sys_perf_list(path, visit_system, &search);
	free(path);

	return ret;
}
