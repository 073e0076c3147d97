// SPDX-License-Identifier: MIT
#include "export/otlp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "capture/clock.h"
#include "events/events.h"
#include "export/message.h"
#include "export/otlp_json.h"
#include "export/otlp_metrics.h"
#include "export/otlp_send.h"
#include "export/schema_json.h"
#include "formats/format.h"
#include "formats/stack.h"
#include "query/metadata.h"
#include "tool.h"

#define DEFAULT_PORT "4318"

/* Maximum bytes of the attributes of a record and of a span, of a message */
#define LOG_ATTRIBUTES_MAX ((size_t)64 * 1024)
#define SPAN_ATTRIBUTES_MAX ((size_t)8 * 1024)
#define MESSAGE_MAX ((size_t)16 * 1024)

/* Severity of OpenTelemetry for a level of EventHeader, and that of losses */
static const unsigned int severities[] = {
	[UEV_LEVEL_CRITICAL] = 21, [UEV_LEVEL_ERROR] = 17,
	[UEV_LEVEL_WARNING] = 13,  [UEV_LEVEL_INFORMATION] = 9,
	[UEV_LEVEL_VERBOSE] = 5,
};

#define SEVERITY_LOST 13

/*
 * struct pending_span - What is kept of a start; its attributes follow
 * @salt: see put_ids()
 * @dropped: number of attributes that did not fit
 * @activity, @related: zeros if unknown
 */
struct pending_span {
	uint64_t time;
	uint64_t salt;
	unsigned int dropped;
	uint8_t activity[UEV_ACTIVITY_SIZE];
	uint8_t related[UEV_ACTIVITY_SIZE];
};

/* ---- Attributes ---- */

static void put_thread(struct uev_output *to,
		       const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;

	if (sample->flags & UEV_HAS_TID) {
		otlp_put_number(to, "process.pid", sample->pid);
		otlp_put_number(to, "thread.id", sample->tid);
	}
	if (sample->flags & UEV_HAS_VPID)
		otlp_put_number(to, "process.vpid", sample->vpid);
	if (record->comm)
		otlp_put_text(to, "thread.name", record->comm);
}

/* The names of other attributes, which fields must not have */
static const char *const reserved_names[] = {
	"process.pid", "thread.id",	  "process.vpid", "thread.name",
	"event.name",  "code.stacktrace", NULL,
};

/* Keys of a list must be unique. A struct or an array is a text of JSON. */
static void put_item(struct export_otlp *otlp, const struct uev_item *item)
{
	const struct uev_output *json = &otlp->compound.json;
	const struct uev_decoded_value value =
		item->kind == UEV_ITEM_VALUE
			? item->value
			: tool_text(json->text, json->size);

	otlp_put_attribute(&otlp->attributes,
			   query_names_add(&otlp->names, item->name,
					   format_name_size(item)),
			   &value);
}

/*
 * Sets the attributes of a record.
 *
 * @dropped: set to the number of those that did not fit
 * Return: an error of uev_decoder_next()
 */
static int set_attributes(struct export_otlp *otlp, struct uev_decoder *decoder,
			  const struct format_record *record, size_t limit,
			  unsigned int *dropped)
{
	struct query_compound *compound = &otlp->compound;
	const struct uev_item *item;
	size_t before;
	int ret;

	*dropped = 0;
	otlp->attributes.size = 0;
	query_names_clear(&otlp->names);
	otlp->names.reserved = reserved_names;
	put_thread(&otlp->attributes, record);
	format_start(decoder, record);
	compound->open = 0;
	while ((ret = uev_decoder_next(decoder)) > 0) {
		item = uev_decoder_item(decoder);
		if (!query_compound_take(compound, item))
			continue;
		before = otlp->attributes.size;
		put_item(otlp, item);
		if (otlp->attributes.size <= limit)
			continue;
		otlp->attributes.size = before;
		++*dropped;
	}

	return ret;
}

/* Returns 1 if the stack does not fit, and is left out. */
static unsigned int put_stack(struct export_otlp *otlp, struct uev_output *to,
			      const struct format_record *record, size_t limit)
{
	struct uev_output *stack = &otlp->value;
	size_t before = to->size;

	if (!record->sample->stack_size)
		return 0;
	stack->size = 0;
	stack_append_text(stack, record);
	if (!stack->size)
		return 0;
	/* Without the first newline */
	otlp_put_text(to, "code.stacktrace", stack->text + 1);
	if (to->size <= limit)
		return 0;
	to->size = before;

	return 1;
}

static void put_attributes(struct export_otlp *otlp, struct uev_output *to,
			   unsigned int dropped)
{
	tool_put(to, ",\"attributes\":[");
	tool_append(to, otlp->attributes.text, otlp->attributes.size);
	tool_put(to, "]");
	if (dropped)
		format_print(to, ",\"droppedAttributesCount\":%u", dropped);
}

/* ---- Times and IDs ---- */

static uint64_t wall_of(const struct uev_clock *clock, uint64_t time)
{
	return clock ? uev_clock_wall(clock, time) : time;
}

/*
 * An activity is a trace, and its halves together are its first span, with a @salt
 * of 0, which logs and links name.
 */
static void put_ids(struct uev_output *to, const uint8_t *activity,
		    uint64_t salt)
{
	uint64_t halves[2], span;

	memcpy(halves, activity, sizeof(halves));
	span = halves[0] ^ halves[1] ^ salt;
	/* Zeros are not valid. */
	if (!span)
		memset(&span, 1, 1);
	tool_put(to, "\"traceId\":\"");
	format_append_hex(to, activity, UEV_ACTIVITY_SIZE);
	tool_put(to, "\",\"spanId\":\"");
	format_append_hex(to, (const uint8_t *)&span, sizeof(span));
	tool_put(to, "\"");
}

/* Returns the salt of a new span, different for those of an activity. */
static uint64_t salt_of(struct export_otlp *otlp, const uint8_t *activity)
{
	uint64_t halves[2], hash, *slot;

	memcpy(halves, activity, sizeof(halves));
	hash = halves[0] * 3 + halves[1];
	slot = &otlp->activities[hash % ARRAY_SIZE(otlp->activities)];
	if (*slot == hash)
		return ++otlp->repeated;
	*slot = hash;

	return 0;
}

static bool is_valid_id(const uint8_t *activity)
{
	return activity && common_schema_has_id(activity, UEV_ACTIVITY_SIZE);
}

static void begin_item(struct export_batch *batch)
{
	tool_put(&batch->items, batch->items.size ? EXPORT_SEPARATOR "{" : "{");
	batch->count++;
}

static void send_if_full(struct export_otlp *otlp, struct export_batch *batch)
{
	if (batch->count >= EXPORT_BATCH_MAX ||
	    batch->items.size + batch->group_bytes >= EXPORT_BATCH_BYTES)
		export_otlp_send(otlp, batch);
}

/* ---- Records ---- */

static void put_severity(struct uev_output *to,
			 const struct uev_record_info *info)
{
	if (!info->is_eventheader || info->level < UEV_LEVEL_CRITICAL ||
	    info->level > UEV_LEVEL_VERBOSE)
		return;
	format_print(to, ",\"severityNumber\":%u,\"severityText\":\"%s\"",
		     severities[info->level], events_level(info->level));
}

static void put_times(struct uev_output *to, uint64_t time)
{
	format_print(to,
		     "\"timeUnixNano\":\"%" PRIu64
		     "\",\"observedTimeUnixNano\":\"%" PRIu64 "\"",
		     time, capture_clock_time(CLOCK_REALTIME));
}

static void put_body(struct uev_output *to, const char *text, size_t size)
{
	const struct uev_decoded_value value = tool_text(text, size);

	tool_put(to, ",\"body\":");
	otlp_put_value(to, &value);
}

/* ---- Records of exporters of OpenTelemetry ---- */

/* Returns the group with the resource in @tail, new if there is none. */
static struct export_group *group_of(struct export_otlp *otlp,
				     struct export_batch *batch)
{
	const struct uev_output *tail = &otlp->tail;
	struct export_group *group;
	size_t i;

	for (i = 0; i < batch->group_count; i++) {
		group = &batch->groups[i];
		if (group->tail.size == tail->size &&
		    memcmp(group->tail.text, tail->text, tail->size) == 0)
			return group;
	}
	group = tool_add(batch->groups, batch->group_count);
	*group = (struct export_group){ 0 };
	tool_append(&group->tail, tail->text, tail->size);
	batch->group_bytes += tail->size;

	return group;
}

static void take_schema(struct export_otlp *otlp, struct export_batch *batch,
			const struct uev_record_info *info,
			const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	struct common_schema *schema = &otlp->schema;
	struct export_group *group;
	struct uev_output *to;
	size_t before;

	otlp->tail.size = 0;
	schema_json_put_tail(&otlp->tail, schema, record, info);
	group = group_of(otlp, batch);
	to = &group->items;
	before = to->size;
	schema->dropped += put_stack(otlp, &schema->attributes, record,
				     COMMON_SCHEMA_TEXT_MAX);
	tool_put(to, before ? EXPORT_SEPARATOR "{" : "{");
	if (batch == &otlp->logs)
		schema_json_put_log(
			to, schema, info,
			record->clock && sample->flags & UEV_HAS_TIME
				? wall_of(record->clock, sample->time)
				: capture_clock_time(CLOCK_REALTIME));
	else
		schema_json_put_span(to, schema);
	tool_put(to, "}");
	batch->group_bytes += to->size - before;
	batch->count++;
	send_if_full(otlp, batch);
}

static bool take_metrics(struct export_otlp *otlp, struct uev_decoder *decoder,
			 const struct format_record *record)
{
	struct export_batch *batch = &otlp->metrics;
	struct query_text message;
	uint64_t points;

	if (!otlp_metrics_find(decoder, record, &message))
		return false;
	if (!otlp_metrics_count(message, &points)) {
		otlp->invalid++;
		return false;
	}
	/* An exporter can write a message without any. */
	if (!points)
		return true;
	tool_append(&batch->items, message.text, message.size);
	batch->count += points;
	send_if_full(otlp, batch);

	return true;
}

/* Return: false for other records */
static bool take_forwarded(struct export_otlp *otlp,
			   struct uev_decoder *decoder,
			   const struct format_record *record)
{
	switch (common_schema_read(&otlp->schema, decoder, record)) {
	case COMMON_SCHEMA_LOG:
		take_schema(otlp, &otlp->logs, uev_decoder_info(decoder),
			    record);
		return true;
	case COMMON_SCHEMA_SPAN:
		take_schema(otlp, &otlp->spans, uev_decoder_info(decoder),
			    record);
		return true;
	case COMMON_SCHEMA_INVALID:
		otlp->invalid++;
		return false;
	default:
		return take_metrics(otlp, decoder, record);
	}
}

/* ---- Other records ---- */

int export_otlp_take(void *data, struct uev_decoder *decoder,
		     const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	struct export_otlp *otlp = data;
	struct uev_output *to = &otlp->logs.items, *message = &otlp->message;
	const struct uev_record_info *info;
	struct uev_decoded_value name;
	unsigned int dropped;
	size_t name_size;
	int ret;

	if (take_forwarded(otlp, decoder, record))
		return format_check_rest(decoder);
	begin_item(&otlp->logs);
	put_times(to, sample->flags & UEV_HAS_TIME
			      ? wall_of(record->clock, sample->time)
			      : 0);
	name_size = export_message_set(message, decoder, record, MESSAGE_MAX);
	put_body(to, message->text, message->size);
	ret = set_attributes(otlp, decoder, record, LOG_ATTRIBUTES_MAX,
			     &dropped);
	name = tool_text(message->text, name_size);
	otlp_put_attribute(&otlp->attributes, "event.name", &name);
	dropped +=
		put_stack(otlp, &otlp->attributes, record, LOG_ATTRIBUTES_MAX);
	put_attributes(otlp, to, dropped);
	info = uev_decoder_info(decoder);
	put_severity(to, info);
	if (info->is_eventheader && is_valid_id(info->activity)) {
		tool_put(to, ",");
		put_ids(to, info->activity, 0);
	}
	tool_put(to, "}");
	send_if_full(otlp, &otlp->logs);

	return ret;
}

static void set_loss_attributes(struct export_otlp *otlp,
				const struct format_loss *loss)
{
	struct uev_output *to = &otlp->attributes;
	const struct uev_loss *from = &loss->loss;

	to->size = 0;
	otlp_put_number(to, "user_events.lost", from->count);
	otlp_put_text(to, "user_events.reason", from->reason);
	otlp->value.size = 0;
	loss_append_event(&otlp->value, loss);
	if (otlp->value.size)
		otlp_put_text(to, "user_events.event", otlp->value.text);
	if (from->flags & UEV_HAS_CPU)
		otlp_put_number(to, "user_events.cpu", from->cpu);
	/* Nanoseconds since 1970, as the time of the record */
	if (from->flags & UEV_HAS_TIME && from->from)
		otlp_put_number(to, "user_events.since",
				wall_of(loss->clock, from->from));
}

void export_otlp_loss(void *data, const struct format_loss *loss)
{
	struct export_otlp *otlp = data;
	struct uev_output *to = &otlp->logs.items;
	struct uev_output *message = &otlp->message;

	begin_item(&otlp->logs);
	put_times(to, loss->loss.flags & UEV_HAS_TIME
			      ? wall_of(loss->clock, loss->loss.to)
			      : capture_clock_time(CLOCK_REALTIME));
	message->size = 0;
	loss_append_message(message, loss);
	put_body(to, message->text, message->size);
	format_print(to, ",\"severityNumber\":%d", SEVERITY_LOST);
	set_loss_attributes(otlp, loss);
	put_attributes(otlp, to, 0);
	tool_put(to, "}");
	send_if_full(otlp, &otlp->logs);
}

void export_otlp_flush(struct export_otlp *otlp)
{
	if (otlp->logs.count)
		export_otlp_send(otlp, &otlp->logs);
	if (otlp->spans.count)
		export_otlp_send(otlp, &otlp->spans);
	if (otlp->metrics.count)
		export_otlp_send(otlp, &otlp->metrics);
}

/* ---- Spans ---- */

void export_otlp_begin(void *data, struct uev_output *kept,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct export_otlp *otlp = data;
	const struct uev_record_info *info;
	struct pending_span start = { .time = record->sample->time };

	set_attributes(otlp, decoder, record, SPAN_ATTRIBUTES_MAX,
		       &start.dropped);
	info = uev_decoder_info(decoder);
	if (info->is_eventheader && info->activity)
		memcpy(start.activity, info->activity, UEV_ACTIVITY_SIZE);
	if (info->is_eventheader && info->related)
		memcpy(start.related, info->related, UEV_ACTIVITY_SIZE);
	start.salt = salt_of(otlp, start.activity);
	tool_append(kept, &start, sizeof(start));
	tool_append(kept, otlp->attributes.text, otlp->attributes.size);
}

void export_otlp_end(void *data, struct query_text name, struct query_text kept,
		     uint64_t duration, const struct format_record *record)
{
	struct export_otlp *otlp = data;
	struct uev_output *to = &otlp->spans.items;
	uint64_t time;
	struct pending_span start;

	memcpy(&start, kept.text, sizeof(start));
	/* Others have no ID that a record could name. */
	if (!is_valid_id(start.activity) &&
	    getrandom(start.activity, sizeof(start.activity), 0) < 0)
		start.activity[0] = 1;
	time = wall_of(record->clock, start.time);
	begin_item(&otlp->spans);
	put_ids(to, start.activity, start.salt);
	if (is_valid_id(start.related)) {
		tool_put(to, ",\"links\":[{");
		put_ids(to, start.related, 0);
		tool_put(to, "}]");
	}
	tool_put(to, ",\"kind\":1,\"name\":");
	tool_put_quoted(to, name.text, name.size);
	format_print(to,
		     ",\"startTimeUnixNano\":\"%" PRIu64
		     "\",\"endTimeUnixNano\":\"%" PRIu64 "\"",
		     time, time + duration);
	otlp->attributes.size = 0;
	tool_append(&otlp->attributes, kept.text + sizeof(start),
		    kept.size - sizeof(start));
	put_attributes(otlp, to, start.dropped);
	tool_put(to, "}");
	send_if_full(otlp, &otlp->spans);
}

int export_otlp_init(struct export_otlp *otlp, const char *url)
{
	int ret;

	if (otlp->url)
		export_client_release(&otlp->client);
	ret = export_client_init(&otlp->client, url, DEFAULT_PORT);
	otlp->url = ret ? NULL : url;

	return ret;
}

void export_otlp_release(struct export_otlp *otlp)
{
	uev_output_release(&otlp->headers);
	if (!otlp->url)
		return;
	export_client_release(&otlp->client);
	free(otlp->told);
	uev_output_release(&otlp->message);
	export_otlp_release_batch(&otlp->logs);
	export_otlp_release_batch(&otlp->spans);
	export_otlp_release_batch(&otlp->metrics);
	uev_output_release(&otlp->body);
	uev_output_release(&otlp->compressed);
	uev_output_release(&otlp->value);
	uev_output_release(&otlp->attributes);
	uev_output_release(&otlp->compound.json);
	uev_output_release(&otlp->tail);
	query_names_clear(&otlp->names);
	common_schema_release(&otlp->schema);
}
