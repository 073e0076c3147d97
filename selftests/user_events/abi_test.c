// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file user_events_data: its ioctls, structure sizes and names, their
 * results, the write indexes, and the permission to delete.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define USER 1000
#define OTHER_USER 1001

/*
 * A registration structure, followed by the bytes that a larger size includes.
 */
static unsigned char oversize[2 * PAGE_MAX] __attribute__((aligned(8)));

static int reg_sized(int fd, const char *command, uint32_t size)
{
	struct user_reg_status *head = (void *)oversize;

	head->size = size;
	head->name_args = (uintptr_t)command;
	head->status_bit = 0;
	head->write_index = 0;

	return ioctl(fd, DIAG_IOCSREG, oversize);
}

/* Some architectures have other bits for the direction. */
static unsigned int number_here(unsigned int number)
{
	unsigned int direction = 0;

	if (number >> 30 & 1)
		direction |= _IOC_WRITE;
	if (number >> 30 & 2)
		direction |= _IOC_READ;

	return (number & ~0xc0000000) | (direction ? direction : _IOC_NONE)
						<< _IOC_DIRSHIFT;
}

TEST(ioctl_numbers)
{
	const unsigned int pointer = sizeof(void *) << _IOC_SIZESHIFT;

	EXPECT_EQ(DIAG_IOCSREG, number_here(0xc0002a00U | pointer));
	EXPECT_EQ(DIAG_IOCSDEL, number_here(0x40002a01U | pointer));
	EXPECT_EQ(DIAG_IOCSUNREG, number_here(0x40002a02U | pointer));
	EXPECT_EQ(DIAG_IOCSBATCH, number_here(0x40102a80U));
	EXPECT_EQ(DIAG_IOCSWRITE, number_here(0x40202ae0U));
	EXPECT_EQ(DIAG_IOCGCOOKIE, number_here(0x80082ae1U));
	EXPECT_EQ(DIAG_IOCQHEADER, number_here(0x2ae2U));
	EXPECT_EQ(DIAG_IOCSREGLIST, number_here(0x40182ae3U));
	EXPECT_EQ(DIAG_IOCSPREFIX, number_here(0x40102ae8U));
}

TEST(tells_size_of_header)
{
	int fd = data_open();

	EXPECT_EQ(ioctl(fd, DIAG_IOCQHEADER), (int)common_fields_size());
	/* The argument is not used. */
	EXPECT_EQ(ioctl(fd, DIAG_IOCQHEADER, -1L), (int)common_fields_size());
	close(fd);
}

TEST(rejects_unknown_ioctls)
{
	/*
	 * The command numbers of the other pointer size are unknown to this
	 * program.
	 */
	const unsigned int own = sizeof(void *) << _IOC_SIZESHIFT;
	const unsigned int other = (12 - sizeof(void *)) << _IOC_SIZESHIFT;
	const unsigned int numbers[] = {
		0,
		0xc0002a00 | other,
		0x40002a01 | other,
		0x40002a02 | other,
		0x40002a00 | own,
		0x80002a00 | own,
		0xc0142a00,
		0xc0002a01 | own,
		0xc0002a03 | own,
		0xc0002b00 | own,
		0x2a00,
		0xffffffff,
	};
	struct user_reg_status arg = { .size = sizeof(arg) };
	int fd = data_open();
	size_t i;

	arg.name_args = (uintptr_t)uniq("x");
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		harness_context("ioctl 0x%x", numbers[i]);
		EXPECT_ERRNO(ioctl(fd, numbers[i], &arg), ENOTTY);
	}
	harness_context(NULL);
	EXPECT_FALSE(tfs_exists("events/user_events/%s", uniq("x")));
}

TEST(checks_structure_size)
{
	/* Index of a byte after the structure that is set, or -1. */
	const struct {
		uint32_t size;
		int dirty;
		int error;
	} cases[] = {
		{ 0, -1, EINVAL },
		{ 1, -1, EINVAL },
		{ 4, -1, EINVAL },
		{ 12, -1, EINVAL },
		{ 16, -1, EINVAL },
		{ 19, -1, EINVAL },
		{ 20, -1, 0 },
		{ 20, 20, 0 },
		{ 21, -1, 0 },
		{ 21, 20, E2BIG },
		{ 22, -1, 0 },
		{ 22, 21, E2BIG },
		{ 23, -1, 0 },
		{ 23, 22, E2BIG },
		{ 23, 23, 0 },
		{ 24, -1, EINVAL },
		{ 24, 20, EINVAL },
		{ 24, 23, EINVAL },
		{ 25, -1, 0 },
		{ 25, 24, E2BIG },
		{ 26, -1, 0 },
		{ 26, 20, E2BIG },
		{ 27, -1, 0 },
		{ 27, 26, E2BIG },
		{ 27, 27, 0 },
		/*
		 * From here on the size selects the enabler structure, whose
		 * address is NULL.
		 */
		{ 28, -1, EINVAL },
		{ 28, 20, EINVAL },
		{ 29, -1, EINVAL },
		{ 64, -1, EINVAL },
		{ PAGE - 1, -1, EINVAL },
		{ PAGE, -1, EINVAL },
		{ PAGE + 1, -1, E2BIG },
		{ 2 * PAGE, -1, E2BIG },
		{ 0x7fffffff, -1, E2BIG },
		{ 0x80000000, -1, E2BIG },
		{ 0xffffffff, -1, E2BIG },
	};
	int fd = data_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = uniq(text("%zu", i));
		int dirty = cases[i].dirty;

		harness_context("size %u, byte %d set", cases[i].size, dirty);
		memset(oversize, 0, sizeof(oversize));
		if (dirty >= 0)
			oversize[dirty] = 1;
		if (cases[i].error)
			EXPECT_ERRNO(reg_sized(fd, name, cases[i].size),
				     cases[i].error);
		else
			EXPECT_OK(reg_sized(fd, name, cases[i].size));
		EXPECT_EQ(tfs_exists("events/user_events/%s", name),
			  !cases[i].error);
	}
}

/* The structure of Linux 5.18 to 6.0: 24 bytes, unpacked. */
TEST(rejects_first_layout)
{
	struct {
		uint32_t size;
		uint64_t name_args __attribute__((aligned(8)));
		uint32_t status_index;
		uint32_t write_index;
	} first = {
		.size = sizeof(first),
		.name_args = (uintptr_t)uniq("first"),
		.status_index = 7,
		.write_index = 7,
	};
	int fd = data_open();

	ASSERT_EQ(sizeof(first), 24);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &first), EINVAL);
	EXPECT_EQ(first.status_index, 7);
	EXPECT_EQ(first.write_index, 7);
	EXPECT_ERRNO(del_event(uniq("first")), ENOENT);
}

TEST(rejects_unreadable_structure)
{
	int fd = data_open();

	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, NULL), EFAULT);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, map_page(PROT_NONE)), EFAULT);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, guarded_page_end()), EFAULT);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, (void *)-4096L), EFAULT);
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, (void *)-1L), EFAULT);
}

TEST(checks_size_before_reading_structure)
{
	uint32_t *at = (uint32_t *)guarded_page_end() - 1;
	int fd = data_open();

	*at = PAGE + 1;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), E2BIG);
	*at = 19;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), EINVAL);
	*at = 24;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), EINVAL);
	*at = 20;
	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, at), EFAULT);
}

TEST(rejects_unreadable_command)
{
	int fd = data_open();

	EXPECT_ERRNO(reg(fd, NULL, NULL), EFAULT);
	EXPECT_ERRNO(reg(fd, map_page(PROT_NONE), NULL), EFAULT);
	EXPECT_ERRNO(reg(fd, (char *)guarded_page_end(), NULL), EFAULT);
	EXPECT_ERRNO(reg(fd, (char *)-1L, NULL), EFAULT);
	EXPECT_ERRNO(del(fd, NULL), EFAULT);
	EXPECT_ERRNO(del(fd, map_page(PROT_NONE)), EFAULT);
	EXPECT_ERRNO(del(fd, (char *)guarded_page_end()), EFAULT);
}

/* A command "name u8 f0;u8 f1..." with exactly @length characters. */
static char *command_of_length(const char *name, size_t length)
{
	char *out = malloc(length + 64);
	size_t used = sprintf(out, "%s ", name);
	unsigned int i;

	for (i = 0; used < length - 64; i++)
		used += sprintf(out + used, "u8 f%u;", i);
	used += sprintf(out + used, "u8 ");
	while (used < length)
		out[used++] = 'z';
	out[used] = '\0';

	return out;
}

TEST(limits_command_length)
{
	const char *name = uniq("long");
	int fd = data_open();

	EXPECT_ERRNO(reg(fd, command_of_length(name, 512), NULL), EINVAL);
	EXPECT_ERRNO(reg(fd, command_of_length(name, 513), NULL), EINVAL);
	EXPECT_ERRNO(reg(fd, command_of_length(name, 5000), NULL), EINVAL);
	EXPECT_FALSE(tfs_exists("events/user_events/%s", name));
	EXPECT_OK(reg(fd, command_of_length(name, 511), NULL));
	EXPECT_TRUE(tfs_exists("events/user_events/%s", name));
}

TEST(limits_command_length_of_delete)
{
	char name[600];
	int fd = data_open();

	memset(name, 'x', sizeof(name));
	name[511] = '\0';
	EXPECT_ERRNO(del(fd, name), ENOENT);
	name[511] = 'x';
	name[512] = '\0';
	EXPECT_ERRNO(del(fd, name), EINVAL);
}

/* The last byte of the command is the last byte of a mapping. */
TEST(accepts_command_at_end_of_mapping)
{
	const char *name = uniq("edge");
	char *at = (char *)guarded_page_end() - strlen(name) - 1;
	int fd = data_open();

	strcpy(at, name);
	EXPECT_OK(reg(fd, at, NULL));
	close(fd);
	EXPECT_OK(del_event(at));
}

TEST(limits_name_length)
{
	char name[300];
	int fd = data_open();

	memset(name, 'n', sizeof(name));
	memcpy(name, PREFIX, strlen(PREFIX));

	name[256] = '\0';
	EXPECT_ERRNO(reg(fd, name, NULL), EINVAL);
	name[256] = 'n';
	name[299] = '\0';
	EXPECT_ERRNO(reg(fd, name, NULL), EINVAL);
	name[255] = '\0';
	EXPECT_OK(reg(fd, name, NULL));
	EXPECT_TRUE(tfs_exists("events/user_events/%s/format", name));
	EXPECT_TRUE(status_line(name));
	close(fd);
	EXPECT_OK(del_event(name));
}

TEST(rejects_read)
{
	char byte;
	int fd = data_open();
	int write_only = tfs_open(O_WRONLY, "user_events_data");

	ASSERT_OK(write_only);
	EXPECT_ERRNO(read(fd, &byte, 1), EINVAL);
	EXPECT_ERRNO(pread(fd, &byte, 1, 0), EINVAL);
	EXPECT_ERRNO(read(write_only, &byte, 1), EBADF);
}

TEST(rejects_seek)
{
	int fd = data_open();

	EXPECT_ERRNO(lseek(fd, 0, SEEK_SET), ESPIPE);
	EXPECT_ERRNO(lseek(fd, 0, SEEK_CUR), ESPIPE);
	EXPECT_ERRNO(lseek(fd, 0, SEEK_END), ESPIPE);
}

TEST(rejects_mmap)
{
	int fd = data_open();
	void *at;

	errno = 0;
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	EXPECT_TRUE(at == MAP_FAILED);
	EXPECT_EQ(errno, ENODEV);
}

TEST(rejects_fsync)
{
	int fd = data_open();

	EXPECT_ERRNO(fsync(fd), EINVAL);
	EXPECT_ERRNO(fdatasync(fd), EINVAL);
}

TEST(poll_is_always_ready)
{
	struct pollfd poller = {
		.fd = data_open(),
		.events = POLLIN | POLLOUT,
	};

	EXPECT_EQ(poll(&poller, 1, 0), 1);
	EXPECT_EQ(poller.revents, POLLIN | POLLOUT);
}

TEST(rejects_epoll)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLOUT };
	int epoll = epoll_create1(0);

	ASSERT_OK(epoll);
	EXPECT_ERRNO(epoll_ctl(epoll, EPOLL_CTL_ADD, data_open(), &event),
		     EPERM);
	EXPECT_ERRNO(epoll_ctl(epoll, EPOLL_CTL_ADD, status_open(), &event),
		     EPERM);
}

TEST(ioctl_needs_no_access_mode)
{
	static const int modes[] = { O_RDONLY, O_WRONLY, O_RDWR };
	struct user_reg_status out;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		const char *name = uniq(text("mode%zu", i));
		int fd = tfs_open(modes[i], "user_events_data");
		int other = tfs_open(modes[i], "user_events_data");

		harness_context("mode %d", modes[i]);
		ASSERT_OK(fd);
		ASSERT_OK(other);
		EXPECT_OK(reg(fd, name, &out));
		close(fd);
		EXPECT_OK(del(other, name));
		close(other);
	}
}

TEST(write_needs_writable_file)
{
	const char *name = uniq("ro");
	int fd = tfs_open(O_RDONLY, "user_events_data");
	unsigned int index;

	ASSERT_OK(fd);
	index = must_reg(fd, name);
	enable(name, true);
	EXPECT_ERRNO(write(fd, &index, sizeof(index)), EBADF);
	EXPECT_EQ(trace_count(NULL, name), 0);
}

TEST(ignores_file_position)
{
	const char *name = uniq("pos");
	uint32_t record[2] = { 0, 42 };
	struct iovec part = { .iov_base = record, .iov_len = sizeof(record) };
	int fd = data_open();

	record[0] = must_reg(fd, text("%s u32 a", name));
	enable(name, true);
	EXPECT_EQ(pwrite(fd, record, sizeof(record), 0), 8);
	EXPECT_ERRNO(pwrite(fd, record, sizeof(record), 4), EFAULT);
	EXPECT_ERRNO(pwrite(fd, record, sizeof(record), 1), EFAULT);
	EXPECT_ERRNO(pwrite(fd, record, sizeof(record), 1LL << 40), EFAULT);
	EXPECT_EQ(trace_count(NULL, text(" %s:", name)), 1);

	/* Writes do not advance the position. */
	EXPECT_EQ(write(fd, record, sizeof(record)), 8);
	EXPECT_EQ(write(fd, record, sizeof(record)), 8);
	EXPECT_EQ(trace_count(NULL, text(" %s:", name)), 3);

	EXPECT_EQ(writev(fd, &part, 1), 8);
	EXPECT_EQ(pwritev(fd, &part, 1, 0), 8);
	EXPECT_EQ(pwritev(fd, &part, 1, 4), 8);
	EXPECT_EQ(pwritev(fd, &part, 1, 1LL << 40), 8);
	/* That of libuserevents */
	EXPECT_EQ(pwritev(fd, &part, 1, INT64_MAX - 0xffff), 8);
	EXPECT_EQ(trace_count(NULL, text(" %s:", name)), 8);
}

TEST(async_write_ignores_position)
{
	const char *name = uniq("aio");
	uint32_t record[2] = { 0, 42 };
	struct iocb block = {
		.aio_lio_opcode = IOCB_CMD_PWRITE,
		.aio_buf = (uintptr_t)record,
		.aio_nbytes = sizeof(record),
		.aio_offset = 4096,
	};
	struct iocb *blocks[] = { &block };
	struct io_event event = { 0 };
	aio_context_t context = 0;
	int fd = data_open();

	must_reg(fd, text("%s u32 a", name));
	enable(name, true);
	block.aio_fildes = fd;
	if (syscall(SYS_io_setup, 1, &context))
		SKIP("no asynchronous I/O: %s", harness_errno(errno));
	ASSERT_EQ(syscall(SYS_io_submit, context, 1, blocks), 1);
	ASSERT_EQ(syscall(SYS_io_getevents, context, 1, 1, &event, NULL), 1);
	EXPECT_EQ(event.res, 8);
	EXPECT_EQ(trace_count(NULL, text(" %s: a=0x2a (42)", name)), 1);
}

TEST(rejects_splice)
{
	const char *name = uniq("splice");
	uint32_t record[2] = { 0, 42 };
	int fd = data_open();
	int ends[2];

	must_reg(fd, text("%s u32 a", name));
	enable(name, true);
	ASSERT_OK(pipe(ends));
	ASSERT_EQ(write(ends[1], record, sizeof(record)), 8);
	EXPECT_ERRNO(splice(ends[0], NULL, fd, NULL, 8, 0), EINVAL);
	EXPECT_ERRNO(splice(fd, NULL, ends[1], NULL, 8, 0), EINVAL);
	EXPECT_EQ(trace_count(NULL, name), 0);
}

TEST(registers_with_read_only_structure)
{
	const char *name = uniq("unwritable");
	struct user_reg_status *at = map_page(PROT_READ | PROT_WRITE);
	uint32_t index = 0;
	int fd = data_open();

	at->size = sizeof(*at);
	at->name_args = (uintptr_t)name;
	at->status_bit = 77;
	at->write_index = 78;
	ASSERT_OK(mprotect(at, 4096, PROT_READ));

	EXPECT_OK(ioctl(fd, DIAG_IOCSREG, at));
	EXPECT_EQ(at->status_bit, 77);
	EXPECT_EQ(at->write_index, 78);
	EXPECT_TRUE(tfs_exists("events/user_events/%s", name));

	/* The event is registered with index 0 of this file. */
	EXPECT_ERRNO(write(fd, &index, sizeof(index)), EBADF);
	EXPECT_EQ(must_reg(fd, name), 0);
	EXPECT_ERRNO(del_event(name), EBUSY);
	close(fd);
	EXPECT_OK(del_event(name));
}

TEST(writes_only_outputs)
{
	const char *name = uniq("outputs");
	struct user_reg_status out;
	int fd = data_open();

	EXPECT_OK(reg(fd, name, &out));
	EXPECT_EQ(out.size, sizeof(out));
	EXPECT_EQ(out.name_args, (uintptr_t)name);
	EXPECT_NE(out.status_bit, 0);
	EXPECT_EQ(out.write_index, 0);
}

TEST(failure_writes_no_outputs)
{
	struct user_reg_status in = {
		.size = sizeof(in),
		.name_args = (uintptr_t)text("%s nonsense", uniq("x")),
		.status_bit = 55,
		.write_index = 66,
	};
	int fd = data_open();

	EXPECT_ERRNO(ioctl(fd, DIAG_IOCSREG, &in), EINVAL);
	EXPECT_EQ(in.status_bit, 55);
	EXPECT_EQ(in.write_index, 66);
}

TEST(indexes_are_dense)
{
	struct user_reg_status out, again;
	unsigned int i;
	int fd = data_open();

	for (i = 0; i < 40; i++) {
		const char *name = uniq(text("%u", i));

		harness_context("event %u", i);
		ASSERT_OK(reg(fd, name, &out));
		EXPECT_EQ(out.write_index, i);
		ASSERT_OK(reg(fd, name, &again));
		EXPECT_EQ(again.write_index, i);
		EXPECT_EQ(again.status_bit, out.status_bit);
	}
	for (i = 0; i < 40; i++) {
		ASSERT_OK(reg(fd, uniq(text("%u", i)), &again));
		EXPECT_EQ(again.write_index, i);
	}
}

TEST(failed_registration_uses_no_index)
{
	int fd = data_open();

	EXPECT_EQ(must_reg(fd, uniq("a")), 0);
	EXPECT_ERRNO(reg(fd, text("%s nonsense", uniq("b")), NULL), EINVAL);
	EXPECT_ERRNO(reg(fd, text("%s u32 x", uniq("a")), NULL), EADDRINUSE);
	EXPECT_EQ(must_reg(fd, uniq("c")), 1);
}

TEST(indexes_belong_to_open_file)
{
	struct user_reg_status out, other;
	int a = data_open();
	int b = data_open();

	EXPECT_EQ(must_reg(a, uniq("one")), 0);
	EXPECT_EQ(must_reg(a, uniq("two")), 1);
	ASSERT_OK(reg(a, uniq("three"), &out));
	EXPECT_EQ(out.write_index, 2);

	ASSERT_OK(reg(b, uniq("three"), &other));
	EXPECT_EQ(other.write_index, 0);
	EXPECT_EQ(other.status_bit, out.status_bit);
	EXPECT_EQ(must_reg(b, uniq("one")), 1);

	/* File b has no index for this event. */
	enable(uniq("two"), true);
	EXPECT_ERRNO(write(b, &out.write_index, 4), ENOENT);
}

TEST(status_bits_are_distinct)
{
	unsigned char seen[4096] = { 0 };
	struct user_reg_status out;
	unsigned int i;
	int fd = data_open();

	for (i = 0; i < 100; i++) {
		ASSERT_OK(reg(fd, uniq(text("%u", i)), &out));
		EXPECT_NE(out.status_bit, 0);
		ASSERT_LT(out.status_bit, 32768);
		EXPECT_FALSE(status_page_bit(seen, out.status_bit));
		seen[out.status_bit / 8] |= 1 << (out.status_bit % 8);
	}
}

TEST(duplicated_files_share_indexes)
{
	const char *name = uniq("dup");
	uint32_t index;
	int fd = data_open();
	int copy = dup(fd);

	ASSERT_OK(copy);
	index = must_reg(fd, name);
	EXPECT_EQ(must_reg(copy, uniq("second")), 1);
	EXPECT_EQ(must_reg(fd, uniq("second")), 1);
	enable(name, true);
	EXPECT_EQ(write(copy, &index, sizeof(index)), 4);
	close(fd);
	EXPECT_ERRNO(del_event(uniq("second")), EBUSY);
	EXPECT_EQ(write(copy, &index, sizeof(index)), 4);
	EXPECT_EQ(trace_count(NULL, text(" %s:", name)), 2);
	close(copy);
	EXPECT_OK(del_event(uniq("second")));
}

TEST(child_processes_share_indexes)
{
	const char *name = uniq("fork");
	const char *second = uniq("fork2");
	uint32_t index;
	int fd = data_open();

	index = must_reg(fd, name);
	enable(name, true);
	if (in_child()) {
		EXPECT_EQ(write(fd, &index, sizeof(index)), 4);
		EXPECT_EQ(must_reg(fd, second), 1);
		end_child();
	}
	index = 1;
	EXPECT_ERRNO(write(fd, &index, sizeof(index)), EBADF);
	EXPECT_ERRNO(del_event(second), EBUSY);
	EXPECT_EQ(trace_count(NULL, text(" %s:", name)), 1);
}

TEST(passed_file_shares_indexes)
{
	const char *name = uniq("passed");
	int sockets[2];
	uint32_t index;
	pid_t child;

	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	ASSERT_OK(child);
	if (!child) {
		int fd = data_open();

		must_reg(fd, name);
		send_fd(sockets[1], fd);
		_exit(harness_failed());
	}
	close(sockets[1]);
	index = 0;
	{
		int fd = receive_fd(sockets[0]);

		wait_child(child);
		enable(name, true);
		EXPECT_EQ(write(fd, &index, sizeof(index)), 4);
		EXPECT_EQ(must_reg(fd, name), 0);
		enable(name, false);
		EXPECT_ERRNO(del_event(name), EBUSY);
		close(fd);
	}
	EXPECT_OK(del_event(name));
}

TEST(delete_needs_unreferenced_event)
{
	const char *name = uniq("del");
	int a = data_open();
	int b = data_open();

	EXPECT_ERRNO(del(a, name), ENOENT);
	must_reg(a, name);
	EXPECT_ERRNO(del(a, name), EBUSY);
	EXPECT_ERRNO(del(b, name), EBUSY);
	must_reg(b, name);
	close(a);
	EXPECT_ERRNO(del(b, name), EBUSY);
	EXPECT_TRUE(tfs_exists("events/user_events/%s", name));
	close(b);
	/* An event without references stays until it is deleted. */
	EXPECT_TRUE(tfs_exists("events/user_events/%s", name));
	EXPECT_TRUE(status_line(name));
	EXPECT_OK(del_event(name));
	EXPECT_FALSE(tfs_exists("events/user_events/%s", name));
	EXPECT_FALSE(status_line(name));
	EXPECT_ERRNO(del_event(name), ENOENT);
}

TEST(delete_takes_bare_name)
{
	const char *name = uniq("bare");
	int fd = data_open();

	must_reg(fd, text("%s u32 a", name));
	close(fd);
	EXPECT_ERRNO(del_event(text("%s u32 a", name)), ENOENT);
	EXPECT_ERRNO(del_event(text("%s:flag", name)), ENOENT);
	EXPECT_ERRNO(del_event(text("u:%s", name)), ENOENT);
	EXPECT_ERRNO(del_event(text("user_events/%s", name)), ENOENT);
	EXPECT_ERRNO(del_event(text("%s ", name)), ENOENT);
	EXPECT_ERRNO(del_event(""), ENOENT);
	EXPECT_OK(del_event(name));
}

TEST(rejects_delete_while_enabled)
{
	const char *name = uniq("enabled");
	int fd = data_open();

	must_reg(fd, name);
	close(fd);
	enable(name, true);
	EXPECT_ERRNO(del_event(name), EBUSY);
	EXPECT_TRUE(status_line(name));
	enable(name, false);
	EXPECT_OK(del_event(name));
}

TEST(deleted_name_is_reusable)
{
	const char *name = uniq("again");
	uint32_t record[2] = { 0, 0x33443344 };
	unsigned int i;

	for (i = 0; i < 20; i++) {
		int fd = data_open();

		must_reg(fd, i % 2 ? text("%s u32 a", name)
				   : text("%s u16 b;u16 c", name));
		enable(name, true);
		EXPECT_EQ(write(fd, record, sizeof(record)), 8);
		EXPECT_CONTAINS(trace_text(name),
				i % 2 ? "a=0x33443344" : "b=0x3344");
		enable(name, false);
		close(fd);
		EXPECT_OK(del_event(name));
		trace_clear();
	}
}

/* Switches to another user with only @capability, or with none for -1. */
static void become_user_with(uid_t uid, int capability)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { 0 };

	ASSERT_OK(prctl(PR_SET_KEEPCAPS, 1));
	become_user(uid);
	if (capability >= 0) {
		data[capability / 32].permitted = 1U << (capability % 32);
		data[capability / 32].effective = 1U << (capability % 32);
	}
	ASSERT_OK(syscall(SYS_capset, &head, data));
}

TEST(rejects_delete_by_other_user)
{
	const char *name = uniq("theirs");
	int fd = data_open();
	int spare = data_open();

	must_reg(spare, name);
	close(spare);
	if (in_child()) {
		become_user(USER);
		EXPECT_ERRNO(del(fd, name), EPERM);
		EXPECT_ERRNO(del(fd, uniq("unknown")), ENOENT);
		EXPECT_ERRNO(del(fd, NULL), EFAULT);
		end_child();
	}
	EXPECT_TRUE(tfs_exists("events/user_events/%s", name));
	EXPECT_TRUE(status_line(name));
	EXPECT_OK(del(fd, name));
}

TEST(rejects_delete_by_other_user_in_dynamic_events)
{
	const char *name = uniq("theirs");
	int fd = data_open();
	int list = tfs_open(O_WRONLY, "dynamic_events");

	ASSERT_OK(list);
	must_reg(fd, name);
	close(fd);
	if (in_child()) {
		const char *line = text("-:%s", name);

		become_user(USER);
		EXPECT_ERRNO(write(list, line, strlen(line)), EPERM);
		end_child();
	}
	EXPECT_TRUE(status_line(name));
	EXPECT_OK(dynevent_write(text("-:%s", name)));
}

TEST(busy_precedes_permission)
{
	const char *name = uniq("theirs");
	int fd = data_open();

	must_reg(fd, name);
	if (in_child()) {
		become_user(USER);
		EXPECT_ERRNO(del(fd, name), EBUSY);
		end_child();
	}
}

/* Before Linux 5.8, kernels do not know it. */
static bool is_capability(int capability)
{
	return prctl(PR_CAPBSET_READ, capability) >= 0;
}

TEST(delete_checks_capabilities)
{
	static const struct {
		int capability;
		int error;
	} cases[] = {
		{ CAP_PERFMON, 0 },	     { CAP_SYS_ADMIN, 0 },
		{ CAP_DAC_OVERRIDE, EPERM }, { CAP_SYS_MODULE, EPERM },
		{ CAP_BPF, EPERM },	     { -1, EPERM },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = uniq(text("cap%zu", i));
		int fd = data_open();
		int spare = data_open();
		int error = cases[i].error;

		if (cases[i].capability == CAP_PERFMON &&
		    !is_capability(CAP_PERFMON))
			error = EPERM;
		harness_context("capability %d", cases[i].capability);
		must_reg(spare, name);
		close(spare);
		if (in_child()) {
			become_user_with(USER, cases[i].capability);
			if (error)
				EXPECT_ERRNO(del(fd, name), error);
			else
				EXPECT_OK(del(fd, name));
			end_child();
		}
		EXPECT_EQ(!!status_line(name), !!error);
		close(fd);
	}
}

TEST(creator_can_delete)
{
	const char *event = uniq("event");
	int registrar = data_open();
	int fd = data_open();

	if (in_child()) {
		become_user(USER);
		must_reg(registrar, text("%s u32 a", event));
		end_child();
	}
	close(registrar);
	EXPECT_TRUE(tfs_exists("events/user_events/%s/format", event));

	/* Another unprivileged user cannot delete it. */
	if (in_child()) {
		become_user(OTHER_USER);
		EXPECT_ERRNO(del(fd, event), EPERM);
		end_child();
	}
	EXPECT_TRUE(status_line(event));

	if (in_child()) {
		become_user(USER);
		EXPECT_OK(del(fd, event));
		end_child();
	}
	EXPECT_FALSE(status_line(event));
}

/* Registering an existing event does not make the caller its creator. */
TEST(joining_does_not_permit_delete)
{
	const char *name = uniq("joined");
	int registrar = data_open();
	int join = data_open();
	int fd = data_open();

	must_reg(registrar, name);
	close(registrar);
	if (in_child()) {
		become_user(USER);
		must_reg(join, name);
		close(join);
		end_child();
	}
	close(join);
	if (in_child()) {
		become_user(USER);
		EXPECT_ERRNO(del(fd, name), EPERM);
		end_child();
	}
	EXPECT_OK(del(fd, name));
}

/*
 * The files of an event belong to root, even if an unprivileged user created
 * it.
 */
TEST(unprivileged_user_with_open_file_registers_and_writes)
{
	const char *name = uniq("unpriv");
	uint32_t record[2] = { 0, 99 };
	int fd = data_open();

	if (in_child()) {
		become_user(USER);
		must_reg(fd, text("%s u32 a", name));
		EXPECT_ERRNO(write(fd, record, sizeof(record)), EBADF);
		end_child();
	}
	enable(name, true);
	if (in_child()) {
		become_user(USER);
		EXPECT_EQ(write(fd, record, sizeof(record)), 8);
		end_child();
	}
	EXPECT_STREQ(trace_text(name), text("%s: a=0x63 (99)", name));
}

TEST(joins_event_with_same_fields)
{
	static const struct {
		const char *first;
		const char *second;
		bool same;
	} cases[] = {
		{ "u32 a; u32 b", "u32 a; u32 b", true },
		{ "u32 a; u32 b", "u32 a;u32 b", true },
		{ "u32 a;u32 b", "u32 a; u32 b", true },
		{ "u32 a;u32 b", "u32 a;u32 b", true },
		{ "u32 a; u32 b", "u32 a; u32 b;", true },
		{ "u32 a; u32 b;", "u32 a; u32 b", true },
		{ "u32 a", "u32 a;", true },
		{ "u32 a;;", "u32 a;;", true },
		{ "", "", true },
		{ "", " ", true },
		{ ";", ";", true },
		{ "struct s a 20", "struct s a 20", true },
		{ "__rel_loc char[] a", "__rel_loc char[] a;", true },
		{ "unsigned int a", "unsigned int a", true },
		{ "u32 a", "", false },
		{ "", "u32 a", false },
		{ "u32 a", "u32 b", false },
		{ "u32 a", "s32 a", false },
		{ "u32 a", "int a", false },
		{ "u32 a", "u64 a", false },
		{ "u32 a; u32 b", "u32 a", false },
		{ "u32 a", "u32 a; u32 b", false },
		{ "u32 a; u32 b", "u32 b; u32 a", false },
		{ "struct s a 20", "struct s a 21", false },
		{ "struct s a 20", "struct t a 20", false },
		{ "char[20] a", "char[21] a", false },
		{ "char[4] a", "unsigned char[4] a", false },
		{ "__data_loc char[] a", "__rel_loc char[] a", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = uniq(text("%zu", i));
		const char *second = text("%s %s", name, cases[i].second);
		struct user_reg_status out, again;
		int fd = data_open();
		int other = data_open();
		char *format;

		harness_context("\"%s\", then \"%s\"", cases[i].first,
				cases[i].second);
		ASSERT_OK(reg(fd, text("%s %s", name, cases[i].first), &out));
		format = tfs_read("events/user_events/%s/format", name);
		if (cases[i].same) {
			EXPECT_OK(reg(fd, second, &again));
			EXPECT_EQ(again.write_index, out.write_index);
			EXPECT_EQ(again.status_bit, out.status_bit);
			EXPECT_OK(reg(other, second, &again));
			EXPECT_EQ(again.status_bit, out.status_bit);
			EXPECT_OK(dynevent_write(text("u:%s", second)));
		} else {
			EXPECT_ERRNO(reg(fd, second, NULL), EADDRINUSE);
			EXPECT_ERRNO(reg(other, second, NULL), EADDRINUSE);
			EXPECT_ERRNO(dynevent_write(text("u:%s", second)),
				     EADDRINUSE);
		}
		EXPECT_STREQ(tfs_read("events/user_events/%s/format", name),
			     format);
		close(fd);
		close(other);
		EXPECT_OK(del_event(name));
	}
}

TEST(ignores_flags)
{
	static const char *const flags[] = {
		":",	 ":BPF_ITER", ":BPF_ITER,FLAG_FUTURE",
		":,,:;", ":a:b",      ":\t/..",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		const char *name = uniq(text("%zu", i));
		struct user_reg_status out, again;
		int fd = data_open();

		harness_context("flags \"%s\"", flags[i]);
		/* dynamic_events splits the text at white space. */
		if (strchr(flags[i], '\t') && !has_whole_lines())
			continue;
		EXPECT_OK(reg(fd, text("%s%s u32 a", name, flags[i]), &out));
		EXPECT_TRUE(tfs_exists("events/user_events/%s", name));
		EXPECT_OK(reg(fd, text("%s u32 a", name), &again));
		EXPECT_EQ(again.write_index, out.write_index);
		EXPECT_EQ(again.status_bit, out.status_bit);
		EXPECT_TRUE(dynevent_listed(text("u:%s u32 a", name)));
		close(fd);
		EXPECT_OK(dynevent_write(text("u:%s%s u32 a", name, flags[i])));
		EXPECT_OK(del_event(name));
	}
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
