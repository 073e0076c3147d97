// SPDX-License-Identifier: MIT
#include "flight/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "tool.h"
#include "util/tracefs.h"

/* The event and its filter are separated by this. */
#define SEPARATOR ": "

/* Only one snapshot: the next one would exchange the buffers again. */
#define TRIGGER "snapshot:1"
#define TAKEN "snapshot:count=0"

/*
 * struct arming - Events that are set
 * @flight: the flight recorder
 * @pattern: of the event, which can have several formats
 * @filter: with " if " before it; ""
 * @found: number of events
 */
struct arming {
	const struct flight *flight;
	char *pattern;
	char *filter;
	size_t found;
};

const char *flight_snapshot_check(const char *on)
{
	const char *separator = strstr(on, SEPARATOR);
	size_t length = separator ? (size_t)(separator - on) : strlen(on);

	if (!length || strcspn(on, "*?[\n") < length)
		return "not the name of one event";
	if (on[strcspn(on, "\n")])
		return "has several lines";
	if (separator && !separator[strlen(SEPARATOR)])
		return "no filter after \": \"";

	return NULL;
}

/*
 * Calls @each for the formats of the event.
 * Return: as uev_tracefs_events()
 */
static int each_event(struct arming *arming, const struct flight *flight,
		      int (*each)(void *data, const char *system,
				  const char *name, uint32_t id))
{
	const char *separator = strstr(flight->on, SEPARATOR);

	*arming = (struct arming){
		.flight = flight,
		.pattern = tool_copy(flight->on),
		.filter = separator ? tool_print(" if %s",
						 separator + strlen(SEPARATOR))
				    : tool_copy(""),
	};
	if (separator)
		arming->pattern[separator - flight->on] = '\0';

	return uev_tracefs_events(flight->tracefs, arming->pattern, each,
				  arming);
}

static void release_arming(struct arming *arming)
{
	free(arming->pattern);
	free(arming->filter);
}

static char *trigger_path(const struct arming *arming, const char *system,
			  const char *name)
{
	return flight_path(arming->flight, "events/%s/%s/trigger", system,
			   name);
}

static int write_trigger(const char *path, const char *before,
			 const struct arming *arming)
{
	_cleanup_free_ char *line =
		tool_print("%s" TRIGGER "%s", before, arming->filter);

	return files_write(path, line);
}

/* ---- At the start ---- */

static int arm_event(void *data, const char *system, const char *name,
		     uint32_t id)
{
	struct arming *arming = data;
	_cleanup_free_ char *path = trigger_path(arming, system, name);
	int ret = write_trigger(path, "", arming);

	(void)id;
	arming->found++;

	return ret;
}

/* Return: an exit status */
static int report_error(const struct arming *arming, int error)
{
	const char *event = arming->pattern;

	if (error == -EINVAL) {
		tool_error("--on: %s: the kernel rejects the trigger "
			   "\"" TRIGGER "%s\"",
			   event, arming->filter);
		return TOOL_FAILED;
	}
	if (error == -ENOMEM) {
		tool_error("--on: not enough memory for a snapshot");
		tool_hint("use less than --size; a snapshot takes as much "
			  "again");
		return TOOL_FAILED;
	}
	if (error)
		return tool_error_of(error, "--on: %s: cannot set a trigger",
				     event);
	if (arming->found)
		return TOOL_OK;
	tool_error("--on: %s: no such event", event);

	return TOOL_NOT_FOUND;
}

int flight_snapshot_arm(const struct flight *flight)
{
	_cleanup_(release_arming) struct arming arming;
	int ret = each_event(&arming, flight, arm_event);

	return report_error(&arming, ret);
}

/* ---- After a snapshot ---- */

/* Return: 1 if the event has taken its snapshot, which ends the search */
static int test_event(void *data, const char *system, const char *name,
		      uint32_t id)
{
	_cleanup_free_ char *path = trigger_path(data, system, name);
	_cleanup_free_ char *text = NULL;

	(void)id;

	return !files_read(path, &text, NULL) && strstr(text, TAKEN);
}

bool flight_snapshot_is_taken(const struct flight *flight)
{
	_cleanup_(release_arming) struct arming arming = { 0 };

	return flight->on && each_event(&arming, flight, test_event) == 1;
}

static int renew_event(void *data, const char *system, const char *name,
		       uint32_t id)
{
	struct arming *arming = data;
	_cleanup_free_ char *path = trigger_path(arming, system, name);

	(void)id;
	(void)write_trigger(path, "!", arming);
	(void)write_trigger(path, "", arming);

	return 0;
}

void flight_snapshot_renew(const struct flight *flight)
{
	_cleanup_(release_arming) struct arming arming;

	each_event(&arming, flight, renew_event);
}
