// SPDX-License-Identifier: MIT
/*
 * Passes user_events to a process without permission to open it.
 *
 *	received_file [SECONDS]
 *
 * The parent opens user_events_data, and user_events_status for kernels before
 * 6.4, and sends them through a socket. The child drops its privileges; it
 * could be any program, for example in a container without tracefs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

#define NOBODY 65534
#define TRACEFS "/sys/kernel/tracing/"

/* user_events_data and user_events_status */
#define FILES 2

/* A message of one byte with descriptors. */
struct message {
	char byte;
	struct iovec vector;
	struct msghdr header;
	/* Aligned as struct cmsghdr, which is its first part. */
	size_t control[CMSG_SPACE(FILES * sizeof(int)) / sizeof(size_t)];
};

static void prepare(struct message *message)
{
	memset(message, 0, sizeof(*message));
	message->vector.iov_base = &message->byte;
	message->vector.iov_len = 1;
	message->header.msg_iov = &message->vector;
	message->header.msg_iovlen = 1;
	message->header.msg_control = message->control;
	message->header.msg_controllen = sizeof(message->control);
}

static int send_files(int to, const int *files)
{
	struct message message;
	struct cmsghdr *header;

	prepare(&message);
	header = CMSG_FIRSTHDR(&message.header);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(FILES * sizeof(*files));
	memcpy(CMSG_DATA(header), files, FILES * sizeof(*files));

	return sendmsg(to, &message.header, 0) < 0 ? -1 : 0;
}

static void receive_files(int from, int *files)
{
	struct message message;
	struct cmsghdr *header;

	files[0] = -1;
	files[1] = -1;
	prepare(&message);
	if (recvmsg(from, &message.header, MSG_CMSG_CLOEXEC) <= 0)
		return;
	header = CMSG_FIRSTHDR(&message.header);
	if (header && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(FILES * sizeof(*files)))
		memcpy(files, CMSG_DATA(header), FILES * sizeof(*files));
}

/* The other program, which requires no permission to open files. */
static int be_traced(int from, int seconds)
{
	struct uev_stats stats;
	int files[FILES];
	int err, i;

	printf("before: %s\n", uev_strerror(uev_register_pending()));
	receive_files(from, files);
	err = uev_set_files(files[0], files[1]);
	printf("with the files: %s\n", uev_strerror(err));
	/* The library has duplicated the descriptors. */
	for (i = 0; i < FILES; i++)
		if (files[i] >= 0)
			close(files[i]);
	fflush(stdout);

	for (i = 0; i < seconds * 10; i++) {
		UEV_TRACE(received, number, i);
		usleep(100000);
	}
	uev_process_stats(&stats, sizeof(stats));
	printf("%llu records written\n", (unsigned long long)stats.written);

	return 0;
}

/* Executes the other program with the socket as standard input. */
static void start_other(int socket, const char *seconds)
{
	if (dup2(socket, STDIN_FILENO) < 0 ||
	    (!geteuid() &&
	     (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))))
		return;
	execl("/proc/self/exe", "received_file", "--receive", seconds,
	      (char *)NULL);
}

int main(int argc, char **argv)
{
	int sockets[2], files[FILES], status;
	pid_t child;

	if (argc == 3 && !strcmp(argv[1], "--receive"))
		return be_traced(STDIN_FILENO, atoi(argv[2]));

	files[0] = open(TRACEFS "user_events_data", O_WRONLY | O_CLOEXEC);
	files[1] = open(TRACEFS "user_events_status", O_RDONLY | O_CLOEXEC);
	if (files[0] < 0 || files[1] < 0) {
		printf("user_events: %s\n", strerror(errno));
		return 0;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) {
		perror("received_file");
		return 1;
	}

	child = fork();
	if (!child) {
		start_other(sockets[1], argc > 1 ? argv[1] : "2");
		perror("received_file");
		_exit(1);
	}
	if (child < 0 || send_files(sockets[0], files) ||
	    waitpid(child, &status, 0) < 0) {
		perror("received_file");
		return 1;
	}

	return status ? 1 : 0;
}
