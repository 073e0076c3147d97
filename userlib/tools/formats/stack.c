// SPDX-License-Identifier: MIT
#include "formats/stack.h"

#include <inttypes.h>
#include <string.h>
#include <linux/perf_event.h>

#include "formats/append.h"
#include "formats/kernel_symbols.h"
#include "formats/symbols.h"
#include "terminal.h"
#include "tool.h"
#include "ui/out.h"

/* Code that is not of a file has a name such as //anon or [vdso]. */
static void find_symbol(struct stack_frame *frame,
			const struct uev_mapping *mapping)
{
	frame->file = mapping->path;
	if (mapping->path[0] != '/' || mapping->path[1] == '/')
		return;
	frame->symbol =
		symbols_find(mapping->path,
			     frame->address - mapping->start + mapping->offset,
			     &frame->distance);
}

/* A mapping of the kernel has the name of a symbol behind its own. */
static const char *kernel_file(const struct uev_mapping *mapping)
{
	static const char kernel[] = "[kernel.kallsyms]";

	return strncmp(mapping->path, kernel, strlen(kernel)) == 0
		       ? kernel
		       : mapping->path;
}

static void find_kernel_symbol(struct stack_frame *frame,
			       const struct format_record *record)
{
	const struct uev_mapping *mapping = NULL;

	frame->file = "[kernel]";
	if (record->mapping)
		mapping = record->mapping(record->mapping_data, UEV_KERNEL_PID,
					  frame->address);
	if (!mapping)
		return;
	kernel_symbols_check();
	frame->file = kernel_file(mapping);
	frame->symbol =
		kernel_symbols_find(mapping, frame->address, &frame->distance);
}

static void read_frame(struct stack_frame *frame,
		       const struct format_record *record, uint64_t address,
		       bool is_user)
{
	const struct uev_mapping *mapping;

	*frame = (struct stack_frame){ .address = address };
	if (!is_user) {
		find_kernel_symbol(frame, record);
		return;
	}
	if (!record->mapping)
		return;
	mapping = record->mapping(record->mapping_data, record->sample->pid,
				  address);
	if (mapping)
		find_symbol(frame, mapping);
}

void stack_each(const struct format_record *record,
		void (*take)(void *data, const struct stack_frame *frame),
		void *data)
{
	const struct uev_sample *sample = record->sample;
	struct stack_frame frame;
	bool is_user = true;
	uint64_t entry;
	uint32_t i;

	for (i = 0; i < sample->stack_size; i++) {
		entry = sample->stack[i];
		if (uev_stack_is_mark(entry)) {
			is_user = entry == (uint64_t)PERF_CONTEXT_USER;
			continue;
		}
		read_frame(&frame, record, entry, is_user);
		take(data, &frame);
	}
}

static void put_name(struct uev_output *to, const char *name)
{
	terminal_append(to, name, strlen(name));
}

static void put_text(void *to, const struct stack_frame *frame)
{
	format_print(to, "\n\t%16" PRIx64 " ", frame->address);
	put_name(to, frame->symbol ? frame->symbol : "[unknown]");
	if (frame->symbol)
		format_print(to, "+0x%" PRIx64, frame->distance);
	tool_put(to, " (");
	put_name(to, frame->file ? frame->file : "[unknown]");
	tool_put(to, ")");
}

void stack_append_text(struct uev_output *to,
		       const struct format_record *record)
{
	stack_each(record, put_text, to);
}

/* struct json - The output, and what is between its parts */
struct json {
	struct uev_output *to;
	const char *space;
};

static void put_json(void *data, const struct stack_frame *frame)
{
	const struct json *json = data;
	struct uev_output *to = json->to;
	const char *space = json->space;

	out_json_comma(to);
	format_print(to, "%s{%s\"address\":%s\"0x%" PRIx64 "\"", space, space,
		     space, frame->address);
	if (frame->symbol) {
		format_print(to, ",%s\"symbol\":%s", space, space);
		tool_put_quoted(to, frame->symbol, strlen(frame->symbol));
		format_print(to, ",%s\"offset\":%s%" PRIu64, space, space,
			     frame->distance);
	}
	if (frame->file) {
		format_print(to, ",%s\"file\":%s", space, space);
		tool_put_quoted(to, frame->file, strlen(frame->file));
	}
	format_print(to, "%s}", space);
}

void stack_append_json(struct uev_output *to,
		       const struct format_record *record, bool is_compact)
{
	struct json json = { to, is_compact ? "" : " " };

	if (!record->sample->stack_size)
		return;
	format_print(to, ",%s\"stack\":%s[", json.space, json.space);
	stack_each(record, put_json, &json);
	format_print(to, "%s]",
		     to->text[to->size - 1] == '[' ? "" : json.space);
}
