// SPDX-License-Identifier: MIT
#include "formats/trace_dat_printk.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "formats/format.h"
#include "tool.h"

/* Limits of a conversion and of a text, which are those of the kernel's buffer. */
#define WIDTH_MAX 128
#define TEXT_MAX_SIZE 1024

struct dat_printk_text {
	uint64_t address;
	const char *text;
};

/* ---- The texts ---- */

/* Removes the quotes and escapes of a text in place. */
static char *unquote(char *text)
{
	char *from = strchr(text, '"'), *to = from, *end;

	if (!from)
		return NULL;
	end = strrchr(++from, '"');
	if (!end)
		return NULL;
	text = to;
	while (from < end) {
		if (*from == '\\' && from + 1 < end &&
		    strchr("nt\"", from[1])) {
			*to++ = from[1] == 'n'	 ? '\n'
				: from[1] == 't' ? '\t'
						 : '"';
			from += 2;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';

	return text;
}

static void add_line(struct dat_printk *printk, char *line)
{
	struct dat_printk_text *text;
	char *end;
	uint64_t address = strtoull(line, &end, 16);
	char *content = end == line ? NULL : unquote(end);

	if (!content || strlen(content) > TEXT_MAX_SIZE)
		return;
	text = tool_add(printk->texts, printk->count);
	text->address = address;
	text->text = content;
}

static int compare_addresses(const void *one, const void *other)
{
	uint64_t a = ((const struct dat_printk_text *)one)->address;
	uint64_t b = ((const struct dat_printk_text *)other)->address;

	return a < b ? -1 : a > b;
}

void dat_printk_parse(struct dat_printk *printk, char *text)
{
	char *line, *rest = text;

	dat_printk_release(printk);
	printk->memory = text;
	while ((line = strsep(&rest, "\n")))
		add_line(printk, line);
	tool_sort(printk->texts, printk->count, compare_addresses);
}

void dat_printk_release(struct dat_printk *printk)
{
	free(printk->texts);
	free(printk->memory);
	*printk = (struct dat_printk){ 0 };
}

const char *dat_printk_find(const struct dat_printk *printk, uint64_t address)
{
	struct dat_printk_text key = { .address = address };
	const struct dat_printk_text *text = tool_find(
		&key, printk->texts, printk->count, compare_addresses);

	return text ? text->text : NULL;
}

/* ---- Arguments ---- */

/*
 * struct arguments - The arguments that are left
 * @at: offset in @bytes, to which numbers are aligned
 * @is_short: there were fewer
 */
struct arguments {
	const uint8_t *bytes;
	size_t size;
	size_t at;
	struct dat_printk_kernel kernel;
	bool is_short;
};

/* Numbers of 8 bytes are aligned to 4. */
static uint64_t take_number(struct arguments *arguments, size_t size)
{
	size_t alignment = size == 8 ? 4 : size;
	size_t at = (arguments->at + alignment - 1) / alignment * alignment;

	if (at > arguments->size || size > arguments->size - at) {
		arguments->is_short = true;
		return 0;
	}
	arguments->at = at + size;
	switch (size) {
	case 1:
		return arguments->bytes[at];
	case 2:
		return uev_get16(arguments->bytes + at, arguments->kernel.big);
	case 4:
		return uev_get32(arguments->bytes + at, arguments->kernel.big);
	default:
		return uev_get64(arguments->bytes + at, arguments->kernel.big);
	}
}

static const char *take_text(struct arguments *arguments)
{
	const char *text = (const char *)arguments->bytes + arguments->at;
	size_t left = arguments->size - arguments->at;
	const char *end = left ? memchr(text, '\0', left) : NULL;

	if (!end) {
		arguments->is_short = true;
		return "";
	}
	arguments->at += (size_t)(end - text) + 1;

	return text;
}

/* ---- Conversions ---- */

/*
 * struct conversion - A conversion of a format
 * @flags: as in the format
 * @width: negative: to the left
 * @precision: -1: none
 * @size: bytes of a number
 */
struct conversion {
	char flags[8];
	int width;
	int precision;
	size_t size;
};

static int limit(long number)
{
	return number > WIDTH_MAX    ? WIDTH_MAX
	       : number < -WIDTH_MAX ? -WIDTH_MAX
				     : (int)number;
}

/* Reads a number, or that of an argument for '*'. */
static int read_width(const char **format, struct arguments *arguments)
{
	long number = 0;

	if (**format == '*') {
		(*format)++;
		return limit((int32_t)take_number(arguments, 4));
	}
	while (isdigit((unsigned char)**format)) {
		number = limit(number * 10 + (**format - '0'));
		(*format)++;
	}

	return (int)number;
}

static size_t read_size(const char **format, unsigned int long_size)
{
	const char *at = *format;
	size_t size = 4;

	if (*at == 'h') {
		size = at[1] == 'h' ? 1 : 2;
		at += at[1] == 'h' ? 2 : 1;
	} else if (*at == 'l' && at[1] == 'l') {
		size = 8;
		at += 2;
	} else if (*at && strchr("Lqj", *at)) {
		size = 8;
		at++;
	} else if (*at && strchr("lzZt", *at)) {
		size = long_size;
		at++;
	}
	*format = at;

	return size;
}

static struct conversion read_conversion(const char **format,
					 struct arguments *arguments)
{
	struct conversion conversion = { .precision = -1 };
	size_t flags = 0;

	while (**format && strchr("-+ #0", **format)) {
		if (flags < sizeof(conversion.flags) - 1)
			conversion.flags[flags++] = **format;
		(*format)++;
	}
	conversion.width = read_width(format, arguments);
	if (**format == '.') {
		(*format)++;
		conversion.precision = read_width(format, arguments);
	}
	conversion.size = read_size(format, arguments->kernel.long_size);

	return conversion;
}

static void put_number(struct uev_output *to,
		       const struct conversion *conversion, char letter,
		       uint64_t number)
{
	char format[32];

	unsigned int unused = 64 - (unsigned int)conversion->size * 8;

	/* Extends the sign. */
	number <<= unused;
	if (letter == 'd' || letter == 'i')
		number = (uint64_t)((int64_t)number >> unused);
	else
		number >>= unused;
	snprintf(format, sizeof(format), "%%%s*.*ll%c", conversion->flags,
		 letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	format_print(to, format, conversion->width, conversion->precision,
		     (long long)number);
#pragma GCC diagnostic pop
}

static void put_text(struct uev_output *to, const struct conversion *conversion,
		     const char *text)
{
	size_t size = strlen(text), width;

	if (conversion->precision >= 0 && size > (size_t)conversion->precision)
		size = (size_t)conversion->precision;
	width = (size_t)abs(conversion->width);
	width = width > size ? width - size : 0;
	if (conversion->width < 0 || strchr(conversion->flags, '-')) {
		tool_append(to, text, size);
		format_print(to, "%*s", (int)width, "");
	} else {
		format_print(to, "%*s", (int)width, "");
		tool_append(to, text, size);
	}
}

/*
 * The kernel stores addresses of functions, and the text of all other kinds of
 * pointers.
 */
static void put_pointer(struct uev_output *to, const char **format,
			const struct conversion *conversion,
			struct arguments *arguments)
{
	char kind = **format;

	while (isalnum((unsigned char)**format))
		(*format)++;
	if (isalnum((unsigned char)kind) && !strchr("SsxKe", kind))
		put_text(to, conversion, take_text(arguments));
	else
		format_print(to, "0x%llx",
			     (unsigned long long)take_number(
				     arguments, arguments->kernel.long_size));
}

/* Return: false for a conversion that the kernel does not have */
static bool put_conversion(struct uev_output *to, const char **format,
			   struct arguments *arguments)
{
	struct conversion conversion = read_conversion(format, arguments);
	char letter = **format;
	char text[2] = "";

	if (!letter)
		return false;
	(*format)++;
	switch (letter) {
	case '%':
		tool_append(to, "%", 1);
		return true;
	case 'c':
		text[0] = (char)take_number(arguments, 1);
		put_text(to, &conversion, text);
		return true;
	case 's':
		put_text(to, &conversion, take_text(arguments));
		return true;
	case 'p':
		put_pointer(to, format, &conversion, arguments);
		return true;
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		put_number(to, &conversion, letter,
			   take_number(arguments,
				       arguments->kernel.has_ints &&
						       conversion.size < 4
					       ? 4
					       : conversion.size));
		return true;
	default:
		return false;
	}
}

bool dat_printk_format(struct uev_output *to, const char *format,
		       const uint8_t *bytes, size_t size,
		       const struct dat_printk_kernel *kernel)
{
	struct arguments arguments = {
		.bytes = bytes,
		.size = size,
		.kernel = *kernel,
	};
	size_t before = to->size, length;
	bool is_valid = true;

	while (*format && is_valid && to->size - before < TEXT_MAX_SIZE) {
		length = strcspn(format, "%");
		tool_append(to, format, length);
		format += length;
		if (!*format)
			break;
		format++;
		is_valid = put_conversion(to, &format, &arguments) &&
			   !arguments.is_short;
	}
	if (!is_valid && to->text) {
		to->size = before;
		to->text[before] = '\0';
	}

	return is_valid;
}
