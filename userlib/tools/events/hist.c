// SPDX-License-Identifier: MIT
#include "events/hist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

#define NAME "hist:name=" HIST_PREFIX

/* Before each trigger in the file hist */
#define HEADER "# event histogram\n#\n# trigger info: "

/* The kernel prints keys in columns. */
#define TEXT_WIDTH 50
#define NUMBER_WIDTH 10

/* More than the kernel's limits of an entry: of its keys, and of its names */
#define ENTRY_MAX 16384

#define WORD                                   \
	"0123456789abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define NAME_LETTERS WORD "-."

/* Metadata of records, as other commands name it */
static const struct {
	const char *name;
	const char *kernel;
} common[] = {
	{ "tid", "common_pid" },
	{ "cpu", "common_cpu" },
};

/* A part of a text that is parsed */
struct part {
	const char *at;
	const char *end;
};

/* Skips @text. Return: whether the part starts with it */
static bool skip_text(struct part *part, const char *text)
{
	size_t size = strlen(text);

	if ((size_t)(part->end - part->at) < size ||
	    memcmp(part->at, text, size) != 0)
		return false;
	part->at += size;

	return true;
}

/* Skips a decimal number without spaces. Return: whether there is one */
static bool skip_number(struct part *part, uint64_t *number)
{
	const char *start = part->at;
	uint64_t value = 0;
	unsigned int digit;

	for (; part->at < part->end && *part->at >= '0' && *part->at <= '9';
	     part->at++) {
		digit = (unsigned int)(*part->at - '0');
		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;

	return part->at > start;
}

/* Skips a number that is aligned to the right. */
static bool skip_column(struct part *part, uint64_t *number)
{
	const char *start = part->at;

	while (part->at < part->end && *part->at == ' ')
		part->at++;
	if (!skip_number(part, number))
		return false;

	return part->at - start == NUMBER_WIDTH ||
	       (*start != ' ' && part->at - start > NUMBER_WIDTH);
}

/* ---- Triggers ---- */

static bool add_field(struct hist_field *fields, size_t *count, size_t max,
		      struct part *part)
{
	size_t size = strspn(part->at, WORD);

	if (!size || *count == max)
		return false;
	fields[(*count)++].name = tool_print("%.*s", (int)size, part->at);
	part->at += size;

	return true;
}

static bool parse_keys(struct hist *hist, struct part *part)
{
	do {
		if (!add_field(hist->keys, &hist->key_count, HIST_KEYS_MAX,
			       part))
			return false;
	} while (skip_text(part, ","));

	return true;
}

static bool parse_sums(struct hist *hist, struct part *part)
{
	while (skip_text(part, ","))
		if (!add_field(hist->sums, &hist->sum_count, HIST_SUMS_MAX,
			       part))
			return false;

	return true;
}

/* " if FILTER" without the state behind it, which is "active" or "paused" */
static bool parse_filter(struct hist *hist, struct part *part)
{
	static const char state[] = " [active]";
	const char *end = part->end - strlen(state);

	if (end < part->at ||
	    (strcmp(end, state) != 0 && strcmp(end, " [paused]") != 0))
		return false;
	if (part->at == end)
		return true;
	if (!skip_text(part, " if "))
		return false;
	hist->filter = tool_print("%.*s", (int)(end - part->at), part->at);

	return true;
}

static bool parse_words(struct hist *hist, const char *line)
{
	struct part part = { line, line + strlen(line) };
	size_t size;

	if (!skip_text(&part, NAME))
		return false;
	size = strspn(part.at, NAME_LETTERS);
	hist->name = tool_print("%.*s", (int)size, part.at);
	part.at += size;
	if (skip_text(&part, HIST_BASE) && !skip_number(&part, &hist->base))
		return false;

	return size && skip_text(&part, ":keys=") && parse_keys(hist, &part) &&
	       skip_text(&part, ":vals=hitcount") && parse_sums(hist, &part) &&
	       skip_text(&part, ":sort=hitcount:size=") &&
	       skip_number(&part, &hist->entries) && parse_filter(hist, &part);
}

bool hist_is_name(const char *name)
{
	size_t size = strlen(name);

	return size && size <= HIST_NAME_MAX &&
	       strspn(name, NAME_LETTERS) == size;
}

bool hist_parse(struct hist *hist, const char *line)
{
	*hist = (struct hist){ .line = tool_copy(line) };
	if (parse_words(hist, line))
		return true;
	hist_release(hist);

	return false;
}

void hist_release(struct hist *hist)
{
	size_t i;

	for (i = 0; i < hist->key_count; i++)
		free(hist->keys[i].name);
	for (i = 0; i < hist->sum_count; i++)
		free(hist->sums[i].name);
	free(hist->name);
	free(hist->line);
	free(hist->filter);
	*hist = (struct hist){ 0 };
}

void hist_drop_base(char *trigger)
{
	struct part part = { trigger, trigger + strlen(trigger) };
	char *base;
	uint64_t number;

	if (!skip_text(&part, NAME))
		return;
	part.at += strspn(part.at, NAME_LETTERS);
	base = trigger + (part.at - trigger);
	if (skip_text(&part, HIST_BASE) && skip_number(&part, &number))
		memmove(base, part.at, (size_t)(part.end - part.at) + 1);
}

const char *hist_key_name(const struct hist_field *key)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(common); i++)
		if (strcmp(key->name, common[i].kernel) == 0)
			return common[i].name;

	return key->name;
}

const char *hist_common_name(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(common); i++)
		if (strcmp(name, common[i].name) == 0)
			return common[i].kernel;

	return NULL;
}

/* ---- Keys ---- */

/*
 * Text is padded with spaces. One that is wider than its column can end with
 * spaces, but the kernel cannot tell them from padding in others.
 */
static char *text_of(const struct part *value)
{
	const char *end = value->end;

	if (end - value->at < TEXT_WIDTH || end - value->at > HIST_KEY_ROOM)
		return NULL;
	while (end > value->at && end[-1] == ' ')
		end--;

	return tool_print("%.*s", (int)(end - value->at), value->at);
}

/* The kernel prints all numbers as unsigned ones of 64 bits. */
static char *number_of(const struct hist_field *field, struct part value)
{
	unsigned int shift = field->size < 8 ? 64 - 8 * field->size : 0;
	uint64_t number;

	if (!skip_column(&value, &number) || value.at != value.end)
		return NULL;
	if (!field->is_signed)
		return number << shift >> shift == number
			       ? tool_print("%" PRIu64, number)
			       : NULL;

	return tool_print("%" PRId64, (int64_t)(number << shift) >> shift);
}

static char *value_of(const struct hist_field *key, const struct part *value)
{
	return key->is_text ? text_of(value) : number_of(key, *value);
}

/*
 * struct split - A way to split "NAME: VALUE, NAME: VALUE" into values
 * @end: end of the text
 * @next: for each key, where the search for the end of its value goes on
 */
struct split {
	const struct hist *hist;
	const char *end;
	struct part values[HIST_KEYS_MAX];
	const char *next[HIST_KEYS_MAX];
};

static bool is_last(const struct split *split, size_t index)
{
	return index + 1 == split->hist->key_count;
}

static bool is_value(const struct split *split, size_t index)
{
	_cleanup_free_ char *value =
		value_of(&split->hist->keys[index], &split->values[index]);

	return value;
}

/* Starts a key with its name. Return: whether the name is there */
static bool start_key(struct split *split, size_t index, const char *at)
{
	struct part part = { at, split->end };

	if (!skip_text(&part, split->hist->keys[index].name) ||
	    !skip_text(&part, ": "))
		return false;
	split->values[index] = part;
	split->next[index] = part.at;

	return true;
}

/* Ends the value at the next comma with which it is valid, and starts a key. */
static bool end_value(struct split *split, size_t index)
{
	static const char comma[] = ", ";
	const char *at;

	while ((at = memmem(split->next[index],
			    (size_t)(split->end - split->next[index]), comma,
			    strlen(comma)))) {
		split->values[index].end = at;
		split->next[index] = at + strlen(comma);
		if (is_value(split, index) &&
		    start_key(split, index + 1, split->next[index]))
			return true;
	}

	return false;
}

/*
 * Tries all ways to split a text. @keys is set to the values of the first.
 *
 * Return: their number, or 2 if there are more
 */
static unsigned int split_keys(const struct hist *hist, struct part text,
			       char **keys)
{
	struct split split = { .hist = hist, .end = text.end };
	size_t index = 0, i;
	unsigned int ways = 0;

	if (!start_key(&split, 0, text.at))
		return 0;
	while (ways < 2) {
		if (!is_last(&split, index) && end_value(&split, index)) {
			index++;
			continue;
		}
		if (is_last(&split, index) && is_value(&split, index) &&
		    !ways++)
			for (i = 0; i < hist->key_count; i++)
				keys[i] = value_of(&hist->keys[i],
						   &split.values[i]);
		if (!index--)
			break;
	}

	return ways;
}

/* ---- Entries ---- */

static void free_keys(char **keys)
{
	size_t i;

	for (i = 0; i < HIST_KEYS_MAX; i++)
		free(keys[i]);
}

/* "} hitcount: N  SUM: N". Return: whether it is that */
static bool parse_numbers(struct hist_entry *entry, const struct hist *hist,
			  struct part part)
{
	size_t i;

	if (!skip_text(&part, "} hitcount: ") ||
	    !skip_column(&part, &entry->count))
		return false;
	for (i = 0; i < hist->sum_count; i++)
		if (!skip_text(&part, "  ") ||
		    !skip_text(&part, hist->sums[i].name) ||
		    !skip_text(&part, ": ") ||
		    !skip_column(&part, &entry->sums[i]))
			return false;

	return part.at == part.end;
}

/* "{ KEYS } NUMBERS" with one meaning; newlines can be in keys. */
static bool parse_entry(struct hist_entry *entry, const struct hist *hist,
			struct part part)
{
	char *keys[HIST_KEYS_MAX] = { NULL };
	const char *brace = memrchr(part.at, '}', (size_t)(part.end - part.at));
	struct part numbers = { brace, part.end };

	if (!brace || brace - part.at < 3 || brace[-1] != ' ' ||
	    !parse_numbers(entry, hist, numbers) || !skip_text(&part, "{ "))
		return false;
	part.end = brace - 1;
	if (split_keys(hist, part, keys) != 1) {
		free_keys(keys);
		return false;
	}
	memcpy(entry->keys, keys, sizeof(keys));

	return true;
}

/* Takes the entry at the start of a text. Return: whether there is one */
static bool take_entry(struct hist_values *values, const struct hist *hist,
		       struct part *part)
{
	struct hist_entry entry = { .count = 0 };
	size_t size = (size_t)(part->end - part->at);
	const char *newline = part->at,
		   *end = newline + (size < ENTRY_MAX ? size : ENTRY_MAX);

	while ((newline = memchr(newline, '\n', (size_t)(end - newline)))) {
		if (parse_entry(&entry, hist,
				(struct part){ part->at, newline })) {
			*tool_add(values->entries, values->count) = entry;
			part->at = newline + 1;
			return true;
		}
		newline++;
	}

	return false;
}

static bool parse_totals(struct hist_values *values, struct part *part,
			 uint64_t *entries)
{
	uint64_t hits;

	return skip_text(part, "\nTotals:\n    Hits: ") &&
	       skip_number(part, &hits) && skip_text(part, "\n    Entries: ") &&
	       skip_number(part, entries) &&
	       skip_text(part, "\n    Dropped: ") &&
	       skip_number(part, &values->lost) && skip_text(part, "\n") &&
	       part->at == part->end;
}

static bool parse_values(struct hist_values *values, const struct hist *hist,
			 struct part part)
{
	uint64_t entries;

	/* The parser must not take a key for the totals. */
	while (part.at < part.end && *part.at == '{')
		if (!take_entry(values, hist, &part))
			return false;

	return parse_totals(values, &part, &entries) &&
	       entries == values->count;
}

/* ---- Order ---- */

static int compare_keys(const void *a, const void *b)
{
	const struct hist_entry *one = a, *other = b;
	int order = 0;
	size_t i;

	for (i = 0; !order && i < HIST_KEYS_MAX && one->keys[i]; i++)
		order = strcmp(one->keys[i], other->keys[i]);

	return order;
}

static int compare_counts(const void *a, const void *b)
{
	const struct hist_entry *one = a, *other = b;

	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;

	return compare_keys(a, b);
}

/* Adds up texts that differ only in spaces at their end. */
static void merge_entries(struct hist_values *values)
{
	struct hist_entry *last = values->entries, *entry;
	size_t i, j;

	for (i = 1; i < values->count; i++) {
		entry = &values->entries[i];
		if (compare_keys(last, entry)) {
			*++last = *entry;
			continue;
		}
		last->count += entry->count;
		for (j = 0; j < HIST_SUMS_MAX; j++)
			last->sums[j] += entry->sums[j];
		free_keys(entry->keys);
	}
	values->count = (size_t)(last - values->entries) + 1;
}

static void sort_entries(struct hist_values *values)
{
	if (!values->count)
		return;
	tool_sort(values->entries, values->count, compare_keys);
	merge_entries(values);
	tool_sort(values->entries, values->count, compare_counts);
}

/* ---- The file ---- */

/*
 * Finds the part of a trigger, from its first entry on. @count is set to the
 * number of triggers.
 *
 * Return: how often it is there
 */
static unsigned int find_part(struct part *part, const struct hist *hist,
			      const char *text, size_t *count)
{
	size_t size = strlen(hist->line);
	const char *next = text;
	unsigned int found = 0;

	*count = 0;
	if (!tool_starts(text, HEADER))
		return 0;
	while (next) {
		text = next + strlen(HEADER);
		next = strstr(text, "\n\n\n" HEADER);
		if (strncmp(text, hist->line, size) == 0 &&
		    text[size] == '\n') {
			part->at = text + size + 1;
			part->end = next ? next + 1 : text + strlen(text);
			found++;
		}
		next = next ? next + 3 : NULL;
		++*count;
	}

	return found;
}

int hist_read(struct hist_values *values, const struct hist *hist,
	      size_t triggers, const char *text)
{
	struct part part = { 0 };
	unsigned int found;
	size_t count;

	*values = (struct hist_values){ 0 };
	found = find_part(&part, hist, text, &count);
	/* More if a key has the text of a trigger. */
	if (found == 1 && count == triggers && skip_text(&part, "#\n\n") &&
	    parse_values(values, hist, part)) {
		sort_entries(values);
		return 0;
	}
	hist_values_release(values);

	return -EBADMSG;
}

void hist_values_release(struct hist_values *values)
{
	size_t i;

	for (i = 0; i < values->count; i++)
		free_keys(values->entries[i].keys);
	free(values->entries);
	*values = (struct hist_values){ 0 };
}
