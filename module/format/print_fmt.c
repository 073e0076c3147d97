// SPDX-License-Identifier: GPL-2.0-only
#include "format/print_fmt.h"

#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "format/fields.h"

/*
 * Writes a text twice, the first time without a buffer to compute its length.
 */
struct text_writer {
	char *buf;
	size_t size;
	size_t len;
};

static __printf(2, 3) void writer_add(struct text_writer *writer,
				      const char *format, ...)
{
	char *at = writer->buf ? writer->buf + writer->len : NULL;
	size_t room = writer->buf ? writer->size - writer->len : 0;
	va_list args;

	va_start(args, format);
	writer->len += vsnprintf(at, room, format, args);
	va_end(args);
}

typedef void (*text_fn)(struct text_writer *writer,
			const struct event_desc *desc);

static char *write_text(text_fn fn, const struct event_desc *desc)
{
	struct text_writer writer = {};

	fn(&writer, desc);

	writer.size = writer.len + 1;
	writer.len = 0;
	writer.buf = kmalloc(writer.size, GFP_KERNEL_ACCOUNT);
	if (!writer.buf)
		return NULL;

	/* Without fields the function may write nothing. */
	writer.buf[0] = '\0';
	fn(&writer, desc);

	return writer.buf;
}

static void write_value(struct text_writer *writer,
			const struct event_field *field)
{
	if (!ue_field_type_is_dyn_string(field->kind, field->type))
		writer_add(writer, ", REC->%s", field->name);
	else if (field->kind->class == FIELD_DATA_LOC)
		writer_add(writer, ", __get_str(%s)", field->name);
	else
		writer_add(writer, ", __get_rel_str(%s)", field->name);
}

static void write_print_fmt(struct text_writer *writer,
			    const struct event_desc *desc)
{
	const struct event_field *field;
	u32 i;

	writer_add(writer, "\"");
	for (i = 0; i < desc->nr_fields; i++) {
		field = &desc->fields[i];
		writer_add(writer, "%s%s=%s", i ? " " : "", field->name,
			   ue_field_type_format(field->kind, field->type));
	}
	writer_add(writer, "\"");

	for (i = 0; i < desc->nr_fields; i++)
		write_value(writer, &desc->fields[i]);
}

static void write_fields(struct text_writer *writer,
			 const struct event_desc *desc)
{
	const struct event_field *field;
	u32 i;

	for (i = 0; i < desc->nr_fields; i++) {
		field = &desc->fields[i];
		writer_add(writer, "%s%s %s", i ? "; " : "", field->type,
			   field->name);
		if (field->kind->class == FIELD_STRUCT)
			writer_add(writer, " %u", field->size);
	}
}

/**
 * ue_desc_print_fmt - Formats ``print fmt`` of the format file
 * @desc: the event
 *
 * Return: the text, to be freed with kfree(), or NULL if out of memory.
 */
char *ue_desc_print_fmt(const struct event_desc *desc)
{
	return write_text(write_print_fmt, desc);
}

/**
 * ue_desc_text - Formats the fields as dynamic_events lists them
 * @desc: the event
 *
 * Return: "type name[ size]; ...", empty for an event without fields, to be
 *	   freed with kfree(); or NULL if out of memory.
 */
char *ue_desc_text(const struct event_desc *desc)
{
	return write_text(write_fields, desc);
}
