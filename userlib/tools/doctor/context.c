// SPDX-License-Identifier: MIT
#include "doctor/context.h"

#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

/* The groups of the caller, starting with the effective one, for free(). */
static gid_t *read_groups(size_t *used)
{
	_cleanup_free_ gid_t *others = NULL;
	int count = getgroups(0, NULL), i;
	gid_t *groups = tool_alloc(((size_t)count + 1) * sizeof(*groups));

	others = tool_alloc(((size_t)count + 1) * sizeof(*others));
	count = getgroups(count, others);
	groups[0] = getegid();
	*used = 1;
	for (i = 0; i < count; i++)
		if (others[i] != getegid())
			groups[(*used)++] = others[i];

	return groups;
}

static uint64_t read_capabilities(void)
{
	_cleanup_free_ char *text = NULL;
	const char *value;

	if (files_read("/proc/self/status", &text, NULL))
		return geteuid() ? 0 : UINT64_MAX;
	value = files_value(text, "CapEff:");

	return value ? strtoull(value, NULL, 16) : 0;
}

void context_read(struct doctor_context *context)
{
	struct utsname machine = { .release = "" };

	uname(&machine);
	*context = (struct doctor_context){
		.root = "",
		.release = tool_copy(machine.release),
		.program = realpath("/proc/self/exe", NULL),
		.uid = geteuid(),
		.capabilities = read_capabilities(),
	};
	context->groups = read_groups(&context->group_count);
}

void context_set_next(struct doctor_context *context, const char *release)
{
	free((void *)context->release);
	context->release = tool_copy(release);
	context->is_next = true;
}

void context_release(struct doctor_context *context)
{
	free((void *)context->release);
	free((void *)context->program);
	free((void *)context->groups);
}

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

/* hasmntopt() of musl 1.2.3 finds a text within an option, too. */
bool context_is_read_only(const struct mntent *entry)
{
	_cleanup_free_ char *options = tool_print(",%s,", entry->mnt_opts);

	return strstr(options, ",ro,");
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
