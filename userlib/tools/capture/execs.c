// SPDX-License-Identifier: MIT
#include "capture/execs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <unistd.h>

#include "files.h"
#include "tool.h"

/* Field of /proc/PID/mountinfo with the mount point */
#define MOUNT_POINT 4

int capture_execs_open(void)
{
	return fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK,
			     O_RDONLY | O_CLOEXEC);
}

/* Decodes the octal numbers of special characters. */
static void decode_path(char *text)
{
	char *to = text;
	unsigned int value;

	for (; *text; to++) {
		if (*text == '\\' && sscanf(text + 1, "%3o", &value) == 1) {
			*to = (char)value;
			text += strspn(text + 1, "01234567") < 3 ? 1 : 4;
		} else {
			*to = *text++;
		}
	}
	*to = '\0';
}

/* Return: whether the mount of a line of mountinfo is watched */
static bool watch_line(int fd, pid_t pid, char *line)
{
	_cleanup_free_ char *path = NULL;
	char *point = NULL;
	int i, ret;

	for (i = 0; i <= MOUNT_POINT; i++)
		point = strsep(&line, " ");
	if (!point)
		return false;
	decode_path(point);
	/* The same path can be another mount for this process. */
	path = tool_print("/proc/%d/root%s", (int)pid, point);
	ret = fanotify_mark(fd, FAN_MARK_ADD | FAN_MARK_MOUNT,
			    FAN_OPEN_EXEC_PERM, AT_FDCWD, path);

	return ret == 0;
}

int capture_execs_watch(int fd, pid_t pid)
{
	_cleanup_free_ char *path = tool_print("/proc/%d/mountinfo", (int)pid);
	_cleanup_free_ char *text = NULL;
	char *rest, *line;
	bool is_watched = false;

	files_read(path, &text, NULL);
	rest = text;
	while ((line = strsep(&rest, "\n")))
		is_watched |= watch_line(fd, pid, line);
	if (!is_watched)
		capture_execs_close(&fd);

	return fd;
}

static void answer_open(int fd, const struct fanotify_event_metadata *event,
			void (*take)(void *data, const char *path, pid_t pid),
			void *data)
{
	const struct fanotify_response response = {
		.fd = event->fd,
		.response = FAN_ALLOW,
	};
	_cleanup_free_ char *path = tool_print("/proc/self/fd/%d", event->fd);

	take(data, path, event->pid);
	/* If this is impossible, nothing waits. */
	if (write(fd, &response, sizeof(response)) < 0)
		tool_error("cannot let a program start");
	close(event->fd);
}

void capture_execs_serve(int fd,
			 void (*take)(void *data, const char *path, pid_t pid),
			 void *data)
{
	struct fanotify_event_metadata events[16], *event;
	ssize_t size;

	if (fd < 0)
		return;
	while ((size = read(fd, events, sizeof(events))) > 0)
		for (event = events; FAN_EVENT_OK(event, size);
		     event = FAN_EVENT_NEXT(event, size))
			if (event->fd >= 0)
				answer_open(fd, event, take, data);
}

void capture_execs_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}
