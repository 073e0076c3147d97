// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on the module's files: opening, passing, registration, writing,
 * and all other system calls on files.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/user_events.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../lib/user_events.h"
#include "execute.h"
#include "operations.h"

/* Limit of one read; its content is ignored. */
#define READ_MAX 65536UL

static int file(uint64_t slot)
{
	return FD_FILES + (int)(slot % FILES);
}

/* --- files ---------------------------------------------------------------- */

void do_open(const struct operation *operation)
{
	static const char *const names[] = {
		"user_events_data",
		"user_events_status",
		"user_events_profile",
		"dynamic_events",
	};
	static const int modes[] = {
		O_RDWR,	  O_RDONLY,	     O_WRONLY,
		O_RDWR,	  O_RDWR | O_APPEND, O_RDWR | O_NONBLOCK,
		O_PATH,	  O_RDWR | O_DIRECT, O_WRONLY | O_TRUNC,
		O_RDONLY,
	};
	const char *name = names[operation->arguments[1] % ARRAY_SIZE(names)];
	int mode = modes[operation->arguments[2] % ARRAY_SIZE(modes)];
	int lock = module_lock(MODULE_LOCK_OPEN);
	char path[256];
	int fd;

	if (lock < 0)
		return;
	snprintf(path, sizeof(path), "%s/%s", tracefs(), name);
	fd = count_call(open(path, mode));
	module_unlock(lock);
	if (fd < 0)
		return;
	dup2(fd, file(operation->arguments[0]));
	close(fd);
}

void do_close(const struct operation *operation)
{
	count_call(close(file(operation->arguments[0])));
}

void do_dup(const struct operation *operation)
{
	count_call(dup2(file(operation->arguments[0]),
			file(operation->arguments[1])));
}

/*
 * Passes a file through a socket. If it is not received, the socket is its only
 * owner.
 */
void do_pass(const struct operation *operation)
{
	int fd = file(operation->arguments[0]);
	int ends[2];
	int got;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends))
		return;
	if (count_call(try_send_fd(ends[0], fd)) == 1) {
		if (operation->arguments[1])
			close(fd);
		if (operation->arguments[1] != 1 &&
		    count_call(try_receive_fd(ends[1], &got)) == 1 &&
		    got >= 0) {
			dup2(got, fd);
			close(got);
		}
	}
	close(ends[0]);
	close(ends[1]);
}

/* --- registration --------------------------------------------------------- */

/* The ioctl() of a 32-bit process, from a 64-bit process. */
static long ioctl_32(int fd, unsigned int command, const void *argument)
{
#ifdef __x86_64__
	int result;

	command &= ~(_IOC_SIZEMASK << _IOC_SIZESHIFT);
	command |= 4U << _IOC_SIZESHIFT;
	asm volatile("int $0x80"
		     : "=a"(result)
		     : "a"(54), "b"(fd), "c"(command),
		       "d"((unsigned int)(uintptr_t)argument)
		     : "r8", "r9", "r10", "r11", "memory");

	return result < 0 ? -1 : result;
#else
	return ioctl(fd, command, argument);
#endif
}

static void call(uint64_t slot, unsigned int command, const void *argument,
		 uint64_t is_32)
{
	if (is_32 == 1)
		count_call(ioctl_32(file(slot), command, argument));
	else
		count_call(ioctl(file(slot), command, argument));
}

static uint64_t place_text(const char *text, uint64_t where)
{
	return (uintptr_t)place(1, text, strlen(text) + 1, where);
}

/*
 * Puts a structure with the claimed size in place. A larger size is filled with
 * zeros, or ends with a byte that is not zero.
 */
static void *place_structure(const void *structure, size_t has, uint64_t size,
			     uint64_t tail, uint64_t where)
{
	unsigned char bytes[2 * PAGE_4K] = { 0 };
	size_t claimed = size < sizeof(bytes) ? size : sizeof(bytes);

	memcpy(bytes, structure, has);
	if (tail == 1 && claimed > has)
		bytes[claimed - 1] = 1;

	return place(0, bytes, claimed > has ? claimed : has, where);
}

/* Arguments: file, place, place of the text, size, tail, 32-bit. */
void do_register_status(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	const struct user_reg_status reg = {
		.size = arguments[3],
		.name_args = place_text(operation->text, arguments[2]),
	};

	call(arguments[0], DIAG_IOCSREG,
	     place_structure(&reg, sizeof(reg), arguments[3], arguments[4],
			     arguments[1]),
	     arguments[5]);
}

/*
 * Arguments: file, place, place of the text, size of the structure, bit, size
 * of the value, flags, address, 32-bit.
 */
void do_register_enabler(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	const struct user_reg_enabler reg = {
		.size = arguments[3],
		.enable_bit = arguments[4],
		.enable_size = arguments[5],
		.flags = arguments[6],
		.enable_addr = arguments[7],
		.name_args = place_text(operation->text, arguments[2]),
	};

	call(arguments[0], DIAG_IOCSREG,
	     place_structure(&reg, sizeof(reg), arguments[3], 0, arguments[1]),
	     arguments[8]);
}

/* Arguments: file, place, size, bit, address, reserved, 32-bit. */
void do_unregister(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	const struct user_unreg unreg = {
		.size = arguments[2],
		.disable_bit = arguments[3],
		.__reserved = arguments[5],
		.__reserved2 = arguments[5] >> 8,
		.disable_addr = arguments[4],
	};

	call(arguments[0], DIAG_IOCSUNREG,
	     place_structure(&unreg, sizeof(unreg), arguments[2], 0,
			     arguments[1]),
	     arguments[6]);
}

/* Arguments: file, place of the text, 32-bit. */
void do_delete(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	const char *text = operation->text;

	call(arguments[0], DIAG_IOCSDEL,
	     place(1, text, strlen(text) + 1, arguments[1]), arguments[2]);
}

void do_ioctl(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;

	count_call(ioctl(file(arguments[0]), (unsigned long)arguments[1],
			 arguments[2]));
}

/* --- records -------------------------------------------------------------- */

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
	value = (value ^ value >> 27) * 0x94d049bb133111ebULL;

	return value ^ value >> 31;
}

/* Words as in __data_loc and __rel_loc fields, valid and invalid. */
static uint32_t payload_word(uint64_t bits)
{
	static const uint32_t edges[] = {
		0, 1, 4, 8, 12, 16, 20, 0xffff, 0xfffe, 0x7fff, 0x8000,
	};
	uint32_t offset = bits >> 8 & 0x3f, size = bits >> 16 & 0x1f;

	switch (bits & 7) {
	case 0 ... 2:
		return DYN_LOC(offset, size);
	case 3:
		return DYN_LOC(edges[(bits >> 8) % ARRAY_SIZE(edges)],
			       edges[(bits >> 16) % ARRAY_SIZE(edges)]);
	case 4:
		return 0;
	case 5:
		return 0x00616263;
	case 6:
		return ~0U;
	default:
		return bits >> 32;
	}
}

static void fill(unsigned char *payload, size_t size, uint64_t pattern)
{
	size_t at;

	for (at = 0; at + 4 <= size; at += 4) {
		uint32_t word = payload_word(mix(pattern + at));

		memcpy(payload + at, &word, sizeof(word));
	}
	while (at < size)
		payload[at++] = 0;
}

/* The record ends at the end of the mapped memory. */
static unsigned char *place_record(uint64_t index, size_t size,
				   uint64_t pattern)
{
	unsigned char *end = record_room() + RECORD_ROOM;
	uint32_t word = index;

	if (size > RECORD_ROOM - sizeof(word))
		size = RECORD_ROOM - sizeof(word);
	fill(end - size, size, pattern);
	memcpy(end - size - sizeof(word), &word, sizeof(word));

	return end - size - sizeof(word);
}

#define PARTS 1024

/* Splits a record into parts, some of which are empty or unmapped. */
static unsigned int split_record(struct iovec *parts, unsigned char *record,
				 size_t size, uint64_t how, uint64_t pattern,
				 uint64_t address)
{
	unsigned int count = 0;

	parts[count++] = (struct iovec){ record, how == 3 ? 2 : 4 };
	if (how == 3)
		parts[count++] = (struct iovec){ record + 2, 2 };
	record += 4;
	while (size && count < (how == 5 ? PARTS : 8) - 1) {
		size_t part = mix(pattern + count) % (how == 5 ? 9 : size + 1);

		if (part > size)
			part = size;
		parts[count++] = (struct iovec){ record, part };
		record += part;
		size -= part;
	}
	parts[count++] = (struct iovec){ record, size };
	if (how == 4)
		parts[mix(pattern) % count].iov_base =
			(void *)(uintptr_t)address;
	if (how == 6)
		parts[mix(pattern) % count].iov_len =
			(size_t)mix(pattern + 1) >> (pattern & 63);

	return count;
}

static void write_through_pipe(int fd, unsigned char *record, size_t size)
{
	int ends[2];

	if (pipe2(ends, O_NONBLOCK))
		return;
	if (write(ends[1], record, size) >= 0)
		count_call(splice(ends[0], NULL, fd, NULL, size,
				  SPLICE_F_NONBLOCK));
	close(ends[0]);
	close(ends[1]);
}

static void write_in_background(int fd, unsigned char *record, size_t size)
{
	struct iocb block = {
		.aio_lio_opcode = IOCB_CMD_PWRITE,
		.aio_fildes = fd,
		.aio_buf = (uintptr_t)record,
		.aio_nbytes = size,
	};
	struct iocb *blocks[] = { &block };
	aio_context_t context = 0;

	if (syscall(SYS_io_setup, 1, &context))
		return;
	count_call(syscall(SYS_io_submit, context, 1, blocks));
	syscall(SYS_io_destroy, context);
}

/* Arguments: file, index, length, method, pattern, address. */
void do_write(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	size_t size = arguments[2] > RECORD_ROOM - 4 ? RECORD_ROOM - 4
						     : arguments[2];
	uint64_t how = arguments[3] % 15, pattern = arguments[4];
	unsigned char *record = place_record(arguments[1], size, pattern);
	void *elsewhere = (void *)(uintptr_t)arguments[5];
	struct iovec parts[PARTS];
	int fd = file(arguments[0]);
	off_t offset = 0;

	switch (how) {
	case 0:
		count_call(write(fd, record, size + 4));
		break;
	case 1:
		parts[0] = (struct iovec){ record, 4 };
		parts[1] = (struct iovec){ record + 4, size };
		count_call(writev(fd, parts, 2));
		break;
	case 2 ... 6:
		count_call(writev(fd, parts,
				  (int)split_record(parts, record, size, how,
						    pattern, arguments[5])));
		break;
	case 7:
		count_call(pwrite(fd, record, size + 4, (off_t)(pattern & 7)));
		break;
	case 8:
		count_call(pwritev2(
			fd, parts,
			(int)split_record(parts, record, size, 2, pattern, 0),
			(off_t)(pattern & 3) - 1, (int)(pattern >> 2 & 31)));
		break;
	case 9:
		write_through_pipe(fd, record, size + 4);
		break;
	case 10:
		count_call(sendfile(fd, FD_MEMORY, &offset, size + 4));
		break;
	case 11:
		write_in_background(fd, record, size + 4);
		break;
	case 12:
		/* The record is in memory that can be changed or unmapped. */
		try_copy(elsewhere, record, size + 4);
		count_call(write(fd, elsewhere, size + 4));
		break;
	case 13:
		count_call(write(fd, record, size & 3));
		break;
	default:
		count_call(writev(fd, elsewhere, (int)(pattern & 0x7ff)));
	}
}

/* --- other system calls --------------------------------------------------- */

/* Arguments: file, length, method. */
void do_read(const struct operation *operation)
{
	const uint64_t *arguments = operation->arguments;
	size_t size = arguments[1] > READ_MAX ? READ_MAX : arguments[1];
	struct iovec parts[] = { { record_room(), size / 2 },
				 { record_room() + size / 2,
				   size - size / 2 } };
	int fd = file(arguments[0]);
	off_t offset = 0;
	int ends[2];

	switch (arguments[2] % 6) {
	case 0:
		count_call(read(fd, record_room(), size));
		break;
	case 1:
		count_call(readv(fd, parts, 2));
		break;
	case 2:
		count_call(pread(fd, record_room(), size, (off_t)size / 3));
		break;
	case 3:
		count_call(preadv2(fd, parts, 2, -1, RWF_NOWAIT));
		break;
	case 4:
		if (pipe2(ends, O_NONBLOCK))
			break;
		count_call(splice(fd, NULL, ends[1], NULL, size,
				  SPLICE_F_NONBLOCK));
		close(ends[0]);
		close(ends[1]);
		break;
	default:
		count_call(
			copy_file_range(fd, &offset, FD_MEMORY, NULL, size, 0));
	}
}

void do_seek(const struct operation *operation)
{
	count_call(lseek(file(operation->arguments[0]),
			 (off_t)operation->arguments[1],
			 (int)(operation->arguments[2] % 6)));
}

void do_poll(const struct operation *operation)
{
	int fd = file(operation->arguments[0]);
	struct pollfd one = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI };
	struct epoll_event event = { .events = EPOLLIN | EPOLLOUT };
	int queue;

	if (!operation->arguments[1]) {
		count_call(poll(&one, 1, 0));
		return;
	}
	queue = epoll_create1(0);
	count_call(epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event));
	close(queue);
}

/* System calls that are unusual for these files. */
void do_unusual(const struct operation *operation)
{
	int fd = file(operation->arguments[0]);

	switch (operation->arguments[1] % 9) {
	case 0:
		count_call(fsync(fd));
		break;
	case 1:
		count_call(ftruncate(fd, 4096));
		break;
	case 2:
		count_call(fallocate(fd, 0, 0, 4096));
		break;
	case 3:
		count_call(flock(fd, LOCK_EX | LOCK_NB));
		break;
	case 4:
		count_call(fcntl(fd, F_SETFL, O_ASYNC | O_APPEND | O_NONBLOCK));
		break;
	case 5:
		count_call(fcntl(fd, F_SETOWN, getpid()));
		break;
	case 6:
		count_call(fcntl(fd, F_SETLEASE, F_RDLCK));
		break;
	case 7:
		count_call(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
		break;
	default:
		count_call(readahead(fd, 0, 4096));
	}
}

/* Arguments: file, address, pages, protection, flags. */
void do_map(const struct operation *operation)
{
	static const int protections[] = {
		PROT_READ,
		PROT_READ | PROT_WRITE,
		PROT_READ | PROT_EXEC,
		PROT_WRITE,
		PROT_NONE,
	};
	static const int flags[] = {
		MAP_SHARED,
		MAP_PRIVATE,
		MAP_SHARED | MAP_POPULATE,
		MAP_SHARED | MAP_LOCKED,
		MAP_SHARED_VALIDATE,
	};
	const uint64_t *arguments = operation->arguments;

	count_call(
		(long)mmap((void *)(uintptr_t)(arguments[1] & -PAGE_4K),
			   arguments[2] * PAGE_4K,
			   protections[arguments[3] % ARRAY_SIZE(protections)],
			   MAP_FIXED | flags[arguments[4] % ARRAY_SIZE(flags)],
			   file(arguments[0]), 0));
}
