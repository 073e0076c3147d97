// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "core/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <linux/magic.h>
#include <linux/user_events.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MILLISECONDS 1000
#define NANOSECONDS_OF_ONE 1000000

/* For the connection and the answer together */
#define BROKER_WAIT_MS 1000

/*
 * The mark of an open file is this signal, set with F_SETSIG: user_events_data
 * never sends one, and programs do not use this signal for that.
 */
#define MARK SIGSYS

/*
 * Position of records, which user_events_data ignores in a vector. Another
 * thread can replace the file after the test of the mark. Files without
 * positions reject it, and so do file systems with a lower limit. Where files
 * can be this large, such as in tmpfs and XFS, the record is behind all data.
 * It leaves room for a record.
 */
#define FAR_POSITION (INT64_MAX - 0xffff)

/* Files for appending use the position, too. Linux 6.9 has it. */
#ifndef RWF_NOAPPEND
#define RWF_NOAPPEND 0x20
#endif

#define UNKNOWN_FLAGS (-1)

/* Flags of writes that the kernel has; one value for all files. */
static int write_flags = UNKNOWN_FLAGS;

/*
 * Replaces -1 by the error, and restores the errno that the program had before.
 */
static ssize_t result_of(ssize_t result, int before)
{
	if (result < 0)
		result = -errno;
	errno = before;

	return result;
}

int uev_sys_open(const char *path, int flags)
{
	int before = errno;

	return (int)result_of(open(path, flags), before);
}

int uev_sys_close(int fd)
{
	int before = errno;

	return (int)result_of(close(fd), before);
}

/*
 * Limits the next wait at a socket to the time until @deadline; false with errno
 * if it has passed.
 */
static bool limit_wait(int fd, int option, uint64_t deadline)
{
	uint64_t now = uev_sys_now();
	uint64_t rest = deadline - now;
	struct timeval timeout = {
		.tv_sec = (time_t)(rest / MILLISECONDS),
		.tv_usec = (suseconds_t)(rest % MILLISECONDS * MILLISECONDS),
	};

	if (now >= deadline) {
		errno = ETIMEDOUT;
		return false;
	}

	return !setsockopt(fd, SOL_SOCKET, option, &timeout, sizeof(timeout));
}

/*
 * The kernel does not restart calls with a time limit after a signal, even with
 * SA_RESTART. A connect() to a Unix socket that was interrupted has done nothing.
 */
static int connect_until(int fd, const struct sockaddr_un *address,
			 uint64_t deadline)
{
	int err;

	do {
		err = -1;
		if (limit_wait(fd, SO_SNDTIMEO, deadline))
			err = connect(fd, (const struct sockaddr *)address,
				      sizeof(*address));
	} while (err && errno == EINTR);

	return err;
}

/* Connects to a Unix socket; -1 with errno on error. */
static int connect_to(const char *path, uint64_t deadline)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(path);
	int fd, error;

	if (length >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, path, length);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (!connect_until(fd, &address, deadline))
		return fd;
	error = errno == EAGAIN ? ETIMEDOUT : errno;
	close(fd);
	errno = error;

	return -1;
}

static ssize_t receive_until(int socket, struct msghdr *message,
			     uint64_t deadline)
{
	ssize_t size;

	do {
		size = -1;
		if (limit_wait(socket, SO_RCVTIMEO, deadline))
			size = recvmsg(socket, message, MSG_CMSG_CLOEXEC);
	} while (size < 0 && errno == EINTR);

	return size;
}

/* The file of a message, or -1. The kernel has dropped more than one. */
static int file_of(struct msghdr *message)
{
	struct cmsghdr *part = CMSG_FIRSTHDR(message);
	int fd = -1;

	if (part && part->cmsg_level == SOL_SOCKET &&
	    part->cmsg_type == SCM_RIGHTS &&
	    part->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(part), sizeof(fd));

	return fd;
}

/* Receives the answer; -1 with errno on error. */
static int receive_file(int socket, uint64_t deadline)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	int32_t error = 0;
	struct iovec vector = { &error, sizeof(error) };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		/* Without the padding, which has room for a second file. */
		.msg_controllen = CMSG_LEN(sizeof(int)),
	};
	ssize_t size = receive_until(socket, &message, deadline);
	int fd = size < 0 ? -1 : file_of(&message);

	if (size < 0) {
		if (errno == EAGAIN)
			errno = ETIMEDOUT;
		return -1;
	}
	if (size == sizeof(error) && !error && fd >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	errno = size == sizeof(error) && error > 0 ? error : ECONNREFUSED;

	return -1;
}

int uev_sys_receive(const char *path)
{
	int before = errno;
	uint64_t deadline = uev_sys_now() + BROKER_WAIT_MS;
	int socket = connect_to(path, deadline);
	int fd = socket < 0 ? -1 : receive_file(socket, deadline);
	int result = (int)result_of(fd, before);

	if (socket >= 0)
		close(socket);
	errno = before;

	return result;
}

ssize_t uev_sys_read(int fd, void *buffer, size_t size)
{
	int before = errno;

	return result_of(read(fd, buffer, size), before);
}

/*
 * Calls of syscall() are not cancellation points. The position has one or two
 * words, depending on the machine.
 */
static ssize_t write_far(int fd, const struct iovec *vector, int count,
			 int flags)
{
	return syscall(SYS_pwritev2, fd, vector, (long)count,
		       (long)FAR_POSITION, (long)(FAR_POSITION >> 32),
		       (long)flags);
}

/* Takes no lock of the file, unlike lseek(). Sets errno to @before if not. */
static bool is_marked(int fd, int before)
{
	if (fcntl(fd, F_GETSIG) == MARK)
		return true;
	errno = before;

	return false;
}

/*
 * Unreadable memory, so that nothing is written to any file. Before the first
 * record that needs the flags, because memory checkers report it.
 *
 * Return: the flags; or UNKNOWN_FLAGS with the error of a file that was closed or
 * replaced, or of a filter of system calls.
 */
static int find_write_flags(int fd)
{
	const struct iovec vector = { .iov_base = NULL, .iov_len = 1 };
	int flags = __atomic_load_n(&write_flags, __ATOMIC_RELAXED);

	if (flags != UNKNOWN_FLAGS)
		return flags;
	/* Some devices, such as /dev/null, do not read the memory. */
	if (write_far(fd, &vector, 1, RWF_NOAPPEND) >= 0)
		return 0;
	if (errno != EFAULT && errno != EOPNOTSUPP)
		return UNKNOWN_FLAGS;
	/* Some devices have this error whatever the kernel has. */
	if (errno == EOPNOTSUPP && !is_marked(fd, ESTALE))
		return UNKNOWN_FLAGS;
	flags = errno == EFAULT ? RWF_NOAPPEND : 0;
	__atomic_store_n(&write_flags, flags, __ATOMIC_RELAXED);

	return flags;
}

int uev_sys_mark(int fd)
{
	int before = errno;

	return (int)result_of(fcntl(fd, F_SETSIG, MARK), before);
}

/*
 * The test of the mark also detects files that ignore the position: devices,
 * files of /proc and /sys, and a user_events_data of the program with other
 * events.
 */
ssize_t uev_sys_writev(int fd, const struct iovec *vector, int count)
{
	int before = errno;
	ssize_t result = -1;
	int flags;

	if (!is_marked(fd, before))
		return -ESTALE;
	flags = find_write_flags(fd);
	if (flags != UNKNOWN_FLAGS)
		result = write_far(fd, vector, count, flags);
	/* Errors of the position, which user_events_data does not return */
	if (result < 0 &&
	    (errno == ESPIPE || errno == EFBIG || errno == ENOSPC))
		errno = ESTALE;

	return result_of(result, before);
}

/* Tests for a user_events_data that another has opened. */
static bool has_other_cookie(int fd, uint64_t cookie, int before)
{
	uint64_t actual = cookie;

	if (ioctl(fd, DIAG_IOCGCOOKIE, &actual))
		errno = before;

	return actual != cookie;
}

/* Not inline, so that a record that succeeds has a short path. */
static __attribute__((__noinline__)) int record_error(int fd, uint64_t cookie,
						      int before)
{
	int error = errno;

	errno = before;
	switch (error) {
	case EFAULT:
	case EINVAL:
	case ENOENT:
	case E2BIG:
	case ENOMEM:
	case EAGAIN:
	case ENOSPC:
		/* Other files can have these errors, too. */
		return is_marked(fd, before) ? -error : -ESTALE;
	case ESTALE:
	case EBADF:
		return -ESTALE;
	default:
		/*
		 * Of another file, or a filter of system calls. Another file can
		 * have been replaced by that of another copy of the library, whose
		 * mark is the same.
		 */
		return is_marked(fd, before) &&
				       !has_other_cookie(fd, cookie, before)
			       ? -EPERM
			       : -ESTALE;
	}
}

int uev_sys_record(int fd, const struct user_write *record)
{
	int before = errno;
	int result = ioctl(fd, DIAG_IOCSWRITE, record);

	return result < 0 ? record_error(fd, record->cookie, before) : result;
}

int uev_sys_batch(int fd, const struct user_batch *batch)
{
	int before = errno;

	if (!is_marked(fd, before))
		return -ESTALE;

	return (int)result_of(ioctl(fd, DIAG_IOCSBATCH, batch), before);
}

int uev_sys_ioctl(int fd, unsigned long request, void *argument)
{
	int before = errno;

	return (int)result_of(ioctl(fd, request, argument), before);
}

int uev_sys_duplicate(int fd, int lowest)
{
	int before = errno;

	return (int)result_of(fcntl(fd, F_DUPFD_CLOEXEC, lowest), before);
}

int uev_sys_access(int fd)
{
	int before = errno;
	int flags = (int)result_of(fcntl(fd, F_GETFL), before);

	return flags < 0 ? flags : flags & O_ACCMODE;
}

int uev_sys_identify(int fd, struct uev_file_id *id)
{
	struct stat about;
	int before = errno;
	int err = (int)result_of(fstat(fd, &about), before);

	if (err)
		return err;
	id->device = about.st_dev;
	id->inode = about.st_ino;
	id->must_close = about.st_mode & S_ISVTX;
	id->is_marked = is_marked(fd, before);

	return 0;
}

bool uev_sys_is_tracefs(const char *path)
{
	struct statfs about;
	int before = errno;

	return !result_of(statfs(path, &about), before) &&
	       about.f_type == TRACEFS_MAGIC;
}

int uev_sys_map(int fd, const void **page)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int before = errno;
	void *mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (mapped == MAP_FAILED)
		return (int)result_of(-1, before);
	*page = mapped;

	return 0;
}

void uev_sys_unmap(const void *page)
{
	munmap((void *)page, (size_t)sysconf(_SC_PAGESIZE));
}

bool uev_sys_is_rt(void)
{
	struct utsname about;
	int before = errno;

	return !result_of(uname(&about), before) &&
	       strstr(about.version, "PREEMPT_RT");
}

uint64_t uev_sys_now(void)
{
	struct timespec now = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);

	return (uint64_t)now.tv_sec * MILLISECONDS +
	       (uint64_t)now.tv_nsec / NANOSECONDS_OF_ONE;
}
