// SPDX-License-Identifier: MIT
#include "export/common_schema.h"

#include <string.h>

#include "query/fields.h"
#include "query/when.h"
#include "tool.h"

#define VERSION_FIELD "__csver__"
#define VERSION_4_0 0x400

#define SEVERITY_MAX 24
#define SPAN_KIND_MAX 4
#define TRACE_FLAGS_MAX 255

enum part {
	PART_NONE = -1,
	PART_A = 0,
	PART_B,
	PART_C,
};

static const char *const part_names[] = { "PartA", "PartB", "PartC" };

/* ---- Values of fields ---- */

static bool is_text(const struct uev_decoded_value *value)
{
	return value->type == UEV_DECODED_TEXT;
}

/* Return: false if it is not an integer from 0 to @max */
static bool number_of(const struct uev_decoded_value *value, uint64_t max,
		      uint64_t *number)
{
	switch (value->type) {
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_HEX:
		*number = value->u64;
		return *number <= max;
	case UEV_DECODED_SIGNED:
		*number = (uint64_t)value->i64;
		return value->i64 >= 0 && *number <= max;
	default:
		return false;
	}
}

/* Returns a text in memory of @schema, or NULL if it is not one, or has NULs. */
static char *text_of(struct common_schema *schema,
		     const struct uev_decoded_value *value)
{
	struct uev_output *text = &schema->text;

	text->size = 0;
	if (!is_text(value))
		return NULL;
	tool_need(uev_decoded_value_append_text(value, text));

	return strlen(text->text) == text->size ? text->text : NULL;
}

/* Takes the digits of @size bytes. Return: false if there are fewer */
static bool take_id(const char **at, uint8_t *id, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++, *at += 2)
		if (!tool_hex(*at, &id[i]))
			return false;

	return true;
}

static bool take_link(const char **at, struct uev_output *to)
{
	uint8_t trace[COMMON_SCHEMA_TRACE_SIZE], span[COMMON_SCHEMA_SPAN_SIZE];

	if (!tool_skip(at, "{\"toTraceId\":\"") ||
	    !take_id(at, trace, sizeof(trace)) ||
	    !tool_skip(at, "\",\"toSpanId\":\"") ||
	    !take_id(at, span, sizeof(span)) || !tool_skip(at, "\"}"))
		return false;
	tool_put(to, to->size ? ",{\"traceId\":\"" : "{\"traceId\":\"");
	format_append_hex(to, trace, sizeof(trace));
	tool_put(to, "\",\"spanId\":\"");
	format_append_hex(to, span, sizeof(span));
	tool_put(to, "\"}");

	return true;
}

/* ---- Fields ---- */

/*
 * struct field - A field with a place in OTLP: a member, or an attribute
 * @kinds: bits of the kinds that have it
 * @set: sets the member. Return: whether the value is valid
 * @offset: of the member
 * @limit: bytes of an ID, or the maximum of a number
 * @attribute: name of an attribute, of any type
 */
struct field {
	enum part part;
	unsigned int kinds;
	const char *name;
	bool (*set)(struct common_schema *schema,
		    const struct uev_decoded_value *value,
		    const struct field *field);
	size_t offset;
	size_t limit;
	const char *attribute;
};

/* Returns the member. */
static void *field_at(struct common_schema *schema, const struct field *field)
{
	return (char *)schema + field->offset;
}

static bool set_text(struct common_schema *schema,
		     const struct uev_decoded_value *value,
		     const struct field *field)
{
	struct uev_decoded_value *text = field_at(schema, field);

	*text = *value;

	return is_text(text);
}

/* A date and time in UTC, as RFC 3339 has it */
static bool set_time(struct common_schema *schema,
		     const struct uev_decoded_value *value,
		     const struct field *field)
{
	static const char utc[] = "+00:00";
	char *text = text_of(schema, value), *end;
	uint64_t *time = field_at(schema, field);
	struct query_when when;

	if (!text)
		return false;
	end = text + strlen(text);
	if ((size_t)(end - text) > strlen(utc) &&
	    strcmp(end - strlen(utc), utc) == 0) {
		end -= strlen(utc);
		*end++ = 'Z';
		*end = '\0';
	}
	if (end == text || end[-1] != 'Z' || !query_when_parse(text, &when) ||
	    when.kind != QUERY_WALL)
		return false;
	*time = when.time;

	return true;
}

static bool set_id(struct common_schema *schema,
		   const struct uev_decoded_value *value,
		   const struct field *field)
{
	const char *at = text_of(schema, value);

	return at && take_id(&at, field_at(schema, field), field->limit) &&
	       !*at;
}

static bool set_number(struct common_schema *schema,
		       const struct uev_decoded_value *value,
		       const struct field *field)
{
	unsigned int *member = field_at(schema, field);
	uint64_t number;

	if (!number_of(value, field->limit, &number))
		return false;
	*member = (unsigned int)number;

	return true;
}

static bool set_success(struct common_schema *schema,
			const struct uev_decoded_value *value,
			const struct field *field)
{
	bool *has_failed = field_at(schema, field);

	if (value->type != UEV_DECODED_BOOL)
		return false;
	*has_failed = !value->boolean;

	return true;
}

static bool set_links(struct common_schema *schema,
		      const struct uev_decoded_value *value,
		      const struct field *field)
{
	const char *at = text_of(schema, value);

	if (!at || !tool_skip(&at, "["))
		return false;
	if (tool_skip(&at, "]"))
		return !*at;
	do {
		if (!take_link(&at, field_at(schema, field)))
			return false;
	} while (tool_skip(&at, ","));

	return tool_skip(&at, "]") && !*at;
}

#define MEMBER(function, member) \
	.set = set_##function, .offset = offsetof(struct common_schema, member)
#define ID(member)          \
	MEMBER(id, member), \
		.limit = sizeof(((struct common_schema *)NULL)->member)
#define NUMBER(member, max) MEMBER(number, member), .limit = (max)

#define LOG (1U << COMMON_SCHEMA_LOG)
#define SPAN (1U << COMMON_SCHEMA_SPAN)

static const struct field fields[] = {
	{ PART_A, LOG | SPAN, "time", MEMBER(time, time) },
	{ PART_A, LOG | SPAN, "ext_dt_traceId", ID(trace) },
	{ PART_A, LOG | SPAN, "ext_dt_spanId", ID(span) },
	{ PART_A, LOG | SPAN, "ext_dt_traceFlags",
	  NUMBER(trace_flags, TRACE_FLAGS_MAX) },
	{ PART_A, LOG | SPAN, "ext_cloud_role", MEMBER(text, role) },
	{ PART_A, LOG | SPAN, "ext_cloud_roleInstance",
	  MEMBER(text, instance) },
	/* Of .NET */
	{ PART_A, LOG, "ext_ex_type", .attribute = "exception.type" },
	{ PART_A, LOG, "ext_ex_msg", .attribute = "exception.message" },
	{ PART_A, LOG, "ext_ex_stack", .attribute = "exception.stacktrace" },

	{ PART_B, LOG | SPAN, "name", MEMBER(text, name) },
	{ PART_B, LOG, "severityNumber", NUMBER(severity, SEVERITY_MAX) },
	{ PART_B, LOG, "severityText", MEMBER(text, severity_text) },
	{ PART_B, LOG, "eventId", .attribute = "event_id" },

	{ PART_B, SPAN, "startTime", MEMBER(time, start) },
	{ PART_B, SPAN, "success", MEMBER(success, has_failed) },
	{ PART_B, SPAN, "kind", NUMBER(span_kind, SPAN_KIND_MAX) },
	{ PART_B, SPAN, "parentId", ID(parent) },
	{ PART_B, SPAN, "links", MEMBER(links, links) },
	{ PART_B, SPAN, "statusMessage", MEMBER(text, status) },
	{ PART_B, SPAN, "traceState", MEMBER(text, trace_state) },
	{ PART_B, SPAN, "dbSystem", .attribute = "db.system.name" },
	{ PART_B, SPAN, "dbName", .attribute = "db.namespace" },
	{ PART_B, SPAN, "dbStatement", .attribute = "db.query.text" },
	{ PART_B, SPAN, "httpMethod", .attribute = "http.request.method" },
	{ PART_B, SPAN, "httpUrl", .attribute = "url.full" },
	{ PART_B, SPAN, "httpStatusCode",
	  .attribute = "http.response.status_code" },
	{ PART_B, SPAN, "messagingSystem", .attribute = "messaging.system" },
	{ PART_B, SPAN, "messagingDestination",
	  .attribute = "messaging.destination.name" },
	{ PART_B, SPAN, "messagingUrl", .attribute = "messaging.url" },
	{ PART_B, SPAN, "rpcSystem", .attribute = "rpc.system.name" },
	{ PART_B, SPAN, "rpcGrpcStatusCode",
	  .attribute = "rpc.response.status_code" },
};

/*
 * struct reading - A record that is being read
 * @kind: set by the first field of PartB; before, any kind is possible
 * @part: the part of the current field
 * @any: a value of several items, which @to receives: a body or an attribute
 * @before: bytes of @to before it
 */
struct reading {
	struct common_schema *schema;
	enum common_schema_kind kind;
	enum part part;
	struct otlp_any any;
	struct uev_output *to;
	size_t before;
};

static const struct field *find_field(const struct reading *reading,
				      const struct uev_item *item)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (fields[i].part == reading->part &&
		    format_is_named(item, fields[i].name) &&
		    (!reading->kind || fields[i].kinds & 1U << reading->kind))
			return &fields[i];

	return NULL;
}

static bool set_field(struct common_schema *schema, const struct field *field,
		      const struct uev_item *item)
{
	uint64_t bit = UINT64_C(1) << (field - fields);

	if (schema->seen & bit || item->kind != UEV_ITEM_VALUE)
		return false;
	schema->seen |= bit;

	return field->set(schema, &item->value, field);
}

/* Takes an item of a body or of an attribute. */
static bool take_any(struct reading *reading, const struct uev_item *item)
{
	struct common_schema *schema = reading->schema;
	struct uev_output *to = reading->to;

	if (!otlp_any_take(&reading->any, to, item, COMMON_SCHEMA_TEXT_MAX))
		return true;
	if (to == &schema->body)
		return to->size <= COMMON_SCHEMA_TEXT_MAX;
	tool_put(to, "}");
	if (to->size > COMMON_SCHEMA_TEXT_MAX) {
		to->size = reading->before;
		schema->dropped++;
	}

	return true;
}

static bool begin_attribute(struct reading *reading,
			    const struct uev_item *item, const char *name)
{
	struct uev_output *to = &reading->schema->attributes;

	reading->to = to;
	reading->before = to->size;
	name = query_names_add(&reading->schema->names,
			       name ? name : item->name,
			       name ? strlen(name) : format_name_size(item));
	otlp_put_key(to, name);

	return take_any(reading, item);
}

static bool begin_body(struct reading *reading, const struct uev_item *item)
{
	reading->to = &reading->schema->body;

	return !reading->to->size && take_any(reading, item);
}

/* The first field of PartB */
static bool take_kind(struct reading *reading, const struct uev_item *item)
{
	const char *text = item->kind == UEV_ITEM_VALUE &&
					   format_is_named(item, "_typeName")
				   ? text_of(reading->schema, &item->value)
				   : NULL;

	if (text && strcmp(text, "Log") == 0)
		reading->kind = COMMON_SCHEMA_LOG;
	if (text && strcmp(text, "Span") == 0)
		reading->kind = COMMON_SCHEMA_SPAN;

	return reading->kind;
}

/* Takes a field of a part, or its first item. */
static bool take_field(struct reading *reading, const struct uev_item *item)
{
	const struct field *field = find_field(reading, item);

	if (reading->part == PART_B && !reading->kind)
		return take_kind(reading, item);
	if (field && !field->attribute)
		return set_field(reading->schema, field, item);
	if (reading->part == PART_B && reading->kind == COMMON_SCHEMA_LOG &&
	    format_is_named(item, "body"))
		return begin_body(reading, item);

	return begin_attribute(reading, item, field ? field->attribute : NULL);
}

/* Parts are structs, each at most once. */
static bool begin_part(struct reading *reading, const struct uev_item *item)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(part_names); i++)
		if (format_is_named(item, part_names[i]))
			break;
	if (item->kind != UEV_ITEM_STRUCT_BEGIN || i == ARRAY_SIZE(part_names))
		return false;
	if (reading->schema->parts & 1U << i)
		return false;
	reading->schema->parts |= 1U << i;
	reading->part = (enum part)i;

	return true;
}

static bool take_item(struct reading *reading, const struct uev_item *item)
{
	if (reading->any.open)
		return take_any(reading, item);
	if (reading->part == PART_NONE)
		return begin_part(reading, item);
	if (item->kind != UEV_ITEM_STRUCT_END)
		return take_field(reading, item);
	reading->part = PART_NONE;

	return true;
}

/* ---- Records ---- */

static void clear(struct common_schema *schema)
{
	/* Follows the attributes of the record. */
	static const char *const reserved_names[] = { "code.stacktrace", NULL };
	struct common_schema empty = {
		.body = schema->body,
		.attributes = schema->attributes,
		.links = schema->links,
		.text = schema->text,
		.trace_flags = -1,
		.names.reserved = reserved_names,
	};

	query_names_clear(&schema->names);
	empty.body.size = 0;
	empty.attributes.size = 0;
	empty.links.size = 0;
	*schema = empty;
}

static bool is_version(const struct uev_item *item)
{
	uint64_t version;

	return item->kind == UEV_ITEM_VALUE &&
	       number_of(&item->value, UINT16_MAX, &version) &&
	       version == VERSION_4_0;
}

bool common_schema_has_id(const uint8_t *id, size_t size)
{
	static const uint8_t zeros[COMMON_SCHEMA_TRACE_SIZE];

	return memcmp(id, zeros, size) != 0;
}

/* A span has IDs and times. */
static bool is_complete(const struct reading *reading)
{
	const struct common_schema *schema = reading->schema;

	if (reading->kind != COMMON_SCHEMA_SPAN)
		return reading->kind == COMMON_SCHEMA_LOG;

	return common_schema_has_id(schema->trace, sizeof(schema->trace)) &&
	       common_schema_has_id(schema->span, sizeof(schema->span)) &&
	       schema->start && schema->time;
}

enum common_schema_kind common_schema_read(struct common_schema *schema,
					   struct uev_decoder *decoder,
					   const struct format_record *record)
{
	struct reading reading = { .schema = schema,
				   .part = PART_NONE,
				   .any.names = &schema->names };
	int ret;

	if (format_start(decoder, record) ||
	    !uev_decoder_info(decoder)->is_eventheader ||
	    uev_decoder_next(decoder) <= 0 ||
	    !format_is_named(uev_decoder_item(decoder), VERSION_FIELD))
		return COMMON_SCHEMA_NONE;
	clear(schema);
	if (!is_version(uev_decoder_item(decoder)))
		return COMMON_SCHEMA_INVALID;
	while ((ret = uev_decoder_next(decoder)) > 0)
		if (!take_item(&reading, uev_decoder_item(decoder)))
			return COMMON_SCHEMA_INVALID;
	if (ret || !is_complete(&reading))
		return COMMON_SCHEMA_INVALID;
	schema->has_part_a = schema->parts & 1U << PART_A;

	return reading.kind;
}

void common_schema_release(struct common_schema *schema)
{
	uev_output_release(&schema->body);
	uev_output_release(&schema->attributes);
	uev_output_release(&schema->links);
	uev_output_release(&schema->text);
	query_names_clear(&schema->names);
}
