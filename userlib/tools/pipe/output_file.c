// SPDX-License-Identifier: MIT
#include "pipe/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>

#include "capture/output.h"
#include "files.h"
#include "tool.h"
#include "util/sys_perf.h"
#include "util/temporary.h"

#define ROOM ((size_t)64 * 1024)

/* As in the kernel */
#define LINKS_MAX 40

/*
 * @path: final path, without links; NULL if there is no temporary one
 * @name: temporary path
 * @is_owned: @fd is to be closed
 * @waits: @waiting waits for a slow reader; otherwise, writes are direct
 */
struct output_file {
	char *path;
	char *name;
	int fd;
	bool is_owned;
	bool waits;
	struct capture_output waiting;
	int error;
	size_t used;
	char buffer[ROOM];
};

static bool is_link(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISLNK(status.st_mode);
}

static bool is_in_proc(const char *path)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statfs status;
	bool is_proc = fd >= 0 && !fstatfs(fd, &status) &&
		       status.f_type == PROC_SUPER_MAGIC;

	if (fd >= 0)
		close(fd);

	return is_proc;
}

/* Returns the path that a link has, for free(); NULL: it is none. */
static char *target_of(const char *path)
{
	char target[PATH_MAX];
	ssize_t size = readlink(path, target, sizeof(target) - 1);
	const char *name = strrchr(path, '/');

	if (size < 0)
		return NULL;
	target[size] = 0;
	if (!name || target[0] == '/')
		return tool_copy(target);

	return tool_print("%.*s/%s", (int)(name - path), path, target);
}

/* Follows links up to one of /proc, which is an open file of a process. */
static bool is_open_file(const char *path)
{
	char *at = target_of(path), *next;
	bool is_open = at && is_in_proc(path);
	unsigned int i;

	for (i = 0; at && !is_open && i < LINKS_MAX; i++) {
		next = target_of(at);
		is_open = next && is_in_proc(at);
		free(at);
		at = next;
	}
	free(at);

	return is_open;
}

/*
 * Tests for a file that is written directly: a pipe or device, one that is open
 * in a process, such as /dev/stdout, and the missing target of a link.
 * @status: of the file; NULL: there is none
 */
static bool is_direct(const char *path, const struct stat *status)
{
	if (status && !S_ISREG(status->st_mode))
		return true;

	return status ? is_open_file(path) : is_link(path);
}

static bool is_stdout(const struct stat *status)
{
	struct stat own;

	return !fstat(STDOUT_FILENO, &own) && own.st_dev == status->st_dev &&
	       own.st_ino == status->st_ino;
}

static int open_direct(struct output_file *file, const char *path,
		       const struct stat *status)
{
	int flags = O_WRONLY | O_APPEND | O_CLOEXEC | (status ? 0 : O_CREAT);

	file->is_owned = !status || !is_stdout(status);
	file->fd = file->is_owned ? open(path, flags, 0666) : STDOUT_FILENO;

	return file->fd < 0 ? -errno : 0;
}

static int create_with(const char *name, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	return fd < 0 ? -errno : fd;
}

static int create_file(const char *name)
{
	return create_with(name, 0666);
}

/* One that nobody else can open before it has its mode */
static int create_private_file(const char *name)
{
	return create_with(name, 0600);
}

/* Sets the group, and the owner if the user may give files away. */
static bool give(int fd, uid_t uid, gid_t gid)
{
	return !fchown(fd, uid, gid) || !fchown(fd, (uid_t)-1, gid);
}

/*
 * Gives the empty private file an owner, if possible, a group and a mode, but no
 * other group more rights. It stays private where that is not possible.
 */
static void set_mode(int fd, uid_t uid, gid_t gid, mode_t mode)
{
	mode &= 0777;
	if (!give(fd, uid, gid))
		mode &= ~(mode_t)070 | (mode & 07) << 3;
	fchmod(fd, mode);
}

/* The mode that a new file has if its records are those of another file */
static mode_t mode_like(const struct stat *other)
{
	mode_t mask = umask(077);

	umask(mask);

	return other->st_mode & 0666 & ~mask;
}

/* The rights of a new file: those of the one that it replaces, or of another one */
static void set_rights(int fd, const struct stat *found,
		       const struct stat *like)
{
	if (found)
		set_mode(fd, found->st_uid, found->st_gid, found->st_mode);
	else if (like)
		set_mode(fd, (uid_t)-1, like->st_gid, mode_like(like));
}

/* The file replaces the target of a link, and not the link. */
static int open_temporary(struct output_file *file, const char *path,
			  const struct stat *found, const struct stat *like)
{
	int ret = uev_sys_perf_target(path, &file->path);

	if (ret)
		return ret;
	file->fd = uev_temporary_create(
		file->path, found || like ? create_private_file : create_file,
		&file->name);
	if (file->fd < 0)
		return file->fd;
	file->is_owned = true;
	set_rights(file->fd, found, like);

	return 0;
}

static int open_path(struct output_file *file, const char *path,
		     const char *like)
{
	struct stat status, other;
	const struct stat *found = stat(path, &status) ? NULL : &status;
	bool is_like = like && !stat(like, &other) && S_ISREG(other.st_mode);

	return is_direct(path, found) ? open_direct(file, path, found)
				      : open_temporary(file, path, found,
						       is_like ? &other : NULL);
}

static void release(struct output_file *file)
{
	uev_output_release(&file->waiting.text);
	free(file->path);
	free(file->name);
	free(file);
}

int output_file_open(struct output_file **opened, const char *path,
		     const char *like)
{
	struct output_file *file = tool_alloc(sizeof(*file));
	int ret = 0;

	if (path && strcmp(path, "-") != 0)
		ret = open_path(file, path, like);
	else
		file->fd = STDOUT_FILENO;
	if (ret) {
		release(file);
		return ret;
	}
	*opened = file;

	return 0;
}

void output_file_wait_for_reader(struct output_file *file)
{
	file->waits = true;
	file->waiting.fd = file->fd;
	file->waiting.stall_timeout_ms = CAPTURE_STALL_TIMEOUT_MS;
}

uint64_t output_file_unwritten(const struct output_file *file)
{
	return file->waiting.unwritten;
}

static void write_bytes(struct output_file *file, const char *bytes,
			size_t size)
{
	if (!size || file->error)
		return;
	if (!file->waits) {
		file->error = files_write_all(file->fd, bytes, size);
		return;
	}
	tool_append(&file->waiting.text, bytes, size);
	file->error = capture_output_write(&file->waiting);
}

void output_file_flush(struct output_file *file)
{
	write_bytes(file, file->buffer, file->used);
	file->used = 0;
}

void output_file_write(struct output_file *file, const void *bytes, size_t size)
{
	if (size > ROOM - file->used)
		output_file_flush(file);
	if (size > ROOM) {
		write_bytes(file, bytes, size);
	} else if (size) {
		memcpy(file->buffer + file->used, bytes, size);
		file->used += size;
	}
}

void output_file_aside(struct output_file *file, const struct uev_output *line)
{
	if (!file->waits) {
		output_file_write(file, line->text, line->size);
		return;
	}
	output_file_flush(file);
	if (file->waiting.unwritten)
		return;
	output_file_write(file, line->text, line->size);
	output_file_flush(file);
	file->waiting.unwritten = 0;
}

void output_file_text(struct output_file *file, const char *text)
{
	output_file_write(file, text, strlen(text));
}

int output_file_error(const struct output_file *file)
{
	return file->error;
}

static void check(struct output_file *file, int ret)
{
	if (ret && !file->error)
		file->error = -errno;
}

int output_file_finish(struct output_file *file)
{
	int error;

	output_file_flush(file);
	if (file->is_owned)
		check(file, close(file->fd));
	if (file->path && !file->error)
		check(file, rename(file->name, file->path));
	if (file->path && file->error)
		unlink(file->name);
	error = file->error;
	release(file);

	return error;
}

void output_file_discard(struct output_file *file)
{
	if (!file)
		return;
	/* As after an error */
	file->error = -ECANCELED;
	output_file_finish(file);
}
