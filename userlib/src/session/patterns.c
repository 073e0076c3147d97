// SPDX-License-Identifier: MIT
#include "session/patterns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/alive.h"
#include "session/buffers.h"
#include "session/events.h"
#include "session/names.h"

static void free_pattern(struct uev_session_pattern *pattern)
{
	free(pattern->text);
	free(pattern->filter);
	free(pattern);
}

static struct uev_session_pattern *new_pattern(const char *text,
					       const char *filter)
{
	struct uev_session_pattern *pattern = calloc(1, sizeof(*pattern));

	if (!pattern)
		return NULL;
	pattern->text = strdup(text);
	pattern->filter = filter ? strdup(filter) : NULL;
	if (!pattern->text || (filter && !pattern->filter)) {
		free_pattern(pattern);
		return NULL;
	}

	return pattern;
}

/* The first matching pattern counts. */
static void append_pattern(struct uev_session *session,
			   struct uev_session_pattern *pattern)
{
	struct uev_session_pattern **end = &session->patterns;

	while (*end)
		end = &(*end)->next;
	*end = pattern;
}

/* Neither the system nor the name is empty. */
static bool is_valid(const char *text)
{
	const char *colon = strchr(text, ':');

	return *text && colon != text && (!colon || colon[1]);
}

int uev_session_add(struct uev_session *session, const char *text,
		    const char *filter)
{
	struct uev_session_pattern *pattern;
	int ret;

	if (!is_valid(text))
		return -EINVAL;
	pattern = new_pattern(text, filter);
	if (!pattern)
		return -ENOMEM;

	/* Kept, because events that were added before the error point to it. */
	append_pattern(session, pattern);
	session->added = 0;
	ret = uev_session_find_events(session, pattern);
	if (ret)
		pattern->failed = true;

	return ret ? ret : session->added;
}

int uev_session_rescan(struct uev_session *session)
{
	struct uev_session_pattern *pattern;
	int ret;

	session->added = 0;
	ret = uev_session_find_dead(session);
	if (!ret)
		ret = uev_session_make_buffers(session);
	if (!ret)
		ret = uev_session_make_name_rings(session);
	for (pattern = session->patterns; pattern && !ret;
	     pattern = pattern->next)
		if (!pattern->failed)
			ret = uev_session_find_events(session, pattern);

	return ret ? ret : session->added;
}

void uev_session_free_patterns(struct uev_session *session)
{
	struct uev_session_pattern *pattern;

	while (session->patterns) {
		pattern = session->patterns;
		session->patterns = pattern->next;
		free_pattern(pattern);
	}
}
