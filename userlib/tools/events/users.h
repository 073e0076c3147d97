/* SPDX-License-Identifier: MIT */
/* user-events: processes that hold events or files of user_events. */
#ifndef USER_EVENTS_EVENTS_USERS_H
#define USER_EVENTS_EVENTS_USERS_H

#include <stdbool.h>
#include <stddef.h>

/* Bits for what a process holds. */
enum {
	USERS_DATA = 1 << 0, /* user_events_data is open */
	USERS_STATUS = 1 << 1, /* user_events_status is open or mapped */
	USERS_LIST = 1 << 2, /* another file of user_events is open */
	USERS_ENABLERS = 1 << 3, /* the kernel writes to its memory */
};

/*
 * struct user - A process
 * @pid: 0 for a process that the caller cannot see
 * @name: name of the process
 * @holds: USERS_DATA, ...
 * @events: names of its events with their systems, sorted and without
 *        duplicates; only the module tells them
 */
struct user {
	int pid;
	char *name;
	unsigned int holds;
	char **events;
	size_t event_count;
};

/*
 * struct users - Processes, by pid
 * @is_complete: the caller could examine all processes
 * @list_error: error of reading the list of enablers, whose processes are missing
 *        then; 0 also if the module has none
 */
struct users {
	struct user *users;
	size_t count;
	bool is_complete;
	int list_error;
};

/*
 * users_find() - Examines all processes
 * @proc: path of procfs
 * @tracefs: path of tracefs; NULL if the caller cannot read it, and then no
 *        file can be identified
 * @except: ID of a process that is skipped
 */
void users_find(struct users *users, const char *proc, const char *tracefs,
		int except);

/*
 * users_find_open() - Finds the processes that have a file open
 * @path: absolute path, or the text of the links to the file in procfs, as
 *        "anon_inode:[NAME]"
 *
 * Only the pid and the name of each are of use.
 */
void users_find_open(struct users *users, const char *proc, const char *path,
		     int except);

void users_free(struct users *users);

/* "data, status, enablers"; for free() */
char *users_holds(unsigned int holds);

/* "hello, other:event", without the system user_events; for free() */
char *users_events(const struct user *user);

/* "name[pid], name[pid]"; for free() */
char *users_text(const struct users *users);

/*
 * users_shorten() - Shortens a list that is separated by ", "
 * @size: maximum bytes of the items
 * Return: the first items, at least one, and "and N more"; for free()
 */
char *users_shorten(const char *list, size_t size);

#endif
