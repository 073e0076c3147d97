// SPDX-License-Identifier: MIT
/*
 * A process that may not open user_events itself is given it by one that may.
 *
 *	received_file [SECONDS]
 *
 * The parent opens user_events_data and sends it through a socket. The child
 * could be any program, of any user, in a container without tracefs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

#define DATA "/sys/kernel/tracing/user_events_data"

/* A message of one byte that carries a descriptor. */
struct message {
	char byte;
	struct iovec vector;
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr header;
};

static void prepare(struct message *message)
{
	memset(message, 0, sizeof(*message));
	message->vector.iov_base = &message->byte;
	message->vector.iov_len = 1;
	message->header.msg_iov = &message->vector;
	message->header.msg_iovlen = 1;
	message->header.msg_control = message->control.space;
	message->header.msg_controllen = sizeof(message->control.space);
}

static int send_file(int to, int fd)
{
	struct message message;
	struct cmsghdr *header;

	prepare(&message);
	header = CMSG_FIRSTHDR(&message.header);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));

	return sendmsg(to, &message.header, 0) < 0 ? -1 : 0;
}

static int receive_file(int from)
{
	struct message message;
	struct cmsghdr *header;
	int fd = -1;

	prepare(&message);
	if (recvmsg(from, &message.header, MSG_CMSG_CLOEXEC) <= 0)
		return -1;
	header = CMSG_FIRSTHDR(&message.header);
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));

	return fd;
}

/* What the other program does; it needs no right to open anything. */
static int be_traced(int from, int seconds)
{
	int fd = receive_file(from);
	struct uev_stats stats;
	int err, i;

	err = uev_set_files(fd, -1);
	/* The library has a duplicate. */
	if (fd >= 0)
		close(fd);
	printf("%s\n", err ? uev_strerror(err) : "the file is user_events");
	fflush(stdout);

	for (i = 0; i < seconds * 10; i++) {
		UEV_TRACE(received, number, i);
		usleep(100000);
	}
	uev_process_stats(&stats, sizeof(stats));
	printf("%llu records written\n", (unsigned long long)stats.written);

	return 0;
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 2;
	int sockets[2], fd, status;
	pid_t child;

	/* Nor does it look for it by itself. */
	uev_set_place("/nowhere");
	fd = open(DATA, O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		printf("%s: %s\n", DATA, strerror(errno));
		return 0;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) {
		perror("received_file");
		return 1;
	}

	child = fork();
	if (!child) {
		close(fd);
		exit(be_traced(sockets[1], seconds));
	}
	if (child < 0 || send_file(sockets[0], fd) ||
	    waitpid(child, &status, 0) < 0) {
		perror("received_file");
		return 1;
	}

	return status ? 1 : 0;
}
