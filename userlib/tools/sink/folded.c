// SPDX-License-Identifier: MIT
/*
 * user-events decode: folded stacks, the input of tools for flame graphs.
 *
 *	comm;outermost function;...;innermost function COUNT
 *
 * A line is the number of records with the same calls. Lines are written at the
 * end, or before they take too much memory; tools add up the same calls of several
 * lines. A record without a stack has only the name of its thread.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/append.h"
#include "formats/format.h"
#include "formats/stack.h"
#include "sink/formats.h"
#include "util/siphash.h"
#include "terminal.h"
#include "tool.h"

#define SLOTS 65536
/* Limit of the texts in memory */
#define BYTES_MAX ((size_t)32 << 20)

/* struct calls - The number of records with the same calls, a text */
struct calls {
	struct calls *next;
	uint64_t count;
	size_t size;
	char text[];
};

/*
 * @names: names of the functions of a record, the innermost first, with NULs
 * @starts: where each of the @depth names starts
 * @line: the calls of a record
 */
struct folded {
	struct output_file *file;
	uint64_t key[2];
	struct calls *slots[SLOTS];
	size_t count;
	size_t bytes;
	struct uev_output names;
	size_t *starts;
	size_t depth;
	struct uev_output line;
};

static int begin(struct sink *sink, const struct sink_options *options)
{
	struct folded *folded = tool_alloc(sizeof(*folded));

	(void)options;
	folded->file = sink->file;
	uev_siphash_key(folded->key, folded);
	sink->data = folded;

	return 0;
}

/* ---- Output ---- */

static int compare(const void *one, const void *other)
{
	const struct calls *a = *(struct calls *const *)one;
	const struct calls *b = *(struct calls *const *)other;

	return strcmp(a->text, b->text);
}

static void write_line(struct folded *folded, const struct calls *calls)
{
	struct uev_output *line = &folded->line;

	line->size = 0;
	tool_append(line, calls->text, calls->size);
	format_print(line, " %" PRIu64 "\n", calls->count);
	output_file_write(folded->file, line->text, line->size);
}

/* Writes all lines, sorted, and frees them. */
static void write_all(struct folded *folded, bool is_written)
{
	_cleanup_free_ struct calls **all =
		tool_alloc((folded->count + 1) * sizeof(struct calls *));
	struct calls *calls;
	size_t count = 0, i;

	for (i = 0; i < SLOTS; i++) {
		for (calls = folded->slots[i]; calls; calls = calls->next)
			all[count++] = calls;
		folded->slots[i] = NULL;
	}
	tool_sort(all, count, compare);
	for (i = 0; i < count; i++) {
		if (is_written)
			write_line(folded, all[i]);
		free(all[i]);
	}
	folded->count = 0;
	folded->bytes = 0;
}

/* ---- Records ---- */

/* A semicolon separates functions, and a newline lines. */
static void put_part(struct uev_output *to, const char *name, size_t size)
{
	size_t start = to->size;
	char *at;

	terminal_append(to, name, size);
	for (at = to->text + start; at < to->text + to->size; at++)
		if (*at == ';')
			*at = ':';
}

/* A function without a name is that of its file. */
static void take_frame(void *data, const struct stack_frame *frame)
{
	struct folded *folded = data;
	struct uev_output *names = &folded->names;
	const char *name = frame->symbol, *slash;

	*tool_add(folded->starts, folded->depth) = names->size;
	if (name) {
		put_part(names, name, strlen(name));
	} else {
		name = frame->file ? frame->file : "unknown";
		slash = strrchr(name, '/');
		name = slash ? slash + 1 : name;
		tool_put(names, "[");
		put_part(names, name, strlen(name));
		tool_put(names, "]");
	}
	tool_append(names, "", 1);
}

/* The count follows the last space, and tools split names of threads at it. */
static void put_comm(struct uev_output *to, const char *comm)
{
	size_t start = to->size;
	char *at;

	put_part(to, comm ? comm : "[unknown]",
		 strlen(comm ? comm : "[unknown]"));
	for (at = to->text + start; at < to->text + to->size; at++)
		if (*at == ' ')
			*at = '_';
}

static void set_line(struct folded *folded, const struct format_record *from)
{
	size_t i;

	folded->names.size = 0;
	folded->depth = 0;
	stack_each(from, take_frame, folded);
	folded->line.size = 0;
	put_comm(&folded->line, from->comm);
	for (i = folded->depth; i > 0; i--) {
		tool_put(&folded->line, ";");
		tool_put(&folded->line,
			 folded->names.text + folded->starts[i - 1]);
	}
}

static void count_line(struct folded *folded)
{
	const struct uev_output *line = &folded->line;
	size_t slot = uev_siphash(folded->key, line->text, line->size) % SLOTS;
	size_t bytes = sizeof(struct calls) + line->size + 1;
	struct calls *calls;

	for (calls = folded->slots[slot]; calls; calls = calls->next)
		if (calls->size == line->size &&
		    !memcmp(calls->text, line->text, line->size)) {
			calls->count++;
			return;
		}
	calls = tool_alloc(bytes);
	calls->count = 1;
	calls->size = line->size;
	memcpy(calls->text, line->text, line->size);
	calls->next = folded->slots[slot];
	folded->slots[slot] = calls;
	folded->count++;
	folded->bytes += bytes;
	if (folded->bytes > BYTES_MAX)
		write_all(folded, true);
}

static int record(void *writer, struct uev_decoder *decoder,
		  const struct format_record *from)
{
	struct folded *folded = writer;

	set_line(folded, from);
	count_line(folded);

	return format_check(decoder, from);
}

static int finish(void *writer)
{
	write_all(writer, true);

	return 0;
}

static void discard(void *writer)
{
	write_all(writer, false);
}

static void release(void *writer)
{
	struct folded *folded = writer;

	uev_output_release(&folded->names);
	uev_output_release(&folded->line);
	free(folded->starts);
	free(folded);
}

const struct sink_ops sink_folded = {
	.name = "folded",
	.summary = "stacks and their numbers, for flame graphs",
	.has_stacks = true,
	.begin = begin,
	.record = record,
	.finish = finish,
	.discard = discard,
	.release = release,
};
