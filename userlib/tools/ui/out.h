/* SPDX-License-Identifier: MIT */
/*
 * user-events: standard output: lines, columns and JSON.
 *
 * Colors and truncated columns are for terminals only. A failed write prints an
 * error and exits, in out_flush() at the latest, which main() calls.
 */
#ifndef USER_EVENTS_UI_OUT_H
#define USER_EVENTS_UI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "memory.h"

/*
 * When to use colors: on a terminal without NO_COLOR, always or never; in the order
 * of the words of --color
 */
enum out_color_mode {
	OUT_COLOR_AUTO = 0,
	OUT_COLOR_ALWAYS,
	OUT_COLOR_NEVER,
};

enum out_color {
	OUT_PLAIN = 0,
	OUT_BOLD,
	OUT_DIM,
	OUT_RED,
	OUT_GREEN,
	OUT_YELLOW,
	OUT_BLUE,
	OUT_CYAN,
};

void out_set_color(enum out_color_mode mode);

/* Tests whether standard output is a terminal; its width, or 0. */
bool out_is_terminal(void);
unsigned int out_columns(void);
unsigned int out_rows(void);

/* Escape sequences that start and stop a color, or "" without colors. */
const char *out_begin(enum out_color color);
const char *out_end(void);

/* As printf(); exits on failure. */
__attribute__((__format__(__printf__, 1, 2))) void out_print(const char *format,
							     ...);
void out_bytes(const void *bytes, size_t size);

/* out_text() - Prints untrusted text as terminal_append() */
void out_text(const char *text, size_t size);

/*
 * out_flush() - Writes buffered output
 *
 * For output that is read while it is produced. Exits with TOOL_FAILED on
 * failure.
 */
void out_flush(void);

/*
 * out_wait_for_reader() - Makes writes wait if standard output is not blocking, as
 * some programs make the pipes of those that they start
 */
void out_wait_for_reader(void);

/*
 * out_write_with() - Has a function write the output from now on
 * @write: returns @size; or 0, and errno is set
 */
void out_write_with(ssize_t (*write)(void *data, const char *bytes,
				     size_t size));

/* ---- Columns ---- */

/*
 * struct out_column - A column of a table
 * @title: its heading
 * @is_number: aligned to the right
 */
struct out_column {
	const char *title;
	bool is_number;
};

struct out_table;

/* Creates a table with titles; out_table_end() prints and frees it. */
struct out_table *out_table_begin(const struct out_column *columns,
				  size_t count);
/* Adds the next cell, row by row; @text is copied and escaped. */
void out_table_cell(struct out_table *table, enum out_color color,
		    const char *text);
__attribute__((__format__(__printf__, 3, 4))) void
out_table_print(struct out_table *table, enum out_color color,
		const char *format, ...);
void out_table_end(struct out_table *table);

/* ---- JSON ---- */

/*
 * Compact JSON. @key is the name of a member, and NULL in an array and at the top
 * level. A comma precedes all but the first value of an object, an array and the
 * output. Strings are converted to valid UTF-8, and NULL to null. out_json_end()
 * prints the text in one line and releases it.
 */
static inline void out_json_comma(struct uev_output *json)
{
	char last = json->size ? json->text[json->size - 1] : '[';

	if (last != '[' && last != '{')
		tool_put(json, ",");
}

/* Appends the comma and the key of a value, which follows. */
void out_json_key(struct uev_output *json, const char *key);
void out_json_object(struct uev_output *json, const char *key);
void out_json_object_end(struct uev_output *json);
void out_json_array(struct uev_output *json, const char *key);
void out_json_array_end(struct uev_output *json);
void out_json_string(struct uev_output *json, const char *key,
		     const char *text);
void out_json_string_n(struct uev_output *json, const char *key,
		       const char *text, size_t size);
void out_json_unsigned(struct uev_output *json, const char *key,
		       uint64_t number);
void out_json_signed(struct uev_output *json, const char *key, int64_t number);
void out_json_real(struct uev_output *json, const char *key, double number);
void out_json_bool(struct uev_output *json, const char *key, bool value);
void out_json_null(struct uev_output *json, const char *key);
/* Inserts JSON text, such as that of uev_decoder_append_json(). */
void out_json_raw(struct uev_output *json, const char *key, const char *text,
		  size_t size);
void out_json_end(struct uev_output *json);

#endif
