// SPDX-License-Identifier: GPL-2.0-only
/* A FUSE server with the subset of the protocol that one file needs. */
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuse.h"
#include "user_events.h"

#define MOUNT_POINT "/tmp/" PREFIX "fuse"
#define FILE_NAME "pages"
#define FILE_NODE 2

/* Validity of names and attributes, longer than any test runs. */
#define VALID_S 1000000

/* More than the kernel's FUSE_MIN_READ_BUFFER, which is 8 KiB. */
#define REQUEST_MAX 65536

static struct fuse_control *control;
static int device = -1;

static void answer(const struct fuse_in_header *in, int error, const void *body,
		   size_t size)
{
	struct fuse_out_header head = {
		.len = sizeof(head) + size,
		.error = error,
		.unique = in->unique,
	};
	const struct iovec parts[] = {
		{ .iov_base = &head, .iov_len = sizeof(head) },
		{ .iov_base = (void *)body, .iov_len = size },
	};

	/* Fails if the request was interrupted or the connection aborted. */
	if (writev(device, parts, size ? 2 : 1) < 0 && errno == ENODEV)
		_exit(0);
}

static void answer_init(const struct fuse_in_header *in, const void *body)
{
	const struct fuse_init_in *asked = body;
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		/*
		 * No readahead: each page is read by the process that faults.
		 */
		.max_readahead = 0,
		.max_background = 16,
		.congestion_threshold = 12,
		.max_write = 4096,
		.time_gran = 1,
	};

	if (asked->minor < out.minor)
		out.minor = asked->minor;
	answer(in, 0, &out, sizeof(out));
}

static struct fuse_attr attributes(uint64_t node)
{
	bool is_file = node == FILE_NODE;

	return (struct fuse_attr){
		.ino = node,
		.size = is_file ? FUSE_PAGES * PAGE : 0,
		.mode = is_file ? S_IFREG | 0644 : S_IFDIR | 0755,
		.nlink = is_file ? 1 : 2,
		.blksize = PAGE,
	};
}

static void answer_lookup(const struct fuse_in_header *in, const char *name)
{
	const struct fuse_entry_out out = {
		.nodeid = FILE_NODE,
		.entry_valid = VALID_S,
		.attr_valid = VALID_S,
		.attr = attributes(FILE_NODE),
	};

	if (in->nodeid != FUSE_ROOT_ID || strcmp(name, FILE_NAME))
		answer(in, -ENOENT, NULL, 0);
	else
		answer(in, 0, &out, sizeof(out));
}

static void answer_getattr(const struct fuse_in_header *in)
{
	const struct fuse_attr_out out = {
		.attr_valid = VALID_S,
		.attr = attributes(in->nodeid),
	};

	answer(in, 0, &out, sizeof(out));
}

static void answer_open(const struct fuse_in_header *in)
{
	const struct fuse_open_out out = { .open_flags = FOPEN_KEEP_CACHE };

	answer(in, 0, &out, sizeof(out));
}

static void answer_read(const struct fuse_in_header *in,
			const struct fuse_read_in *what)
{
	static char zeros[FUSE_PAGES * PAGE_MAX];
	size_t size = FUSE_PAGES * PAGE;
	size_t left = what->offset < size ? size - what->offset : 0;
	pid_t withheld = __atomic_load_n(&control->withheld, __ATOMIC_ACQUIRE);

	if (withheld && (pid_t)in->pid == withheld) {
		__atomic_add_fetch(&control->reads_withheld, 1,
				   __ATOMIC_RELEASE);
		return;
	}

	answer(in, 0, zeros, what->size < left ? what->size : left);
	__atomic_add_fetch(&control->reads, 1, __ATOMIC_RELEASE);
}

static void serve_request(const struct fuse_in_header *in, const void *body)
{
	switch (in->opcode) {
	case FUSE_INIT:
		answer_init(in, body);
		break;
	case FUSE_LOOKUP:
		answer_lookup(in, body);
		break;
	case FUSE_GETATTR:
		answer_getattr(in);
		break;
	case FUSE_OPEN:
		answer_open(in);
		break;
	case FUSE_READ:
		answer_read(in, body);
		break;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
	case FUSE_DESTROY:
		answer(in, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		/* The kernel expects no answer. */
		break;
	default:
		answer(in, -ENOSYS, NULL, 0);
	}
}

/* Invalidation waits for pages under read, so it runs in its own thread. */
static void *invalidate_pages(void *data)
{
	uint64_t page = 0;

	while (true) {
		const struct fuse_notify_inval_inode_out out = {
			.ino = FILE_NODE,
			.off = page * PAGE,
			.len = PAGE,
		};
		const struct fuse_out_header head = {
			.len = sizeof(head) + sizeof(out),
			.error = FUSE_NOTIFY_INVAL_INODE,
		};
		const struct iovec parts[] = {
			{ .iov_base = (void *)&head, .iov_len = sizeof(head) },
			{ .iov_base = (void *)&out, .iov_len = sizeof(out) },
		};

		if (!__atomic_load_n(&control->invalidate, __ATOMIC_ACQUIRE)) {
			usleep(1000);
			continue;
		}
		if (writev(device, parts, 2) < 0 && errno == ENODEV)
			break;
		__atomic_add_fetch(&control->invalidations, 1,
				   __ATOMIC_RELEASE);
		page = (page + 1) % FUSE_PAGES;
	}

	return data;
}

static void serve(void)
{
	static char request[REQUEST_MAX] __attribute__((aligned(8)));
	const struct fuse_in_header *in = (const void *)request;
	pthread_t thread;

	if (pthread_create(&thread, NULL, invalidate_pages, NULL))
		_exit(1);

	while (true) {
		ssize_t got = read(device, request, sizeof(request));

		if (got >= (ssize_t)sizeof(*in))
			serve_request(in, in + 1);
		else if (got < 0 && errno == ENODEV)
			_exit(0);
	}
}

void fuse_abort(void)
{
	/*
	 * Fails while the file is open, but has aborted all requests by then.
	 */
	if (umount2(MOUNT_POINT, MNT_FORCE))
		umount2(MOUNT_POINT, MNT_DETACH);
	rmdir(MOUNT_POINT);
}

/* Runs in its own process group, so that it is not killed with the test. */
static void abort_on_exit(pid_t test)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	if (getppid() == test)
		sigwaitinfo(&set, NULL);
	fuse_abort();
	_exit(0);
}

struct fuse_control *fuse_start(void)
{
	pid_t test = getpid(), child;
	const char *options;

	control = mmap(NULL, sizeof(*control), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(control != MAP_FAILED);
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (device < 0)
		SKIP("cannot open /dev/fuse: %s", harness_errno(errno));

	mkdir(MOUNT_POINT, 0700);
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		close(device);
		abort_on_exit(test);
	}

	options = text("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		       device);
	ASSERT_OK(mount(PREFIX "fuse", MOUNT_POINT, "fuse",
			MS_NOSUID | MS_NODEV, options));
	child = fork();
	ASSERT_OK(child);
	if (!child)
		serve();
	/* Only the server keeps the connection open. */
	close(device);

	return control;
}

int fuse_file(void)
{
	int fd = open(MOUNT_POINT "/" FILE_NAME, O_RDONLY | O_CLOEXEC);

	ASSERT_OK(fd);

	return fd;
}
