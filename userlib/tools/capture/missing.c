// SPDX-License-Identifier: MIT
#include "capture/missing.h"

#include <string.h>

#include "capture/nearest.h"
#include "util/sys_perf.h"
#include "util/tracefs.h"

static bool is_found(const struct uev_session *session, const char *pattern)
{
	const struct uev_source *source;
	uint32_t i;

	for (i = 0; (source = uev_session_source(session, i)); i++)
		if (uev_tracefs_matches(pattern, source->system, source->name))
			return true;

	return false;
}

/* Patterns of other systems do not need user_events. */
static bool wants_user_events(const struct capture_options *options)
{
	size_t i;

	for (i = 0; i < options->pattern_count; i++)
		if (!strchr(options->patterns[i], ':'))
			return true;

	return false;
}

static int is_user_events(void *data, const char *name)
{
	(void)data;

	return strcmp(name, "user_events_data") == 0;
}

/* If it cannot be known, it is assumed. */
static bool has_user_events(void)
{
	_cleanup_free_ char *tracefs = NULL;
	int ret = uev_tracefs_directory(NULL, &tracefs);

	if (!ret)
		ret = uev_sys_perf_list(tracefs, is_user_events, NULL);

	return ret != 0;
}

static void print_waiting(const char *pattern)
{
	_cleanup_free_ char *nearest = capture_nearest(pattern);

	if (nearest)
		tool_error("waiting for %s; nearest: %s", pattern, nearest);
	else
		tool_error("waiting for %s", pattern);
	tool_hint("records from before it is found are missing, unless "
		  "\"user-events add\" defines it first");
}

void capture_missing_at_start(const struct capture_options *options,
			      const struct uev_session *session)
{
	size_t i;

	if (wants_user_events(options) && !has_user_events()) {
		tool_error("the kernel has no user_events; waiting for the "
			   "module");
		tool_hint("run \"user-events doctor\"");
		return;
	}
	if (options->is_default || options->command)
		return;
	for (i = 0; i < options->pattern_count; i++)
		if (!is_found(session, options->patterns[i]))
			print_waiting(options->patterns[i]);
}

static void print_missing(const char *pattern)
{
	_cleanup_free_ char *nearest = capture_nearest(pattern);

	tool_error("%s: no such event", pattern);
	if (nearest)
		tool_hint("nearest: %s", nearest);
}

int capture_missing_at_end(const struct capture_options *options,
			   const struct uev_session *session)
{
	int status = TOOL_OK;
	size_t i;

	for (i = 0; i < options->pattern_count && !options->is_default; i++) {
		if (is_found(session, options->patterns[i]))
			continue;
		print_missing(options->patterns[i]);
		status = TOOL_NOT_FOUND;
	}

	return status;
}
