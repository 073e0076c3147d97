// SPDX-License-Identifier: MIT
#include "core/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/user_events.h>
#include <userevents/userevents.h>

#include "util/alloc.h"
#include "util/common.h"
#include "util/mounts.h"
#include "core/sys.h"

#define DATA_NAME "user_events_data"
#define STATUS_NAME "user_events_status"

/*
 * Daemons close all file descriptors and then open files with the lowest
 * numbers. With a high number, such a file rarely replaces the library's. A
 * replaced one is detected, see uev_sys_writev().
 */
#define LOWEST_FD 200

/*
 * What a file that is opened again adds to the number of the closed one. Other
 * copies of the library in the process, such as those of plugins, have the
 * numbers in between, and would use a file of this copy as theirs until they
 * have opened theirs again.
 */
#define NUMBER_STEP 16

/*
 * Bytes in front of the payload with all in-kernel user_events, except perhaps
 * with CONFIG_PREEMPT_RT: before Linux 6.6, its patches add a member.
 */
#define HEADER_SIZE 8

/* Limit of /proc/mounts; a longer text is truncated. */
#define MOUNTS_MAX (1U << 20)

static const char *const default_directories[] = {
	"/sys/kernel/tracing",
	"/sys/kernel/debug/tracing",
};

static int retry_open(const char *path, int flags)
{
	int fd;

	do {
		fd = uev_sys_open(path, flags | O_CLOEXEC);
	} while (fd == -EINTR);

	return fd;
}

/* Opens user_events_data, or receives it if the path is the socket of a broker. */
static int open_data(const char *path)
{
	int fd = retry_open(path, O_WRONLY);

	/* The error of open() for a socket */
	return fd == -ENXIO ? uev_sys_receive(path) : fd;
}

static int retry_ioctl(int fd, unsigned long request, void *argument)
{
	int result;

	do {
		result = uev_sys_ioctl(fd, request, argument);
	} while (result == -EINTR);

	return result;
}

/*
 * An unreadable command for the enabler interface, with a nonzero value where
 * the status page interface requires 0. On kernels that keep enablers by
 * thread, it also makes threads that are created later share those of this one.
 */
static int probe_abi(int fd, enum uev_abi *abi)
{
	static uint32_t word;
	struct user_reg_enabler reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(word),
		.enable_addr = (uintptr_t)&word,
		.write_index = ~0U,
	};
	int err = retry_ioctl(fd, DIAG_IOCSREG, &reg);

	switch (err) {
	case -EFAULT:
		*abi = UEV_ABI_ENABLER;
		return 0;
	case -E2BIG:
	case -EINVAL:
		*abi = UEV_ABI_STATUS;
		return 0;
	case 0:
		/*
		 * No interface of user_events returns this error, so it is
		 * another file.
		 */
		return -ENOTTY;
	default:
		return err;
	}
}

/* See uev_kernel_header(). */
static int header = -1;

int uev_kernel_header(void)
{
	return __atomic_load_n(&header, __ATOMIC_RELAXED);
}

void uev_kernel_forget_header(void)
{
	__atomic_store_n(&header, -1, __ATOMIC_RELAXED);
}

/*
 * All processes must find the same, with any permission, because they could not
 * share events otherwise. A module from before DIAG_IOCQHEADER has batches.
 */
static void find_header(int fd)
{
	int size = retry_ioctl(fd, DIAG_IOCQHEADER, NULL);

	if (size == -ENOTTY &&
	    retry_ioctl(fd, DIAG_IOCSBATCH, NULL) == -ENOTTY &&
	    !uev_sys_is_rt())
		size = HEADER_SIZE;
	__atomic_store_n(&header, size > 0 && size <= UINT8_MAX ? size : 0,
			 __ATOMIC_RELAXED);
}

/* Duplicates @fd to a high number that is at least @lowest. */
static int duplicate_high(int fd, int lowest)
{
	return uev_sys_duplicate(fd, lowest > LOWEST_FD ? lowest : LOWEST_FD);
}

/* Duplicates @fd to a high number and closes @fd. */
static int move_fd_up(int fd, int lowest)
{
	int moved = duplicate_high(fd, lowest);

	/* The limit can be low, or all high numbers can be in use. */
	if (moved < 0 && fd < lowest)
		moved = uev_sys_duplicate(fd, lowest);
	if (moved < 0)
		return fd;
	uev_sys_close(fd);

	return moved;
}

/* Tests whether a directory is a tracefs without user_events. */
static int missing_error(const char *directory, int err)
{
	if (err == -ENOTDIR)
		return -ENXIO;
	if (err != -ENOENT)
		return err;

	return uev_sys_is_tracefs(directory) ? -ENOPKG : -ENXIO;
}

static bool join_path(char *path, size_t size, const char *directory,
		      const char *name)
{
	int length = snprintf(path, size, "%s/%s", directory, name);

	return length >= 0 && (size_t)length < size;
}

/*
 * Results of the search so far. Of all errors, the one that is nearest to
 * success is reported.
 */
struct search {
	struct uev_kernel *kernel;
	const char *name;
	int flags;
	int fd; /* the open file, or the error */
};

/* Return: whether the search is finished. */
static bool search_directory(struct search *search, const char *directory)
{
	char path[sizeof(search->kernel->path)];
	int fd;

	if (!join_path(path, sizeof(path), directory, search->name))
		return false;
	fd = retry_open(path, search->flags);
	if (fd < 0)
		fd = missing_error(directory, fd);
	/* -ENXIO is the initial error and the least specific. */
	if (fd != -ENXIO &&
	    (search->fd == -ENXIO || fd >= 0 || fd == -ENOPKG)) {
		search->fd = fd;
		memcpy(search->kernel->path, path, sizeof(path));
	}

	return fd >= 0 || fd == -ENOPKG;
}

/*
 * Appends the next part of a file to a text.
 *
 * Return: number of bytes, 0 at the end, or an error.
 */
static ssize_t read_more(int fd, char **text, size_t *used, size_t *size)
{
	char *larger;
	ssize_t got;

	if (*used + 1 >= *size) {
		larger = uev_realloc(*text, *size * 2);
		if (!larger)
			return -ENOMEM;
		*text = larger;
		*size *= 2;
	}
	do {
		got = uev_sys_read(fd, *text + *used, *size - 1 - *used);
	} while (got == -EINTR);
	if (got > 0)
		*used += (size_t)got;

	return got;
}

/* Returns the content of a file with a NUL, for free(); NULL on error. */
static char *read_text(const char *path)
{
	size_t size = 4096, used = 0;
	char *text = NULL;
	ssize_t got = -ENOMEM;
	int fd = retry_open(path, O_RDONLY);

	if (fd < 0)
		return NULL;
	text = uev_malloc(size);
	if (text) {
		do {
			got = read_more(fd, &text, &used, &size);
		} while (got > 0 && used < MOUNTS_MAX);
		text[used] = '\0';
	}
	uev_sys_close(fd);
	if (got < 0) {
		free(text);
		return NULL;
	}

	return text;
}

static void search_mounts(struct search *search)
{
	char directory[sizeof(search->kernel->path)];
	char *text = read_text("/proc/mounts");
	const char *at = text;

	while (at && uev_mounts_next(&at, directory, sizeof(directory)))
		if (search_directory(search, directory))
			break;
	free(text);
}

static int search_defaults(struct search *search)
{
	size_t i;

	search->fd = -ENXIO;
	search->kernel->path[0] = '\0';

	for (i = 0; i < ARRAY_SIZE(default_directories); i++)
		if (search_directory(search, default_directories[i]))
			return search->fd;
	search_mounts(search);

	return search->fd;
}

/* Opens the file of that name, or the one in or next to a directory. */
static int search_path(struct search *search, const char *given)
{
	char *path = search->kernel->path;
	size_t size = sizeof(search->kernel->path);
	const char *slash = strrchr(given, '/');
	int length;

	search->fd = -ENXIO;
	if (!join_path(path, size, given, search->name))
		return -ENAMETOOLONG;
	if (search_directory(search, given) || search->fd != -ENXIO)
		return search->fd;

	/*
	 * Not a directory: the file itself, or another file in its directory.
	 */
	if (!strcmp(search->name, DATA_NAME))
		length = snprintf(path, size, "%s", given);
	else
		length = snprintf(path, size, "%.*s%s",
				  slash ? (int)(slash + 1 - given) : 0, given,
				  search->name);
	if (length < 0 || (size_t)length >= size)
		return -ENAMETOOLONG;
	search->fd = strcmp(search->name, DATA_NAME) != 0
			     ? retry_open(path, search->flags)
			     : open_data(path);

	if (search->fd == -ENOENT || search->fd == -EISDIR)
		search->fd = -ENXIO;

	return search->fd;
}

static int search_file(struct search *search, const char *path)
{
	return path ? search_path(search, path) : search_defaults(search);
}

/* Maps the status page; if @status is -1 the file is located first. */
static int map_status(struct uev_kernel *kernel, int status, const char *path)
{
	struct search search = { kernel, STATUS_NAME, O_RDONLY, status };
	char data_path[sizeof(kernel->path)];
	const void *page;
	int err;

	memcpy(data_path, kernel->path, sizeof(data_path));
	if (status < 0) {
		err = search_file(&search, path);
		if (err < 0)
			return err;
	}
	err = uev_sys_map(search.fd, &page);
	if (status < 0)
		uev_sys_close(search.fd);
	if (err)
		return err;
	kernel->page = page;
	memcpy(kernel->path, data_path, sizeof(data_path));

	return 0;
}

static int release_fd(struct uev_kernel *kernel, int err)
{
	uev_sys_close(kernel->fd);
	kernel->abi = UEV_ABI_NONE;
	kernel->fd = -1;

	return err;
}

/*
 * Determines the interface of @fd and takes ownership. @is_new: no event is
 * registered, so that a module that is about to be replaced is not used.
 */
static int adopt_fd(struct uev_kernel *kernel, int fd, bool is_new)
{
	int err = uev_sys_identify(fd, &kernel->id);

	kernel->fd = fd;
	if (!err && is_new && kernel->id.must_close)
		err = -ESHUTDOWN;
	if (!err)
		err = probe_abi(fd, &kernel->abi);
	if (!err)
		err = uev_sys_mark(fd);
	if (err)
		return release_fd(kernel, err);
	/* Other kernels reject both, and their files have no cookie. */
	if (retry_ioctl(fd, DIAG_IOCGCOOKIE, &kernel->cookie))
		kernel->cookie = 0;
	if (uev_kernel_header() < 0)
		find_header(fd);

	return 0;
}

/* Maps the status page, if the interface has it and it is not mapped yet. */
static int add_page(struct uev_kernel *kernel, int status, const char *path)
{
	int err = 0;

	if (kernel->abi == UEV_ABI_STATUS && !kernel->page)
		err = map_status(kernel, status, path);

	return err ? release_fd(kernel, err) : 0;
}

static int open_kernel(struct uev_kernel *kernel, const char *path, int lowest,
		       bool is_new)
{
	struct search search = { kernel, DATA_NAME, O_WRONLY, -1 };
	int fd = search_file(&search, path);
	int err = fd;

	if (fd >= 0)
		err = adopt_fd(kernel, move_fd_up(fd, lowest), is_new);

	return err ? err : add_page(kernel, -1, path);
}

int uev_kernel_find(struct uev_kernel *kernel, const char *path, int lowest)
{
	kernel->page = NULL;

	return open_kernel(kernel, path, lowest, true);
}

int uev_kernel_adopt(struct uev_kernel *kernel, int data, int status,
		     int lowest)
{
	int access = uev_sys_access(data);
	int fd, err;

	/* The kernel's error for it would mean a disabled event. */
	if (access == O_RDONLY)
		return -EACCES;
	fd = access < 0 ? access : duplicate_high(data, lowest);
	/* The limit can be low. */
	if (fd == -EINVAL)
		fd = uev_sys_duplicate(data, lowest);
	if (fd == -EINVAL)
		fd = uev_sys_duplicate(data, 0);
	if (fd < 0)
		return fd;
	kernel->path[0] = '\0';
	kernel->page = NULL;
	err = adopt_fd(kernel, fd, true);

	return err ? err : add_page(kernel, status, NULL);
}

int uev_kernel_reopen(struct uev_kernel *kernel, const char *path)
{
	/* The page stays, because its readers take no lock. */
	struct uev_kernel fresh = { .fd = -1, .page = kernel->page };
	int err = open_kernel(&fresh, path, kernel->fd + NUMBER_STEP, false);

	if (!err)
		*kernel = fresh;

	return err;
}

int uev_kernel_reopen_same(struct uev_kernel *kernel)
{
	struct uev_kernel fresh = *kernel;
	int fd, err;

	if (!kernel->path[0])
		return -EBADF;
	fd = open_data(kernel->path);
	if (fd < 0)
		return fd;
	err = adopt_fd(&fresh, move_fd_up(fd, kernel->fd + NUMBER_STEP), false);
	/* Another module with another interface may require a page. */
	if (!err && fresh.abi != kernel->abi)
		err = release_fd(&fresh, -EBADF);
	if (!err)
		*kernel = fresh;

	return err;
}

/* Tests whether the file is that of another copy of the library. */
static bool has_other_cookie(const struct uev_kernel *kernel)
{
	uint64_t cookie;

	return kernel->cookie &&
	       !retry_ioctl(kernel->fd, DIAG_IOCGCOOKIE, &cookie) &&
	       cookie != kernel->cookie;
}

enum uev_kernel_state uev_kernel_state(const struct uev_kernel *kernel)
{
	struct uev_file_id id;

	if (uev_sys_identify(kernel->fd, &id) || !id.is_marked ||
	    id.device != kernel->id.device || id.inode != kernel->id.inode ||
	    has_other_cookie(kernel))
		return UEV_KERNEL_CLOSED;

	/*
	 * Writers read the status page without a lock, so it cannot be
	 * unmapped. Kernels that have only the page are not replaced.
	 */
	return id.must_close && kernel->abi == UEV_ABI_ENABLER
		       ? UEV_KERNEL_MUST_CLOSE
		       : UEV_KERNEL_OPEN;
}

void uev_kernel_close(struct uev_kernel *kernel)
{
	if (kernel->page)
		uev_sys_unmap(kernel->page);
	if (uev_kernel_state(kernel) != UEV_KERNEL_CLOSED)
		uev_sys_close(kernel->fd);
	kernel->abi = UEV_ABI_NONE;
	kernel->page = NULL;
	kernel->fd = -1;
}

static int register_enabler(int fd, struct uev_word *word)
{
	struct user_reg_enabler reg = {
		.size = sizeof(reg),
		.enable_bit = word->enable_bit,
		.enable_size = word->enable_size,
		.flags = word->flags,
		.enable_addr = (uintptr_t)word->address,
		.name_args = (uintptr_t)word->command,
	};
	int err = retry_ioctl(fd, DIAG_IOCSREG, &reg);

	/* The command is valid, so a kernel before 6.9 rejects the flag. */
	if (err == -EINVAL && word->flags & UEV_MULTI_FORMAT)
		return -EPROTONOSUPPORT;
	if (err < 0)
		return err;
	word->index = reg.write_index;

	return 0;
}

static int register_status(int fd, struct uev_word *word)
{
	struct user_reg_status reg = {
		.size = sizeof(reg),
		.name_args = (uintptr_t)word->command,
	};
	int err;

	/* All events of that interface persist, and names are unique. */
	if (word->flags & UEV_MULTI_FORMAT)
		return -EPROTONOSUPPORT;
	err = retry_ioctl(fd, DIAG_IOCSREG, &reg);
	if (err < 0)
		return err;
	word->index = reg.write_index;
	word->bit = reg.status_bit;

	return 0;
}

int uev_kernel_register(const struct uev_kernel *kernel, struct uev_word *word)
{
	if (kernel->abi == UEV_ABI_STATUS)
		return register_status(kernel->fd, word);

	return register_enabler(kernel->fd, word);
}

int uev_kernel_unregister(const struct uev_kernel *kernel,
			  const struct uev_word *word)
{
	struct user_unreg unreg = {
		.size = sizeof(unreg),
		.disable_bit = word->enable_bit,
		.disable_addr = (uintptr_t)word->address,
	};

	if (kernel->abi == UEV_ABI_STATUS)
		return 0;

	return retry_ioctl(kernel->fd, DIAG_IOCSUNREG, &unreg);
}

/* Result of an entry that the kernel has not handled. */
#define UNHANDLED (-EINPROGRESS)

/*
 * Registers or unregisters entries with one call. Modules from before it, and all
 * in-kernel user_events, do not know it; the latter have no cookies, either.
 */
static void change_list(const struct uev_kernel *kernel,
			struct user_reg_entry *entries, size_t count,
			uint32_t flags)
{
	struct user_reg_list list = {
		.size = sizeof(list),
		.count = (uint32_t)count,
		.entries = (uintptr_t)entries,
		.flags = flags,
	};
	size_t i;

	for (i = 0; i < count; i++)
		entries[i].result = UNHANDLED;
	if (kernel->cookie && count > 1)
		(void)retry_ioctl(kernel->fd, DIAG_IOCSREGLIST, &list);
}

void uev_kernel_register_list(const struct uev_kernel *kernel,
			      struct uev_word *words, size_t count)
{
	struct user_reg_entry entries[UEV_WORDS_MAX];
	size_t i;

	for (i = 0; i < count; i++)
		entries[i] = (struct user_reg_entry){
			.enable_addr = (uintptr_t)words[i].address,
			.name_args = (uintptr_t)words[i].command,
			.flags = words[i].flags,
			.enable_bit = words[i].enable_bit,
			.enable_size = words[i].enable_size,
		};
	change_list(kernel, entries, count, 0);
	for (i = 0; i < count; i++) {
		words[i].error = entries[i].result < 0 ? entries[i].result : 0;
		words[i].index = (uint32_t)entries[i].result;
	}
}

void uev_kernel_unregister_list(const struct uev_kernel *kernel,
				struct uev_word *words, size_t count)
{
	struct user_reg_entry entries[UEV_WORDS_MAX];
	size_t i;

	for (i = 0; i < count; i++)
		entries[i] = (struct user_reg_entry){
			.enable_addr = (uintptr_t)words[i].address,
			.enable_bit = words[i].enable_bit,
		};
	change_list(kernel, entries, count, USER_REG_LIST_REMOVE);
	for (i = 0; i < count; i++)
		words[i].error = entries[i].result;
}
