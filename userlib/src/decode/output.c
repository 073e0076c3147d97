// SPDX-License-Identifier: MIT
#include "decode/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/number.h"

/* Initial size of a text. */
#define FIRST_ROOM 256

/* Limit of formatted text; longer text is appended. */
#define PRINTF_MAX 128

static int make_room(struct uev_output *output, size_t size)
{
	size_t room = output->room ? output->room : FIRST_ROOM;
	char *text;

	if (size >= SIZE_MAX / 2 - output->size)
		return -ENOMEM;
	while (room <= output->size + size)
		room *= 2;
	text = realloc(output->text, room);
	if (!text)
		return -ENOMEM;

	output->text = text;
	output->room = room;
	return 0;
}

int uev_output_append(struct uev_output *output, const char *bytes, size_t size)
{
	/* One byte is for the NUL. */
	if ((size >= output->room || output->size >= output->room - size) &&
	    make_room(output, size))
		return -ENOMEM;

	if (size)
		memcpy(output->text + output->size, bytes, size);
	output->size += size;
	output->text[output->size] = '\0';
	return 0;
}

void uev_output_release(struct uev_output *output)
{
	free(output->text);
	*output = (struct uev_output)UEV_OUTPUT_INIT;
}

/*
 * uev_output_printf() - Appends formatted text of at most PRINTF_MAX bytes
 *
 * Return: 0; -ENOMEM, and @output is unchanged.
 */
int uev_output_printf(struct uev_output *output, const char *format, ...)
{
	char text[PRINTF_MAX + 1];
	va_list values;
	int size;

	va_start(values, format);
	size = vsnprintf(text, sizeof(text), format, values);
	va_end(values);

	return uev_output_append(output, text, (size_t)size);
}

/*
 * uev_output_append_unsigned() - Appends a number with at least @digits digits,
 * up to UEV_NUMBER_MAX
 *
 * Return: 0; -ENOMEM, and @output is unchanged.
 */
int uev_output_append_unsigned(struct uev_output *output, uint64_t number,
			       size_t digits)
{
	char text[UEV_NUMBER_MAX];
	size_t size = uev_number_text(number, digits, text);

	return uev_output_put(output, text, size);
}

/*
 * uev_output_append_signed() - Appends a number
 *
 * Return: 0; -ENOMEM, and @output is unchanged.
 */
int uev_output_append_signed(struct uev_output *output, int64_t number)
{
	char text[UEV_NUMBER_MAX];
	size_t size = uev_number_text_signed(number, text);

	return uev_output_put(output, text, size);
}

/* Truncates a text. */
void uev_output_cut(struct uev_output *output, size_t size)
{
	output->size = size;
	if (output->text)
		output->text[size] = '\0';
}
