// SPDX-License-Identifier: MIT
#include "decode_output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a text has room for when it begins to. */
#define FIRST_ROOM 256

/* Longer ones are not printed but appended. */
#define PRINTF_MAX 128

static int make_room(struct uev_output *string, size_t size)
{
	size_t room = string->room ? string->room : FIRST_ROOM;
	char *text;

	/* One byte is for the NUL. */
	if (size >= SIZE_MAX / 2 - string->size)
		return -ENOMEM;
	if (string->text && string->size + size < string->room)
		return 0;

	while (room <= string->size + size)
		room *= 2;
	text = realloc(string->text, room);
	if (!text)
		return -ENOMEM;

	string->text = text;
	string->room = room;
	return 0;
}

int uev_output_append(struct uev_output *string, const char *bytes, size_t size)
{
	int ret = make_room(string, size);

	if (ret)
		return ret;

	if (size)
		memcpy(string->text + string->size, bytes, size);
	uev_output_cut(string, string->size + size);
	return 0;
}

void uev_output_release(struct uev_output *string)
{
	free(string->text);
	*string = (struct uev_output)UEV_OUTPUT_INIT;
}

/*
 * uev_output_printf - appends what has PRINTF_MAX bytes at most
 *
 * Return: 0, or -ENOMEM, with @string as it was.
 */
int uev_output_printf(struct uev_output *string, const char *format, ...)
{
	char text[PRINTF_MAX + 1];
	va_list values;
	int size;

	va_start(values, format);
	size = vsnprintf(text, sizeof(text), format, values);
	va_end(values);

	return uev_output_append(string, text, (size_t)size);
}

/* Takes the end of a text off, from so many bytes on. */
void uev_output_cut(struct uev_output *string, size_t size)
{
	string->size = size;
	if (string->text)
		string->text[size] = '\0';
}
