// SPDX-License-Identifier: MIT
#include "events/admin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/user_events.h>
#include <userevents/userevents.h>

#include "files.h"
#include "tool.h"

bool event_admin_has(const char *tracefs, const char *name)
{
	char *path = tool_print("%s/events/user_events/%s", tracefs, name);
	/* A file that is not visible might exist. */
	bool has = access(path, F_OK) == 0 || errno != ENOENT;

	free(path);

	return has;
}

/* The kernel keeps the event when this process closes the file. */
static int add_by_registering(const char *command)
{
	struct uev_event event;
	int err;

	uev_event_init(&event, command);
	err = uev_event_register(&event, UEV_PERSIST);
	if (err)
		return err;
	err = uev_event_status(&event);
	uev_event_unregister(&event);

	return err;
}

int event_admin_add(const char *tracefs, const char *command)
{
	char *path, *line;
	int err = -ENOENT;

	if (tracefs) {
		path = tool_print("%s/dynamic_events", tracefs);
		line = tool_print("u:%s\n", command);
		err = files_write(path, line);
		free(path);
		free(line);
	}
	/* The definition is valid, so the kernel rejects rights or the prefix. */
	if (command[strcspn(command, ": ")] == ':')
		return err == -EINVAL ? -ENOTSUP : err;
	if (err == -EACCES || err == -ENOENT || err == -EINVAL)
		return add_by_registering(command);

	return err;
}

/* Deletes the events of a name in dynamic_events. */
static int delete_listed(const char *tracefs, const char *name)
{
	char *path = tool_print("%s/dynamic_events", tracefs);
	char *start = tool_print("u:%s", name), *text, *line;
	size_t length, prefix = strlen(start);
	int err = files_read(path, &text, NULL);
	const char *at = text;
	int found = -ENOENT;

	for (; !err && *at; at += length + (at[length] == '\n')) {
		length = strcspn(at, "\n");
		if (strncmp(at, start, prefix) != 0 ||
		    !strchr(": \n", at[prefix]))
			continue;
		/* Some kernels require the fields, too. */
		line = tool_print("-:user_events/%.*s\n", (int)(length - 2),
				  at + 2);
		err = files_write(path, line);
		found = 0;
		free(line);
	}
	free(text);
	free(start);
	free(path);

	return err ? err : found;
}

int event_admin_delete(const char *tracefs, const char *name)
{
	char *path = tool_print("%s/user_events_data", tracefs);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err;

	free(path);
	if (fd < 0)
		return errno == EACCES ? delete_listed(tracefs, name) : -errno;
	err = ioctl(fd, DIAG_IOCSDEL, name) ? -errno : 0;
	close(fd);

	return err;
}
