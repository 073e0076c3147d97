// SPDX-License-Identifier: MIT
#include "export/otlp_json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "formats/append.h"
#include "query/fields.h"
#include "tool.h"
#include "ui/out.h"

/* ---- Values ---- */

/* Returns the type of a value. Integers without a sign can exceed theirs. */
static const char *type_of(const struct uev_decoded_value *value)
{
	switch (value->type) {
	case UEV_DECODED_BOOL:
		return "boolValue";
	case UEV_DECODED_FLOAT:
		return "doubleValue";
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_PID:
	case UEV_DECODED_PORT:
		return "intValue";
	case UEV_DECODED_UNSIGNED:
		return value->u64 > INT64_MAX ? "stringValue" : "intValue";
	default:
		return "stringValue";
	}
}

/* Tests for a value that is in quotes, but not in JSON of the library. */
static bool needs_quotes(const struct uev_decoded_value *value)
{
	switch (value->type) {
	case UEV_DECODED_NULL:
	/* JSON numbers have 53 bits. */
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_PID:
	case UEV_DECODED_PORT:
		return true;
	default:
		return false;
	}
}

void otlp_put_value(struct uev_output *to,
		    const struct uev_decoded_value *value)
{
	const char *quote = needs_quotes(value) ? "\"" : "";

	tool_put(to, "{\"");
	tool_put(to, type_of(value));
	tool_put(to, "\":");
	tool_put(to, quote);
	/* Protobuf has other words than JSON of the library. */
	if (value->type != UEV_DECODED_FLOAT || isfinite(value->f64))
		tool_need(uev_decoded_value_append_json(value, to));
	else if (isnan(value->f64))
		tool_put(to, "\"NaN\"");
	else
		tool_put(to, value->f64 < 0 ? "\"-Infinity\"" : "\"Infinity\"");
	tool_put(to, quote);
	tool_put(to, "}");
}

/* Keys are unique in a struct. Names have no semicolon. */
static void put_member_key(const struct otlp_any *any, struct uev_output *to,
			   const struct uev_item *item)
{
	_cleanup_free_ char *name =
		tool_print("%u;%.*s", any->numbers[any->open - 1],
			   (int)format_name_size(item), item->name);
	const char *key = query_names_add(any->names, name, strlen(name));

	key = strchr(key, ';') + 1;
	otlp_put_key(to, key);
}

static void put_item(const struct otlp_any *any, struct uev_output *to,
		     const struct uev_item *item)
{
	/* A member of a struct, or an element of an array */
	bool is_inner = any->open;
	bool is_member = is_inner && !item->is_element;

	if (is_member && !query_item_ends(item))
		put_member_key(any, to, item);
	else if (is_inner && !query_item_ends(item))
		out_json_comma(to);
	switch (item->kind) {
	case UEV_ITEM_ARRAY_BEGIN:
		tool_put(to, "{\"arrayValue\":{\"values\":[");
		return;
	case UEV_ITEM_STRUCT_BEGIN:
		tool_put(to, "{\"kvlistValue\":{\"values\":[");
		return;
	case UEV_ITEM_VALUE:
		otlp_put_value(to, &item->value);
		break;
	default:
		tool_put(to, "]}}");
	}
	if (is_member)
		tool_put(to, "}");
}

bool otlp_any_take(struct otlp_any *any, struct uev_output *to,
		   const struct uev_item *item, size_t limit)
{
	any->open -= query_item_ends(item);
	if (to->size <= limit)
		put_item(any, to, item);
	if (query_item_begins(item))
		any->numbers[any->open++] = ++any->count;

	return !any->open;
}

/* ---- Attributes ---- */

void otlp_put_key(struct uev_output *to, const char *key)
{
	out_json_comma(to);
	tool_put(to, "{\"key\":");
	tool_put_quoted(to, key, strlen(key));
	tool_put(to, ",\"value\":");
}

void otlp_put_attribute(struct uev_output *to, const char *key,
			const struct uev_decoded_value *value)
{
	otlp_put_key(to, key);
	otlp_put_value(to, value);
	tool_put(to, "}");
}

void otlp_put_number(struct uev_output *to, const char *key, uint64_t number)
{
	const struct uev_decoded_value value = { .type = UEV_DECODED_UNSIGNED,
						 .u64 = number };

	otlp_put_attribute(to, key, &value);
}

void otlp_put_text(struct uev_output *to, const char *key, const char *text)
{
	const struct uev_decoded_value value = tool_text(text, strlen(text));

	otlp_put_attribute(to, key, &value);
}
