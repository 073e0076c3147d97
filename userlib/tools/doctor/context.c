// SPDX-License-Identifier: MIT
#include "doctor/context.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "tool.h"

bool context_has(const struct doctor_context *context, const char *path)
{
	return files_exist("%s%s", context->root, path);
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
