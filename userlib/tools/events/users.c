// SPDX-License-Identifier: MIT
#include "events/users.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "events/process_file.h"
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

/*
 * struct search - What is searched for
 * @proc: path of procfs
 * @except: ID of a process that is skipped
 * @only_open: neither mappings nor events are searched
 * @files: the @file_count files of the table above, or one file; those that do
 *        not exist match nothing
 * @paths: memory of @files
 */
struct search {
	const char *proc;
	int except;
	bool only_open;
	size_t file_count;
	struct process_file files[ARRAY_SIZE(files)];
	char *paths[ARRAY_SIZE(files)];
};

static void search_begin(struct search *search, const char *proc,
			 const char *tracefs, int except)
{
	size_t i;

	memset(search, 0, sizeof(*search));
	search->proc = proc;
	search->except = except;
	search->file_count = ARRAY_SIZE(files);
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		search->paths[i] = tool_print("%s/%s", tracefs ? tracefs : "",
					      files[i].name);
		process_file_init(&search->files[i], search->paths[i]);
	}
}

static void search_end(struct search *search)
{
	size_t i;

	for (i = 0; i < search->file_count; i++)
		free(search->paths[i]);
}

/* ---- One process ---- */

/* Duplicates are removed at the end. */
static void add_event(struct user *user, const char *name, size_t length)
{
	*tool_add(user->events, user->event_count) =
		tool_print("%.*s", (int)length, name);
}

static void sort_events(struct user *user)
{
	size_t i, count = 0;

	tool_sort(user->events, user->event_count, tool_compare_texts);
	for (i = 0; i < user->event_count; i++) {
		if (count &&
		    strcmp(user->events[count - 1], user->events[i]) == 0)
			free(user->events[i]);
		else
			user->events[count++] = user->events[i];
	}
	user->event_count = count;
}

/* Adds the events of a file; each has a line "event:\tSYSTEM:NAME". */
static void add_events_of(struct user *user, const char *info)
{
	_cleanup_free_ char *text = NULL;
	static const char key[] = "event:\t";
	const char *line;
	size_t length;

	files_read(info, &text, NULL);
	for (line = text; line && *line; line += length + (line[length] != 0)) {
		length = strcspn(line, "\n");
		if (strncmp(line, key, strlen(key)) == 0)
			add_event(user, line + strlen(key),
				  length - strlen(key));
	}
}

static void examine_descriptor(struct user *user, const struct search *search,
			       const char *directory, const char *number)
{
	_cleanup_free_ char *link = tool_print("%s/fd/%s", directory, number);
	_cleanup_free_ char *info =
		tool_print("%s/fdinfo/%s", directory, number);
	size_t i;

	for (i = 0; i < search->file_count; i++) {
		if (!process_file_is_open(&search->files[i], link))
			continue;
		user->holds |= files[i].holds;
		if (files[i].holds == USERS_DATA && !search->only_open)
			add_events_of(user, info);
	}
}

/*
 * A mapping exists without a descriptor, too.
 *
 * Return: false if the mappings of a process are not readable
 */
static bool examine_mappings(struct user *user, const struct search *search,
			     const char *directory)
{
	_cleanup_free_ char *path = tool_print("%s/maps", directory);
	_cleanup_free_ char *text = NULL;
	int err = files_read(path, &text, NULL);
	size_t i;

	for (i = 0; i < search->file_count; i++)
		if (process_file_is_mapped(&search->files[i], text))
			user->holds |= files[i].holds;

	return !err || err == -ENOENT || err == -ESRCH;
}

/* Return: false without permission. */
static bool examine_process(struct user *user, const struct search *search,
			    const char *directory)
{
	_cleanup_(files_names_free) struct files_names names;
	_cleanup_free_ char *path = tool_print("%s/fd", directory);
	/* It might have exited, which is harmless. */
	bool is_complete = !files_names(path, &names) ||
			   access(directory, F_OK) != 0;
	size_t i;

	for (i = 0; i < names.count; i++)
		examine_descriptor(user, search, directory, names.names[i]);

	return (search->only_open ||
		examine_mappings(user, search, directory)) &&
	       is_complete;
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

static struct user *add_user(struct users *users, const char *proc, int pid)
{
	_cleanup_free_ char *path = tool_print("%s/%d/comm", proc, pid);
	char *name = files_line(path);
	struct user *user = tool_add(users->users, users->count);

	*user = (struct user){
		.pid = pid,
		.name = name ? name : tool_copy("?"),
	};

	return user;
}

static int by_pid(const void *left, const void *right)
{
	return ((const struct user *)left)->pid -
	       ((const struct user *)right)->pid;
}

static void examine_all(struct users *users, const struct search *search)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	uint64_t pid;
	size_t i;

	users->is_complete = files_names(search->proc, &names) == 0;
	for (i = 0; i < names.count; i++) {
		_cleanup_free_ char *directory = NULL;
		struct user found = { 0 };

		if (!tool_number(names.names[i], 1, INT_MAX, &pid) ||
		    (int)pid == search->except)
			continue;
		directory = tool_print("%s/%s", search->proc, names.names[i]);
		if (!examine_process(&found, search, directory))
			users->is_complete = false;
		if (found.holds) {
			struct user *user =
				add_user(users, search->proc, (int)pid);

			found.pid = user->pid;
			found.name = user->name;
			*user = found;
		}
	}
	tool_sort(users->users, users->count, by_pid);
}

/* ---- Enablers ---- */

/* struct enabler - A line "PID SYSTEM:NAME"; @event is not terminated */
struct enabler {
	int pid;
	const char *event;
	size_t length;
};

/* Return: the lines, for free(); NULL if there are none */
static struct enabler *parse_enablers(const char *text, size_t *count)
{
	struct enabler *enablers = NULL;
	const char *line, *space;
	size_t length;

	*count = 0;
	for (line = text; line && *line; line += length + (line[length] != 0)) {
		length = strcspn(line, "\n");
		space = memchr(line, ' ', length);
		if (!space)
			continue;
		*tool_add(enablers, *count) = (struct enabler){
			.pid = (int)strtol(line, NULL, 10),
			.event = space + 1,
			.length = (size_t)(line + length - space - 1),
		};
	}

	return enablers;
}

static int by_process(const void *left, const void *right)
{
	return ((const struct enabler *)left)->pid -
	       ((const struct enabler *)right)->pid;
}

/* Both are sorted. New users are added at the end. */
static void merge_enablers(struct users *users, const struct search *search,
			   const struct enabler *enablers, size_t count)
{
	size_t i, next = 0, known = users->count, last = known;

	for (i = 0; i < count; i++) {
		if (enablers[i].pid == search->except)
			continue;
		if (!i || enablers[i].pid != enablers[i - 1].pid) {
			while (next < known &&
			       users->users[next].pid < enablers[i].pid)
				next++;
			last = next;
			if (next == known ||
			    users->users[next].pid != enablers[i].pid) {
				add_user(users, search->proc, enablers[i].pid);
				last = users->count - 1;
			}
		}
		users->users[last].holds |= USERS_ENABLERS;
		add_event(&users->users[last], enablers[i].event,
			  enablers[i].length);
	}
	tool_sort(users->users, users->count, by_pid);
}

static void add_enablers(struct users *users, const struct search *search,
			 const char *tracefs)
{
	_cleanup_free_ char *path =
		tool_print("%s/user_events_enablers", tracefs);
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ struct enabler *enablers = NULL;
	size_t count;
	int err;

	err = files_read(path, &text, NULL);
	if (err && err != -ENOENT) {
		users->is_complete = false;
		users->list_error = err;
	}
	enablers = parse_enablers(text, &count);
	tool_sort(enablers, count, by_process);
	merge_enablers(users, search, enablers, count);
}

void users_find(struct users *users, const char *proc, const char *tracefs,
		int except)
{
	struct search search;
	size_t i;

	memset(users, 0, sizeof(*users));
	search_begin(&search, proc, tracefs, except);
	examine_all(users, &search);
	if (tracefs)
		add_enablers(users, &search, tracefs);
	else
		users->is_complete = false;
	search_end(&search);
	for (i = 0; i < users->count; i++)
		sort_events(&users->users[i]);
}

void users_find_open(struct users *users, const char *proc, const char *path,
		     int except)
{
	struct search search = {
		.proc = proc,
		.except = except,
		.only_open = true,
		.file_count = 1,
	};

	memset(users, 0, sizeof(*users));
	process_file_init(&search.files[0], path);
	examine_all(users, &search);
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

/* The text of a list, also of an empty one; for free() */
static char *text_of(const struct uev_output *list)
{
	return list->text ? list->text : tool_copy("");
}

char *users_holds(unsigned int holds)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hold_names); i++)
		if (holds & (1U << i))
			tool_list_add(&text, "%s", hold_names[i]);

	return text_of(&text);
}

char *users_events(const struct user *user)
{
	static const char system[] = "user_events:";
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < user->event_count; i++) {
		const char *name = user->events[i];

		if (strncmp(name, system, strlen(system)) == 0)
			name += strlen(system);
		tool_list_add(&text, "%s", name);
	}

	return text_of(&text);
}

char *users_text(const struct users *users)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < users->count; i++)
		tool_list_add(&text, "%s[%d]", users->users[i].name,
			      users->users[i].pid);

	return text_of(&text);
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
