// SPDX-License-Identifier: MIT
#include "capture/names.h"

#include <inttypes.h>
#include <stdio.h>

#include "files.h"
#include "tool.h"

#define LOOK_EVERY 1000

/* On error, the previous name is kept. */
static void read_comm(const struct capture_names *names,
		      struct capture_name *name)
{
	_cleanup_free_ char *path =
		tool_print("%s/%" PRIu32 "/comm",
			   names->proc ? names->proc : "/proc", name->tid);
	_cleanup_free_ char *text = files_line(path);

	if (text)
		snprintf(name->name, sizeof(name->name), "%s", text);
}

const char *capture_name(struct capture_names *names, uint32_t tid,
			 uint64_t now)
{
	struct capture_name *name = &names->names[tid % CAPTURE_NAMES_MAX];

	bool is_new = name->tid != tid;

	if (is_new)
		*name = (struct capture_name){ .tid = tid };
	if (is_new || now - name->updated >= LOOK_EVERY) {
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

	return name ? name : capture_name(names, record->tid, tool_now());
}
