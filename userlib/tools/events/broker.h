/* SPDX-License-Identifier: MIT */
/*
 * user-events serve: passes user_events_data to trusted processes, which need
 * neither tracefs nor its permissions.
 */
#ifndef USER_EVENTS_EVENTS_BROKER_H
#define USER_EVENTS_EVENTS_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * struct broker_rule - Processes that get the file
 * @is_group: the numbers are those of groups, not of users
 * @first: lowest ID
 * @last: highest ID
 * @prefix: start of the names of events; NULL: any
 */
struct broker_rule {
	bool is_group;
	unsigned long first;
	unsigned long last;
	char *prefix;
};

/*
 * struct broker - A broker
 * @rules: the first one that matches a process applies
 * @count: number of rules; 0: no process gets the file
 * @path: user_events_data, owned by the caller; NULL: in the usual places
 */
struct broker {
	struct broker_rule *rules;
	size_t count;
	const char *path;
};

/*
 * broker_add_rule() - Adds "uid=USER[-LAST][,prefix=PREFIX]", or the same with
 * gid=
 *
 * Return: NULL, or a description of the error.
 */
const char *broker_add_rule(struct broker *broker, const char *text);

void broker_free(struct broker *broker);

/*
 * struct broker_peer - A process, when it connected
 * @groups: its effective group and the supplementary ones
 */
struct broker_peer {
	pid_t pid;
	uid_t uid;
	gid_t *groups;
	size_t group_count;
};

/* Returns the first rule for a process, or NULL. */
const struct broker_rule *broker_match(const struct broker *broker,
				       const struct broker_peer *peer);

/*
 * broker_listen() - Creates a socket to which all users can connect
 * @path: replaced if it is a socket
 * Return: the socket or a negative errno
 */
int broker_listen(const char *path);

/*
 * broker_inherited() - Takes the socket of systemd's socket activation
 * Return: the socket; -ENOENT without one; -EINVAL with several
 */
int broker_inherited(void);

/*
 * broker_answer() - Answers a connection: an int32_t, which is an errno, or 0 and
 * the file
 *
 * Reads nothing from the process and does not wait for it. Prints why it does not
 * get the file.
 */
void broker_answer(const struct broker *broker, int socket);

#endif
