// SPDX-License-Identifier: MIT
#include "doctor/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

char *context_path(const struct doctor_context *context, const char *format,
		   ...)
{
	va_list arguments;
	char *path, *full_path;

	va_start(arguments, format);
	path = tool_vprint(format, arguments);
	va_end(arguments);
	full_path = tool_print("%s%s", context->root, path);
	free(path);

	return full_path;
}

bool context_has(const struct doctor_context *context, const char *path)
{
	char *full_path = context_path(context, "%s", path);
	bool has = access(full_path, F_OK) == 0;

	free(full_path);

	return has;
}

char *context_line(const struct doctor_context *context, const char *path)
{
	char *full_path = context_path(context, "%s", path);
	char *line = files_line(full_path);

	free(full_path);

	return line;
}

char *context_text(const struct doctor_context *context, const char *path)
{
	char *full_path = context_path(context, "%s", path), *text;

	files_read(full_path, &text, NULL);
	free(full_path);

	return text;
}

bool context_line_is(const struct doctor_context *context, const char *path,
		     const char *text)
{
	char *line = context_line(context, path);
	bool is_same = line && strcmp(line, text) == 0;

	free(line);

	return is_same;
}

bool context_has_line(const char *text, const char *line)
{
	size_t length = strlen(line);
	const char *at = text;

	while ((at = strstr(at, line))) {
		if ((at == text || at[-1] == '\n') &&
		    (at[length] == '\n' || !at[length]))
			return true;
		at += length;
	}

	return false;
}
