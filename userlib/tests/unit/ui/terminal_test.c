// SPDX-License-Identifier: MIT
/* Escapes and columns of untrusted text. */
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "lib/runner.h"
#include "terminal.h"
#include "tool.h"
#include "ui/out.h"

static const struct {
	const char *text;
	const char *shown;
	size_t width;
} texts[] = {
	{ "", "", 0 },
	{ "plain \\ text\"", "plain \\ text\"", 13 },
	{ "\n\t\r\x1b[2J\x7f", "\\n\\t\\x0d\\x1b[2J\\x7f", 19 },
	{ "\xc2\x9b"
	  "1m",
	  "\\x9b"
	  "1m",
	  6 },
	/* Overrides, embeddings, isolates and marks of direction */
	{ "a\xe2\x80\xaaz\xe2\x80\xac", "a\\u202az\\u202c", 14 },
	{ "\xe2\x80\xae\xe2\x80\xac", "\\u202e\\u202c", 12 },
	{ "\xe2\x81\xa6\xe2\x81\xa9", "\\u2066\\u2069", 12 },
	{ "\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "\\u200e\\u200f\\u061c", 18 },
	/* Invisible ones */
	{ "\xe2\x80\x8b\xe2\x80\x8d\xef\xbb\xbf\xc2\xad",
	  "\\u200b\\u200d\\ufeff\\xad", 22 },
	{ "\xf3\xa0\x81\x81", "\\U000e0041", 10 },
	{ "\xe2\x80\xa8", "\\u2028", 6 },
	/* What can be seen stays. */
	{ "\xc3\xa4\xd7\x90\xe2\x82\xac", "\xc3\xa4\xd7\x90\xe2\x82\xac", 3 },
	{ "e\xcc\x81", "e\xcc\x81", 1 },
	{ "\xe6\xbc\xa2\xe5\xad\x97", "\xe6\xbc\xa2\xe5\xad\x97", 4 },
	{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 2 },
	/* Invalid bytes are Latin-1. */
	{ "\xe4z\xe2\x80", "\xc3\xa4z\xc3\xa2\\x80", 7 },
};

static const struct {
	const char *term;
	const char *no_color;
	bool has_color;
} terminals[] = {
	{ "xterm", NULL, true },  { "xterm", "", true },
	{ "xterm", "1", false },  { "dumb", NULL, false },
	{ "", NULL, false },	  { NULL, NULL, false },
	{ "dumber", NULL, true },
};

static void set_variable(const char *name, const char *value)
{
	ck_assert_int_eq(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

TEST_LOOP(colors_on_terminals, ARRAY_SIZE(terminals))
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	int output = dup(STDOUT_FILENO);
	const char *begin;

	set_variable("TERM", terminals[_i].term);
	set_variable("NO_COLOR", terminals[_i].no_color);
	fflush(stdout);
	ck_assert_int_eq(dup2(terminal, STDOUT_FILENO), STDOUT_FILENO);
	begin = out_begin(OUT_GREEN);
	ck_assert_int_eq(dup2(output, STDOUT_FILENO), STDOUT_FILENO);
	close(output);
	close(terminal);
	ck_assert_int_eq(*begin != '\0', terminals[_i].has_color);
}

TEST_LOOP(shows_text, ARRAY_SIZE(texts))
{
	const char *text = texts[_i].text;
	struct uev_output shown = UEV_OUTPUT_INIT;
	char *copy = terminal_text(text);

	terminal_append(&shown, text, strlen(text));
	ck_assert_str_eq(shown.text, texts[_i].shown);
	ck_assert_str_eq(copy, texts[_i].shown);
	ck_assert_uint_eq(terminal_width(shown.text, shown.size),
			  texts[_i].width);
	free(copy);
	uev_output_release(&shown);
}

static const struct {
	const char *text;
	size_t columns;
	size_t size;
} fits[] = {
	{ "abc", 0, 0 },
	{ "abc", 2, 2 },
	{ "abc", 9, 3 },
	/* A wide character is shown or left out. */
	{ "\xe6\xbc\xa2\xe5\xad\x97", 1, 0 },
	{ "\xe6\xbc\xa2\xe5\xad\x97", 3, 3 },
	{ "\xe6\xbc\xa2\xe5\xad\x97", 4, 6 },
	/* What is combined belongs to the character before. */
	{ "e\xcc\x81x", 1, 3 },
};

TEST_LOOP(fits_columns, ARRAY_SIZE(fits))
{
	ck_assert_uint_eq(terminal_fit(fits[_i].text, strlen(fits[_i].text),
				       fits[_i].columns),
			  fits[_i].size);
}

/* The locale of the program does not matter, and is restored. */
TEST(locale_does_not_matter)
{
	locale_t before = uselocale((locale_t)0);

	ck_assert_str_eq(setlocale(LC_ALL, NULL), "C");
	ck_assert_uint_eq(terminal_width("\xe6\xbc\xa2", 3), 2);
	ck_assert_ptr_eq(uselocale((locale_t)0), before);
}

/* Returns what is printed, until the next call. */
static const char *printed_table(void)
{
	static const struct out_column columns[] = { { "NAME", false },
						     { "N", true },
						     { "LAST", false } };
	struct out_table *table = out_table_begin(columns, 3);
	int saved = dup(STDOUT_FILENO), fds[2];
	static char text[512];
	ssize_t size;

	out_table_cell(table, OUT_PLAIN, "\xe6\xbc\xa2\xe5\xad\x97\xe5");
	out_table_cell(table, OUT_PLAIN, "1");
	out_table_cell(table, OUT_PLAIN, "x");
	out_table_cell(table, OUT_PLAIN, "e\xcc\x81");
	out_table_cell(table, OUT_PLAIN, "22");
	out_table_cell(table, OUT_PLAIN, "\xe2\x80\x8b");
	out_flush();
	ck_assert_int_eq(pipe(fds), 0);
	dup2(fds[1], STDOUT_FILENO);
	out_table_end(table);
	out_flush();
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fds[1]);
	size = read(fds[0], text, sizeof(text) - 1);
	close(fds[0]);
	ck_assert_int_gt(size, 0);
	text[size] = '\0';

	return text;
}

TEST(aligns_tables)
{
	ck_assert_str_eq(printed_table(),
			 "NAME    N  LAST\n"
			 "\xe6\xbc\xa2\xe5\xad\x97\xc3\xa5   1  x\n"
			 "e\xcc\x81      22  \\u200b\n");
}
