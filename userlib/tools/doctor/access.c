// SPDX-License-Identifier: MIT
#include "doctor/access.h"

#include <string.h>

#include "doctor/distribution.h"
#include "doctor/user.h"
#include "files.h"

#define SETTINGS "/etc/user-events.conf"

/* Returns the group of the service user-events, for free(). */
static char *read_group(const struct doctor_context *context)
{
	_cleanup_free_ char *text = context_text(context, SETTINGS);
	const char *group = files_value(text, "EMIT_GROUP=");

	return group ? tool_print("%.*s", (int)strcspn(group, " \n"), group)
		     : tool_copy("tracing");
}

static char *suggest_service(const struct doctor_context *context,
			     enum access_purpose purpose)
{
	_cleanup_free_ char *name = user_name(context, context->uid);
	_cleanup_free_ char *group = read_group(context);
	_cleanup_free_ char *join = distribution_join(context, group, name);

	if (purpose == ACCESS_WRITE)
		return tool_print("systemctl enable --now user-events && %s",
				  join);

	return tool_print("sed -i 's/^COLLECT=.*/COLLECT=yes/' " SETTINGS
			  " && systemctl reload-or-restart user-events && %s",
			  join);
}

char *access_suggest_group(const struct doctor_context *context,
			   enum access_purpose purpose, const char *how)
{
	_cleanup_free_ char *name = user_name(context, context->uid);
	_cleanup_free_ char *join = distribution_join(context, "tracing", name);
	_cleanup_free_ char *group = distribution_new_group(context, "tracing");

	if (context_has(context, SETTINGS))
		return suggest_service(context, purpose);

	return tool_print("%s %s && %s", group, join, how);
}

static char *suggest_joining(const struct doctor_context *context,
			     unsigned int gid)
{
	_cleanup_free_ char *name = user_name(context, context->uid);
	_cleanup_free_ char *group = user_group_name(context, gid);

	return distribution_join(context, group, name);
}

char *access_suggest(const struct doctor_context *context,
		     const struct stat *about, int bits,
		     enum access_purpose purpose, const char *how)
{
	unsigned int wanted = (unsigned int)bits << 3;

	if (about->st_gid && (about->st_mode & wanted) == wanted &&
	    !user_is_in(context, about->st_gid))
		return suggest_joining(context, about->st_gid);

	return access_suggest_group(context, purpose, how);
}
