// SPDX-License-Identifier: MIT
#include "capture/rotation.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/file.h"

/* Of capture_file_name() */
#define TIMESTAMP_DIGITS 16

bool capture_rotation_parse(struct capture_rotation *rotation, const char *text)
{
	size_t length = strlen(text);

	rotation->is_on = true;
	rotation->size = 0;
	rotation->interval = 0;
	if (strcmp(text, "signal") == 0)
		return true;
	/* A number alone could be both. */
	if (!length || strchr("0123456789.", text[length - 1]))
		return false;

	if (tool_size(text, &rotation->size))
		return true;
	rotation->size = 0;

	return tool_time(text, &rotation->interval);
}

int capture_take_rotation(void *rotation, const struct tool_argument *argument)
{
	if (capture_rotation_parse(rotation,
				   argument->text ? argument->text : "signal"))
		return TOOL_OK;

	return tool_invalid(argument, "a size such as 64M, a time such as 1h, "
				      "or signal");
}

void capture_rotation_begin(struct capture_rotation *rotation, uint64_t now)
{
	rotation->due = now + rotation->interval;
}

bool capture_rotation_is_due(const struct capture_rotation *rotation,
			     uint64_t size, uint64_t now)
{
	return (rotation->size && size >= rotation->size) ||
	       (rotation->interval && now >= rotation->due);
}

char *capture_rotation_name(const char *path)
{
	struct timespec now;
	struct stat found;
	unsigned int tries;
	char *name = NULL;

	clock_gettime(CLOCK_REALTIME, &now);
	for (tries = 0; !name; tries++) {
		name = capture_file_name(path, &now, tries);
		/* Also a link of another user, which may lead nowhere */
		if (lstat(name, &found) == 0) {
			free(name);
			name = NULL;
		}
	}

	return name;
}

static void remove_oldest(struct capture_rotation *rotation)
{
	char *name = rotation->names[0];

	if (unlink(name) && errno != ENOENT)
		tool_error_of(-errno, "%s: cannot remove", name);
	free(name);
	rotation->name_count--;
	memmove(rotation->names, rotation->names + 1,
		rotation->name_count * sizeof(*rotation->names));
}

static void keep_name(struct capture_rotation *rotation, char *name)
{
	if (rotation->name_count == rotation->files_max)
		remove_oldest(rotation);
	*tool_add(rotation->names, rotation->name_count) = name;
}

/* Tests for BASE.TIMESTAMP, also with the temporary suffix of a killed one. */
static bool is_earlier(const char *name, const char *base)
{
	const char *rest = name + strlen(base) + 1;

	if (!tool_starts(name, base) || rest[-1] != '.' ||
	    strspn(rest, "0123456789") != TIMESTAMP_DIGITS)
		return false;
	rest += TIMESTAMP_DIGITS;

	return !*rest || tool_starts(rest, ".tmp-");
}

void capture_rotation_adopt(struct capture_rotation *rotation, const char *path)
{
	_cleanup_free_ struct dirent **entries = NULL;
	_cleanup_free_ char *directory = NULL;
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	int count = 0, i;

	directory = tool_print("%.*s", (int)(base - path), path);
	if (rotation->files_max)
		count = scandir(slash ? directory : ".", &entries, NULL,
				alphasort);
	for (i = 0; i < count; i++) {
		if (is_earlier(entries[i]->d_name, base))
			keep_name(rotation, tool_print("%s%s", directory,
						       entries[i]->d_name));
		free(entries[i]);
	}
}

void capture_rotation_add(struct capture_rotation *rotation, char *name)
{
	rotation->file_count++;
	/* Without a limit the names are not needed. */
	if (rotation->files_max)
		keep_name(rotation, name);
	else
		free(name);
}

void capture_rotation_release(struct capture_rotation *rotation)
{
	size_t i;

	for (i = 0; i < rotation->name_count; i++)
		free(rotation->names[i]);
	free(rotation->names);
}
