// SPDX-License-Identifier: MIT
#include "events/users.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/processes.h"
#include "files.h"
#include "tool.h"

static const struct {
	const char *name;
	unsigned int holds;
} files[] = {
	{ "user_events_data", USERS_DATA },
	{ "user_events_status", USERS_STATUS },
	{ "user_events_profile", USERS_LIST },
	{ "user_events_enablers", USERS_LIST },
};

static const char *const hold_names[] = { "data", "status", "list",
					  "enablers" };

/* ---- One process ---- */

static void add_event(struct user *user, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < user->event_count; i++)
		if (strlen(user->events[i]) == length &&
		    strncmp(user->events[i], name, length) == 0)
			return;
	user->events = tool_grow(user->events, (user->event_count + 1) *
						       sizeof(*user->events));
	user->events[user->event_count++] =
		tool_print("%.*s", (int)length, name);
}

/* Adds the events of a file; each has a line "event:\tSYSTEM:NAME". */
static void add_events_of(struct user *user, const char *info)
{
	static const char key[] = "event:\t";
	const char *line;
	char *text;

	files_read(info, &text, NULL);
	for (line = text; line && *line;
	     line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
		if (strncmp(line, key, strlen(key)) == 0)
			add_event(user, line + strlen(key),
				  strcspn(line + strlen(key), "\n"));
	free(text);
}

static void examine_descriptor(struct user *user, const char *directory,
			       const char *number)
{
	char *link = tool_print("%s/fd/%s", directory, number);
	char *info = tool_print("%s/fdinfo/%s", directory, number);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (!processes_is_open(link, files[i].name))
			continue;
		user->holds |= files[i].holds;
		if (files[i].holds == USERS_DATA)
			add_events_of(user, info);
	}
	free(info);
	free(link);
}

/* A mapping exists without a descriptor, too. */
static void examine_mappings(struct user *user, const char *directory)
{
	char *path = tool_print("%s/maps", directory), *text;

	files_read(path, &text, NULL);
	if (text && strstr(text, "/user_events_status"))
		user->holds |= USERS_STATUS;
	free(text);
	free(path);
}

/* Return: false without permission. */
static bool examine(struct user *user, const char *directory)
{
	char *path = tool_print("%s/fd", directory);
	struct files_names names;
	/* It might have exited, which is harmless. */
	bool is_complete = !files_names(path, &names) ||
			   access(directory, F_OK) != 0;
	size_t i;

	for (i = 0; i < names.count; i++)
		examine_descriptor(user, directory, names.names[i]);
	files_names_free(&names);
	free(path);
	examine_mappings(user, directory);

	return is_complete;
}

static void free_user(struct user *user)
{
	size_t i;

	for (i = 0; i < user->event_count; i++)
		free(user->events[i]);
	free(user->events);
	free(user->name);
}

/* ---- All processes ---- */

static struct user *find_user(struct users *users, int pid)
{
	size_t i;

	for (i = 0; i < users->count; i++)
		if (users->users[i].pid == pid)
			return &users->users[i];

	return NULL;
}

static struct user *add_user(struct users *users, const char *proc, int pid)
{
	char *path = tool_print("%s/%d/comm", proc, pid);
	char *name = files_line(path);
	struct user *user;

	users->users = tool_grow(users->users,
				 (users->count + 1) * sizeof(*users->users));
	user = &users->users[users->count++];
	*user = (struct user){
		.pid = pid,
		.name = name ? name : tool_copy("?"),
	};
	free(path);

	return user;
}

static void examine_all(struct users *users, const char *proc, int except)
{
	struct files_names names;
	char *directory;
	uint64_t pid;
	size_t i;

	users->is_complete = files_names(proc, &names) == 0;
	for (i = 0; i < names.count; i++) {
		struct user found = { 0 };

		if (!tool_number(names.names[i], 1, INT_MAX, &pid) ||
		    (int)pid == except)
			continue;
		directory = tool_print("%s/%s", proc, names.names[i]);
		if (!examine(&found, directory))
			users->is_complete = false;
		free(directory);
		if (found.holds) {
			struct user *user = add_user(users, proc, (int)pid);

			found.pid = user->pid;
			found.name = user->name;
			*user = found;
		}
	}
	files_names_free(&names);
}

/* Each line is "PID SYSTEM:NAME". */
static void add_enablers(struct users *users, const char *proc,
			 const char *tracefs, int except)
{
	char *path = tool_print("%s/user_events_enablers", tracefs), *text;
	struct user *user;
	const char *line;
	size_t length;
	int pid;

	if (files_read(path, &text, NULL) == -EACCES)
		users->is_complete = false;
	for (line = text; line && *line; line += length + (line[length] != 0)) {
		length = strcspn(line, "\n");
		pid = (int)strtol(line, NULL, 10);
		if (pid == except || !memchr(line, ' ', length))
			continue;
		user = find_user(users, pid);
		if (!user)
			user = add_user(users, proc, pid);
		user->holds |= USERS_ENABLERS;
		add_event(user, strchr(line, ' ') + 1,
			  length - (size_t)(strchr(line, ' ') + 1 - line));
	}
	free(text);
	free(path);
}

static int by_pid(const void *left, const void *right)
{
	return ((const struct user *)left)->pid -
	       ((const struct user *)right)->pid;
}

void users_find(struct users *users, const char *proc, const char *tracefs,
		int except)
{
	memset(users, 0, sizeof(*users));
	examine_all(users, proc, except);
	if (tracefs)
		add_enablers(users, proc, tracefs, except);
	else
		users->is_complete = false;
	if (users->count)
		qsort(users->users, users->count, sizeof(*users->users),
		      by_pid);
}

void users_free(struct users *users)
{
	size_t i;

	for (i = 0; i < users->count; i++)
		free_user(&users->users[i]);
	free(users->users);
	memset(users, 0, sizeof(*users));
}

/* ---- Text ---- */

/* Appends a part and frees the text. */
static char *append(char *text, const char *part)
{
	char *longer = tool_print("%s%s%s", text, *text ? ", " : "", part);

	free(text);

	return longer;
}

char *users_holds(unsigned int holds)
{
	char *text = tool_copy("");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hold_names); i++)
		if (holds & (1U << i))
			text = append(text, hold_names[i]);

	return text;
}

char *users_events(const struct user *user)
{
	static const char system[] = "user_events:";
	char *text = tool_copy("");
	size_t i;

	for (i = 0; i < user->event_count; i++) {
		const char *name = user->events[i];

		if (strncmp(name, system, strlen(system)) == 0)
			name += strlen(system);
		text = append(text, name);
	}

	return text;
}

char *users_text(const struct users *users)
{
	char *text = tool_copy(""), *part;
	size_t i;

	for (i = 0; i < users->count; i++) {
		part = tool_print("%s[%d]", users->users[i].name,
				  users->users[i].pid);
		text = append(text, part);
		free(part);
	}

	return text;
}

/* Returns the bytes of the first items, at most @size. */
static size_t size_of_items(const char *list, size_t size)
{
	size_t i, last = 0;

	for (i = 1; i <= size; i++)
		if (strncmp(list + i, ", ", 2) == 0)
			last = i;

	/* Not even one item. */
	return last ? last : size;
}

char *users_shorten(const char *list, size_t size)
{
	size_t more = 0;
	const char *at;

	if (strlen(list) <= size)
		return tool_copy(list);
	size = size_of_items(list, size);
	for (at = strstr(list + size, ", "); at; at = strstr(at + 2, ", "))
		more++;
	if (!more)
		return tool_print("%.*s", (int)size, list);

	return tool_print("%.*s and %zu more", (int)size, list, more);
}
