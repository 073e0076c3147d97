// SPDX-License-Identifier: MIT
#include "formats/loss.h"

#include <inttypes.h>

#include "events/events.h"
#include "formats/append.h"
#include "terminal.h"
#include "tool.h"
#include "ui/out.h"

void loss_queue_add(struct loss_queue *queue, const struct uev_loss *loss)
{
	if (queue->first == queue->end)
		queue->first = queue->end = 0;
	*tool_add(queue->losses, queue->end) = *loss;
}

bool loss_queue_take(struct loss_queue *queue, uint64_t until,
		     struct uev_loss *loss)
{
	if (queue->first == queue->end ||
	    queue->losses[queue->first].to > until)
		return false;
	*loss = queue->losses[queue->first++];

	return true;
}

void loss_append_event(struct uev_output *to, const struct format_loss *loss)
{
	if (loss->loss.source)
		format_append_source(to, loss->loss.source);
}

void loss_append_message(struct uev_output *to, const struct format_loss *loss)
{
	_cleanup_(uev_output_release) struct uev_output event = UEV_OUTPUT_INIT;
	const char *text = events_loss_text(loss->loss.reason);

	loss_append_event(&event, loss);
	format_print(to, "%" PRIu64 " records%s", loss->loss.count,
		     event.size ? " of " : "");
	terminal_append(to, event.text ? event.text : "", event.size);
	format_print(to, " lost: %s%s%s%s", text ? text : "", text ? " (" : "",
		     loss->loss.reason, text ? ")" : "");
}

void loss_append_text(struct record_time *time, struct uev_output *to,
		      const struct format_loss *loss)
{
	struct record_time copy;

	time->clock = loss->clock;
	if (loss->loss.flags & UEV_HAS_TIME) {
		record_time_append(time, to, loss->loss.to);
		tool_put(to, " ");
	}
	if (loss->loss.flags & UEV_HAS_CPU)
		format_print(to, "[%03" PRIu32 "] ", loss->loss.cpu);
	loss_append_message(to, loss);
	if (!(loss->loss.flags & UEV_HAS_TIME) || !loss->loss.from)
		return;
	tool_put(to, ", since ");
	/* Does not change the time of the previous record. */
	copy = *time;
	record_time_append(&copy, to, loss->loss.from);
}

static void put_time(struct uev_output *to, const char *key,
		     const struct format_loss *loss, uint64_t time)
{
	struct record_time form = { .clock = loss->clock };

	/* A number of seconds, as that of a record */
	const char *quote = loss->clock ? "\"" : "";

	out_json_key(to, key);
	tool_put(to, quote);
	record_time_append(&form, to, time);
	tool_put(to, quote);
}

void loss_append_json(struct uev_output *to, const struct format_loss *loss)
{
	_cleanup_(uev_output_release) struct uev_output event = UEV_OUTPUT_INIT;

	out_json_object(to, NULL);
	out_json_unsigned(to, "lost", loss->loss.count);
	loss_append_event(&event, loss);
	if (event.size)
		out_json_string_n(to, "event", event.text, event.size);
	out_json_string(to, "reason", loss->loss.reason);
	out_json_object(to, "meta");
	if (loss->loss.flags & UEV_HAS_TIME && loss->loss.from)
		put_time(to, "since", loss, loss->loss.from);
	if (loss->loss.flags & UEV_HAS_TIME)
		put_time(to, "time", loss, loss->loss.to);
	if (loss->loss.flags & UEV_HAS_CPU)
		out_json_unsigned(to, "cpu", loss->loss.cpu);
	out_json_object_end(to);
	out_json_object_end(to);
}
