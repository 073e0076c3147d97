// SPDX-License-Identifier: MIT
#include "events/payload.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "tool.h"

/* A location: the size in the upper half, the offset in the lower one. */
#define LOC_SIZE 4
#define LOC_SHIFT 16

/* ---- Values ---- */

void payload_put(struct uev_output *to, uint64_t number, size_t size)
{
	const char *bytes = (const char *)&number;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes += sizeof(number) - size;
#endif
	tool_append(to, bytes, size);
}

static bool is_in_range(uint64_t number, bool is_negative, unsigned int bits,
			bool is_signed)
{
	uint64_t max = UINT64_MAX >> (64 - bits);

	if (is_negative)
		return is_signed && number <= max / 2 + 1;

	return number <= (is_signed ? max / 2 : max);
}

int payload_number(const char *text, unsigned int bits, bool is_signed,
		   uint64_t *number)
{
	bool is_negative = *text == '-';
	bool is_hex = tool_starts(text, "0x");
	char *end;

	text += is_negative;
	if (!(is_hex ? isxdigit((unsigned char)text[2])
		     : isdigit((unsigned char)*text)))
		return -EINVAL;
	errno = 0;
	*number = strtoull(text, &end, is_hex ? 16 : 10);
	if (*end)
		return -EINVAL;
	if (errno || !is_in_range(*number, is_negative, bits, is_signed))
		return -ERANGE;
	if (is_negative)
		*number = -*number;

	return 0;
}

bool payload_bytes(struct uev_output *to, const char *text, size_t size)
{
	uint8_t byte;
	size_t i;

	if (size % 2)
		return false;
	for (i = 0; i < size; i += 2) {
		if (!tool_hex(text + i, &byte))
			return false;
		tool_append(to, &byte, 1);
	}

	return true;
}

static int set_number(struct payload_field *field, const char *value,
		      size_t size, const char **reason)
{
	_cleanup_free_ char *text = tool_print("%.*s", (int)size, value);
	unsigned int bits = (unsigned int)field->size * 8;
	uint64_t number;
	int err =
		strlen(text) == size
			? payload_number(text, bits, field->is_signed, &number)
			: -EINVAL;

	/* A signed byte is negative in C, and this is the byte itself. */
	if (err == -ERANGE && field->kind == PAYLOAD_CHARACTER)
		err = payload_number(text, bits, false, &number);
	if (err == -EINVAL && field->kind == PAYLOAD_CHARACTER && size == 1) {
		number = (unsigned char)*value;
		err = 0;
	}
	*reason = err == -ERANGE ? "out of range" : "not a number";
	if (!err)
		payload_put(&field->value, number, field->size);

	return err;
}

static int set_text(struct payload_field *field, const char *value, size_t size,
		    const char **reason)
{
	*reason = "text too long";
	if (!field->is_dynamic && size >= field->size)
		return -ERANGE;
	tool_append(&field->value, value, size);
	if (field->is_dynamic)
		tool_append(&field->value, "", 1);

	return 0;
}

static int set_bytes(struct payload_field *field, const char *value,
		     size_t size, const char **reason)
{
	*reason = "not pairs of hexadecimal digits";
	if (!payload_bytes(&field->value, value, size))
		return -EINVAL;
	*reason = "another number of bytes";

	return field->is_dynamic || field->value.size == field->size ? 0
								     : -ERANGE;
}

static int set_value(struct payload_field *field, const char *value,
		     size_t size, const char **reason)
{
	switch (field->kind) {
	case PAYLOAD_TEXT:
		return set_text(field, value, size, reason);
	case PAYLOAD_BYTES:
		return set_bytes(field, value, size, reason);
	default:
		return set_number(field, value, size, reason);
	}
}

int payload_set(struct payload *payload, const char *name, size_t name_size,
		const char *value, size_t size, const char **reason)
{
	struct payload_field *field = payload->fields;
	size_t i;
	int err;

	for (i = 0; i < payload->count; i++, field++)
		if (tool_is(name, name_size, field->name))
			break;
	*reason = "no such field";
	if (i == payload->count)
		return -ENOENT;
	*reason = "given twice";
	if (field->has_value)
		return -EEXIST;
	field->value.size = 0;
	err = set_value(field, value, size, reason);
	field->has_value = !err;

	return err;
}

/* ---- Records ---- */

static size_t fixed_size(const struct payload *payload)
{
	size_t size = 0, i;

	for (i = 0; i < payload->count; i++)
		size += payload->fields[i].size;

	return size;
}

/* The value of a dynamic field; text has at least its NUL. */
static size_t dynamic_size(const struct payload_field *field)
{
	if (field->has_value)
		return field->value.size;

	return field->kind == PAYLOAD_TEXT;
}

/* Appends a field; @rest is the offset of the next dynamic value. */
static void append_field(const struct payload *payload,
			 const struct payload_field *field,
			 struct uev_output *to, size_t start, size_t *rest)
{
	size_t size = field->has_value ? field->value.size : 0;
	size_t end = to->size - start + field->size, offset;

	if (field->is_dynamic) {
		size = dynamic_size(field);
		offset = field->is_relative ? *rest - end
					    : *rest + payload->header;
		payload_put(to, (uint64_t)size << LOC_SHIFT | offset, LOC_SIZE);
		*rest += size;
		return;
	}
	if (size)
		tool_append(to, field->value.text, size);
	for (; size < field->size; size++)
		tool_append(to, "", 1);
}

/* The limit of a record is less than that of a location. */
static bool is_too_large(const struct payload *payload)
{
	size_t size = fixed_size(payload), i;

	for (i = 0; i < payload->count && size <= UEV_PAYLOAD_MAX; i++)
		if (payload->fields[i].is_dynamic)
			size += dynamic_size(&payload->fields[i]);

	return size > UEV_PAYLOAD_MAX;
}

int payload_append(struct payload *payload, struct uev_output *to)
{
	size_t start = to->size, rest = fixed_size(payload), i;
	const struct payload_field *field;
	int err = is_too_large(payload) ? -E2BIG : 0;

	for (i = 0; i < payload->count && !err; i++)
		append_field(payload, &payload->fields[i], to, start, &rest);
	for (i = 0; i < payload->count && !err; i++) {
		field = &payload->fields[i];
		if (field->is_dynamic)
			tool_append(to,
				    field->has_value ? field->value.text : "",
				    dynamic_size(field));
	}
	payload_clear(payload);

	return err;
}

void payload_clear(struct payload *payload)
{
	size_t i;

	for (i = 0; i < payload->count; i++)
		payload->fields[i].has_value = false;
}

/* ---- Fields ---- */

/* The types of user_events that are numbers */
static const struct {
	const char *name;
	size_t size;
	bool is_signed;
} types[] = {
	{ "u8", 1, false },   { "s8", 1, true },
	{ "u16", 2, false },  { "s16", 2, true },
	{ "u32", 4, false },  { "s32", 4, true },
	{ "u64", 8, false },  { "s64", 8, true },
	{ "char", 1, true },  { "unsigned char", 1, false },
	{ "short", 2, true }, { "unsigned short", 2, false },
	{ "int", 4, true },   { "unsigned int", 4, false },
};

static void set_type(struct payload_field *field)
{
	const char *type = field->type;
	const char *bracket = strchr(type, '[');
	size_t i;

	if (strstr(type, "_loc ")) {
		field->is_dynamic = true;
		field->is_relative = tool_starts(type, "__rel_loc ");
		field->size = LOC_SIZE;
		field->kind = strstr(type, "_loc char[") ? PAYLOAD_TEXT
							 : PAYLOAD_BYTES;
		return;
	}
	if (bracket) {
		field->size = strtoul(bracket + 1, NULL, 10);
		field->kind = tool_starts(type, "char[") ? PAYLOAD_TEXT
							 : PAYLOAD_BYTES;
		return;
	}
	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (strcmp(types[i].name, type) == 0) {
			field->size = types[i].size;
			field->is_signed = types[i].is_signed;
			if (strcmp(type, "char") == 0)
				field->kind = PAYLOAD_CHARACTER;
			return;
		}
}

/* Adds "TYPE NAME", or "struct TYPE NAME SIZE", of @size bytes. */
static void add_field(struct payload *payload, const char *text, size_t size)
{
	_cleanup_free_ char *copy = tool_print("%.*s", (int)size, text);
	struct payload_field *field;
	char *last;

	field = tool_add(payload->fields, payload->count);
	*field = (struct payload_field){ 0 };
	last = strrchr(copy, ' ');
	if (tool_starts(copy, "struct ")) {
		field->kind = PAYLOAD_BYTES;
		field->size = strtoul(last + 1, NULL, 10);
		*last = '\0';
		last = strrchr(copy, ' ');
	}
	field->name = tool_copy(last + 1);
	*last = '\0';
	field->type = tool_copy(copy);
	if (field->kind != PAYLOAD_BYTES)
		set_type(field);
}

void payload_init(struct payload *payload, const char *command)
{
	size_t size = strcspn(command, " ");

	*payload = (struct payload){ 0 };
	for (command += size; *command; command += size) {
		command += strspn(command, " ;");
		size = strcspn(command, ";");
		if (size)
			add_field(payload, command, size);
	}
}

bool payload_needs_header(const struct payload *payload)
{
	size_t i;

	for (i = 0; i < payload->count; i++)
		if (payload->fields[i].is_dynamic &&
		    !payload->fields[i].is_relative)
			return true;

	return false;
}

void payload_release(struct payload *payload)
{
	size_t i;

	for (i = 0; i < payload->count; i++) {
		free(payload->fields[i].name);
		free(payload->fields[i].type);
		uev_output_release(&payload->fields[i].value);
	}
	free(payload->fields);
	*payload = (struct payload){ 0 };
}
