// SPDX-License-Identifier: MIT
#include "events/filter.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/definitions.h"
#include "files.h"
#include "tool.h"
#include "util/tracefs.h"

/* Start of the line with the reason in the file "filter" */
#define REASON "parse_error: "

/* struct trial - A filter that is set in an instance */
struct trial {
	const char *instance;
	const char *filter;
};

/*
 * The file has the filter, a line with a caret below the error, and a line with
 * the reason. The caret is below the last byte of the part that is wrong.
 */
static void print_reason(const char *event, const char *filter,
			 const char *text)
{
	_cleanup_free_ char *mark = NULL;
	const char *caret = strchr(text, '\n');
	const char *reason = strstr(text, REASON);
	size_t offset = 0;

	if (!reason) {
		tool_error("%s: the kernel rejects the filter \"%s\"", event,
			   filter);
		return;
	}
	reason += strlen(REASON);
	if (caret)
		offset = strspn(caret + 1, " ");
	tool_error("%s: filter: %.*s", event, (int)strcspn(reason, "\n"),
		   reason);
	mark = definition_mark(filter, offset);
	fputs(mark, stderr);
}

/* Return: 1 if the event rejects the filter, which ends the search */
static int try_filter(void *data, const char *system, const char *name,
		      uint32_t id)
{
	const struct trial *trial = data;
	_cleanup_free_ char *path = tool_print("%s/events/%s/%s/filter",
					       trial->instance, system, name);
	_cleanup_free_ char *event = tool_print("%s:%s", system, name);
	_cleanup_free_ char *text = NULL;
	int ret = files_write(path, trial->filter);

	(void)id;
	if (ret == -EINVAL && files_read(path, &text, NULL) == 0)
		print_reason(event, trial->filter, text);

	return ret == -EINVAL;
}

static bool explain_rejection(const char *tracefs, const char *pattern,
			      const char *filter)
{
	_cleanup_free_ char *instance = tool_print(
		"%s/instances/user-events-%d", tracefs, (int)getpid());
	struct trial trial = { .instance = instance, .filter = filter };
	bool is_explained = false;

	if (mkdir(instance, 0700) == 0) {
		is_explained = uev_tracefs_events(tracefs, pattern, try_filter,
						  &trial) == 1;
		rmdir(instance);
	}

	return is_explained;
}

void events_filter_explain(const char *pattern, const char *filter)
{
	bool is_explained = false;
	_cleanup_free_ char *tracefs = NULL;

	if (uev_tracefs_directory(NULL, &tracefs) == 0)
		is_explained = explain_rejection(tracefs, pattern, filter);
	if (!is_explained)
		tool_error("%s: the kernel rejects the filter \"%s\"", pattern,
			   filter);
}
