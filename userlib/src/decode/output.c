// SPDX-License-Identifier: MIT
#include "decode/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Initial size of a text. */
#define FIRST_ROOM 256

/* Limit of formatted text; longer text is appended. */
#define PRINTF_MAX 128

static int make_room(struct uev_output *output, size_t size)
{
	size_t room = output->room ? output->room : FIRST_ROOM;
	char *text;

	/* One byte is for the NUL. */
	if (size >= SIZE_MAX / 2 - output->size)
		return -ENOMEM;
	if (output->text && output->size + size < output->room)
		return 0;

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
	int ret = make_room(output, size);

	if (ret)
		return ret;

	if (size)
		memcpy(output->text + output->size, bytes, size);
	uev_output_cut(output, output->size + size);
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

/* Truncates a text. */
void uev_output_cut(struct uev_output *output, size_t size)
{
	output->size = size;
	if (output->text)
		output->text[size] = '\0';
}
