// SPDX-License-Identifier: MIT
#include "doctor/module_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

/* Marker of scripts/sign-file at the end of a signed module. */
#define SIGNATURE "~Module signature appended~\n"

static const char elf[] = { 0x7f, 'E', 'L', 'F' };

/*
 * Returns the value of a string of the .modinfo section, up to a space, for
 * free(); NULL without one. The key has a NUL before it and a '=' behind.
 */
static char *read_info(const char *bytes, size_t size, const char *key,
		       size_t length)
{
	const char *value = memmem(bytes, size, key, length);

	return value ? tool_print("%.*s", (int)strcspn(value + length, " "),
				  value + length)
		     : NULL;
}

#define READ_INFO(bytes, size, key) \
	read_info(bytes, size, "\0" key "=", sizeof("\0" key "=") - 1)

void module_file_read(struct module_file *file, const char *path)
{
	_cleanup_free_ char *bytes = NULL;
	size_t size, mark = strlen(SIGNATURE);

	memset(file, 0, sizeof(*file));
	if (files_read(path, &bytes, &size))
		return;
	file->is_readable = size > sizeof(elf) &&
			    memcmp(bytes, elf, sizeof(elf)) == 0;
	if (!file->is_readable)
		return;
	file->is_signed = size > mark &&
			  memcmp(bytes + size - mark, SIGNATURE, mark) == 0;
	file->release = READ_INFO(bytes, size, "vermagic");
	file->version = READ_INFO(bytes, size, "version");
}

void module_file_free(struct module_file *file)
{
	free(file->release);
	free(file->version);
}

/* Tests whether a path is that of a module, possibly compressed. */
static bool is_of(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/'),
		   *last = slash ? slash + 1 : path;
	size_t size = strlen(name);

	if (!tool_starts(last, name) || !tool_starts(last + size, ".ko"))
		return false;

	return !last[size + 3] || last[size + 3] == '.';
}

char *module_file_find(const char *directory, const char *name)
{
	_cleanup_free_ char *dependencies =
		tool_print("%s/modules.dep", directory);
	_cleanup_free_ char *text = NULL;
	char *rest, *line, *path;

	files_read(dependencies, &text, NULL);
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		path = strsep(&line, ":");
		if (line && is_of(path, name))
			return tool_copy(path);
	}

	return NULL;
}

/* Returns the first directory in the target of a link, for free(); or NULL */
static char *read_link(const char *directory, const char *name)
{
	_cleanup_free_ char *path = tool_print("%s/%s", directory, name);
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);

	if (length <= 0)
		return NULL;
	target[length] = '\0';
	target[strcspn(target, "/")] = '\0';

	return tool_copy(target);
}

/* The link "kernel-RELEASE-ARCHITECTURE" is to VERSION/RELEASE/ARCHITECTURE. */
char *module_file_dkms_version(const char *directory, const char *release)
{
	_cleanup_(files_names_free) struct files_names names;
	_cleanup_free_ char *prefix = tool_print("kernel-%s-", release);
	char *version = NULL;
	size_t i;

	files_names(directory, &names);
	for (i = 0; i < names.count && !version; i++)
		if (tool_starts(names.names[i], prefix))
			version = read_link(directory, names.names[i]);

	return version;
}
