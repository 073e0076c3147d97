// SPDX-License-Identifier: MIT
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

#define FIRST_ROOM 4096

/* Limit of text files; a device could be endless. */
#define SIZE_MAXIMUM (64U << 20)

int files_read_open(int fd, char **text, size_t *size)
{
	size_t room = FIRST_ROOM, used = 0;
	ssize_t got;
	int err;

	*text = NULL;
	do {
		*text = tool_grow(*text, room + 1);
		got = read(fd, *text + used, room - used);
		if (got > 0)
			used += (size_t)got;
		if (used == room)
			room *= 2;
	} while (got < 0 ? errno == EINTR : got && room <= SIZE_MAXIMUM);
	if (got) {
		err = got < 0 ? -errno : -EFBIG;
		free(*text);
		*text = NULL;
		return err;
	}
	(*text)[used] = '\0';
	if (size)
		*size = used;

	return 0;
}

int files_read(const char *path, char **text, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	*text = NULL;
	if (fd < 0)
		return -errno;
	ret = files_read_open(fd, text, size);
	close(fd);

	return ret;
}

int files_read_at(int fd, void *to, size_t size, uint64_t offset)
{
	char *at = to;
	ssize_t got;

	/* Beyond the size of any file */
	if (offset > INT64_MAX - size)
		return 0;
	while (size) {
		got = pread(fd, at, size, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : 0;
		at += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}

	return 1;
}

char *files_line(const char *path)
{
	char *text;

	if (files_read(path, &text, NULL))
		return NULL;
	text[strcspn(text, "\n")] = '\0';

	return text;
}

const char *files_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text && strncmp(text, key, length) != 0) {
		text = strchr(text, '\n');
		if (text)
			text++;
	}

	return text ? text + length : NULL;
}

char *files_value_line(const char *text, const char *key)
{
	const char *value = files_value(text, key);

	return value ? tool_print("%.*s", (int)strcspn(value, "\n"), value)
		     : NULL;
}

uint64_t files_value_number(const char *text, const char *key)
{
	const char *value = files_value(text, key);

	return value ? strtoull(value, NULL, 10) : 0;
}

bool files_exist(const char *format, ...)
{
	_cleanup_free_ char *path = NULL;
	va_list arguments;

	va_start(arguments, format);
	path = tool_vprint(format, arguments);
	va_end(arguments);

	return access(path, F_OK) == 0;
}

int files_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	size_t size = strlen(text);
	ssize_t done;
	int ret;

	if (fd < 0)
		return -errno;
	do {
		done = write(fd, text, size);
	} while (done < 0 && errno == EINTR);
	ret = done < 0 ? -errno : (size_t)done == size ? 0 : -EIO;
	close(fd);

	return ret;
}

int files_save(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int ret;

	if (fd < 0)
		return -errno;
	ret = files_write_all(fd, bytes, size);
	/* Some file systems report their errors then. */
	if (close(fd) && !ret)
		ret = -errno;

	return ret;
}

int files_write_all(int fd, const void *bytes, size_t size)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	const char *at = bytes;
	ssize_t done;

	while (size) {
		done = write(fd, at, size);
		if (done < 0 && errno == EAGAIN)
			poll(&room, 1, -1);
		else if (done < 0 && errno != EINTR)
			return -errno;
		if (done <= 0)
			continue;
		at += done;
		size -= (size_t)done;
	}

	return 0;
}

int files_names(const char *path, struct files_names *names)
{
	const struct dirent *entry;
	DIR *directory = opendir(path);
	int err;

	memset(names, 0, sizeof(*names));
	if (!directory)
		return -errno;
	while (errno = 0, (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		*tool_add(names->names, names->count) =
			tool_copy(entry->d_name);
	}
	err = errno;
	closedir(directory);
	if (err) {
		files_names_free(names);
		return -err;
	}
	tool_sort(names->names, names->count, tool_compare_texts);

	return 0;
}

void files_names_free(struct files_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	memset(names, 0, sizeof(*names));
}
