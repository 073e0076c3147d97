// SPDX-License-Identifier: MIT
#include "ui/option_value.h"

#include <inttypes.h>
#include <string.h>

#include <userevents/decode.h>

/* struct unit - A unit of bytes or of milliseconds */
struct unit {
	uint64_t size;
	const char *name;
};

static const struct unit no_units[] = { { 1, "" } };
static const struct unit sizes[] = {
	{ 1 << 30, "G" },
	{ 1 << 20, "M" },
	{ 1 << 10, "K" },
	{ 1, "" },
};
static const struct unit times[] = {
	{ 24 * 3600 * 1000, "d" },
	{ 3600 * 1000, "h" },
	{ 60 * 1000, "m" },
	{ 1000, "s" },
	{ 1, "ms" },
};

/* struct kind - A kind of numbers, and how it is called in messages */
static const struct kind {
	bool (*parse)(const char *text, uint64_t *number);
	const char *what;
	const char *examples;
	const struct unit *units;
} kinds[] = {
	[TOOL_NUMBER] = { NULL, "a number", "", no_units },
	[TOOL_SIZE] = { tool_size, "a size", " such as 64M", sizes },
	[TOOL_TIME] = { tool_time, "a time", " such as 1.5, 500ms or 2h",
			times },
};

/* Appends a limit in the largest unit of which it is a multiple. */
static void append_limit(struct uev_output *to, const char *word,
			 const struct unit *unit, uint64_t limit)
{
	_cleanup_free_ char *text = NULL;

	while (limit % unit->size)
		unit++;
	text = tool_print(" %s %" PRIu64 "%s", word, limit / unit->size,
			  unit->name);
	tool_put(to, text);
}

static int report_number(const struct tool_argument *argument)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	const struct tool_value *value = &argument->option->value;
	const struct kind *kind = &kinds[value->kind];

	tool_put(&text, kind->what);
	if (value->min)
		append_limit(&text, "from", kind->units, value->min);
	if (value->max < UINT64_MAX - 1)
		append_limit(&text, "to", kind->units, value->max);
	else if (value->min)
		tool_put(&text, " on");

	return tool_invalid(argument, "%.*s%s", (int)text.size, text.text,
			    kind->examples);
}

static int set_number(const struct tool_argument *argument, uint64_t *number)
{
	const struct tool_value *value = &argument->option->value;
	const struct kind *kind = &kinds[value->kind];
	bool is_valid = kind->parse ? kind->parse(argument->text, number)
				    : tool_number(argument->text, 0, UINT64_MAX,
						  number);

	if (is_valid && *number >= value->min && *number <= value->max)
		return TOOL_OK;

	return report_number(argument);
}

/* Returns "a, b or c" of words, for free(). */
static char *list_words(const char *words)
{
	struct uev_output list = UEV_OUTPUT_INIT;
	size_t size;

	for (; *words; words += size + strspn(words + size, " ")) {
		size = strcspn(words, " ");
		if (list.size)
			tool_put(&list, words[size] ? ", " : " or ");
		tool_append(&list, words, size);
	}

	return list.text;
}

int option_value_word(const struct tool_argument *argument, unsigned int *index)
{
	const char *words = argument->option->value.words;
	_cleanup_free_ char *copy = tool_copy(words);
	_cleanup_free_ char *list = NULL;
	char *rest = copy, *word;

	for (*index = 0; (word = strsep(&rest, " ")); ++*index)
		if (strcmp(word, argument->text) == 0)
			return TOOL_OK;
	list = list_words(words);

	return tool_invalid(argument, "%s", list);
}

int option_value_set(const struct tool_argument *argument, char *members)
{
	const struct tool_value *value = &argument->option->value;
	void *member = members + value->offset;

	switch (value->kind) {
	case TOOL_TAKEN:
		return value->take(member, argument);
	case TOOL_FLAG:
		*(bool *)member = true;
		return TOOL_OK;
	case TOOL_BITS:
		*(unsigned int *)member |= value->bits;
		return TOOL_OK;
	case TOOL_VALUE:
		*(unsigned int *)member = value->bits;
		return TOOL_OK;
	case TOOL_TEXT:
		*(const char **)member = argument->text;
		return TOOL_OK;
	case TOOL_WORD:
		return option_value_word(argument, member);
	default:
		return set_number(argument, member);
	}
}
