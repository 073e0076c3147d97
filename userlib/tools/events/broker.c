// SPDX-License-Identifier: MIT
#include "events/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <linux/sockios.h>
#include <linux/user_events.h>

#include "events/rights.h"
#include "tool.h"

/* First file that systemd passes */
#define LISTEN_FDS_START 3

#define BACKLOG 128

/* Interval of tests whether connections can be closed or answered */
#define INTERVAL_MS 100

#define MESSAGE_INTERVAL_MS 1000

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

/* ---- Rules ---- */

/* @text: a name, which can have a '-', a number, or the first and last one */
static const char *read_ids(struct broker_rule *rule, char *text)
{
	char *last = *text >= '0' && *text <= '9' ? strchr(text, '-') : NULL;
	const char *reason;

	if (last)
		*last++ = '\0';
	reason = rights_id(text, rule->is_group, &rule->first);
	rule->last = rule->first;
	if (!reason && last)
		reason = rights_id(last, rule->is_group, &rule->last);
	if (!reason && rule->last < rule->first)
		reason = "the last number is lower than the first";

	return reason;
}

/* Bytes of the longest name that tracefs takes */
#define NAME_MAX_BYTES 255

/*
 * The names that DIAG_IOCSPREFIX takes, so that the command fails and not each
 * process later.
 */
static bool is_name(const char *text)
{
	static const char *const excluded[] = { "", ".", "..", "enable",
						"filter" };
	const char *c;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(excluded); i++)
		if (!strcmp(text, excluded[i]))
			return false;
	for (c = text; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f || strchr(":/", *c))
			return false;

	return strlen(text) <= NAME_MAX_BYTES;
}

static const char *read_prefix(struct broker_rule *rule, const char *text)
{
	if (!tool_skip(&text, "prefix="))
		return "prefix= expected behind ','";
	if (!is_name(text))
		return "not a name of an event";
	rule->prefix = tool_copy(text);

	return NULL;
}

const char *broker_add_rule(struct broker *broker, const char *text)
{
	_cleanup_free_ char *copy = tool_copy(text);
	struct broker_rule rule = { .is_group = *text == 'g' };
	char *prefix = copy, *ids = strsep(&prefix, ",");
	const char *reason;

	if (!tool_starts(text, "uid=") && !tool_starts(text, "gid="))
		return "uid=USER or gid=GROUP expected";
	reason = read_ids(&rule, ids + 4);
	if (!reason && prefix)
		reason = read_prefix(&rule, prefix);
	if (reason)
		return reason;
	*tool_add(broker->rules, broker->count) = rule;

	return NULL;
}

void broker_free(struct broker *broker)
{
	size_t i;

	for (i = 0; i < broker->count; i++)
		free(broker->rules[i].prefix);
	free(broker->rules);
	for (i = 0; i < broker->connection_count; i++)
		close(broker->connections[i].socket);
	free(broker->connections);
}

static bool has_id(const struct broker_rule *rule, unsigned long id)
{
	return id >= rule->first && id <= rule->last;
}

static bool is_for(const struct broker_rule *rule,
		   const struct broker_peer *peer)
{
	size_t i;

	if (!rule->is_group)
		return has_id(rule, peer->uid);
	for (i = 0; i < peer->group_count; i++)
		if (has_id(rule, peer->groups[i]))
			return true;

	return false;
}

const struct broker_rule *broker_match(const struct broker *broker,
				       const struct broker_peer *peer)
{
	size_t i;

	for (i = 0; i < broker->count; i++)
		if (is_for(&broker->rules[i], peer))
			return &broker->rules[i];

	return NULL;
}

/* ---- Sockets ---- */

static void remove_old(const char *path)
{
	struct stat about;

	if (!lstat(path, &about) && S_ISSOCK(about.st_mode))
		unlink(path);
}

int broker_listen(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	mode_t before;
	int fd, err;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	remove_old(path);
	/* The rules decide, not the mode. */
	before = umask(0111);
	err = bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
			      listen(fd, BACKLOG)
		      ? -errno
		      : 0;
	umask(before);
	if (!err)
		return fd;
	close(fd);

	return err;
}

static bool variable_is(const char *name, uint64_t expected)
{
	const char *text = getenv(name);
	uint64_t number;

	return text && tool_number(text, expected, expected, &number);
}

int broker_inherited(void)
{
	if (!variable_is("LISTEN_PID", (uint64_t)getpid()))
		return -ENOENT;

	return variable_is("LISTEN_FDS", 1) ? LISTEN_FDS_START : -EINVAL;
}

/* ---- Answers ---- */

static int set_prefix(int fd, const char *prefix)
{
	const struct user_prefix argument = {
		.size = sizeof(argument),
		.prefix = (uintptr_t)prefix,
	};

	if (!ioctl(fd, DIAG_IOCSPREFIX, &argument))
		return 0;

	/* In-kernel user_events, and older modules */
	return errno == ENOTTY ? -EOPNOTSUPP : -errno;
}

/* The rest of tracefs can be inaccessible for the user of the broker. */
static int open_file(const struct broker *broker)
{
	static const char *const usual[] = {
		"/sys/kernel/tracing/user_events_data",
		"/sys/kernel/debug/tracing/user_events_data",
	};
	size_t i;
	int fd = -1;

	if (broker->path)
		return open(broker->path, O_WRONLY | O_CLOEXEC);
	for (i = 0; i < ARRAY_SIZE(usual); i++) {
		fd = open(usual[i], O_WRONLY | O_CLOEXEC);
		if (fd >= 0 || errno != ENOENT)
			break;
	}

	return fd;
}

/* Each process gets an open file of its own, with its events and its prefix. */
static int open_data(const struct broker *broker,
		     const struct broker_rule *rule)
{
	int fd = open_file(broker);
	int err;

	if (fd < 0)
		return errno == ENOENT ? -ENOPKG : -errno;
	err = rule->prefix ? set_prefix(fd, rule->prefix) : 0;
	if (!err)
		return fd;
	close(fd);

	return err;
}

void broker_check(const struct broker *broker)
{
	size_t i;
	int fd = 0;

	for (i = 0; i < broker->count && fd >= 0; i++) {
		fd = open_data(broker, &broker->rules[i]);
		if (fd >= 0)
			close(fd);
	}
	if (fd < 0)
		tool_error_of(fd, "user_events_data");
}

/* Returns 0 or a negative errno. */
static int send_message(int peer, int fd, int32_t error)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .header = { .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS,
				  .cmsg_len = CMSG_LEN(sizeof(int)) } };
	struct iovec vector = { &error, sizeof(error) };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };

	if (fd >= 0) {
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
	}

	return sendmsg(peer, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno
									: 0;
}

/* ---- Messages ---- */

bool broker_may_print(struct broker *broker, uid_t uid, uint64_t now)
{
	uint64_t *next = &broker->next_message[uid % BROKER_MESSAGE_SLOTS];

	if (now < *next)
		return false;
	*next = now + MESSAGE_INTERVAL_MS;

	return true;
}

static bool may_print_now(struct broker *broker, uid_t uid)
{
	return broker_may_print(broker, uid, tool_now());
}

/* ---- Processes ---- */

/* Before Linux 4.13, only the effective group is known. */
static void read_groups(int socket, struct broker_peer *peer)
{
	socklen_t size = 0;
	gid_t *others;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, NULL, &size) == 0 ||
	    errno != ERANGE)
		return;
	peer->groups = tool_grow(peer->groups, sizeof(gid_t) + size);
	others = peer->groups + 1;
	if (!getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, others, &size))
		peer->group_count += size / sizeof(gid_t);
}

/* Return: whether the process is known; then @peer->groups is for free(). */
static bool read_peer(int socket, struct broker_peer *peer)
{
	struct ucred about;
	socklen_t size = sizeof(about);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &about, &size))
		return false;
	*peer = (struct broker_peer){
		.pid = about.pid,
		.uid = about.uid,
		.groups = tool_alloc(sizeof(gid_t)),
		.group_count = 1,
	};
	peer->groups[0] = about.gid;
	read_groups(socket, peer);

	return true;
}

/* ---- Connections ---- */

/*
 * Sends the file or the error.
 *
 * Return: whether the file is on its way.
 */
static bool send_file(struct broker *broker, const struct broker_connection *to)
{
	int fd = open_data(broker, &broker->rules[to->rule]);
	int err = fd < 0 ? fd : send_message(to->socket, fd, 0);

	if (fd >= 0)
		close(fd);
	if (!err)
		return true;
	if (may_print_now(broker, to->uid))
		tool_error_of(err, "process %d: %s", (int)to->pid,
			      fd < 0 ? "user_events_data" : "answer");
	/* A process that has gone, or does not receive, gets nothing. */
	(void)send_message(to->socket, -1, -err);

	return false;
}

/*
 * A file that is on its way stays there when the broker closes the connection,
 * so it does so only after the process has received the file or has gone, even
 * if that shuts its end down. A connection without a file can be closed before.
 */
static bool is_over(const struct broker_connection *connection)
{
	int left = 0;

	if (!connection->is_sent)
		return connection->is_down;

	return !ioctl(connection->socket, SIOCOUTQ, &left) && !left;
}

static void close_old(struct broker *broker)
{
	size_t i, kept = 0;

	for (i = 0; i < broker->connection_count; i++) {
		if (is_over(&broker->connections[i]))
			close(broker->connections[i].socket);
		else
			broker->connections[kept++] = broker->connections[i];
	}
	broker->connection_count = kept;
}

/*
 * Tests whether the user and the rule of a connection have fewer connections than
 * the maximum. With @only_sent, those count whose file is on its way.
 */
static bool has_room(const struct broker *broker,
		     const struct broker_connection *like, bool only_sent,
		     size_t user_max, size_t rule_max)
{
	size_t user = 0, rule = 0, i;

	for (i = 0; i < broker->connection_count; i++) {
		const struct broker_connection *one = &broker->connections[i];

		if (only_sent && !one->is_sent)
			continue;
		user += one->uid == like->uid;
		rule += one->rule == like->rule;
	}

	return user < user_max && rule < rule_max;
}

/* Answers the connections that can be answered, in the order of arrival. */
static void update(struct broker *broker)
{
	size_t i;

	close_old(broker);
	for (i = 0; i < broker->connection_count; i++) {
		struct broker_connection *one = &broker->connections[i];

		if (one->is_sent ||
		    !has_room(broker, one, true, BROKER_USER_FILES,
			      BROKER_RULE_FILES))
			continue;
		one->is_sent = send_file(broker, one);
		one->is_down = !one->is_sent;
	}
	close_old(broker);
}

static void print_refusal(const struct broker_peer *peer, int error)
{
	if (error == EACCES)
		tool_error("process %d: no rule for uid %u, gid %u",
			   (int)peer->pid, peer->uid, peer->groups[0]);
	else
		tool_error(
			"process %d: too many connections of uid %u or its rule",
			(int)peer->pid, peer->uid);
}

static void refuse(struct broker *broker, const struct broker_peer *peer,
		   int socket, int error)
{
	if (may_print_now(broker, peer->uid))
		print_refusal(peer, error);
	(void)send_message(socket, -1, error);
	close(socket);
}

static void take_connection(struct broker *broker,
			    const struct broker_peer *peer, int socket)
{
	const struct broker_rule *rule = broker_match(broker, peer);
	struct broker_connection fresh = {
		.socket = socket,
		.pid = peer->pid,
		.uid = peer->uid,
		.rule = rule ? (size_t)(rule - broker->rules) : 0,
	};

	if (!rule)
		refuse(broker, peer, socket, EACCES);
	else if (!has_room(broker, &fresh, false, BROKER_USER_CONNECTIONS,
			   BROKER_RULE_CONNECTIONS))
		refuse(broker, peer, socket, ETOOMANYREFS);
	else
		*tool_add(broker->connections, broker->connection_count) =
			fresh;
}

void broker_answer(struct broker *broker, int socket)
{
	struct broker_peer peer;

	if (!read_peer(socket, &peer)) {
		close(socket);
		return;
	}
	close_old(broker);
	take_connection(broker, &peer, socket);
	free(peer.groups);
	update(broker);
}

/* Errors of accept() that end by themselves */
static bool is_transient(int error)
{
	switch (error) {
	case EINTR:
	case ECONNABORTED:
	case EAGAIN:
	case EMFILE:
	case ENFILE:
	case ENOBUFS:
	case ENOMEM:
		return true;
	default:
		return false;
	}
}

static int accept_one(struct broker *broker, int listener)
{
	const struct timespec moment = { .tv_nsec = INTERVAL_MS * 1000000L };
	int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	int error = errno;

	if (socket >= 0) {
		broker_answer(broker, socket);
		return 0;
	}
	if (!is_transient(error))
		return -error;
	/* The connection still waits, so that poll() does not. */
	if (error != EINTR && error != ECONNABORTED && error != EAGAIN) {
		if (may_print_now(broker, geteuid()))
			tool_error_of(-error, "accept");
		nanosleep(&moment, NULL);
	}

	return 0;
}

/* Without those that are down, for which poll() would not wait */
static struct pollfd *list_files(const struct broker *broker, int listener)
{
	size_t i, count = broker->connection_count;
	struct pollfd *files = tool_alloc((count + 1) * sizeof(*files));

	for (i = 0; i < count; i++) {
		const struct broker_connection *one = &broker->connections[i];

		files[i] = (struct pollfd){
			.fd = one->is_down ? -1 : one->socket,
		};
	}
	files[count] = (struct pollfd){ .fd = listener, .events = POLLIN };

	return files;
}

int broker_wait(struct broker *broker, int listener)
{
	size_t i, count = broker->connection_count;
	_cleanup_free_ struct pollfd *files = list_files(broker, listener);
	int ready = poll(files, count + 1, count ? INTERVAL_MS : -1);

	if (ready < 0)
		return is_transient(errno) ? 0 : -errno;
	for (i = 0; i < count; i++)
		if (files[i].revents)
			broker->connections[i].is_down = true;
	update(broker);

	return files[count].revents ? accept_one(broker, listener) : 0;
}
