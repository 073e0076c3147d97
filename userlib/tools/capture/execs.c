// SPDX-License-Identifier: MIT
#include "capture/execs.h"

#include <fcntl.h>
#include <mntent.h>
#include <sys/fanotify.h>
#include <unistd.h>

#include "tool.h"

int capture_execs_open(void)
{
	return fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK,
			     O_RDONLY | O_CLOEXEC);
}

/* Return: whether the mount is watched */
static bool watch_mount(int fd, pid_t pid, const char *point)
{
	/* The same path can be another mount for this process. */
	_cleanup_free_ char *path =
		tool_print("/proc/%d/root%s", (int)pid, point);

	return fanotify_mark(fd, FAN_MARK_ADD | FAN_MARK_MOUNT,
			     FAN_OPEN_EXEC_PERM, AT_FDCWD, path) == 0;
}

int capture_execs_watch(int fd, pid_t pid)
{
	_cleanup_free_ char *path = tool_print("/proc/%d/mounts", (int)pid);
	FILE *mounts = setmntent(path, "re");
	const struct mntent *mount;
	bool is_watched = false;

	while (mounts && (mount = getmntent(mounts)))
		is_watched |= watch_mount(fd, pid, mount->mnt_dir);
	if (mounts)
		endmntent(mounts);
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
