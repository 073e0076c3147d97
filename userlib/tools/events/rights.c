// SPDX-License-Identifier: MIT
#include "events/rights.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* The kernel takes numbers below this. */
#define NO_ID 0xffffffffUL
#define MODE_MAX 0666UL

static bool read_number(const char *text, int base, unsigned long max,
			unsigned long *number)
{
	char *end;

	/* Not a sign, nor a space. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoul(text, &end, base);

	return !*end && !errno && *number <= max;
}

const char *rights_id(const char *text, bool is_group, unsigned long *number)
{
	const struct passwd *user = NULL;
	const struct group *group = NULL;

	if (read_number(text, 10, NO_ID - 1, number))
		return NULL;
	if (is_group)
		group = getgrnam(text);
	else
		user = getpwnam(text);
	if (!user && !group)
		return is_group ? "no such group" : "no such user";
	*number = is_group ? group->gr_gid : user->pw_uid;

	return NULL;
}

static const char *read_mode(const char *text, unsigned long *number)
{
	return read_number(text, 8, MODE_MAX, number)
		       ? NULL
		       : "the mode must be octal and have no other bits than 0666";
}

enum {
	UID,
	GID,
	MODE,
	KEYS
};

static const char *const keys[KEYS] = {
	[UID] = "uid=",
	[GID] = "gid=",
	[MODE] = "mode=",
};

/* Return: NULL, or a description of the error. */
static const char *read_right(const char *word, unsigned long *numbers)
{
	size_t i;

	for (i = 0; i < KEYS; i++) {
		if (tool_skip(&word, keys[i]))
			return i == MODE
				       ? read_mode(word, &numbers[i])
				       : rights_id(word, i == GID, &numbers[i]);
	}

	return "uid=USER, gid=GROUP or mode=MODE expected behind ':'";
}

char *rights_read(const char *text, size_t length, size_t *offset,
		  const char **reason)
{
	_cleanup_free_ char *copy = tool_print("%.*s", (int)length, text);
	/* Root's, and all users can register the event. */
	unsigned long numbers[KEYS] = { [MODE] = 0622 };
	char *rest = copy, *word;

	while ((word = strsep(&rest, ","))) {
		*offset = (size_t)(word - copy);
		*reason = read_right(word, numbers);
		if (*reason)
			return NULL;
	}

	return tool_print(":uid=%lu,gid=%lu,mode=%04lo", numbers[UID],
			  numbers[GID], numbers[MODE]);
}
