// SPDX-License-Identifier: MIT
#include "events/users.h"

#include <errno.h>
#include <limits.h>
#include <linux/fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "files.h"
#include "tool.h"

/* ---- Files ---- */

/*
 * struct process_file - A file that processes can have open
 * @name: last component of its path; without a path, the text of the links to
 *        it in procfs
 * @has_path: it has a path, and is identified by @device and @inode: tracefs can
 *        be mounted elsewhere for other processes, and every user can create files
 *        of the same name
 * @exists: these are set
 */
struct process_file {
	const char *name;
	bool has_path;
	bool exists;
	dev_t device;
	ino_t inode;
};

/*
 * Attributes of the kernel's cache: a remote file system might not answer. musl
 * before 1.2.5 has no statx().
 */
static bool identify(const char *path, dev_t *device, ino_t *inode)
{
	struct statx about;

	if (syscall(SYS_statx, AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO,
		    &about))
		return false;
	*device = makedev(about.stx_dev_major, about.stx_dev_minor);
	*inode = about.stx_ino;

	return true;
}

/* @name: last component of the path, or all of a text that is no path */
static void file_init(struct process_file *file, const char *path,
		      const char *name)
{
	*file = (struct process_file){
		.name = name,
		.has_path = name != path,
	};
	file->exists = file->has_path &&
		       identify(path, &file->device, &file->inode);
}

static bool is_file(const struct process_file *file, const char *link)
{
	dev_t device;
	ino_t inode;

	return identify(link, &device, &inode) && device == file->device &&
	       inode == file->inode;
}

/* @link: path of a descriptor in procfs */
static bool is_open(const struct process_file *file, const char *link)
{
	char target[PATH_MAX];
	ssize_t size = readlink(link, target, sizeof(target) - 1);
	const char *last;

	if (size < 0 || file->exists != file->has_path)
		return false;
	target[size] = '\0';
	if (!file->has_path)
		return strcmp(target, file->name) == 0;
	last = strrchr(target, '/');

	return last && strcmp(last + 1, file->name) == 0 && is_file(file, link);
}

/* More than the text before the path. */
#define MAPPING_SIZE 160

/*
 * "ADDRESS-ADDRESS MODE OFFSET MAJOR:MINOR INODE PATH". A copy of the line,
 * because sscanf() reads the text to its end.
 */
static bool is_mapping(const struct process_file *file, const char *text)
{
	unsigned int major_number, minor_number;
	unsigned long long inode;
	char line[MAPPING_SIZE];

	snprintf(line, sizeof(line), "%.*s", (int)sizeof(line) - 1, text);

	return sscanf(line, "%*x-%*x %*s %*x %x:%x %llu", &major_number,
		      &minor_number, &inode) == 3 &&
	       makedev(major_number, minor_number) == file->device &&
	       inode == file->inode;
}

/* @maps: content of the file maps in procfs, or NULL */
static bool is_mapped(const struct process_file *file, const char *maps)
{
	while (file->exists && maps && *maps) {
		if (is_mapping(file, maps))
			return true;
		maps = strchr(maps, '\n');
		if (maps)
			maps++;
	}

	return false;
}

/* ---- What is searched for ---- */

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
 */
struct search {
	const char *proc;
	int except;
	bool only_open;
	size_t file_count;
	struct process_file files[ARRAY_SIZE(files)];
};

/* ---- One process ---- */

/* Duplicates are removed at the end. */
static void add_event(struct user *user, const char *name)
{
	*tool_add(user->events, user->event_count) = tool_copy(name);
}

/* Adds the events of a file; each has a line "event:\tSYSTEM:NAME". */
static void add_events_of(struct user *user, const char *info)
{
	_cleanup_free_ char *text = NULL;
	static const char key[] = "event:\t";
	char *rest, *line;

	files_read(info, &text, NULL);
	rest = text;
	while ((line = strsep(&rest, "\n")))
		if (tool_starts(line, key))
			add_event(user, line + strlen(key));
}

static void examine_descriptor(struct user *user, const struct search *search,
			       const char *directory, const char *number)
{
	_cleanup_free_ char *link = tool_print("%s/fd/%s", directory, number);
	_cleanup_free_ char *info =
		tool_print("%s/fdinfo/%s", directory, number);
	size_t i;

	for (i = 0; i < search->file_count; i++) {
		if (!is_open(&search->files[i], link))
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
		if (is_mapped(&search->files[i], text))
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
		found.pid = (int)pid;
		if (found.holds)
			*tool_add(users->users, users->count) = found;
	}
}

/* Takes the lines "PID SYSTEM:NAME", each as a process. */
static void add_enablers(struct users *users, const struct search *search,
			 const char *tracefs)
{
	_cleanup_free_ char *path =
		tool_print("%s/user_events_enablers", tracefs);
	_cleanup_free_ char *text = NULL;
	char *rest, *line, *event;
	int err = files_read(path, &text, NULL), pid;
	struct user *user;

	if (err && err != -ENOENT) {
		users->is_complete = false;
		users->list_error = err;
	}
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		event = strchr(line, ' ');
		pid = (int)strtol(line, NULL, 10);
		if (!event || pid == search->except)
			continue;
		user = tool_add(users->users, users->count);
		*user = (struct user){ .pid = pid, .holds = USERS_ENABLERS };
		add_event(user, event + 1);
	}
}

static int by_pid(const void *left, const void *right)
{
	return ((const struct user *)left)->pid -
	       ((const struct user *)right)->pid;
}

static void join_users(struct user *to, struct user *from)
{
	size_t i;

	to->holds |= from->holds;
	for (i = 0; i < from->event_count; i++)
		*tool_add(to->events, to->event_count) = from->events[i];
	free(from->events);
}

static void read_name(struct user *user, const char *proc)
{
	_cleanup_free_ char *path = tool_print("%s/%d/comm", proc, user->pid);
	char *name = files_line(path);

	user->name = name ? name : tool_copy("?");
}

/* Sorts the processes, of which each is left once, and reads their names. */
static void complete_users(struct users *users, const char *proc)
{
	struct user *user, *last = NULL;
	size_t i, count = 0;

	tool_sort(users->users, users->count, by_pid);
	for (i = 0; i < users->count; i++) {
		user = &users->users[i];
		if (last && last->pid == user->pid) {
			join_users(last, user);
			continue;
		}
		last = &users->users[count++];
		*last = *user;
		read_name(last, proc);
	}
	users->count = count;
	for (i = 0; i < count; i++) {
		user = &users->users[i];
		user->event_count =
			tool_sort_unique(user->events, user->event_count);
	}
}

void users_find(struct users *users, const char *proc, const char *tracefs,
		int except)
{
	struct search search = {
		.proc = proc,
		.except = except,
		.file_count = ARRAY_SIZE(files),
	};
	size_t i;

	memset(users, 0, sizeof(*users));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *path = tool_print(
			"%s/%s", tracefs ? tracefs : "", files[i].name);

		file_init(&search.files[i], path, files[i].name);
	}
	examine_all(users, &search);
	if (tracefs)
		add_enablers(users, &search, tracefs);
	else
		users->is_complete = false;
	complete_users(users, proc);
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
	const char *slash = strrchr(path, '/');

	memset(users, 0, sizeof(*users));
	file_init(&search.files[0], path, slash ? slash + 1 : path);
	examine_all(users, &search);
	complete_users(users, proc);
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
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < user->event_count; i++) {
		const char *name = user->events[i];

		tool_skip(&name, "user_events:");
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
		if (tool_starts(list + i, ", "))
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
