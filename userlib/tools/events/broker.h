/* SPDX-License-Identifier: MIT */
/*
 * user-events serve: passes user_events_data to trusted processes, which need
 * neither tracefs nor its permissions.
 */
#ifndef USER_EVENTS_EVENTS_BROKER_H
#define USER_EVENTS_EVENTS_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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
 * Files that the processes of a user, and of a rule, have been sent and have
 * not received. The kernel counts them for the user of the broker, and limits
 * their number.
 */
#define BROKER_USER_FILES 4
#define BROKER_RULE_FILES 32

/* Connections of a user, and of a rule, with those that wait for an answer */
#define BROKER_USER_CONNECTIONS 64
#define BROKER_RULE_CONNECTIONS 128

/*
 * struct broker_connection - A connection that the broker keeps
 * @rule: index of the rule of the process
 * @is_sent: the process has been sent its file and has not received it
 * @is_down: it has closed or shut down its end
 */
struct broker_connection {
	int socket;
	pid_t pid;
	uid_t uid;
	size_t rule;
	bool is_sent;
	bool is_down;
};

#define BROKER_MESSAGE_SLOTS 16

/*
 * struct broker - A broker
 * @rules: the first one that matches a process applies
 * @count: number of rules; 0: no process gets the file
 * @path: user_events_data, owned by the caller; NULL: in the usual places
 * @connections: in the order of their arrival
 * @connection_count: number of them
 * @next_message: when the next message about users with this remainder can be
 *	printed, in milliseconds
 */
struct broker {
	struct broker_rule *rules;
	size_t count;
	const char *path;
	struct broker_connection *connections;
	size_t connection_count;
	uint64_t next_message[BROKER_MESSAGE_SLOTS];
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

/* broker_check() - Prints why processes would not get the file, if so */
void broker_check(const struct broker *broker);

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
 * broker_answer() - Answers a connection: an int32_t, which is an errno, or 0
 * and the file
 * @socket: closed here, or later
 *
 * Reads nothing from the process and does not wait for it. Prints why it does
 * not get the file. The answer is deferred while too many files are on their
 * way to processes of its user or its rule.
 */
void broker_answer(struct broker *broker, int socket);

/*
 * broker_wait() - Waits for a connection, for the end of one, or for some time
 * if there are connections, and answers
 *
 * Return: 0, also if the machine or the process lacks resources; or a negative
 * errno if @listener cannot be used.
 */
int broker_wait(struct broker *broker, int listener);

/*
 * broker_may_print() - Limits messages, which other users cause
 * @now: milliseconds of any clock
 *
 * Return: true once a second for a user. Users can share this second, so that
 * the number of lines has a limit for all of them together.
 */
bool broker_may_print(struct broker *broker, uid_t uid, uint64_t now);

#endif
