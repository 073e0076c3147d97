// SPDX-License-Identifier: MIT
#include "capture/cgroup.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

#define CONTAINER_DIGITS_MIN 8

/* Limit of the depth of directories that are searched */
#define DEPTH_MAX 16

char *capture_cgroup_root(const char *mounts)
{
	_cleanup_free_ char *path = tool_print("%s/perf_event", mounts);

	/* Version 1 of control groups, also beside version 2 */
	return access(path, F_OK) ? tool_copy(mounts) : memory_pass(path);
}

static bool is_unit(const char *directory, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(directory, name, length) != 0)
		return false;

	return !directory[length] ||
	       (!strchr(name, '.') &&
		strcmp(directory + length, ".service") == 0);
}

/*
 * ID, or RUNTIME-ID.scope. The group of the monitor of podman has the ID of its
 * container, too.
 */
static bool is_container(const char *directory, const char *id)
{
	const char *at = strstr(directory, id);

	return at && (at == directory || at[-1] == '-') &&
	       !strstr(directory, "conmon");
}

/* struct search - A search below the mount point; @path: of the first one */
struct search {
	enum capture_cgroup_kind kind;
	const char *name;
	char *path;
	bool has_more;
};

static bool matches(const struct search *search, const char *directory)
{
	return search->kind == CAPTURE_CGROUP_UNIT
		       ? is_unit(directory, search->name)
		       : is_container(directory, search->name);
}

/* Groups below a found one belong to it. */
static void visit_entry(struct search *search, FTS *tree, FTSENT *entry)
{
	if (entry->fts_info != FTS_D || !entry->fts_level)
		return;
	if (entry->fts_level == DEPTH_MAX)
		fts_set(tree, entry, FTS_SKIP);
	if (!matches(search, entry->fts_name))
		return;
	fts_set(tree, entry, FTS_SKIP);
	search->has_more |= search->path != NULL;
	free(search->path);
	search->path = tool_copy(entry->fts_path);
}

static void search_below(struct search *search, const char *directory)
{
	_cleanup_free_ char *copy = tool_copy(directory);
	char *roots[] = { copy, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	while (tree && (entry = fts_read(tree)))
		visit_entry(search, tree, entry);
	if (tree)
		fts_close(tree);
}

static bool is_valid(enum capture_cgroup_kind kind, const char *name)
{
	if (kind == CAPTURE_CGROUP_CONTAINER)
		return strlen(name) >= CONTAINER_DIGITS_MIN &&
		       !name[strspn(name, "0123456789abcdef")];

	return *name && (kind == CAPTURE_CGROUP_PATH || !strchr(name, '/'));
}

static int find_path(const char *root, const char *name, char **path)
{
	struct stat about;
	_cleanup_free_ char *found = tool_starts(name, root)
					     ? tool_copy(name)
					     : tool_print("%s/%s", root, name);

	if (stat(found, &about) || !S_ISDIR(about.st_mode))
		return -ENOENT;
	*path = memory_pass(found);

	return 0;
}

int capture_cgroup_find(const char *root, enum capture_cgroup_kind kind,
			const char *name, char **path)
{
	struct search search = { .kind = kind, .name = name };

	*path = NULL;
	if (!is_valid(kind, name))
		return -EINVAL;
	if (kind == CAPTURE_CGROUP_PATH)
		return find_path(root, name, path);
	search_below(&search, root);
	if (search.has_more) {
		free(search.path);
		return -EEXIST;
	}
	*path = search.path;

	return *path ? 0 : -ENOENT;
}
