// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats a record for ``trace``: each field with its value.
 */
#include "emit/print_record.h"

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "compat/unaligned.h"
#include "event/user_event.h"

/**
 * struct record_view - a record in a trace buffer
 * @seq: output
 * @entry: its bytes, which another event may have written
 * @size: number of its bytes
 */
struct record_view {
	struct trace_seq *seq;
	const u8 *entry;
	size_t size;
};

static void print_number(const struct record_view *view,
			 const struct event_field *field)
{
	const u8 *at = view->entry + field->offset;
	u64 value;

	switch (field->size) {
	case 1:
		if (isprint(*at))
			trace_seq_printf(view->seq, "'%c'", *at);
		trace_seq_printf(view->seq, "(%u)", *at);
		break;
	case 2:
		value = get_unaligned((const u16 *)at);
		trace_seq_printf(view->seq, "0x%x (%u)", (u16)value,
				 (u16)value);
		break;
	case 4:
		value = get_unaligned((const u32 *)at);
		trace_seq_printf(view->seq, "0x%x (%d)", (u32)value,
				 (s32)value);
		break;
	case 8:
		value = get_unaligned((const u64 *)at);
		trace_seq_printf(view->seq, "0x%llx (%lld)", value, (s64)value);
		break;
	default:
		trace_seq_puts(view->seq, "<INVALID-SIZE>");
	}
}

static void print_bytes(const struct record_view *view, size_t start,
			size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		trace_seq_printf(view->seq, "%s%02x", i ? "," : "",
				 view->entry[start + i]);
}

static void print_text(const struct record_view *view, size_t start,
		       size_t size)
{
	const u8 *text = view->entry + start;
	size_t i;

	/*
	 * Prints control characters as dots, so that a record cannot forge
	 * another line.
	 */
	for (i = 0; i < size && text[i]; i++)
		trace_seq_putc(view->seq, iscntrl(text[i]) ? '.' : text[i]);
}

static void print_loc(const struct record_view *view,
		      const struct event_field *field)
{
	u32 word = get_unaligned((const u32 *)(view->entry + field->offset));
	size_t start = word & 0xffff;
	size_t size = word >> 16;

	if (field->kind->class == FIELD_REL_LOC)
		start += field->offset + sizeof(word);

	if (start > view->size || size > view->size - start)
		trace_seq_puts(view->seq, "<OVERFLOW>");
	else if (ue_field_type_is_dyn_string(field->kind, field->type))
		print_text(view, start, size);
	else
		print_bytes(view, start, size);
}

static void print_field(const struct record_view *view,
			const struct event_field *field)
{
	trace_seq_printf(view->seq, " %s=", field->name);

	if (field->offset + field->size > view->size) {
		trace_seq_puts(view->seq, "<OVERFLOW>");
		return;
	}

	switch (field->kind->class) {
	case FIELD_ARRAY:
		print_text(view, field->offset, field->size);
		break;
	case FIELD_DATA_LOC:
	case FIELD_REL_LOC:
		print_loc(view, field);
		break;
	default:
		print_number(view, field);
	}
}

/* More than the kernel prints before the text, and less than a few lines. */
#define MAX_PREFIX 512

/*
 * Room for what the kernel appends. The function graph tracer replaces the
 * newline with a space, the end of a comment, and a newline.
 */
#define SUFFIX_ROOM 8

/*
 * Ends a text that does not fit with dots. Without this, the kernel prints only
 * that the line is too big. Before Linux 6.2 and stable kernels of January 2023
 * (commit c1ac03af6ed4, "tracing: Fix infinite loop in tracing_read_pipe on
 * overflowed print_trace_line"), a read of trace_pipe printed such a record
 * again and again, and did not return.
 *
 * If other lines are in the buffer, the kernel first prints them, and then calls
 * with an empty buffer.
 */
static void cut_text(struct trace_seq *seq, size_t start)
{
	static const char end[] = "...\n";
	const size_t limit = seq->seq.size - SUFFIX_ROOM;
	const bool fits = !trace_seq_has_overflowed(seq) &&
			  trace_seq_used(seq) <= limit;

	if (fits || start > MAX_PREFIX)
		return;

	seq->full = 0;
	seq->seq.len = min_t(size_t, seq->seq.len, limit - sizeof(end));
	trace_seq_puts(seq, end);
}

/**
 * ue_print_record - Formats a record
 * @iter: the record and the output
 * @flags: unused
 * @trace_event: the event that has this type number now
 *
 * Return: whether the text fitted. A text that does not fit in an empty buffer is
 *	   cut.
 */
enum print_line_t ue_print_record(struct trace_iterator *iter, int flags,
				  struct trace_event *trace_event)
{
	const struct user_event *event =
		container_of(trace_event, struct user_event, call.event);
	const struct event_desc *desc = event->desc;
	const struct record_view view = {
		.seq = &iter->seq,
		.entry = (const u8 *)iter->ent,
		.size = iter->ent_size,
	};
	const size_t start = trace_seq_used(&iter->seq);
	u32 i;

	trace_seq_printf(&iter->seq, "%s:", user_event_name(event));

	if (!desc->nr_fields)
		trace_seq_puts(&iter->seq, "No fields found");

	for (i = 0; i < desc->nr_fields; i++)
		print_field(&view, &desc->fields[i]);

	trace_seq_putc(&iter->seq, '\n');
	cut_text(&iter->seq, start);

	return trace_handle_return(&iter->seq);
}
