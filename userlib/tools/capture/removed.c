// SPDX-License-Identifier: MIT
#include "capture/removed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* The name of the line for all removed events, and the start of those by name. */
#define REMOVED "/"

/* Returns the number of events that were removed with this name of a line. */
static uint64_t new_count(const struct events *before, const struct event *now)
{
	const struct event_loss wanted = { .reason = "removed",
					   .cpu = EVENTS_ALL_CPUS };
	uint64_t old = events_loss_count(before, now->name, &wanted), count = 0;
	size_t i;

	for (i = 0; i < now->loss_count; i++)
		if (strcmp(now->losses[i].reason, wanted.reason) == 0)
			count = now->losses[i].count;

	/* The name was forgotten meanwhile, or the module was replaced. */
	return count < old ? count : count - old;
}

static void add_name(struct capture_removed *removed, const char *name,
		     uint64_t count)
{
	size_t i;

	for (i = 0; i < removed->name_count; i++) {
		if (strcmp(removed->names[i].name, name) == 0) {
			removed->names[i].count += count;
			return;
		}
	}
	*tool_add(removed->names, removed->name_count) =
		(struct capture_removed_name){
			.name = tool_copy(name),
			.count = count,
		};
}

/* Other processes than those of the session can have used the events. */
static bool is_selective(const struct capture_options *options)
{
	return options->pids.count || options->cgroup_fd >= 0;
}

void capture_removed_compare(struct capture_removed *removed,
			     const struct events *before,
			     const struct events *now,
			     const struct capture_options *options)
{
	uint64_t all = 0, named = 0, count;
	const char *name;
	size_t i;

	if (!removed->has_start || is_selective(options)) {
		removed->has_start = true;
		return;
	}
	for (i = 0; i < now->count; i++) {
		name = now->events[i].name;
		if (!tool_skip(&name, REMOVED))
			continue;
		count = new_count(before, &now->events[i]);
		if (!*name)
			all = count;
		else
			named += count;
		if (*name && count && capture_is_selected(options, name))
			add_name(removed, name, count);
	}
	if (all > named)
		removed->unnamed += all - named;
}

int capture_removed_report(const struct capture_removed *removed)
{
	const struct capture_removed_name *name;
	size_t i;

	for (i = 0; i < removed->name_count; i++) {
		name = &removed->names[i];
		if (name->count == 1)
			tool_error("%s: registered and removed before it was "
				   "found: its records, if any, are missing",
				   name->name);
		else
			tool_error("%s: registered and removed %" PRIu64
				   " times before it was found: its records, "
				   "if any, are missing",
				   name->name, name->count);
	}
	if (removed->unnamed)
		tool_error("%" PRIu64 " events of other names registered and "
			   "removed before they were found: their records, if "
			   "any, are missing",
			   removed->unnamed);
	if (!removed->name_count && !removed->unnamed)
		return TOOL_OK;
	tool_hint("\"user-events add\", such as with --from, defines events "
		  "before their programs run");

	return TOOL_INCOMPLETE;
}

void capture_removed_release(struct capture_removed *removed)
{
	size_t i;

	for (i = 0; i < removed->name_count; i++)
		free(removed->names[i].name);
	free(removed->names);
	*removed = (struct capture_removed){ 0 };
}
