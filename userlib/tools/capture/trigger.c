// SPDX-License-Identifier: MIT
#include "capture/trigger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/filter.h"
#include "tool.h"

#define CONDITION " if "

/* The records are not needed, only that there are some. */
#define BUFFER_SIZE 1
#define WATERMARK 1

bool capture_trigger_parse(struct capture_trigger *trigger, const char *text)
{
	const char *condition = strstr(text, CONDITION);
	size_t length = condition ? (size_t)(condition - text) : strlen(text);

	free(trigger->event);
	free(trigger->filter);
	trigger->event = tool_print("%.*s", (int)length, text);
	trigger->filter = condition ? tool_copy(condition + strlen(CONDITION))
				    : NULL;

	return capture_is_pattern(trigger->event) &&
	       (!condition || *trigger->filter);
}

int capture_take_trigger(void *trigger, const struct tool_argument *argument)
{
	return capture_trigger_parse(trigger, argument->text)
		       ? TOOL_OK
		       : tool_invalid(argument, "EVENT or EVENT if FILTER");
}

static int add_events(struct capture_trigger *trigger)
{
	int ret = uev_session_add(trigger->session, trigger->event,
				  trigger->filter);

	if (ret >= 0)
		return TOOL_OK;
	if (ret != -EINVAL || !trigger->filter)
		return tool_error_of(ret, "--trigger: %s: cannot collect",
				     trigger->event);
	events_filter_explain(trigger->event, trigger->filter);

	return TOOL_USAGE;
}

int capture_trigger_open(struct capture_trigger *trigger,
			 const struct capture_options *options, pid_t pid)
{
	struct uev_session_options session;
	int status, ret;

	if (!trigger->event)
		return TOOL_OK;
	capture_session_options(&session, options, &pid);
	session.flags &= ~(UEV_SESSION_OVERWRITE | UEV_SESSION_COMMS |
			   UEV_SESSION_VPIDS);
	session.buffer_size = BUFFER_SIZE;
	session.watermark = WATERMARK;
	ret = uev_session_open(&trigger->session, &session);
	if (ret)
		return tool_error_of(ret, "--trigger: cannot open");
	status = add_events(trigger);
	if (status)
		return status;
	ret = uev_session_start(trigger->session);

	return ret ? tool_error_of(ret, "--trigger: cannot start") : TOOL_OK;
}

int capture_trigger_fd(const struct capture_trigger *trigger)
{
	return trigger->session ? uev_session_fd(trigger->session) : -1;
}

bool capture_trigger_count(struct capture_trigger *trigger, uint64_t events,
			   uint64_t now)
{
	uint64_t rate = trigger->rate ? trigger->rate : 1;
	size_t i;

	if (events - trigger->counts[trigger->next] >= rate) {
		for (i = 0; i < CAPTURE_TRIGGER_COUNTS; i++)
			trigger->counts[i] = events;
		return true;
	}
	if (now >= trigger->next_count) {
		trigger->counts[trigger->next] = events;
		trigger->next = (trigger->next + 1) % CAPTURE_TRIGGER_COUNTS;
		trigger->next_count = now + CAPTURE_TRIGGER_INTERVAL_MS;
	}

	return false;
}

/* Makes room, so that the next record wakes the recorder. */
static void drop_records(struct capture_trigger *trigger)
{
	const struct uev_sample *record;

	if (uev_session_read(trigger->session, UEV_READ_DRAIN) <= 0)
		return;
	while (uev_session_next(trigger->session, &record))
		continue;
}

bool capture_trigger_test(struct capture_trigger *trigger, uint64_t now)
{
	uint64_t hits, lost, events = 0;
	uint32_t i;

	if (!trigger->session)
		return false;
	if (now >= trigger->next_count)
		uev_session_rescan(trigger->session);
	drop_records(trigger);
	for (i = 0; uev_session_source(trigger->session, i); i++)
		if (!uev_session_source_stats(trigger->session, i, &hits,
					      &lost))
			events += hits;

	return capture_trigger_count(trigger, events, now);
}

void capture_trigger_close(struct capture_trigger *trigger)
{
	uev_session_close(trigger->session);
	free(trigger->event);
	free(trigger->filter);
}
