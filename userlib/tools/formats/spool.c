// SPDX-License-Identifier: MIT
#include "formats/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "formats/trace_dat.h"
#include "tool.h"

/* Bytes that tell the kind of a file: the magic and the size of the header */
#define HEAD_SIZE 16
#define MAGIC_SIZE 8

/* A pipe of perf has a header of this size, in either byte order. */
#define PIPE_HEADER "\x10\0\0\0\0\0\0\0"
#define PIPE_HEADER_SWAPPED "\0\0\0\0\0\0\0\x10"

#define COPY_SIZE 65536

/* Between two attempts to see the whole head, in milliseconds */
#define HEAD_RETRY_MS 10

/* ---- The head ---- */

/* Reads bytes of a pipe, which stay in it. Return: number of bytes, or -1 */
static ssize_t peek_pipe(int fd, char *head)
{
	ssize_t got = -1;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	got = tee(fd, ends[1], HEAD_SIZE, 0);
	if (got > 0)
		got = read(ends[0], head, HEAD_SIZE);
	close(ends[0]);
	close(ends[1]);

	return got;
}

static ssize_t peek_head(int fd, bool is_socket, char *head)
{
	return is_socket ? recv(fd, head, HEAD_SIZE, MSG_PEEK)
			 : peek_pipe(fd, head);
}

/*
 * Waits for the head, which can arrive in parts.
 * Return: whether there is one
 */
static bool read_head(int fd, bool is_socket, char *head)
{
	/* The other side can end a socket and keep it. */
	struct pollfd readable = { .fd = fd, .events = POLLIN | POLLRDHUP };
	ssize_t got;

	for (;;) {
		if (poll(&readable, 1, -1) < 0 && errno != EINTR)
			return false;
		got = peek_head(fd, is_socket, head);
		if (got == HEAD_SIZE)
			return true;
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 ||
		    readable.revents & (POLLHUP | POLLRDHUP | POLLERR))
			return false;
		poll(NULL, 0, HEAD_RETRY_MS);
	}
}

/* Tests for a file whose parts are at offsets. */
static bool has_offsets(const char *head)
{
	const char *size = head + MAGIC_SIZE;

	if (trace_dat_is(head, HEAD_SIZE))
		return true;
	if (memcmp(head, "PERFILE2", MAGIC_SIZE) != 0 &&
	    memcmp(head, "2ELIFREP", MAGIC_SIZE) != 0)
		return false;

	return memcmp(size, PIPE_HEADER, HEAD_SIZE - MAGIC_SIZE) != 0 &&
	       memcmp(size, PIPE_HEADER_SWAPPED, HEAD_SIZE - MAGIC_SIZE) != 0;
}

/* ---- The copy ---- */

/* Return: a descriptor, or -errno */
static int create_in(const char *directory)
{
	_cleanup_free_ char *path = NULL;
	int fd = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Not all file systems have files without a name. */
	path = tool_print("%s/user-events.XXXXXX", directory);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		unlink(path);

	return fd;
}

const char *spool_directory(void)
{
	const char *directory = getenv("TMPDIR");

	return directory && *directory ? directory : "/var/tmp or /tmp";
}

/* Small systems do not have /var/tmp, and /tmp is often memory. */
static int create_spool(void)
{
	const char *directory = getenv("TMPDIR");
	int fd;

	if (directory && *directory)
		return create_in(directory);
	fd = create_in("/var/tmp");

	return fd < 0 ? create_in("/tmp") : fd;
}

/* Return: 0 or -errno */
static int copy_file(int from, int to)
{
	_cleanup_free_ char *bytes = tool_alloc(COPY_SIZE);
	ssize_t got;
	int ret = 0;

	do {
		got = read(from, bytes, COPY_SIZE);
		if (got > 0)
			ret = files_write_all(to, bytes, (size_t)got);
		else if (got < 0 && errno != EINTR)
			ret = -errno;
	} while (!ret && got);

	return ret;
}

int spool_open(int fd, int *spooled)
{
	char head[HEAD_SIZE];
	struct stat about;
	int ret;

	*spooled = -1;
	if (fstat(fd, &about) ||
	    !(S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode)))
		return 0;
	if (!read_head(fd, S_ISSOCK(about.st_mode), head) || !has_offsets(head))
		return 0;
	*spooled = create_spool();
	if (*spooled < 0) {
		ret = *spooled;
		*spooled = -1;
		return ret;
	}
	ret = copy_file(fd, *spooled);
	if (ret) {
		close(*spooled);
		*spooled = -1;
	}

	return ret;
}
