/* SPDX-License-Identifier: MIT */
/*
 * user-events: what goes to standard output: lines, columns, and JSON.
 *
 * Colours and columns that are cut are for a terminal alone. What cannot be
 * written ends the program with one line about it, through out_flush() at the
 * latest, which main() calls.
 */
#ifndef USER_EVENTS_UI_OUT_H
#define USER_EVENTS_UI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When to use colours: on a terminal, unless NO_COLOR is set; or as asked. */
enum out_colour_mode {
	OUT_COLOUR_AUTO = 0,
	OUT_COLOUR_ALWAYS,
	OUT_COLOUR_NEVER,
};

enum out_colour {
	OUT_PLAIN = 0,
	OUT_BOLD,
	OUT_DIM,
	OUT_RED,
	OUT_GREEN,
	OUT_YELLOW,
	OUT_BLUE,
	OUT_CYAN,
};

/*
 * out_set_colour() - as --color=WHEN says: "auto", "always" or "never"
 * Return: false for anything else
 */
bool out_set_colour(const char *when);

/* Whether standard output is a terminal, and how wide it is: 0 if not. */
bool out_is_terminal(void);
unsigned int out_columns(void);
unsigned int out_rows(void);

/* The bytes that begin and end a colour, or "" where there are none. */
const char *out_begin(enum out_colour colour);
const char *out_end(void);

/* As printf() does; a failure ends the program. */
__attribute__((__format__(__printf__, 1, 2))) void out_print(const char *format,
							     ...);
void out_bytes(const void *bytes, size_t size);

/*
 * out_text() - prints what came from elsewhere so that it cannot harm a
 * terminal: control characters as \n, \t or \xHH, the rest as it is
 */
void out_text(const char *text, size_t size);

/*
 * out_flush() - has all of it written
 *
 * For what is watched while it comes. A failure ends the program with
 * TOOL_FAILED and one line.
 */
void out_flush(void);

/* ---- Columns ---- */

/*
 * struct out_column - a column of a table
 * @title: in capitals, above it
 * @is_number: at the right rather than at the left
 */
struct out_column {
	const char *title;
	bool is_number;
};

struct out_table;

/* Made with titles; nothing is printed before out_table_end(), which ends it. */
struct out_table *out_table_begin(const struct out_column *columns,
				  size_t count);
/* The next cell, row by row; @text is copied, and made harmless. */
void out_table_cell(struct out_table *table, enum out_colour colour,
		    const char *text);
__attribute__((__format__(__printf__, 3, 4))) void
out_table_print(struct out_table *table, enum out_colour colour,
		const char *format, ...);
void out_table_end(struct out_table *table);

/* ---- JSON ---- */

/*
 * A text that grows by members. @key is the name of a member, and NULL in an
 * array and at the top. Commas are set by themselves. Strings are made valid
 * UTF-8, whatever they are. Nothing is printed before out_json_end(), which
 * prints the text, compact in one line, and an end of line.
 */
struct out_json;

struct out_json *out_json_begin(void);
void out_json_object(struct out_json *json, const char *key);
void out_json_object_end(struct out_json *json);
void out_json_array(struct out_json *json, const char *key);
void out_json_array_end(struct out_json *json);
void out_json_string(struct out_json *json, const char *key, const char *text);
void out_json_string_n(struct out_json *json, const char *key, const char *text,
		       size_t size);
void out_json_unsigned(struct out_json *json, const char *key, uint64_t number);
void out_json_signed(struct out_json *json, const char *key, int64_t number);
void out_json_real(struct out_json *json, const char *key, double number);
void out_json_bool(struct out_json *json, const char *key, bool value);
void out_json_null(struct out_json *json, const char *key);
/* What is JSON already, such as uev_decoder_append_json() has made. */
void out_json_raw(struct out_json *json, const char *key, const char *text,
		  size_t size);
void out_json_end(struct out_json *json);

#endif
