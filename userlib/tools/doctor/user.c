// SPDX-License-Identifier: MIT
#include "doctor/user.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "doctor/checks.h"
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

char *user_name(const struct doctor_context *context, unsigned int uid)
{
	_cleanup_free_ char *path = context_path(context, "/etc/passwd");
	FILE *file = fopen(path, "re");
	const struct passwd *user = NULL;
	char *name;

	do {
		user = file ? fgetpwent(file) : NULL;
	} while (user && user->pw_uid != uid);
	name = user ? tool_copy(user->pw_name) : tool_print("%u", uid);
	if (file)
		fclose(file);

	return name;
}

char *user_group_name(const struct doctor_context *context, unsigned int gid)
{
	_cleanup_free_ char *path = context_path(context, "/etc/group");
	FILE *file = fopen(path, "re");
	const struct group *group = NULL;
	char *name;

	do {
		group = file ? fgetgrent(file) : NULL;
	} while (group && group->gr_gid != gid);
	name = group ? tool_copy(group->gr_name) : tool_print("%u", gid);
	if (file)
		fclose(file);

	return name;
}

char *user_describe(const struct doctor_context *context,
		    const struct stat *about)
{
	_cleanup_free_ char *owner = user_name(context, about->st_uid);
	_cleanup_free_ char *group = user_group_name(context, about->st_gid);

	return tool_print("mode 0%o, owner %s:%s",
			  (unsigned int)about->st_mode & 07777, owner, group);
}

/* ---- The caller ---- */

static void append_groups(struct uev_output *to,
			  const struct doctor_context *context)
{
	size_t i;

	for (i = 0; i < context->group_count; i++) {
		_cleanup_free_ char *group =
			user_group_name(context, context->groups[i]);

		tool_list_add(to, "%s", group);
	}
}

void doctor_check_user(struct doctor *doctor)
{
	_cleanup_(uev_output_release) struct uev_output groups =
		UEV_OUTPUT_INIT;
	_cleanup_free_ char *name =
		user_name(doctor->context, doctor->context->uid);
	const struct doctor_context *context = doctor->context;

	append_groups(&groups, context);
	doctor_add(doctor, DOCTOR_OK, "user", NULL, "%s, in group%s %s%s", name,
		   context->group_count == 1 ? "" : "s", groups.text,
		   user_may_trace(context)
			   ? ""
			   : ", without CAP_PERFMON and CAP_SYS_ADMIN");
}
