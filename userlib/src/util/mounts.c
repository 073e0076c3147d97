// SPDX-License-Identifier: MIT
#include "util/mounts.h"

#include <string.h>

#include "util/common.h"

/* Path below the mount point, for the supported file systems. */
static const struct {
	const char *type;
	const char *inside;
} file_systems[] = {
	{ "tracefs", "" },
	{ "debugfs", "/tracing" },
};

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/*
 * The kernel writes spaces and other separators as a backslash and three
 * digits.
 */
static size_t unescape(char *to, size_t size, const char *from, size_t length)
{
	size_t used = 0, i;
	char c;

	for (i = 0; i < length; i++) {
		c = from[i];
		if (c == '\\' && i + 3 < length && is_octal(from[i + 1]) &&
		    is_octal(from[i + 2]) && is_octal(from[i + 3])) {
			c = (char)((from[i + 1] - '0') * 64 +
				   (from[i + 2] - '0') * 8 +
				   (from[i + 3] - '0'));
			i += 3;
		}
		if (used + 1 >= size)
			return 0;
		to[used++] = c;
	}
	to[used] = '\0';

	return used;
}

/* A line is "device directory type options number number". */
static bool read_line(const char *line, size_t length, char *directory,
		      size_t size)
{
	const char *end = line + length;
	const char *where, *type, *type_end;
	size_t used, i;

	where = memchr(line, ' ', length);
	if (!where++)
		return false;
	type = memchr(where, ' ', (size_t)(end - where));
	if (!type++)
		return false;
	type_end = memchr(type, ' ', (size_t)(end - type));
	if (!type_end)
		return false;

	for (i = 0; i < ARRAY_SIZE(file_systems); i++) {
		if (strlen(file_systems[i].type) != (size_t)(type_end - type) ||
		    memcmp(type, file_systems[i].type,
			   (size_t)(type_end - type)))
			continue;
		used = unescape(directory, size, where,
				(size_t)(type - 1 - where));
		if (!used || used + strlen(file_systems[i].inside) >= size)
			return false;
		strcpy(directory + used, file_systems[i].inside);
		return true;
	}

	return false;
}

bool uev_mounts_next(const char **text, char *directory, size_t size)
{
	const char *line;
	size_t length;

	while (**text) {
		line = *text;
		length = strcspn(line, "\n");
		*text = line + length + (line[length] == '\n');
		if (read_line(line, length, directory, size))
			return true;
	}

	return false;
}
