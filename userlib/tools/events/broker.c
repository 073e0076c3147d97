// SPDX-License-Identifier: MIT
#include "events/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <linux/user_events.h>

#include "events/rights.h"
#include "tool.h"

/* First file that systemd passes */
#define LISTEN_FDS_START 3

#define BACKLOG 128

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

/* ---- Rules ---- */

/* @text: a name, which can have a '-', a number, or the first and last one */
static const char *read_ids(struct broker_rule *rule, const char *text)
{
	const char *dash = *text >= '0' && *text <= '9' ? strchr(text, '-')
							: NULL;
	_cleanup_free_ char *first =
		dash ? tool_print("%.*s", (int)(dash - text), text)
		     : tool_copy(text);
	const char *reason = rights_id(first, rule->is_group, &rule->first);

	rule->last = rule->first;
	if (!reason && dash)
		reason = rights_id(dash + 1, rule->is_group, &rule->last);
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
	if (strncmp(text, "prefix=", strlen("prefix=")) != 0)
		return "prefix= expected behind ','";
	text += strlen("prefix=");
	if (!is_name(text))
		return "not a name of an event";
	rule->prefix = tool_copy(text);

	return NULL;
}

const char *broker_add_rule(struct broker *broker, const char *text)
{
	struct broker_rule rule = { .is_group = *text == 'g' };
	const char *comma = strchr(text, ',');
	_cleanup_free_ char *ids = NULL;
	const char *reason;

	if (strncmp(text, "uid=", 4) != 0 && strncmp(text, "gid=", 4) != 0)
		return "uid=USER or gid=GROUP expected";
	ids = comma ? tool_print("%.*s", (int)(comma - text - 4), text + 4)
		    : tool_copy(text + 4);
	reason = read_ids(&rule, ids);
	if (!reason && comma)
		reason = read_prefix(&rule, comma + 1);
	if (reason)
		return reason;
	broker->rules = tool_room(broker->rules, broker->count, sizeof(rule));
	broker->rules[broker->count++] = rule;

	return NULL;
}

void broker_free(struct broker *broker)
{
	size_t i;

	for (i = 0; i < broker->count; i++)
		free(broker->rules[i].prefix);
	free(broker->rules);
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

/* A process that has gone, or does not receive, gets nothing. */
static void send_answer(int peer, int fd, int32_t error)
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
	sendmsg(peer, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

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

void broker_answer(const struct broker *broker, int socket)
{
	const struct broker_rule *rule;
	struct broker_peer peer;
	int fd;

	if (!read_peer(socket, &peer))
		return;
	rule = broker_match(broker, &peer);
	fd = rule ? open_data(broker, rule) : -EACCES;
	if (!rule)
		tool_error("process %d: no rule for uid %u, gid %u",
			   (int)peer.pid, peer.uid, peer.groups[0]);
	else if (fd < 0)
		tool_error_of(fd, "process %d: user_events_data",
			      (int)peer.pid);
	free(peer.groups);
	send_answer(socket, fd, fd < 0 ? -fd : 0);
	if (fd >= 0)
		close(fd);
}
