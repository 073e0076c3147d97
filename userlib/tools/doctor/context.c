// SPDX-License-Identifier: MIT
#include "doctor/context.h"

#include <mntent.h>
#include <string.h>

#include "files.h"
#include "tool.h"

bool context_has(const struct doctor_context *context, const char *path)
{
	return files_exist("%s%s", context->root, path);
}

char *context_line(const struct doctor_context *context, const char *path)
{
	_cleanup_free_ char *full_path = context_path(context, "%s", path);

	return files_line(full_path);
}

char *context_text(const struct doctor_context *context, const char *path)
{
	_cleanup_free_ char *full_path = context_path(context, "%s", path);
	char *text;

	files_read(full_path, &text, NULL);

	return text;
}

FILE *context_mounts(const struct doctor_context *context)
{
	_cleanup_free_ char *path = context_path(context, "/proc/self/mounts");

	return setmntent(path, "re");
}

bool context_line_is(const struct doctor_context *context, const char *path,
		     const char *text)
{
	_cleanup_free_ char *line = context_line(context, path);

	return line && strcmp(line, text) == 0;
}

bool context_has_line(const char *text, const char *line)
{
	const char *end = files_value(text, line);

	return end && (*end == '\n' || !*end);
}
