// SPDX-License-Identifier: MIT
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/decode.h>

/* That of every failure */
#define FAILED 1

static _Noreturn void exit_out_of_memory(void)
{
	/* Without an allocation */
	fputs("user-events: out of memory\n", stderr);
	exit(FAILED);
}

void tool_need(int ret)
{
	if (ret == -ENOMEM)
		exit_out_of_memory();
}

static void *check_memory(void *memory)
{
	if (!memory)
		exit_out_of_memory();

	return memory;
}

void *tool_alloc(size_t size)
{
	return check_memory(calloc(1, size ? size : 1));
}

void *tool_grow(void *memory, size_t size)
{
	return check_memory(realloc(memory, size ? size : 1));
}

void *tool_room(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;

	return tool_grow(array, (count ? 2 * count : 1) * size);
}

char *tool_copy(const char *text)
{
	return check_memory(strdup(text));
}

void tool_sort_sized(void *array, size_t count, size_t size,
		     int (*compare)(const void *one, const void *other))
{
	if (count)
		qsort(array, count, size, compare);
}

void *tool_find_sized(const void *key, const void *array, size_t count,
		      size_t size,
		      int (*compare)(const void *key, const void *element))
{
	/* Some C libraries return a pointer to const. */
	return count ? (void *)bsearch(key, array, count, size, compare) : NULL;
}

int tool_compare_texts(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

size_t tool_sort_unique(char **texts, size_t count)
{
	size_t i, left = 0;

	tool_sort(texts, count, tool_compare_texts);
	for (i = 0; i < count; i++) {
		if (left && strcmp(texts[left - 1], texts[i]) == 0)
			free(texts[i]);
		else
			texts[left++] = texts[i];
	}

	return left;
}

void memory_free_at(void *variable)
{
	void *memory;

	memcpy(&memory, variable, sizeof(memory));
	free(memory);
}

char *tool_vprint(const char *format, va_list arguments)
{
	char *text;

	return check_memory(vasprintf(&text, format, arguments) < 0 ? NULL
								    : text);
}

char *tool_print(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = tool_vprint(format, arguments);
	va_end(arguments);

	return text;
}

void tool_append_more(struct uev_output *to, const void *bytes, size_t size)
{
	tool_need(uev_output_append(to, bytes ? bytes : "", size));
}

void tool_put_quoted(struct uev_output *to, const char *text, size_t size)
{
	const struct uev_decoded_value value = tool_text(text, size);

	tool_need(uev_decoded_value_append_json(&value, to));
}
