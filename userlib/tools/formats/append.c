// SPDX-License-Identifier: MIT
#include "formats/append.h"

#include <stdarg.h>
#include <stdio.h>

#include "tool.h"
#include "util/number.h"

#define PRINT_MAX 256

void format_append_source(struct uev_output *to,
			  const struct uev_source *source)
{
	if (source->system) {
		tool_put(to, source->system);
		tool_put(to, ":");
	}
	tool_put(to, source->name);
}

void format_print(struct uev_output *to, const char *format, ...)
{
	char text[PRINT_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tool_put(to, text);
}

void format_append_number(struct uev_output *to, uint64_t number, size_t digits)
{
	char text[UEV_NUMBER_MAX];
	size_t size = uev_number_text(number, digits, text);

	tool_append(to, text, size);
}

void format_append_hex(struct uev_output *to, const uint8_t *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		format_print(to, "%02x", bytes[i]);
}
