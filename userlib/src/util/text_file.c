// SPDX-License-Identifier: MIT
#include "util/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/sys_perf.h"

/* Larger than all files that are read this way. */
#define SIZE_MAXIMUM (4 * 1024 * 1024)

#define FIRST_ROOM 4096

/* Grows to @room bytes and a NUL. */
static int grow(char **text, size_t room)
{
	char *grown;

	if (room > SIZE_MAXIMUM)
		return -EFBIG;
	grown = realloc(*text, room + 1);
	if (!grown)
		return -ENOMEM;
	*text = grown;

	return 0;
}

static int read_all(int fd, char **text, size_t *size)
{
	size_t room = 0;
	ssize_t got;
	int ret;

	*text = NULL;
	*size = 0;
	do {
		if (*size == room) {
			room = room ? room * 2 : FIRST_ROOM;
			ret = grow(text, room);
			if (ret)
				return ret;
		}
		got = uev_sys_perf_read(fd, *text + *size, room - *size);
		if (got < 0)
			return (int)got;
		*size += (size_t)got;
	} while (got);
	(*text)[*size] = '\0';

	return 0;
}

int uev_text_file_read(const char *path, char **text, size_t *size)
{
	int fd = uev_sys_perf_open(path, O_RDONLY);
	size_t length;
	int ret;

	*text = NULL;
	if (fd < 0)
		return fd;
	ret = read_all(fd, text, &length);
	uev_sys_perf_close(fd);
	if (ret) {
		free(*text);
		*text = NULL;
		return ret;
	}
	if (size)
		*size = length;

	return 0;
}

int uev_text_file_of_process(uint32_t pid, const char *name, char **text,
			     size_t *size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/%s", pid, name);

	return uev_text_file_read(path, text, size);
}

int uev_text_file_number(const char *path, uint32_t *number)
{
	unsigned long value;
	char *text;
	char *end;
	int ret;

	ret = uev_text_file_read(path, &text, NULL);
	if (ret)
		return ret;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (end == text || errno || value > UINT32_MAX)
		ret = -EBADMSG;
	else
		*number = (uint32_t)value;
	free(text);

	return ret;
}
