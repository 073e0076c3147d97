// SPDX-License-Identifier: MIT
#include "ui/out.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "files.h"
#include "terminal.h"
#include "tool.h"

/* Integers up to it are printed with all their digits. */
#define INTEGER_MAX 1e17

static enum out_color_mode color_mode;

/* Set by out_write_with(); NULL: stdout */
static FILE *written;

static const char *const colors[] = {
	[OUT_PLAIN] = "",	  [OUT_BOLD] = "\033[1m",
	[OUT_DIM] = "\033[2m",	  [OUT_RED] = "\033[31m",
	[OUT_GREEN] = "\033[32m", [OUT_YELLOW] = "\033[33m",
	[OUT_BLUE] = "\033[34m",  [OUT_CYAN] = "\033[36m",
};

void out_set_color(enum out_color_mode mode)
{
	color_mode = mode;
}

bool out_is_terminal(void)
{
	return isatty(STDOUT_FILENO);
}

static struct winsize window(void)
{
	struct winsize size = { 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);

	return size;
}

unsigned int out_columns(void)
{
	unsigned int columns = window().ws_col;

	return columns ? columns : out_is_terminal() ? 80 : 0;
}

unsigned int out_rows(void)
{
	unsigned int rows = window().ws_row;

	return rows ? rows : out_is_terminal() ? 24 : 0;
}

static bool has_color(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color_mode != OUT_COLOR_AUTO)
		return color_mode == OUT_COLOR_ALWAYS;

	return !(no_color && *no_color) && term && *term &&
	       strcmp(term, "dumb") != 0 && out_is_terminal();
}

const char *out_begin(enum out_color color)
{
	return has_color() ? colors[color] : "";
}

const char *out_end(void)
{
	return has_color() ? "\033[0m" : "";
}

static FILE *out_file(void)
{
	return written ? written : stdout;
}

void out_write_with(ssize_t (*write)(void *data, const char *bytes,
				     size_t size))
{
	out_flush();
	if (written)
		fclose(written);
	written = fopencookie(NULL, "w",
			      (cookie_io_functions_t){ .write = write });
	if (!written)
		tool_need(-ENOMEM);
}

static ssize_t write_result(void *data, const char *bytes, size_t size)
{
	int ret = files_write_all(STDOUT_FILENO, bytes, size);

	(void)data;
	errno = -ret;

	return ret ? 0 : (ssize_t)size;
}

void out_wait_for_reader(void)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	/* The flag is also that of other processes, so it is left as it is. */
	if (flags >= 0 && flags & O_NONBLOCK)
		out_write_with(write_result);
}

static _Noreturn void cannot_write(int error)
{
	if (error != EPIPE)
		fprintf(stderr,
			"user-events: standard output: cannot write: %s\n",
			strerror(error));
	/* Discards the buffer, which cannot be written. */
	fclose(out_file());
	exit(TOOL_FAILED);
}

void out_print(const char *format, ...)
{
	va_list arguments;
	int ret;

	va_start(arguments, format);
	ret = vfprintf(out_file(), format, arguments);
	va_end(arguments);
	if (ret < 0)
		cannot_write(errno);
}

void out_bytes(const void *bytes, size_t size)
{
	if (size && fwrite(bytes, 1, size, out_file()) != size)
		cannot_write(errno);
}

void out_text(const char *text, size_t size)
{
	_cleanup_(uev_output_release) struct uev_output escaped =
		UEV_OUTPUT_INIT;

	terminal_append(&escaped, text, size);
	out_bytes(escaped.text, escaped.size);
}

void out_flush(void)
{
	if (fflush(out_file()) || ferror(out_file()))
		cannot_write(errno);
}

/* ---- Columns ---- */

struct out_cell {
	char *text;
	size_t width;
	enum out_color color;
};

struct out_table {
	const struct out_column *columns;
	struct out_cell *cells;
	size_t column_count;
	size_t count;
};

struct out_table *out_table_begin(const struct out_column *columns,
				  size_t count)
{
	struct out_table *table = tool_alloc(sizeof(*table));
	size_t i;

	table->columns = columns;
	table->column_count = count;
	for (i = 0; i < count; i++)
		out_table_cell(table, OUT_BOLD, columns[i].title);

	return table;
}

void out_table_cell(struct out_table *table, enum out_color color,
		    const char *text)
{
	struct out_cell *cell = tool_add(table->cells, table->count);

	cell->text = terminal_text(text);
	cell->width = terminal_width(cell->text, strlen(cell->text));
	cell->color = color;
}

void out_table_print(struct out_table *table, enum out_color color,
		     const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = tool_vprint(format, arguments);
	va_end(arguments);
	out_table_cell(table, color, text);
}

static void print_cell(const struct out_cell *cell, size_t width,
		       const struct out_column *column, bool is_last)
{
	const char *end = cell->color ? out_end() : "";
	int padding = (int)(width - cell->width);

	if (column->is_number)
		out_print("%*s", padding, "");
	out_print("%s%s%s", out_begin(cell->color), cell->text, end);
	if (is_last)
		out_print("\n");
	else
		out_print("%*s", (column->is_number ? 0 : padding) + 2, "");
}

void out_table_end(struct out_table *table)
{
	_cleanup_free_ size_t *widths =
		tool_alloc(table->column_count * sizeof(*widths));
	size_t i, column;

	for (i = 0; i < table->count; i++) {
		column = i % table->column_count;
		if (widths[column] < table->cells[i].width)
			widths[column] = table->cells[i].width;
	}
	for (i = 0; i < table->count; i++) {
		column = i % table->column_count;
		print_cell(&table->cells[i], widths[column],
			   &table->columns[column],
			   column == table->column_count - 1);
		free(table->cells[i].text);
	}
	free(table->cells);
	free(table);
}

/* ---- JSON ---- */

void out_json_key(struct uev_output *json, const char *key)
{
	out_json_comma(json);
	if (key) {
		tool_put_quoted(json, key, strlen(key));
		tool_put(json, ":");
	}
}

void out_json_object(struct uev_output *json, const char *key)
{
	out_json_key(json, key);
	tool_put(json, "{");
}

void out_json_object_end(struct uev_output *json)
{
	tool_put(json, "}");
}

void out_json_array(struct uev_output *json, const char *key)
{
	out_json_key(json, key);
	tool_put(json, "[");
}

void out_json_array_end(struct uev_output *json)
{
	tool_put(json, "]");
}

void out_json_string(struct uev_output *json, const char *key, const char *text)
{
	out_json_string_n(json, key, text, text ? strlen(text) : 0);
}

void out_json_string_n(struct uev_output *json, const char *key,
		       const char *text, size_t size)
{
	if (!text) {
		out_json_null(json, key);
		return;
	}
	out_json_key(json, key);
	tool_put_quoted(json, text, size);
}

__attribute__((__format__(__printf__, 3, 4))) static void
print_value(struct uev_output *json, const char *key, const char *format, ...)
{
	va_list arguments;
	char text[64];
	int size;

	va_start(arguments, format);
	size = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	out_json_raw(json, key, text, (size_t)size);
}

void out_json_unsigned(struct uev_output *json, const char *key,
		       uint64_t number)
{
	print_value(json, key, "%llu", (unsigned long long)number);
}

void out_json_signed(struct uev_output *json, const char *key, int64_t number)
{
	print_value(json, key, "%lld", (long long)number);
}

/* The fewest digits of which a reader gets the same number. */
static int digits_of(double number)
{
	char text[64];
	int digits;

	for (digits = DBL_DIG; digits < DBL_DECIMAL_DIG; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}

	return digits;
}

void out_json_real(struct uev_output *json, const char *key, double number)
{
	/* JSON does not have other numbers. */
	if (!isfinite(number))
		out_json_null(json, key);
	else if (fabs(number) < INTEGER_MAX && number == trunc(number))
		print_value(json, key, "%.0f", number);
	else
		print_value(json, key, "%.*g", digits_of(number), number);
}

void out_json_bool(struct uev_output *json, const char *key, bool value)
{
	print_value(json, key, "%s", value ? "true" : "false");
}

void out_json_null(struct uev_output *json, const char *key)
{
	print_value(json, key, "null");
}

void out_json_raw(struct uev_output *json, const char *key, const char *text,
		  size_t size)
{
	out_json_key(json, key);
	tool_append(json, text, size);
}

void out_json_end(struct uev_output *json)
{
	tool_put(json, "\n");
	out_bytes(json->text, json->size);
	uev_output_release(json);
}
