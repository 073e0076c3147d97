// SPDX-License-Identifier: MIT
#include "export/schema_json.h"

#include <inttypes.h>
#include <string.h>

#include "export/otlp_send.h"
#include "formats/append.h"
#include "tool.h"

/* .NET writes the category of a log as its name, which OTLP has in the scope. */
#define DOTNET_PROVIDER "MicrosoftOpenTelemetryLogs"

/* C++ writes the name of a log as that of the event, or this one. */
#define CXX_DEFAULT_NAME "Logs"

#define STATUS_ERROR 2

static bool is_dotnet(const struct uev_record_info *info)
{
	return tool_is(info->provider, info->provider_size, DOTNET_PROVIDER);
}

/* Unknown and empty texts are the same in OTLP. */
static bool is_known(const struct uev_decoded_value *text)
{
	return text->type == UEV_DECODED_TEXT && text->size;
}

/* ---- The resource ---- */

static void put_scope(struct uev_output *to, const struct common_schema *schema,
		      const struct uev_record_info *info)
{
	const struct uev_decoded_value provider =
		tool_text(info->provider, info->provider_size);

	tool_put(to, ",\"scope\":{");
	if (is_dotnet(info) && is_known(&schema->name)) {
		tool_put(to, "\"name\":");
		tool_need(uev_decoded_value_append_json(&schema->name, to));
		tool_put(to, ",");
	}
	tool_put(to, "\"attributes\":[");
	otlp_put_attribute(to, "user_events.provider", &provider);
	tool_put(to, "]}}]");
}

void schema_json_put_tail(struct uev_output *to,
			  const struct common_schema *schema,
			  const struct format_record *record,
			  const struct uev_record_info *info)
{
	put_scope(to, schema, info);
	tool_put(to, ",\"resource\":{\"attributes\":[");
	if (is_known(&schema->role))
		otlp_put_attribute(to, "service.name", &schema->role);
	else
		export_otlp_put_service(to);
	if (is_known(&schema->instance))
		otlp_put_attribute(to, "service.instance.id",
				   &schema->instance);
	export_otlp_put_host(to);
	if (record->sample->flags & UEV_HAS_TID)
		otlp_put_number(to, "process.pid", record->sample->pid);
	if (record->sample->flags & UEV_HAS_VPID)
		otlp_put_number(to, "process.vpid", record->sample->vpid);
	tool_put(to, "]}");
}

/* ---- Members ---- */

static void put_time(struct uev_output *to, const char *name, uint64_t time)
{
	format_print(to, "\"%s\":\"%" PRIu64 "\"", name, time);
}

static void put_id(struct uev_output *to, const char *name, const uint8_t *id,
		   size_t size)
{
	if (!common_schema_has_id(id, size))
		return;
	format_print(to, ",\"%s\":\"", name);
	format_append_hex(to, id, size);
	tool_put(to, "\"");
}

static void put_text(struct uev_output *to, const char *name,
		     const struct uev_decoded_value *text)
{
	if (!is_known(text))
		return;
	format_print(to, ",\"%s\":", name);
	tool_need(uev_decoded_value_append_json(text, to));
}

static void put_list(struct uev_output *to, const char *name,
		     const struct uev_output *items)
{
	if (!items->size)
		return;
	format_print(to, ",\"%s\":[", name);
	tool_append(to, items->text, items->size);
	tool_put(to, "]");
}

/* Members that logs and spans have */
static void put_common(struct uev_output *to,
		       const struct common_schema *schema)
{
	put_list(to, "attributes", &schema->attributes);
	if (schema->dropped)
		format_print(to, ",\"droppedAttributesCount\":%u",
			     schema->dropped);
	put_id(to, "traceId", schema->trace, sizeof(schema->trace));
	put_id(to, "spanId", schema->span, sizeof(schema->span));
	if (schema->trace_flags >= 0)
		format_print(to, ",\"flags\":%d", schema->trace_flags);
}

static void put_event_name(struct uev_output *to,
			   const struct common_schema *schema,
			   const struct uev_record_info *info)
{
	if (is_dotnet(info))
		return;
	/* C++ writes no time. */
	if (schema->has_part_a || is_known(&schema->name)) {
		put_text(to, "eventName", &schema->name);
	} else if (!tool_is(info->name, info->name_size, CXX_DEFAULT_NAME)) {
		tool_put(to, ",\"eventName\":");
		tool_put_quoted(to, info->name, info->name_size);
	}
}

void schema_json_put_log(struct uev_output *to,
			 const struct common_schema *schema,
			 const struct uev_record_info *info, uint64_t time)
{
	put_time(to, "timeUnixNano", schema->time ? schema->time : time);
	tool_put(to, ",");
	put_time(to, "observedTimeUnixNano", time);
	if (schema->body.size) {
		tool_put(to, ",\"body\":");
		tool_append(to, schema->body.text, schema->body.size);
	}
	if (schema->severity)
		format_print(to, ",\"severityNumber\":%u", schema->severity);
	put_text(to, "severityText", &schema->severity_text);
	put_event_name(to, schema, info);
	put_common(to, schema);
}

void schema_json_put_span(struct uev_output *to,
			  const struct common_schema *schema)
{
	put_time(to, "startTimeUnixNano", schema->start);
	tool_put(to, ",");
	put_time(to, "endTimeUnixNano", schema->time);
	put_text(to, "name", &schema->name);
	format_print(to, ",\"kind\":%u", schema->span_kind + 1);
	put_id(to, "parentSpanId", schema->parent, sizeof(schema->parent));
	put_text(to, "traceState", &schema->trace_state);
	put_common(to, schema);
	put_list(to, "links", &schema->links);
	if (!schema->has_failed)
		return;
	format_print(to, ",\"status\":{\"code\":%d", STATUS_ERROR);
	put_text(to, "message", &schema->status);
	tool_put(to, "}");
}
