// SPDX-License-Identifier: MIT
#include "doctor/module.h"

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
	size_t size, mark = strlen(SIGNATURE);
	char *bytes;

	memset(file, 0, sizeof(*file));
	if (files_read(path, &bytes, &size))
		return;
	file->is_readable = size > sizeof(elf) &&
			    memcmp(bytes, elf, sizeof(elf)) == 0;
	if (file->is_readable) {
		file->is_signed = size > mark && memcmp(bytes + size - mark,
							SIGNATURE, mark) == 0;
		file->release = READ_INFO(bytes, size, "vermagic");
		file->version = READ_INFO(bytes, size, "version");
	}
	free(bytes);
}

void module_file_free(struct module_file *file)
{
	free(file->release);
	free(file->version);
}

/*
 * Tests whether the path, up to a ':', is that of a module, possibly
 * compressed.
 */
static bool is_of(const char *path, size_t length, const char *name)
{
	const char *end = path + length, *last = path, *at;
	size_t size = strlen(name);

	for (at = path; at < end; at++)
		if (*at == '/')
			last = at + 1;
	if ((size_t)(end - last) < size + 3 || strncmp(last, name, size) != 0 ||
	    strncmp(last + size, ".ko", 3) != 0)
		return false;
	last += size + 3;

	return last == end || *last == '.';
}

char *module_file_find(const char *directory, const char *name)
{
	char *path = tool_print("%s/modules.dep", directory), *text;
	char *found = NULL;
	const char *line;
	size_t length;

	files_read(path, &text, NULL);
	free(path);
	for (line = text; line && *line && !found;
	     line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
		length = strcspn(line, ":\n");
		if (line[length] == ':' && is_of(line, length, name))
			found = tool_print("%.*s", (int)length, line);
	}
	free(text);

	return found;
}

/* The link "kernel-RELEASE-ARCHITECTURE" is to VERSION/RELEASE/ARCHITECTURE. */
char *module_dkms_version(const char *directory, const char *release)
{
	char *prefix = tool_print("kernel-%s-", release), *path;
	char *version = NULL, target[PATH_MAX];
	struct files_names names;
	ssize_t length;
	size_t i;

	files_names(directory, &names);
	for (i = 0; i < names.count && !version; i++) {
		if (strncmp(names.names[i], prefix, strlen(prefix)) != 0)
			continue;
		path = tool_print("%s/%s", directory, names.names[i]);
		length = readlink(path, target, sizeof(target) - 1);
		free(path);
		if (length > 0) {
			target[length] = '\0';
			version = tool_print("%.*s", (int)strcspn(target, "/"),
					     target);
		}
	}
	files_names_free(&names);
	free(prefix);

	return version;
}
