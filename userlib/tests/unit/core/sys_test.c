// SPDX-License-Identifier: MIT
/*
 * The system calls of the library, which other tests replace, on real files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/user_events.h>

#include "util/common.h"
#include "lib/runner.h"

/* Those of the fake kernel have the usual names. */
#define uev_sys_open real_open
#define uev_sys_close real_close
#define uev_sys_receive real_receive
#define uev_sys_read real_read
#define uev_sys_writev real_writev
#define uev_sys_batch real_batch
#define uev_sys_record real_record
#define uev_sys_ioctl real_ioctl
#define uev_sys_duplicate real_duplicate
#define uev_sys_access real_access
#define uev_sys_identify real_identify
#define uev_sys_is_tracefs real_is_tracefs
#define uev_sys_map real_map
#define uev_sys_mark real_mark
#define uev_sys_unmap real_unmap
#define uev_sys_now real_now
#define uev_sys_is_rt real_is_rt

/* Another thread replaces a file after the test of its mark. */
static void replace_file(int fd);
#define syscall(number, fd, ...) \
	(replace_file(fd), syscall(number, fd, __VA_ARGS__))
#define ioctl(fd, ...) (replace_file(fd), fake_ioctl(fd, __VA_ARGS__))

/* Cookie of a file that is no user_events_data; 0: it has none */
static uint64_t cookie_of_file;

static int fake_ioctl(int fd, unsigned long request, const void *argument)
{
	if (request != DIAG_IOCGCOOKIE || !cookie_of_file)
		return (ioctl)(fd, request, argument);
	memcpy((void *)argument, &cookie_of_file, sizeof(cookie_of_file));

	return 0;
}

/* Version of the kernel; NULL: uname() fails */
static const char *kernel_version;

static int fake_uname(struct utsname *about)
{
	errno = EPERM;
	if (!kernel_version)
		return -1;
	strcpy(about->version, kernel_version);

	return 0;
}

/* Whether the clock stands, but advances by 0.6 s with each reading */
static bool has_fake_clock;

static int fake_clock(clockid_t clock, struct timespec *now)
{
	static long milliseconds;

	if (!has_fake_clock)
		return (clock_gettime)(clock, now);
	milliseconds += 600;
	now->tv_sec = milliseconds / 1000;
	now->tv_nsec = milliseconds % 1000 * 1000000;

	return 0;
}

#define uname fake_uname
#define clock_gettime fake_clock
/* NOLINTNEXTLINE(bugprone-suspicious-include): the functions, renamed */
#include "core/sys.c"
#undef syscall
#undef ioctl
#undef uname
#undef clock_gettime

/* An errno that none of the calls below sets. */
#define PROGRAMS_ERRNO EXDEV

/* --- errno ---------------------------------------------------------------- */

static int try_open(void)
{
	return uev_sys_open("/does/not/exist", O_RDONLY);
}

static int try_close(void)
{
	return uev_sys_close(-1);
}

static int try_read(void)
{
	char byte;

	return (int)uev_sys_read(-1, &byte, 1);
}

static int try_writev(void)
{
	char byte = 0;
	struct iovec vector = { &byte, 1 };

	return (int)uev_sys_writev(-1, &vector, 1);
}

static const struct user_batch empty = { .size = sizeof(empty) };

static int try_batch(void)
{
	return uev_sys_batch(-1, &empty);
}

static const struct user_write own = {
	.size = sizeof(own),
	.cookie = 1,
	.payload = (uintptr_t) "payload",
	.payload_size = 7,
};

static int try_record(void)
{
	return uev_sys_record(-1, &own);
}

static int try_ioctl(void)
{
	return uev_sys_ioctl(-1, 0, NULL);
}

static int try_duplicate(void)
{
	return uev_sys_duplicate(-1, 0);
}

static int try_access(void)
{
	return uev_sys_access(-1);
}

static int try_identify(void)
{
	struct uev_file_id id;

	return uev_sys_identify(-1, &id);
}

static int try_is_tracefs(void)
{
	return uev_sys_is_tracefs("/does/not/exist") ? 0 : -ENOENT;
}

static int try_map(void)
{
	const void *page;

	return uev_sys_map(-1, &page);
}

static int try_mark(void)
{
	return uev_sys_mark(-1);
}

static const struct {
	int (*call)(void);
	int error;
} failing[] = {
	{ try_open, -ENOENT },	     { try_close, -EBADF },
	{ try_read, -EBADF },	     { try_writev, -ESTALE },
	{ try_ioctl, -EBADF },	     { try_duplicate, -EBADF },
	{ try_access, -EBADF },	     { try_identify, -EBADF },
	{ try_is_tracefs, -ENOENT }, { try_map, -EBADF },
	{ try_mark, -EBADF },	     { try_batch, -ESTALE },
	{ try_record, -ESTALE },
};

TEST_LOOP(keeps_errno, ARRAY_SIZE(failing))
{
	errno = PROGRAMS_ERRNO;
	ck_assert_int_eq(failing[_i].call(), failing[_i].error);
	ck_assert_int_eq(errno, PROGRAMS_ERRNO);
}

/* --- Files of the program ------------------------------------------------- */

/* Each opens a file, and another one that receives what is written to it. */
static void open_socket(int files[2])
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, files), 0);
}

static void open_pipe(int files[2])
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	files[0] = ends[1];
	files[1] = ends[0];
}

static void open_terminal(int files[2])
{
	files[1] = posix_openpt(O_RDWR | O_NOCTTY);
	ck_assert_int_eq(grantpt(files[1]), 0);
	ck_assert_int_eq(unlockpt(files[1]), 0);
	files[0] = open(ptsname(files[1]), O_RDWR | O_NOCTTY);
}

static void open_regular(int files[2], int flags)
{
	char path[] = "/tmp/sys_test.XXXXXX";

	files[1] = mkstemp(path);
	files[0] = open(path, O_WRONLY | flags);
	unlink(path);
}

static void open_file(int files[2])
{
	open_regular(files, 0);
}

static void open_log(int files[2])
{
	open_regular(files, O_APPEND);
}

static void open_memory(int files[2])
{
	files[0] = memfd_create("sys_test", 0);
	files[1] = dup(files[0]);
}

/* Devices without a position, which accept a write at one */
static void open_device(int files[2], const char *path)
{
	files[0] = open(path, O_RDWR);
	files[1] = open("/dev/null", O_RDONLY);
}

static void open_network(int files[2])
{
	open_device(files, "/dev/net/tun");
}

static void open_fuse(int files[2])
{
	open_device(files, "/dev/fuse");
}

/* Not all machines have the devices at the end, or permit their use. */
static void (*const openers[])(int files[2]) = {
	open_socket, open_pipe,	  open_terminal, open_file,
	open_log,    open_memory, open_network,	 open_fuse,
};

static int count_openers(void)
{
	int count = ARRAY_SIZE(openers);

	if (access("/dev/fuse", R_OK | W_OK))
		count--;
	if (access("/dev/net/tun", R_OK | W_OK))
		count = ARRAY_SIZE(openers) - 2;

	return count;
}

TEST_LOOP(does_not_write_to_other_files, count_openers())
{
	char record[] = "record", byte;
	struct iovec vector[] = { { record, 3 }, { record, 3 } };
	int files[2];

	openers[_i](files);
	ck_assert_int_ge(files[0], 0);
	ck_assert_int_eq(fcntl(files[1], F_SETFL, O_NONBLOCK), 0);
	ck_assert_int_eq((int)uev_sys_writev(files[0], vector, 2), -ESTALE);
	ck_assert_int_eq(uev_sys_batch(files[0], &empty), -ESTALE);
	ck_assert_int_eq(uev_sys_record(files[0], &own), -ESTALE);
	/* The end of a file, or nothing in a stream. */
	if (read(files[1], &byte, 1) < 0)
		ck_assert_int_eq(errno, EAGAIN);
	ck_assert_int_le((int)lseek(files[1], 0, SEEK_END), 0);
	close(files[0]);
	close(files[1]);
}

/* The file that replaces the next one that is written to, or -1 */
static int replacement = -1;

static void replace_file(int fd)
{
	if (replacement < 0)
		return;
	ck_assert_int_eq(dup2(replacement, fd), fd);
	replacement = -1;
}

/* A file that the library has marked, not user_events_data */
static int open_marked(void)
{
	int fd = memfd_create("marked", 0);

	ck_assert_int_eq(uev_sys_mark(fd), 0);

	return fd;
}

static int write_one(int fd)
{
	char record[] = "record";
	struct iovec vector[] = { { record, 3 }, { record, 3 } };

	return (int)uev_sys_writev(fd, vector, 2);
}

static int write_batch(int fd)
{
	return uev_sys_batch(fd, &empty);
}

static int write_own(int fd)
{
	return uev_sys_record(fd, &own);
}

static int (*const record_writers[])(int fd) = { write_one, write_batch,
						 write_own };

/* Without devices, which ignore the position. */
#define RACING (ARRAY_SIZE(openers) - 2)

/*
 * A file that takes the number of the library's between the test of the mark and
 * the write keeps its content, and a stream gets nothing.
 */
TEST_LOOP(does_not_overwrite_racing_files, ARRAY_SIZE(record_writers) * RACING)
{
	static const char content[] = "content of the program";
	char read_back[sizeof(content)] = "";
	int files[2], fd = open_marked(), result;
	off_t size;

	openers[_i % RACING](files);
	ck_assert_int_eq(fcntl(files[1], F_SETFL, O_NONBLOCK), 0);
	size = lseek(files[1], 0, SEEK_END);
	if (size >= 0)
		ck_assert_int_eq(write(files[0], content, sizeof(content)),
				 sizeof(content));
	replacement = files[0];
	result = record_writers[_i / RACING](fd);
	ck_assert_int_eq(replacement, -1);
	if (size < 0) {
		ck_assert_int_lt(result, 0);
		ck_assert_int_eq(read(files[1], read_back, 1), -1);
	} else {
		ck_assert_int_eq(pread(files[1], read_back, sizeof(content), 0),
				 sizeof(content));
		ck_assert_mem_eq(read_back, content, sizeof(content));
	}
	close(fd);
	close(files[0]);
	close(files[1]);
}

/* The file system of a file rejects the position, unless files can be so large. */
TEST_LOOP(racing_files_do_not_grow, 2)
{
	int files[2], fd = open_marked();
	int flags = _i ? O_APPEND : 0;
	char byte = 0;
	bool is_limited;
	int result;

	open_regular(files, flags);
	is_limited = pwrite(files[1], &byte, 1, FAR_POSITION) < 0;
	if (!is_limited)
		ck_assert_int_eq(ftruncate(files[1], 0), 0);
	replacement = files[0];
	result = write_one(fd);
	if (is_limited && (!flags || write_flags)) {
		ck_assert_int_eq(result, -ESTALE);
		ck_assert_int_eq((int)lseek(files[1], 0, SEEK_END), 0);
	} else {
		/* The write succeeds, behind all data. */
		ck_assert_int_eq(result, 6);
	}
	close(fd);
	close(files[0]);
	close(files[1]);
}

/* With a limit of their size, the process gets a signal that it can ignore. */
TEST(racing_files_at_their_limit)
{
	const struct rlimit limit = { 1U << 20, 1U << 20 };
	int files[2], fd = open_marked();

	open_file(files);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	replacement = files[0];
	ck_assert_int_eq(write_one(fd), -ESTALE);
	ck_assert_int_eq((int)lseek(files[1], 0, SEEK_END), 0);
	close(fd);
	close(files[0]);
	close(files[1]);
}

/*
 * The library's file, whose record is replaced by one for another file before
 * the only system call: no byte is written to any file.
 */
TEST_LOOP(records_of_one_file_reach_no_other, ARRAY_SIZE(openers) - 2)
{
	static const char content[] = "content of the program";
	int files[2], fd = open_marked();
	off_t size;
	char byte;

	openers[_i](files);
	ck_assert_int_eq(fcntl(files[1], F_SETFL, O_NONBLOCK), 0);
	size = lseek(files[1], 0, SEEK_END);
	if (size >= 0)
		ck_assert_int_eq(write(files[0], content, sizeof(content)),
				 sizeof(content));
	replacement = files[0];
	ck_assert_int_eq(uev_sys_record(fd, &own), -ESTALE);
	ck_assert_int_eq(replacement, -1);
	if (size < 0)
		ck_assert_int_eq((int)read(files[1], &byte, 1), -1);
	else
		ck_assert_int_eq((int)lseek(files[1], 0, SEEK_END),
				 sizeof(content));
	close(fd);
	close(files[0]);
	close(files[1]);
}

/* A marked file, whose kernel does not have the call: not a file that is closed. */
TEST(tells_a_missing_call_from_another_file)
{
	int fd = open_marked();

	errno = PROGRAMS_ERRNO;
	ck_assert_int_eq(uev_sys_record(fd, &own), -EPERM);
	ck_assert_int_eq(errno, PROGRAMS_ERRNO);
	cookie_of_file = own.cookie;
	ck_assert_int_eq(uev_sys_record(fd, &own), -EPERM);
	/* Another copy of the library has opened it meanwhile. */
	cookie_of_file = own.cookie + 1;
	ck_assert_int_eq(uev_sys_record(fd, &own), -ESTALE);
	cookie_of_file = 0;
	close(fd);
	ck_assert_int_eq(uev_sys_record(fd, &own), -ESTALE);
}

static bool is_same(const struct uev_file_id *one,
		    const struct uev_file_id *other)
{
	return one->device == other->device && one->inode == other->inode;
}

TEST(identifies_files)
{
	struct uev_file_id first, second, copy;
	int files[2], other[2], duplicate;

	open_file(files);
	open_file(other);
	ck_assert_int_eq(uev_sys_identify(files[0], &first), 0);
	ck_assert_int_eq(uev_sys_identify(other[0], &second), 0);
	duplicate = uev_sys_duplicate(files[0], 0);
	ck_assert_int_eq(uev_sys_identify(duplicate, &copy), 0);
	ck_assert(is_same(&first, &copy));
	ck_assert(!is_same(&first, &second));
	ck_assert(!first.must_close);
	ck_assert(!first.is_marked);
	ck_assert_int_eq(uev_sys_mark(duplicate), 0);
	ck_assert_int_eq(uev_sys_identify(files[0], &first), 0);
	ck_assert(first.is_marked);
	close(duplicate);
	close(files[0]);
	close(files[1]);
	close(other[0]);
	close(other[1]);
}

/* --- Cancellation --------------------------------------------------------- */

static void *write_while_cancelled(void *has_returned)
{
	char byte = 0;
	struct iovec vector[] = { { &byte, 1 }, { &byte, 1 } };
	struct uev_file_id id;

	pthread_cancel(pthread_self());
	(void)uev_sys_writev(-1, vector, 2);
	(void)uev_sys_record(-1, &own);
	(void)uev_sys_identify(-1, &id);
	*(bool *)has_returned = true;

	return NULL;
}

/* The others are called with cancellation disabled. */
TEST(writing_is_no_cancellation_point)
{
	bool has_returned = false;
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, write_while_cancelled,
					&has_returned),
			 0);
	pthread_join(thread, NULL);
	ck_assert(has_returned);
}

/* --- The kernel ---------------------------------------------------------- */

TEST_LOOP(knows_preempt_rt, 4)
{
	static const struct {
		const char *version;
		bool is_rt;
	} rows[] = {
		{ "#1 SMP PREEMPT_DYNAMIC Debian 6.12.107-1", false },
		{ "#1 SMP PREEMPT_RT Debian 6.1.192-1", true },
		{ "#1 SMP", false },
		{ NULL, false },
	};

	kernel_version = rows[_i].version;
	errno = PROGRAMS_ERRNO;
	ck_assert_int_eq(uev_sys_is_rt(), rows[_i].is_rt);
	if (!kernel_version)
		ck_assert_int_eq(errno, PROGRAMS_ERRNO);
}

/* --- Sandboxes ------------------------------------------------------------ */

#ifndef SYS_fcntl64
#define SYS_fcntl64 SYS_fcntl
#endif

/*
 * Permits the calls that libuserevents(7) has for records, and exiting; ioctl()
 * with the error EPERM if it is @rejected.
 */
static void enter_sandbox(bool rejected)
{
	static const unsigned int calls[] = { SYS_ioctl, SYS_fcntl, SYS_fcntl64,
					      SYS_pwritev2, SYS_exit_group };
	struct sock_filter filter[2 * ARRAY_SIZE(calls) + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	struct sock_filter permit =
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_filter otherwise =
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL);
	struct sock_fprog program = { ARRAY_SIZE(filter), filter };
	size_t i, count = 1;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		filter[count++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1);
		filter[count++] = permit;
	}
	if (rejected)
		filter[2].k = SECCOMP_RET_ERRNO | EPERM;
	filter[count] = otherwise;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(EXIT_FAILURE);
}

TEST_LOOP(writes_in_a_sandbox, 2)
{
	char record[] = "record";
	struct iovec vector[] = { { record, 3 }, { record, 3 } };
	int files[2], status, result;
	pid_t child;

	open_socket(files);
	ck_assert_int_eq(uev_sys_mark(files[0]), 0);
	child = fork();
	if (!child) {
		enter_sandbox(_i);
		result = uev_sys_record(files[0], &own);
		if (result == -EPERM)
			result = (int)uev_sys_writev(files[0], vector, 2);
		/* A socket has no position. Sanitizers replace _exit(). */
		syscall(SYS_exit_group, result != -ESTALE);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	close(files[0]);
	close(files[1]);
}

/* --- Files from a broker ---------------------------------------------------- */

/*
 * struct answer - What a broker answers to its only connection
 * @size: bytes of @error that are sent; 0: it closes the connection
 * @files: number of files that are sent
 */
struct answer {
	int32_t error;
	size_t size;
	unsigned int files;
	int socket;
};

static void *answer_one(void *data)
{
	const struct answer *answer = data;
	int peer = accept(answer->socket, NULL, NULL);
	struct iovec vector = { (void *)&answer->error, answer->size };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { .header = { .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS } };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
	const int files[] = { 0, 0 };

	ck_assert_int_ge(peer, 0);
	if (answer->files) {
		control.header.cmsg_len = CMSG_LEN(answer->files * sizeof(int));
		memcpy(CMSG_DATA(&control.header), files,
		       answer->files * sizeof(int));
		message.msg_control = &control;
		message.msg_controllen =
			CMSG_SPACE(answer->files * sizeof(int));
	}
	if (answer->size && sendmsg(peer, &message, MSG_NOSIGNAL) < 0)
		ck_assert_int_eq(errno, EPIPE);
	close(peer);

	return NULL;
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)),
			 0);
	ck_assert_int_eq(listen(fd, 1), 0);

	return fd;
}

static const struct {
	struct answer answer;
	int result; /* 0: a file */
} answers[] = {
	{ { .error = 0, .size = 4, .files = 1 }, 0 },
	{ { .error = EACCES, .size = 4 }, -EACCES },
	{ { .error = EACCES, .size = 4, .files = 1 }, -EACCES },
	{ { .error = 0, .size = 4 }, -ECONNREFUSED },
	{ { .error = 0, .size = 4, .files = 2 }, 0 },
	{ { .error = 0, .size = 2, .files = 1 }, -ECONNREFUSED },
	{ { .error = -EACCES, .size = 4 }, -ECONNREFUSED },
	{ { .size = 0 }, -ECONNREFUSED },
};

TEST_LOOP(receives_file_from_broker, ARRAY_SIZE(answers))
{
	char path[] = "/tmp/sys_test.XXXXXX";
	struct answer answer = answers[_i].answer;
	pthread_t broker;
	int fd, spare;

	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert_int_eq(rmdir(path), 0);
	answer.socket = listen_at(path);
	ck_assert_int_eq(pthread_create(&broker, NULL, answer_one, &answer), 0);
	errno = PROGRAMS_ERRNO;
	fd = uev_sys_receive(path);
	ck_assert_int_eq(errno, PROGRAMS_ERRNO);
	ck_assert_int_eq(pthread_join(broker, NULL), 0);
	if (answers[_i].result) {
		ck_assert_int_eq(fd, answers[_i].result);
	} else {
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
		close(fd);
	}
	/* No other file stays open. */
	close(answer.socket);
	spare = dup(0);
	ck_assert_int_eq(spare, answer.socket);
	close(spare);
	ck_assert_int_eq(unlink(path), 0);
}

TEST(receives_nothing_without_a_broker)
{
	char path[200];

	ck_assert_int_eq(uev_sys_receive("/does/not/exist"), -ENOENT);
	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	ck_assert_int_eq(uev_sys_receive(path), -ENAMETOOLONG);
}

/* Returns a socket at a new path. */
static int listen_anywhere(char *path)
{
	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert_int_eq(rmdir(path), 0);

	return listen_at(path);
}

/* Connects until the queue of a socket is full. */
static void fill_queue(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	strcpy(address.sun_path, path);
	do {
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
		ck_assert_int_ge(fd, 0);
	} while (!connect(fd, (struct sockaddr *)&address, sizeof(address)));
	ck_assert_int_eq(errno, EAGAIN);
}

/* It accepts no connection, or its queue is full. */
TEST_LOOP(does_not_wait_for_ever_for_a_broker, 2)
{
	char path[] = "/tmp/sys_test.XXXXXX";
	int socket = listen_anywhere(path);

	if (_i)
		fill_queue(path);
	ck_assert_int_eq(uev_sys_receive(path), -ETIMEDOUT);
	close(socket);
	ck_assert_int_eq(unlink(path), 0);
}

static void do_nothing(int number)
{
	(void)number;
}

/* The kernel does not restart calls on sockets with a time limit. */
TEST_LOOP(signals_do_not_end_the_wait, 2)
{
	const struct sigaction action = { .sa_handler = do_nothing,
					  .sa_flags = SA_RESTART };
	const struct itimerval often = { { 0, 10000 }, { 0, 10000 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	char path[] = "/tmp/sys_test.XXXXXX";
	int socket = listen_anywhere(path);

	if (_i)
		fill_queue(path);
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
	ck_assert_int_eq(uev_sys_receive(path), -ETIMEDOUT);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
	close(socket);
	ck_assert_int_eq(unlink(path), 0);
}

/* A second has passed after the connection, so it does not wait for the answer. */
TEST(connection_and_answer_have_one_second)
{
	struct answer answer = { .error = 0, .size = 4, .files = 1 };
	char path[] = "/tmp/sys_test.XXXXXX";
	pthread_t broker;

	answer.socket = listen_anywhere(path);
	ck_assert_int_eq(pthread_create(&broker, NULL, answer_one, &answer), 0);
	has_fake_clock = true;
	ck_assert_int_eq(uev_sys_receive(path), -ETIMEDOUT);
	has_fake_clock = false;
	ck_assert_int_eq(pthread_join(broker, NULL), 0);
	close(answer.socket);
	ck_assert_int_eq(unlink(path), 0);
}
