// SPDX-License-Identifier: MIT
#include "query/columns.h"

#include <string.h>

#include "formats/loss.h"
#include "query/csv.h"
#include "query/select.h"
#include "terminal.h"

/* The column of all fields, also if a record has a field of this name. */
#define FIELDS "fields"
#define METADATA "meta."

/* What rows of losses have, and records have not */
static const char *const loss_columns[] = { "lost", "reason", "since" };

static bool is_loss_column(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(loss_columns); i++)
		if (strcmp(loss_columns[i], name) == 0)
			return true;

	return false;
}

int query_columns_parse(struct query_columns *columns, const char *list)
{
	struct query_fields *fields = &columns->fields;
	int status = query_fields_parse(fields, "--fields", list);
	size_t i;

	/* Rows of losses have three more. */
	for (i = 0; i < fields->count; i++)
		if (strcmp(fields->fields[i].name, FIELDS) == 0 ||
		    is_loss_column(fields->fields[i].name))
			fields->fields[i].is_known = true;

	return status;
}

int query_take_columns(void *columns, const struct tool_argument *argument)
{
	return query_columns_parse(columns, argument->text);
}

void query_columns_complete(struct query_columns *columns)
{
	static const char *const names[] = { "time", "cpu",  "pid",
					     "tid",  "comm", "event" };
	struct query_fields *fields = &columns->fields;
	size_t i;

	columns->time.is_number = columns->style != QUERY_STYLE_TEXT;
	if (fields->count)
		return;
	columns->is_default = true;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		/* A field of the record must not replace them. */
		_cleanup_free_ char *text = tool_print(METADATA "%s", names[i]);

		query_columns_parse(columns, text);
		strcpy(fields->fields[i].name, names[i]);
	}
	if (columns->style != QUERY_STYLE_LOGFMT)
		query_columns_parse(columns, FIELDS);
}

/* ---- Values ---- */

static void put_csv(struct uev_output *to, const char *text, size_t size)
{
	bool has_quotes = size && (strcspn(text, ",\"\r\n") < size ||
				   text[0] == ' ' || text[size - 1] == ' ');

	query_csv_append(to, text, size,
			 QUERY_CSV_SANITIZED |
				 (has_quotes ? QUERY_CSV_QUOTED : 0));
}

/* @text: as terminal_append() writes it */
static bool needs_quotes(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (strchr(" =\"\\", text[i]))
			return true;

	return !size;
}

/* Readers undo an escape only in quotes. */
static void put_logfmt(struct uev_output *to, const char *text, size_t size)
{
	size_t before = to->size;

	terminal_append(to, text, size);
	if (!needs_quotes(to->text + before, to->size - before))
		return;
	to->size = before;
	tool_put_quoted(to, text, size);
}

/* Appends a key, which has no quotes. */
static void put_key(struct uev_output *to, const char *name, size_t size)
{
	size_t i = to->size;

	terminal_append(to, name, size);
	for (; i < to->size; i++)
		if (needs_quotes(to->text + i, 1))
			to->text[i] = '_';
}

/*
 * struct style - How a row is written
 * @separator: between two values
 * @missing: stands for a value that the record does not have
 * @put_text: appends a text
 * @put_key: appends a key, which @equals follows, before each value; NULL: none
 */
static const struct style {
	char separator;
	const char *missing;
	void (*put_text)(struct uev_output *to, const char *text, size_t size);
	void (*put_key)(struct uev_output *to, const char *name, size_t size);
	char equals;
} styles[] = {
	[QUERY_STYLE_TEXT] = { '\t', "-", terminal_append },
	[QUERY_STYLE_CSV] = { ',', "", put_csv },
	[QUERY_STYLE_LOGFMT] = { ' ', "", put_logfmt, put_key, '=' },
	[QUERY_STYLE_JSON] = { ',', "null", tool_put_quoted, tool_put_quoted,
			       ':' },
};

static const struct style *style_of(const struct query_columns *columns)
{
	return &styles[columns->style];
}

static void put_text(const struct query_columns *columns, struct uev_output *to)
{
	const struct uev_output *value = &columns->value;

	style_of(columns)->put_text(to, value->text ? value->text : "",
				    value->size);
}

static void put_decoded(struct query_columns *columns, struct uev_output *to,
			const struct uev_decoded_value *value)
{
	columns->value.size = 0;
	if (columns->style == QUERY_STYLE_JSON) {
		tool_need(uev_decoded_value_append_json(value, to));
		return;
	}
	tool_need(uev_decoded_value_append_text(value, &columns->value));
	put_text(columns, to);
}

/* @json: of a struct, an array or all fields */
static void put_json(struct query_columns *columns, struct uev_output *to,
		     const struct uev_output *json)
{
	columns->value.size = 0;
	tool_append(&columns->value, json->text, json->size);
	if (columns->style == QUERY_STYLE_JSON)
		tool_put(to, columns->value.text);
	else
		put_text(columns, to);
}

static void put_time(struct query_columns *columns, struct uev_output *to,
		     const struct format_record *record)
{
	columns->value.size = 0;
	columns->time.clock = record->clock;
	record_time_append(&columns->time, &columns->value,
			   record->sample->time);
	put_text(columns, to);
}

/* The record as JSON, without metadata. */
static void put_fields(struct query_columns *columns, struct uev_output *to,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct uev_output *json = &columns->compound.json;

	json->size = 0;
	format_append_json(json, decoder, record, UEV_JSON_COMPACT, 0);
	if (json->size)
		put_json(columns, to, json);
	else
		tool_put(to, style_of(columns)->missing);
}

/* ---- Rows ---- */

static void put_separator(const struct query_columns *columns,
			  struct uev_output *to, size_t i)
{
	if (i)
		tool_append(to, &style_of(columns)->separator, 1);
}

static void put_name(const struct query_columns *columns, struct uev_output *to,
		     const char *name)
{
	const struct style *style = style_of(columns);

	if (!style->put_key)
		return;
	style->put_key(to, name, strlen(name));
	tool_append(to, &style->equals, 1);
}

static void put_column(struct query_columns *columns, struct uev_output *to,
		       struct uev_decoder *decoder,
		       const struct format_record *record,
		       const struct query_field *field)
{
	put_name(columns, to, field->name);
	if (strcmp(field->name, FIELDS) == 0)
		put_fields(columns, to, decoder, record);
	else if (field->kind == QUERY_VALUE)
		put_decoded(columns, to, &field->value);
	else if (field->kind == QUERY_COMPOUND)
		put_json(columns, to, &field->compound.json);
	else if (field->kind == QUERY_TIME)
		put_time(columns, to, record);
	else
		tool_put(to, style_of(columns)->missing);
}

/* Logfmt leaves out missing values. */
static bool is_left_out(const struct query_columns *columns,
			const struct query_field *field)
{
	return columns->style == QUERY_STYLE_LOGFMT &&
	       field->kind == QUERY_MISSING && strcmp(field->name, FIELDS) != 0;
}

static bool is_column(const struct query_columns *columns, const char *name,
		      size_t size)
{
	size_t i;

	for (i = 0; i < columns->fields.count; i++)
		if (tool_is(name, size, columns->fields.fields[i].name))
			return true;

	return false;
}

/* Keys are unique, because readers use either the first or the last one. */
static void put_pair(struct query_columns *columns, struct uev_output *to,
		     const struct uev_item *item)
{
	size_t size = format_name_size(item);

	put_separator(columns, to, to->size);
	columns->value.size = 0;
	if (is_column(columns, item->name, size))
		tool_put(&columns->value, FIELDS ".");
	put_key(&columns->value, item->name, size);
	tool_put(to, query_names_add(&columns->names, columns->value.text,
				     columns->value.size));
	tool_put(to, "=");
}

/* Appends all fields, each with its name. */
static int put_pairs(struct query_columns *columns, struct uev_output *to,
		     struct uev_decoder *decoder,
		     const struct format_record *record)
{
	struct query_compound *compound = &columns->compound;
	const struct uev_item *item;
	int ret;

	format_start(decoder, record);
	compound->open = 0;
	query_names_clear(&columns->names);
	while ((ret = uev_decoder_next(decoder)) > 0) {
		item = uev_decoder_item(decoder);
		if (!query_compound_take(compound, item))
			continue;
		put_pair(columns, to, item);
		if (item->kind == UEV_ITEM_VALUE)
			put_decoded(columns, to, &item->value);
		else
			put_json(columns, to, &compound->json);
	}

	return ret;
}

/* Many programs skip an empty line of CSV, which is a row with one column. */
static void end_row(const struct query_columns *columns, struct uev_output *to,
		    size_t before)
{
	if (columns->style == QUERY_STYLE_CSV && to->size == before)
		tool_put(to, "\"\"");
}

int query_columns_append(struct query_columns *columns, struct uev_output *to,
			 struct uev_decoder *decoder,
			 const struct format_record *record)
{
	const struct query_field *field;
	size_t i, written = 0, before = to->size;
	int ret;

	ret = query_fields_read(&columns->fields, decoder, record);
	if (columns->style == QUERY_STYLE_JSON)
		tool_put(to, "{");
	for (i = 0; i < columns->fields.count; i++) {
		field = &columns->fields.fields[i];
		if (is_left_out(columns, field))
			continue;
		put_separator(columns, to, written++);
		put_column(columns, to, decoder, record, field);
	}
	end_row(columns, to, before);
	if (columns->style == QUERY_STYLE_JSON)
		tool_put(to, "}");
	if (columns->style == QUERY_STYLE_LOGFMT && columns->is_default)
		put_pairs(columns, to, decoder, record);

	return ret;
}

/* ---- Losses ---- */

static void set_loss_time(struct query_columns *columns,
			  const struct format_loss *loss, uint64_t time)
{
	struct record_time copy = columns->time;

	if (!(loss->loss.flags & UEV_HAS_TIME) || !time)
		return;
	copy.clock = loss->clock;
	record_time_append(&copy, &columns->value, time);
	/* That of the loss is the previous time of the next record. */
	if (time == loss->loss.to)
		columns->time = copy;
}

/* Sets the value of a column; it is empty if there is none. */
static void set_loss_value(struct query_columns *columns, const char *name,
			   const struct format_loss *loss)
{
	struct uev_output *value = &columns->value;

	value->size = 0;
	if (strcmp(name, "lost") == 0)
		format_append_number(value, loss->loss.count, 1);
	else if (strcmp(name, "reason") == 0)
		tool_put(value, loss->loss.reason);
	else if (strcmp(name, "event") == 0)
		loss_append_event(value, loss);
	else if (strcmp(name, "time") == 0)
		set_loss_time(columns, loss, loss->loss.to);
	else if (strcmp(name, "since") == 0)
		set_loss_time(columns, loss, loss->loss.from);
	else if (strcmp(name, "cpu") == 0 && loss->loss.flags & UEV_HAS_CPU)
		format_append_number(value, loss->loss.cpu, 1);
}

/* Return: whether the column was appended */
static bool put_loss_column(struct query_columns *columns,
			    struct uev_output *to, size_t written,
			    const char *name, const struct format_loss *loss)
{
	const char *member = name;

	tool_skip(&member, METADATA);
	set_loss_value(columns, member, loss);
	if (!columns->value.size && columns->style == QUERY_STYLE_LOGFMT)
		return false;
	put_separator(columns, to, written);
	put_name(columns, to, name);
	if (!columns->value.size)
		tool_put(to, style_of(columns)->missing);
	else if (columns->style == QUERY_STYLE_JSON &&
		 (strcmp(member, "lost") == 0 || strcmp(member, "cpu") == 0))
		tool_append(to, columns->value.text, columns->value.size);
	else
		put_text(columns, to);

	return true;
}

bool query_columns_append_loss(struct query_columns *columns,
			       struct uev_output *to,
			       const struct format_loss *loss)
{
	bool has_pairs = columns->style == QUERY_STYLE_LOGFMT &&
			 columns->is_default;
	size_t i, written = 0;

	if (!has_pairs && !is_column(columns, "lost", strlen("lost")))
		return false;
	if (columns->style == QUERY_STYLE_JSON)
		tool_put(to, "{");
	for (i = 0; i < columns->fields.count; i++)
		written += put_loss_column(columns, to, written,
					   columns->fields.fields[i].name,
					   loss);
	for (i = 0; i < ARRAY_SIZE(loss_columns) && has_pairs; i++)
		written += put_loss_column(columns, to, written,
					   loss_columns[i], loss);
	if (columns->style == QUERY_STYLE_JSON)
		tool_put(to, "}");

	return true;
}

void query_columns_append_titles(struct query_columns *columns,
				 struct uev_output *to)
{
	const char *name;
	size_t i;

	if (columns->style != QUERY_STYLE_CSV)
		return;
	for (i = 0; i < columns->fields.count; i++) {
		name = columns->fields.fields[i].name;
		put_separator(columns, to, i);
		put_csv(to, name, strlen(name));
	}
	tool_put(to, "\n");
}

void query_columns_release(struct query_columns *columns)
{
	query_fields_release(&columns->fields);
	uev_output_release(&columns->compound.json);
	uev_output_release(&columns->value);
	query_names_clear(&columns->names);
}
