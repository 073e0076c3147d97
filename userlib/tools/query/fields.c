// SPDX-License-Identifier: MIT
#include "query/fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "query/csv.h"
#include "tool.h"
#include "ui/out.h"

/* Structs are nested less deeply than this, and text is shorter. */
#define STEPS_MAX 32
#define INDEX_DIGITS_MAX 9

/* A record can repeat a long name. */
#define JSON_MAX ((size_t)1 << 20)

/*
 * struct query_step - A part of a name
 * @name: of a field or member; NULL: element @index of an array
 */
struct query_step {
	char *name;
	size_t size;
	uint32_t index;
};

/* ---- Names ---- */

/* struct parse - A name that is being parsed */
struct parse {
	const char *text;
	size_t at;
	const char *reason;
};

static bool is_first(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool is_later(char c)
{
	return is_first(c) || (c >= '0' && c <= '9');
}

static struct query_step *add_step(struct query_field *field)
{
	struct query_step *step = tool_add(field->steps, field->step_count);

	*step = (struct query_step){ 0 };

	return step;
}

static bool parse_word(struct parse *parse, struct query_field *field)
{
	const char *begin = parse->text + parse->at, *end = begin;
	bool has_quotes = *begin == '`';
	struct query_step *step;

	if (has_quotes)
		end = strchr(++begin, '`');
	else if (is_first(*begin))
		while (is_later(*end))
			end++;
	if (!end || end == begin) {
		parse->reason = end ? "expected the name of a field"
				    : "the name has no second `";
		return false;
	}
	step = add_step(field);
	step->size = (size_t)(end - begin);
	step->name = tool_print("%.*s", (int)step->size, begin);
	parse->at = (size_t)(end - parse->text) + has_quotes;

	return true;
}

static bool parse_index(struct parse *parse, struct query_field *field)
{
	const char *begin = parse->text + parse->at;
	size_t digits = strspn(begin, "0123456789");

	if (!digits || digits > INDEX_DIGITS_MAX || begin[digits] != ']') {
		parse->reason = "expected an index and ]";
		return false;
	}
	add_step(field)->index = (uint32_t)strtoul(begin, NULL, 10);
	parse->at += digits + 1;

	return true;
}

static bool parse_name(struct parse *parse, struct query_field *field)
{
	bool is_valid = parse_word(parse, field);

	while (is_valid) {
		if (field->step_count == STEPS_MAX) {
			parse->reason = "the name has too many parts";
			return false;
		}
		switch (parse->text[parse->at]) {
		case '.':
			parse->at++;
			is_valid = parse_word(parse, field);
			break;
		case '[':
			parse->at++;
			is_valid = parse_index(parse, field);
			break;
		default:
			return true;
		}
	}

	return false;
}

static void release_field(struct query_field *field)
{
	size_t i;

	for (i = 0; i < field->step_count; i++)
		free(field->steps[i].name);
	free(field->steps);
	free(field->name);
	uev_output_release(&field->compound.json);
}

ptrdiff_t query_fields_add(struct query_fields *fields, const char *text,
			   size_t *size, const char **reason)
{
	struct parse parse = { .text = text };
	struct query_field field = { 0 };

	if (!parse_name(&parse, &field)) {
		release_field(&field);
		*size = parse.at;
		*reason = parse.reason;
		return -1;
	}
	*size = parse.at;
	field.name = tool_print("%.*s", (int)parse.at, text);
	*tool_add(fields->fields, fields->count) = field;

	return (ptrdiff_t)fields->count - 1;
}

/* ---- Values of a record ---- */

bool query_item_begins(const struct uev_item *item)
{
	return item->kind == UEV_ITEM_STRUCT_BEGIN ||
	       item->kind == UEV_ITEM_ARRAY_BEGIN;
}

bool query_item_ends(const struct uev_item *item)
{
	return item->kind == UEV_ITEM_STRUCT_END ||
	       item->kind == UEV_ITEM_ARRAY_END;
}

static bool is_of_step(const struct uev_item *item,
		       const struct query_step *step)
{
	if (!step->name || item->is_element)
		return !step->name && item->is_element &&
		       step->index == item->index;

	return step->size == format_name_size(item) &&
	       memcmp(step->name, item->name, step->size) == 0;
}

/* Appends an item of a struct or an array to its JSON. */
static void put_item(struct query_compound *compound,
		     const struct uev_item *item)
{
	struct uev_output *json = &compound->json;

	if (json->size > JSON_MAX)
		return;
	if (query_item_ends(item)) {
		tool_put(json, item->kind == UEV_ITEM_ARRAY_END ? "]" : "}");
		return;
	}
	out_json_comma(json);
	if (!item->is_element && compound->open) {
		tool_put_quoted(json, item->name, format_name_size(item));
		tool_put(json, ":");
	}
	if (query_item_begins(item))
		tool_put(json, item->kind == UEV_ITEM_ARRAY_BEGIN ? "[" : "{");
	else
		tool_need(uev_decoded_value_append_json(&item->value, json));
}

static void add_to_compound(struct query_compound *compound,
			    const struct uev_item *item)
{
	put_item(compound, item);
	compound->open += query_item_begins(item);
	compound->open -= query_item_ends(item);
	if (compound->open || compound->json.size <= JSON_MAX)
		return;
	compound->json.size = 0;
	tool_put(&compound->json, "\"too long\"");
}

static void begin_compound(struct query_compound *compound,
			   const struct uev_item *item)
{
	compound->json.size = 0;
	compound->open = 0;
	add_to_compound(compound, item);
}

bool query_compound_take(struct query_compound *compound,
			 const struct uev_item *item)
{
	if (compound->open)
		add_to_compound(compound, item);
	else if (item->kind != UEV_ITEM_VALUE)
		begin_compound(compound, item);

	return !compound->open;
}

/* @level: number of structs and arrays around the item */
static void take_item(struct query_field *field, const struct uev_item *item,
		      size_t level)
{
	if (field->compound.open) {
		add_to_compound(&field->compound, item);
		return;
	}
	if (query_item_ends(item)) {
		if (field->depth > level)
			field->depth = level;
		return;
	}
	/* The first of several fields of a name is used. */
	if (field->kind != QUERY_MISSING || field->depth != level ||
	    !is_of_step(item, &field->steps[level]))
		return;
	if (level + 1 < field->step_count) {
		field->depth += query_item_begins(item);
	} else if (query_item_begins(item)) {
		field->kind = QUERY_COMPOUND;
		begin_compound(&field->compound, item);
	} else {
		field->kind = QUERY_VALUE;
		field->value = item->value;
	}
}

static int take_items(struct query_fields *fields, struct uev_decoder *decoder)
{
	const struct uev_item *item;
	size_t level = 0, i;
	int ret;

	while ((ret = uev_decoder_next(decoder)) > 0) {
		item = uev_decoder_item(decoder);
		level -= query_item_ends(item);
		for (i = 0; i < fields->count; i++)
			take_item(&fields->fields[i], item, level);
		level += query_item_begins(item);
	}

	return ret;
}

/* Return: the name in the metadata if there is no field; or NULL */
static const char *metadata_name(const struct query_field *field)
{
	const struct query_step *steps = field->steps;

	if (field->step_count == 2 && steps[1].name && steps[0].name &&
	    strcmp(steps[0].name, "meta") == 0)
		return steps[1].name;

	return field->step_count == 1 ? steps[0].name : NULL;
}

bool query_field_is_unknown(const struct query_field *field)
{
	const char *name = metadata_name(field);

	return !field->is_known && !(name && query_is_metadata(name));
}

static void take_metadata(struct query_fields *fields,
			  struct query_field *field,
			  const struct format_record *record,
			  const struct uev_record_info *info)
{
	const char *name = metadata_name(field);

	/* With the prefix "meta.", a field of the record is not used. */
	if (name && (field->step_count == 2 || field->kind == QUERY_MISSING)) {
		const struct query_context context = {
			.record = record,
			.info = info,
			.value = &field->value,
			.event = &fields->event,
			.tracepoint = &fields->tracepoint,
		};

		field->kind = query_metadata(&context, name);
	}
	if (field->kind == QUERY_TIME)
		field->clock = record->clock;
}

int query_fields_read(struct query_fields *fields, struct uev_decoder *decoder,
		      const struct format_record *record)
{
	const struct uev_record_info *info;
	struct query_field *field;
	size_t i;
	int ret;

	for (i = 0; i < fields->count; i++) {
		field = &fields->fields[i];
		field->kind = QUERY_MISSING;
		field->depth = 0;
		field->compound.open = 0;
	}
	fields->event.size = 0;
	fields->tracepoint.size = 0;
	/* The next call returns an error of the start again. */
	format_start(decoder, record);
	ret = take_items(fields, decoder);
	info = uev_decoder_info(decoder);
	for (i = 0; i < fields->count; i++) {
		field = &fields->fields[i];
		/* Cut off by an error. */
		if (field->compound.open)
			field->kind = QUERY_MISSING;
		take_metadata(fields, field, record, info);
		field->is_known |= field->kind != QUERY_MISSING;
	}

	return ret;
}

static void put_part(struct uev_output *to, const struct uev_output *part,
		     bool is_single)
{
	if (!part->size)
		return;
	if (!is_single && (memchr(part->text, ',', part->size) ||
			   memchr(part->text, '"', part->size)))
		query_csv_append(to, part->text, part->size, QUERY_CSV_QUOTED);
	else
		tool_append(to, part->text, part->size);
}

int query_fields_join(struct query_fields *fields, struct uev_decoder *decoder,
		      const struct format_record *record, struct uev_output *to,
		      bool *has_all)
{
	int ret = query_fields_read(fields, decoder, record);
	const struct query_field *field;
	size_t i;

	*has_all = true;
	for (i = 0; i < fields->count; i++) {
		field = &fields->fields[i];
		if (i)
			tool_put(to, ",");
		fields->part.size = 0;
		if (field->kind == QUERY_VALUE)
			tool_need(uev_decoded_value_append_text(&field->value,
								&fields->part));
		else if (field->kind == QUERY_COMPOUND)
			tool_put(&fields->part, field->compound.json.text);
		else
			*has_all = false;
		put_part(to, &fields->part, fields->count == 1);
	}

	return ret;
}

void query_fields_release(struct query_fields *fields)
{
	size_t i;

	for (i = 0; i < fields->count; i++)
		release_field(&fields->fields[i]);
	free(fields->fields);
	uev_output_release(&fields->event);
	uev_output_release(&fields->tracepoint);
	uev_output_release(&fields->part);
	*fields = (struct query_fields){ 0 };
}
