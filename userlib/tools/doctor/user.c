// SPDX-License-Identifier: MIT
#include "doctor/user.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

bool user_has(const struct doctor_context *context, unsigned int capability)
{
	return context->capabilities >> capability & 1;
}

bool user_may_trace(const struct doctor_context *context)
{
	return user_has(context, USER_CAP_PERFMON) ||
	       user_has(context, USER_CAP_SYS_ADMIN);
}

bool user_is_in(const struct doctor_context *context, unsigned int group)
{
	size_t i;

	for (i = 0; i < context->group_count; i++)
		if (context->groups[i] == group)
			return true;

	return false;
}

bool user_may(const struct doctor_context *context, const struct stat *about,
	      int bits)
{
	unsigned int mode = about->st_mode;

	if (user_has(context, USER_CAP_DAC_OVERRIDE))
		return true;
	/* CAP_DAC_READ_SEARCH permits everything except writing. */
	if (!(bits & W_OK) && user_has(context, USER_CAP_DAC_READ_SEARCH))
		return true;
	if (about->st_uid == context->uid)
		mode >>= 6;
	else if (user_is_in(context, about->st_gid))
		mode >>= 3;

	return ((unsigned int)bits & ~mode & 7) == 0;
}

/* A line is "name:password:number:...". */
static char *name_of(const struct doctor_context *context, const char *file,
		     unsigned int id)
{
	char *path = tool_print("%s%s", context->root, file), *text;
	const char *line, *colon;
	char *name = NULL;

	files_read(path, &text, NULL);
	free(path);
	for (line = text; line && *line && !name;
	     line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
		size_t length = strcspn(line, "\n");

		colon = memchr(line, ':', length);
		if (!colon)
			continue;
		colon = memchr(colon + 1, ':',
			       (size_t)(line + length - colon - 1));
		if (colon && colon[1] >= '0' && colon[1] <= '9' &&
		    strtoul(colon + 1, NULL, 10) == id)
			name = tool_print("%.*s", (int)strcspn(line, ":"),
					  line);
	}
	free(text);

	return name ? name : tool_print("%u", id);
}

char *user_name(const struct doctor_context *context, unsigned int uid)
{
	return name_of(context, "/etc/passwd", uid);
}

char *user_group_name(const struct doctor_context *context, unsigned int gid)
{
	return name_of(context, "/etc/group", gid);
}
