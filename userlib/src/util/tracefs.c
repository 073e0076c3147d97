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

/* Names of user_events without the suffix of a format. */
#define NAME_SIZE 256

/* @system: owned; NULL for the default */
struct pattern {
	char *system;
	const char *name;
};

static int parse_pattern(struct pattern *pattern, const char *text)
{
	const char *colon = strchr(text, ':');

	pattern->system = colon ? strndup(text, (size_t)(colon - text)) : NULL;
	pattern->name = colon ? colon + 1 : text;

	return colon && !pattern->system ? -ENOMEM : 0;
}

static bool is_multi(const char *system)
{
	return !strcmp(system, "user_events_multi");
}

static bool system_matches(const struct pattern *pattern, const char *system)
{
	if (pattern->system)
		return !fnmatch(pattern->system, system, 0);

	return !strcmp(system, "user_events") || is_multi(system);
}

/* A name can contain characters that are special in a glob. */
static bool glob_matches(const char *glob, const char *name)
{
	return !strcmp(glob, name) || !fnmatch(glob, name, 0);
}

static bool name_matches(const struct pattern *pattern, const char *system,
			 const char *name)
{
	const char *dot = strrchr(name, '.');
	char registered[NAME_SIZE];

	if (pattern->system || !is_multi(system))
		return glob_matches(pattern->name, name);
	if (!dot || (size_t)(dot - name) >= sizeof(registered))
		return false;
	memcpy(registered, name, (size_t)(dot - name));
	registered[dot - name] = '\0';

	return glob_matches(pattern->name, registered);
}

bool uev_tracefs_matches(const char *text, const char *system, const char *name)
{
	struct pattern pattern;
	bool matches;

	if (parse_pattern(&pattern, text))
		return false;
	matches = system_matches(&pattern, system) &&
		  name_matches(&pattern, system, name);
	free(pattern.system);

	return matches;
}

struct search {
	const char *directory;
	struct pattern pattern;
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

	if (!name_matches(&search->pattern, search->current, name))
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

	if (!system_matches(&search->pattern, system))
		return 0;
	search->current = system;
	if (asprintf(&path, "%s/events/%s", search->directory, system) < 0)
		return -ENOMEM;
	ret = uev_sys_perf_list(path, visit_name, search);
	free(path);

	return is_absence(ret) ? search->result : ret;
}

int uev_tracefs_events(const char *directory, const char *pattern,
		       int (*each)(void *data, const char *system,
				   const char *name, uint32_t id),
		       void *data)
{
	struct search search = {
		.directory = directory,
		.each = each,
		.data = data,
	};
	char *path = NULL;
	int ret = parse_pattern(&search.pattern, pattern);

	if (!ret && asprintf(&path, "%s/events", directory) < 0) {
		path = NULL;
		ret = -ENOMEM;
	}
	if (!ret)
		ret = uev_sys_perf_list(path, visit_system, &search);
	free(path);
	free(search.pattern.system);

	return ret;
}
