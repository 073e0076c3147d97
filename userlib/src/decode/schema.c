// SPDX-License-Identifier: MIT
/* Parses "format" files. */
#include "decode/schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/session.h>

#include "decode/shape.h"

/* A part of the text. */
struct span {
	const char *at;
	const char *end;
};

/*
 * struct parser - State of the parser
 * @schema: the schema that is filled in
 * @texts: position of the next string; there is room for all of them
 * @error: position of the error
 * @long_size: bytes of a long
 * @has_name: the line with the name was read
 * @has_id: the line with the ID was read
 * @common_has_ended: the empty line after the common fields was read
 */
struct parser {
	struct uev_schema *schema;
	char *texts;
	const char *error;
	uint8_t long_size;
	bool has_name;
	bool has_id;
	bool common_has_ended;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct span trim(struct span span)
{
	while (span.at < span.end && is_blank(*span.at))
		span.at++;
	while (span.at < span.end && is_blank(span.end[-1]))
		span.end--;

	return span;
}

/*
 * Returns the part before a character, or all, and removes it with the
 * character.
 */
static struct span cut(struct span *span, char c)
{
	const char *end = memchr(span->at, c, (size_t)(span->end - span->at));
	struct span part = { span->at, end ? end : span->end };

	span->at = end ? end + 1 : span->end;
	return part;
}

static bool skip(struct span *span, const char *text)
{
	size_t size = strlen(text);

	if ((size_t)(span->end - span->at) < size ||
	    memcmp(span->at, text, size))
		return false;

	span->at += size;
	return true;
}

static bool read_number(struct span span, uint32_t *number)
{
	uint64_t value = 0;

	span = trim(span);
	if (span.at == span.end)
		return false;

	for (; span.at < span.end; span.at++) {
		if (*span.at < '0' || *span.at > '9')
			return false;
		value = value * 10 + (uint64_t)(*span.at - '0');
		if (value > UINT32_MAX)
			return false;
	}

	*number = (uint32_t)value;
	return true;
}

static int fail(struct parser *parser, const char *at)
{
	parser->error = at;
	return -EINVAL;
}

static const char *keep(struct parser *parser, struct span span)
{
	size_t size = (size_t)(span.end - span.at);
	char *text = parser->texts;

	memcpy(text, span.at, size);
	text[size] = '\0';
	parser->texts += size + 1;

	return text;
}

/*
 * Parses "offset:8", "size:4" or "signed:1". Unknown keys are ignored. Offset
 * and size are marked as present.
 */
static bool read_attribute(struct uev_format_field *field, struct span part,
			   bool *has_offset, bool *has_size)
{
	uint32_t number;

	if (skip(&part, "offset:"))
		return *has_offset = read_number(part, &field->offset);
	if (skip(&part, "size:"))
		return *has_size = read_number(part, &field->size);
	if (!skip(&part, "signed:"))
		return true;
	if (!read_number(part, &number))
		return false;

	field->is_signed = number;
	return true;
}

/* Removes "[16]" from the end. */
static bool read_array(struct uev_format_field *field, struct span *text)
{
	struct span inside = { NULL, text->end - 1 };

	if (text->at == text->end || *inside.end != ']')
		return true;

	for (inside.at = inside.end; inside.at > text->at; inside.at--)
		if (inside.at[-1] == '[')
			break;
	if (inside.at == text->at)
		return false;

	field->is_array = true;
	/* Could be the name of an unknown constant. */
	if (!read_number(inside, &field->count))
		field->count = 0;

	text->end = inside.at - 1;
	*text = trim(*text);
	return true;
}

/* "char comm[16]", "char[16] comm" or "const char *name" */
static bool read_declaration(struct parser *parser,
			     struct uev_format_field *field, struct span text)
{
	struct span type, name;

	text = trim(text);
	if (!read_array(field, &text))
		return false;

	name = text;
	for (name.at = name.end; name.at > text.at; name.at--)
		if (is_blank(name.at[-1]) || name.at[-1] == '*')
			break;
	type = trim((struct span){ text.at, name.at });
	if (name.at == name.end || type.at == type.end)
		return false;

	field->name = keep(parser, name);
	field->type = keep(parser, type);

	if (skip(&type, "__data_loc "))
		field->location = UEV_LOCATION_DATA_LOC;
	else if (skip(&type, "__rel_loc "))
		field->location = UEV_LOCATION_REL_LOC;
	/* The size of data elsewhere is in the record. */
	field->is_array |= field->location != UEV_LOCATION_INLINE;

	return read_array(field, &type);
}

static int read_field(struct parser *parser, struct span line)
{
	struct uev_schema *schema = parser->schema;
	struct uev_schema_entry *field = &schema->fields[schema->field_count];
	bool has_offset = false, has_size = false;
	struct span part = cut(&line, ';');

	if (!read_declaration(parser, &field->field, part))
		return fail(parser, part.at);

	while (line.at < line.end) {
		part = trim(cut(&line, ';'));
		if (!read_attribute(&field->field, part, &has_offset,
				    &has_size))
			return fail(parser, part.at);
	}
	if (!has_offset || !has_size)
		return fail(parser, line.end);

	if (strncmp(field->field.name, "common_", strlen("common_")))
		parser->common_has_ended = true;
	field->field.is_common = !parser->common_has_ended;
	schema->common_count += field->field.is_common;
	schema->field_count++;
	uev_shape_init(field, parser->long_size);

	return 0;
}

static int read_name(struct parser *parser, struct span line)
{
	line = trim(line);
	if (parser->has_name || line.at == line.end)
		return fail(parser, line.at);

	parser->has_name = true;
	parser->schema->name = keep(parser, line);
	return 0;
}

static int read_id(struct parser *parser, struct span line)
{
	if (parser->has_id || !read_number(line, &parser->schema->id))
		return fail(parser, line.at);

	parser->has_id = true;
	return 0;
}

static int read_line(struct parser *parser, struct span line)
{
	const char *nul = memchr(line.at, '\0', (size_t)(line.end - line.at));

	if (nul)
		return fail(parser, nul);
	if (skip(&line, "name:"))
		return read_name(parser, line);
	if (skip(&line, "ID:"))
		return read_id(parser, line);
	if (skip(&line, "field:"))
		return read_field(parser, line);

	if (line.at == line.end && parser->schema->field_count)
		parser->common_has_ended = true;
	return 0;
}

static int read_lines(struct parser *parser, struct span text)
{
	struct span line;
	int ret = 0;

	while (!ret && text.at < text.end) {
		line = trim(cut(&text, '\n'));
		if (skip(&line, "print fmt:"))
			break;
		ret = read_line(parser, line);
	}

	if (!ret && (!parser->has_name || !parser->has_id))
		return fail(parser, text.at);

	return ret;
}

static size_t count_fields(struct span text)
{
	struct span line;
	size_t count = 0;

	while (text.at < text.end) {
		line = trim(cut(&text, '\n'));
		count += skip(&line, "field:");
	}

	return count;
}

/*
 * Size of all strings: none is longer than its source in the file, and a NUL
 * takes no more than the separators there.
 */
static struct uev_schema *allocate(struct span text, size_t system_size,
				   char **texts)
{
	size_t size = (size_t)(text.end - text.at);
	struct uev_schema *schema;
	size_t count;

	if (size > SIZE_MAX / 2 / sizeof(*schema->fields) - system_size)
		return NULL;

	count = count_fields(text);
	schema = calloc(1, sizeof(*schema) + count * sizeof(*schema->fields) +
				   size + system_size + 1);
	if (schema)
		*texts = (char *)&schema->fields[count];

	return schema;
}

static bool is_big(unsigned int flags)
{
	bool host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return flags & UEV_SCHEMA_SWAPPED ? !host : host;
}

static uint8_t long_size(unsigned int flags)
{
	if (flags & UEV_SCHEMA_LONG32)
		return 4;

	return flags & UEV_SCHEMA_LONG64 ? 8 : sizeof(long);
}

int uev_schema_parse(struct uev_schema **schema, const char *system,
		     const char *text, size_t size, unsigned int flags,
		     size_t *error_offset)
{
	const unsigned int longs = UEV_SCHEMA_LONG32 | UEV_SCHEMA_LONG64;
	struct parser parser = { .error = text };
	struct span all = { text, text + size };
	int ret = -EINVAL;

	*schema = NULL;
	parser.long_size = long_size(flags);
	if (!(flags & ~(UEV_SCHEMA_SWAPPED | longs)) &&
	    (flags & longs) != longs) {
		parser.schema = allocate(all, strlen(system), &parser.texts);
		ret = parser.schema ? 0 : -ENOMEM;
	}

	if (!ret) {
		parser.schema->big = is_big(flags);
		parser.schema->system =
			keep(&parser,
			     (struct span){ system, system + strlen(system) });
		ret = read_lines(&parser, all);
	}

	if (ret == -EINVAL && error_offset)
		*error_offset = (size_t)(parser.error - text);
	if (ret)
		uev_schema_free(parser.schema);
	else
		*schema = parser.schema;

	return ret;
}

int uev_schema_of(struct uev_schema **schema, const struct uev_source *source,
		  unsigned int flags)
{
	*schema = NULL;
	if (!source->format)
		return -ENODATA;

	return uev_schema_parse(schema, source->system ? source->system : "",
				source->format, source->format_size, flags,
				NULL);
}

void uev_schema_free(struct uev_schema *schema)
{
	free(schema);
}

const char *uev_schema_system(const struct uev_schema *schema)
{
	return schema->system;
}

const char *uev_schema_name(const struct uev_schema *schema)
{
	return schema->name;
}

uint32_t uev_schema_id(const struct uev_schema *schema)
{
	return schema->id;
}

size_t uev_schema_field_count(const struct uev_schema *schema)
{
	return schema->field_count;
}

const struct uev_format_field *uev_schema_field(const struct uev_schema *schema,
						size_t number)
{
	if (number >= schema->field_count)
		return NULL;

	return &schema->fields[number].field;
}

bool uev_schema_is_eventheader(const struct uev_schema *schema)
{
	const struct uev_format_field *first =
		uev_schema_field(schema, schema->common_count);

	return first && !strcmp(first->name, UEV_EVENTHEADER_FIRST_FIELD);
}
