// SPDX-License-Identifier: MIT
#include "capture/names.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/clock.h"

#define LOOK_EVERY 1000

/* Return: whether the thread exists. On error the previous name is kept. */
static bool read_comm(const struct capture_names *names,
		      struct capture_name *name)
{
	char path[256], text[CAPTURE_NAME_SIZE];
	ssize_t size;
	int fd;

	/* The name is followed by a newline. */
	snprintf(path, sizeof(path), "%s/%" PRIu32 "/comm",
		 names->proc ? names->proc : "/proc", name->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	size = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (size <= 0)
		return false;
	text[size] = '\0';
	text[strcspn(text, "\n")] = '\0';
	memcpy(name->name, text, sizeof(text));

	return true;
}

const char *capture_name(struct capture_names *names, uint32_t tid,
			 uint64_t now)
{
	struct capture_name *name = &names->names[tid % CAPTURE_NAMES_MAX];

	if (name->tid != tid) {
		*name = (struct capture_name){ .tid = tid };
		name->updated = now;
		read_comm(names, name);
	} else if (now - name->updated >= LOOK_EVERY) {
		name->updated = now;
		read_comm(names, name);
	}

	return name->name[0] ? name->name : NULL;
}

const char *capture_comm(struct capture_names *names,
			 const struct uev_session *session,
			 const struct uev_sample *record)
{
	const char *name = uev_session_comm(session, record->tid);

	return name ? name : capture_name(names, record->tid, capture_now());
}
