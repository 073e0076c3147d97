// SPDX-License-Identifier: MIT
#include "capture/names.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture.h"

#define LOOK_EVERY 1000

/* Return: whether it is there. What was known before stays if it is not. */
static bool look_up(const struct live_names *names, struct live_name *name)
{
	char path[256], text[LIVE_NAME_MAX];
	ssize_t size;
	int fd;

	/* What follows the name is only the end of its line. */
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

const char *live_name(struct live_names *names, uint32_t tid, uint64_t now)
{
	struct live_name *name = &names->names[tid % LIVE_NAMES];

	if (name->tid != tid) {
		*name = (struct live_name){ .tid = tid };
		name->looked = now;
		look_up(names, name);
	} else if (now - name->looked >= LOOK_EVERY) {
		name->looked = now;
		look_up(names, name);
	}

	return name->name[0] ? name->name : NULL;
}

const char *live_comm(struct live_names *names,
		      const struct uev_session *session,
		      const struct uev_sample *record)
{
	const char *name = uev_session_comm(session, record->tid);

	return name ? name : live_name(names, record->tid, live_now());
}
