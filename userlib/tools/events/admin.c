// SPDX-License-Identifier: MIT
#include "events/admin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/user_events.h>

#include "files.h"
#include "tool.h"

bool event_admin_has(const char *tracefs, const char *name)
{
	_cleanup_free_ char *path =
		tool_print("%s/events/user_events/%s", tracefs, name);

	/* A file that is not visible might exist. */
	return access(path, F_OK) == 0 || errno != ENOENT;
}

int event_admin_register(struct uev_event *event, const char *command,
			 unsigned int flags)
{
	int err;

	uev_event_init(event, command);
	err = uev_event_register(event, flags);
	if (err)
		return err;
	err = uev_event_status(event);
	if (err)
		uev_event_unregister(event);

	return err;
}

/* The kernel keeps the event when this process closes the file. */
static int add_by_registering(const char *command)
{
	struct uev_event event;
	int err = event_admin_register(&event, command, UEV_PERSIST);

	if (!err)
		uev_event_unregister(&event);

	return err;
}

static int add_by_line(const char *tracefs, const char *command)
{
	_cleanup_free_ char *path = tool_print("%s/dynamic_events", tracefs);
	_cleanup_free_ char *line = tool_print("u:%s\n", command);

	return files_write(path, line);
}

int event_admin_add(const char *tracefs, const char *command)
{
	int err = tracefs ? add_by_line(tracefs, command) : -ENOENT;

	/* The definition is valid, so the kernel rejects rights or the prefix. */
	if (command[strcspn(command, ": ")] == ':')
		return err == -EINVAL ? -ENOTSUP : err;
	if (err == -EACCES || err == -ENOENT || err == -EINVAL)
		return add_by_registering(command);

	return err;
}

/* Some kernels require the fields, too. */
static int delete_by_line(const char *path, const char *definition)
{
	_cleanup_free_ char *line =
		tool_print("-:user_events/%s\n", definition);

	return files_write(path, line);
}

/* Deletes the events of a name in dynamic_events. */
static int delete_listed(const char *tracefs, const char *name)
{
	_cleanup_free_ char *path = tool_print("%s/dynamic_events", tracefs);
	_cleanup_free_ char *start = tool_print("u:%s", name);
	_cleanup_free_ char *text = NULL;
	size_t prefix = strlen(start);
	int err = files_read(path, &text, NULL);
	char *rest = text, *line;
	int found = -ENOENT;

	while (!err && (line = strsep(&rest, "\n"))) {
		if (strncmp(line, start, prefix) != 0 ||
		    !strchr(": ", line[prefix]))
			continue;
		err = delete_by_line(path, line + 2);
		found = 0;
	}

	return err ? err : found;
}

int event_admin_delete(const char *tracefs, const char *name)
{
	_cleanup_free_ char *path = tool_print("%s/user_events_data", tracefs);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return errno == EACCES ? delete_listed(tracefs, name) : -errno;
	err = ioctl(fd, DIAG_IOCSDEL, name) ? -errno : 0;
	close(fd);

	return err;
}
