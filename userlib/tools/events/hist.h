/* SPDX-License-Identifier: MIT */
/*
 * user-events: the texts of the kernel's hist triggers that count for us: a line
 * of the file trigger, and the file hist.
 */
#ifndef USER_EVENTS_EVENTS_HIST_H
#define USER_EVENTS_EVENTS_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of the kernel, which also counts the records of each key */
#define HIST_KEYS_MAX 3
#define HIST_SUMS_MAX 2
#define HIST_ENTRIES_MIN 128
#define HIST_ENTRIES_MAX 131072

/* Bytes of all keys together, each of which takes a multiple of 8 */
#define HIST_KEY_ROOM 384

/* Longest name of a counter */
#define HIST_NAME_MAX 64

/*
 * Starts the names of our triggers, which can end with HIST_BASE and a number.
 * Others are never touched.
 */
#define HIST_PREFIX "user_events_count."
#define HIST_BASE "+"

/*
 * struct hist_field - A key, or a field that is added up
 * @size: bytes of a number
 */
struct hist_field {
	char *name;
	bool is_text;
	bool is_signed;
	unsigned int size;
};

/*
 * struct hist - A trigger; released with hist_release()
 * @name: its name without HIST_PREFIX and HIST_BASE
 * @base: what the module had counted at the start; see struct counter_request
 * @line: the whole line
 * @filter: the condition; NULL without one
 * @entries: the maximum number of different keys
 */
struct hist {
	char *name;
	uint64_t base;
	char *line;
	char *filter;
	struct hist_field keys[HIST_KEYS_MAX];
	size_t key_count;
	struct hist_field sums[HIST_SUMS_MAX];
	size_t sum_count;
	uint64_t entries;
};

/* Tests for 1 to HIST_NAME_MAX letters, digits, '_', '-' and '.'. */
bool hist_is_name(const char *name);

/*
 * hist_parse() - Parses a line of the file trigger
 * @line: without its newline
 *
 * The types of the fields are not in it, and are not set.
 *
 * Return: whether it is one of our triggers; if not, there is nothing to release
 */
bool hist_parse(struct hist *hist, const char *line);
void hist_release(struct hist *hist);

/* Removes HIST_BASE and its number from a trigger of ours. */
void hist_drop_base(char *trigger);

/* Returns the name of a key that users know: "tid" and "cpu" are the kernel's. */
const char *hist_key_name(const struct hist_field *key);

/* Returns the kernel's name of "tid" and "cpu", or NULL for others. */
const char *hist_common_name(const char *name);

/*
 * struct hist_entry - Records with the same keys
 * @keys: for each key, its text, or its number as a text
 * @count: number of records
 * @sums: for each sum, its 64 bits
 */
struct hist_entry {
	char *keys[HIST_KEYS_MAX];
	uint64_t count;
	uint64_t sums[HIST_SUMS_MAX];
};

/*
 * struct hist_values - What a trigger has counted; released with
 * hist_values_release()
 * @entries: the most frequent keys first
 * @lost: records that it could not count, because there were too many different
 *        keys
 * @too_large: records of the event that were too large for ftrace since it was
 *        started, set by counter_read(); 0 if that is not known. The kernel runs
 *        no triggers for them, and does not test filters.
 */
struct hist_values {
	struct hist_entry *entries;
	size_t count;
	uint64_t lost;
	uint64_t too_large;
};

/*
 * hist_read() - Parses the part of a trigger in the file hist
 * @hist: the trigger, with the types of its fields
 * @triggers: number of hist triggers of the event
 * @text: the file
 *
 * Texts in keys can have any bytes, and the file does not quote them. A file
 * that has more than one meaning is malformed. Spaces at the end of a text are
 * not part of it: the file has columns.
 *
 * Return: 0; -EBADMSG if the text is malformed, or has other triggers
 */
int hist_read(struct hist_values *values, const struct hist *hist,
	      size_t triggers, const char *text);
void hist_values_release(struct hist_values *values);

#endif
