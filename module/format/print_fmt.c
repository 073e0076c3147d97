// SPDX-License-Identifier: GPL-2.0-only
#include "format/print_fmt.h"

#include <linux/kernel.h>
#include <linux/string.h>

#include "format/fields.h"

/*
 * Writes as much of a text as its buffer has room for. It only appends strings:
 * vsnprintf() took 8 % of the instructions of a new event without fields.
 */
struct text_writer {
	char *buf;
	size_t size;
	size_t len;
};

static void writer_add(struct text_writer *writer, const char *text)
{
	size_t len = strlen(text);

	if (writer->len + len < writer->size)
		memcpy(writer->buf + writer->len, text, len + 1);
	writer->len += len;
}

static void write_value(struct text_writer *writer,
			const struct event_field *field)
{
	const char *end = ")";

	if (!ue_field_type_is_dyn_string(field->kind, field->type)) {
		writer_add(writer, ", REC->");
		end = "";
	} else if (field->kind->class == FIELD_DATA_LOC) {
		writer_add(writer, ", __get_str(");
	} else {
		writer_add(writer, ", __get_rel_str(");
	}

	writer_add(writer, field->name);
	writer_add(writer, end);
}

static void write_print_fmt(struct text_writer *writer,
			    const struct event_desc *desc)
{
	const struct event_field *field;
	u32 i;

	writer_add(writer, "\"");
	for (i = 0; i < desc->nr_fields; i++) {
		field = &desc->fields[i];
		writer_add(writer, i ? " " : "");
		writer_add(writer, field->name);
		writer_add(writer, "=");
		writer_add(writer,
			   ue_field_type_format(field->kind, field->type));
	}
	writer_add(writer, "\"");

	for (i = 0; i < desc->nr_fields; i++)
		write_value(writer, &desc->fields[i]);
}

static void write_size(struct text_writer *writer, u32 size)
{
	char text[sizeof(" 4294967295")];

	snprintf(text, sizeof(text), " %u", size);
	writer_add(writer, text);
}

static void write_fields(struct text_writer *writer,
			 const struct event_desc *desc)
{
	const struct event_field *field;
	u32 i;

	for (i = 0; i < desc->nr_fields; i++) {
		field = &desc->fields[i];
		writer_add(writer, i ? "; " : "");
		writer_add(writer, field->type);
		writer_add(writer, " ");
		writer_add(writer, field->name);
		if (field->kind->class == FIELD_STRUCT)
			write_size(writer, field->size);
	}
}

/**
 * ue_desc_print_fmt - Formats ``print fmt`` of the format file
 * @desc: the event
 * @buf: buffer for the text, with NUL
 * @size: its size in bytes; 0 to compute the length
 *
 * Return: the length without NUL. If @size is not larger, @buf has a part.
 */
size_t ue_desc_print_fmt(const struct event_desc *desc, char *buf, size_t size)
{
	struct text_writer writer = { .buf = buf, .size = size };

	write_print_fmt(&writer, desc);
	return writer.len;
}

/**
 * ue_desc_text - Formats the fields as dynamic_events lists them
 * @desc: the event
 * @buf: as for ue_desc_print_fmt()
 * @size: as for ue_desc_print_fmt()
 *
 * The text is "type name[ size]; ...", empty for an event without fields.
 *
 * Return: as ue_desc_print_fmt().
 */
size_t ue_desc_text(const struct event_desc *desc, char *buf, size_t size)
{
	struct text_writer writer = { .buf = buf, .size = size };

	writer_add(&writer, "");
	write_fields(&writer, desc);
	return writer.len;
}
