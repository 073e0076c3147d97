// SPDX-License-Identifier: MIT
#include "events/definitions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/decode.h>

#include "events/rights.h"
#include "terminal.h"
#include "tool.h"

#define SPACE " \t\r\n\v\f"

/* Prefix of lines in dynamic_events. */
#define PREFIX "u:"

/* Columns of a text that are shown with a caret: a line of 80 columns. */
#define MARK_COLUMNS 72

/* Tests whether it is only the name of an EventHeader tracepoint. */
static bool is_eventheader(const char *text)
{
	struct uev_eventheader_name parts;

	return !text[strcspn(text, SPACE ";")] &&
	       !uev_eventheader_name_parse(&parts, text);
}

static const char *skip_prefix(const char *text)
{
	text += strspn(text, SPACE);
	if (tool_skip(&text, PREFIX))
		text += strspn(text, SPACE);

	return text;
}

/*
 * Finds an array as in C, which the kernel takes for one element with a name such
 * as "path[16]". Return: its bracket, or NULL
 */
static const char *find_c_array(const char *text)
{
	const char *at = strchr(text, '[');

	/* A type has a name after it. */
	while (at && at[strcspn(at, " ;")] == ' ')
		at = strchr(at + 1, '[');

	return at;
}

int definition_read(char *command, const char *text, size_t *offset,
		    const char **reason)
{
	_cleanup_free_ char *plain = NULL;
	_cleanup_free_ char *copy = NULL;
	const char *begin = skip_prefix(text), *comment, *array;
	size_t length;
	int err;

	length = strlen(begin);
	while (length && strchr(SPACE, begin[length - 1]))
		length--;
	comment = memchr(begin, '#', length);
	if (comment) {
		*offset = (size_t)(comment - text);
		*reason = "'#' starts a comment";
		return -EINVAL;
	}

	plain = tool_print("%.*s", (int)length, begin);
	copy = tool_print("%s%s", plain,
			  is_eventheader(plain) ? " " UEV_EVENTHEADER_TYPES
						: "");
	err = uev_command_parse(command, copy, offset, reason);
	array = err ? NULL : find_c_array(plain);
	if (array) {
		*offset = (size_t)(array - plain);
		*reason = "the size of an array follows its type";
		err = -EINVAL;
	}
	if (err)
		*offset += (size_t)(begin - text);

	return err;
}

/* Tests whether a byte starts a character, which usually takes one column. */
static bool is_first(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Moves @at back by at most @columns, to the start of a character. */
static size_t move_back(const char *text, size_t at, size_t columns)
{
	while (at && (columns || !is_first(text[at]))) {
		at--;
		if (columns)
			columns -= is_first(text[at]);
	}

	return at;
}

/* Moves @at forward by at most @columns, to the start of a character. */
static size_t move_forward(const char *text, size_t at, size_t columns)
{
	while (text[at] && (columns || !is_first(text[at])))
		columns -= is_first(text[at++]);

	return at;
}

char *definition_mark(const char *text, size_t offset)
{
	_cleanup_(uev_output_release) struct uev_output shown = UEV_OUTPUT_INIT;
	size_t first = move_back(text, offset, MARK_COLUMNS / 2);
	size_t last = move_forward(text, first, MARK_COLUMNS);
	const char *before, *after;
	size_t columns;
	char *mark;

	/* Shows more of the start if little follows the error. */
	first = move_back(text, last, MARK_COLUMNS);
	before = first ? "..." : "";
	after = text[last] ? "..." : "";
	offset = move_back(text, offset, 0);
	terminal_append(&shown, text + first, offset - first);
	columns = strlen(before) + terminal_width(shown.text, shown.size);
	terminal_append(&shown, text + offset, last - offset);
	mark = tool_print("  %s%s%s\n  %*s^\n", before, shown.text, after,
			  (int)columns, "");

	return mark;
}

char *definition_place(const char *source, size_t line)
{
	if (!source)
		return tool_copy("");

	return line ? tool_print("%s:%zu: ", source, line)
		    : tool_print("%s: ", source);
}

static void print_problem(const char *text, size_t offset, const char *reason,
			  const char *source, size_t line)
{
	_cleanup_free_ char *mark = definition_mark(text, offset);
	_cleanup_free_ char *place = definition_place(source, line);

	tool_error("%s%s", place, reason);
	fputs(mark, stderr);
}

/*
 * Reads a definition that can have rights. @fresh receives its command and
 * rights.
 *
 * Return: as definition_read()
 */
static int read_whole(struct definition *fresh, const char *text,
		      size_t *offset, const char **reason)
{
	const char *name = skip_prefix(text),
		   *end = name + strcspn(name, SPACE);
	const char *colon = memchr(name, ':', (size_t)(end - name));
	/* Without a name, it is an error as any other. */
	bool has_rights = colon && colon != name;
	size_t length = has_rights ? (size_t)(end - colon) : 0;
	_cleanup_free_ char *rights =
		has_rights ? rights_read(colon + 1, length - 1, offset, reason)
			   : tool_copy("");
	_cleanup_free_ char *plain = NULL;
	int err;

	if (!rights) {
		*offset += (size_t)(colon + 1 - text);
		return -EINVAL;
	}
	plain = tool_print("%.*s%s", (int)(end - text - (long)length), text,
			   end);
	err = definition_read(fresh->command, plain, offset, reason);
	if (!err)
		fresh->rights = memory_pass(rights);
	if (err && has_rights && *offset > (size_t)(colon - text))
		*offset += length;

	return err;
}

char *definition_line(const struct definition *definition)
{
	size_t length = strlen(definition->name);

	return tool_print("%s%s%s", definition->name, definition->rights,
			  definition->command + length);
}

static bool are_equal(const struct definition *one,
		      const struct definition *other)
{
	return strcmp(one->command, other->command) == 0 &&
	       strcmp(one->rights, other->rights) == 0;
}

/* Tests whether another definition of the name differs. */
static bool contradicts_earlier(const struct definitions *definitions,
				const struct definition *fresh, bool *is_there)
{
	size_t i;

	*is_there = false;
	for (i = 0; i < definitions->count; i++) {
		const struct definition *other = &definitions->definitions[i];

		if (strcmp(other->name, fresh->name) != 0)
			continue;
		*is_there = are_equal(other, fresh);
		if (*is_there || !definitions->has_forms)
			return !*is_there;
	}

	return false;
}

static void definition_release(struct definition *definition)
{
	free(definition->name);
	free(definition->rights);
	free(definition->source);
}

bool definitions_add(struct definitions *definitions, const char *text,
		     const char *source, size_t line)
{
	struct definition fresh = { .line = line };
	size_t offset = 0;
	const char *reason;
	bool is_there;

	if (read_whole(&fresh, text, &offset, &reason)) {
		print_problem(text, offset, reason, source, line);
		return false;
	}
	fresh.name = tool_print("%.*s", (int)strcspn(fresh.command, " "),
				fresh.command);
	if (contradicts_earlier(definitions, &fresh, &is_there)) {
		offset = (size_t)(strstr(text, fresh.name) - text);
		print_problem(
			text, offset,
			"event already defined with other fields or rights",
			source, line);
		definition_release(&fresh);
		return false;
	}
	if (is_there) {
		definition_release(&fresh);
		return true;
	}
	fresh.source = source ? tool_copy(source) : NULL;
	*tool_add(definitions->definitions, definitions->count) = fresh;

	return true;
}

size_t definitions_add_text(struct definitions *definitions, const char *text,
			    const char *source)
{
	_cleanup_free_ char *copy = tool_copy(text);
	char *rest = copy, *at;
	size_t line, bad = 0;

	for (line = 1; (at = strsep(&rest, "\n")); line++) {
		at[strcspn(at, "#")] = '\0';
		if (at[strspn(at, SPACE)])
			bad += !definitions_add(definitions, at, source, line);
	}

	return bad;
}

/* PROVIDER_LlevelKkeyword */
bool definition_resembles_eventheader(const struct definition *definition)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at = definition->name;
	size_t count;

	if (strcmp(definition->command, definition->name) != 0)
		return false;
	while ((at = strstr(at, "_L"))) {
		at += strlen("_L");
		count = strspn(at, digits);
		if (count && at[count] == 'K')
			return true;
	}

	return false;
}

void definitions_free(struct definitions *definitions)
{
	size_t i;

	for (i = 0; i < definitions->count; i++)
		definition_release(&definitions->definitions[i]);
	free(definitions->definitions);
	memset(definitions, 0, sizeof(*definitions));
}
