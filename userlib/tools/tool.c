// SPDX-License-Identifier: MIT
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

/* Names of events and processes are of others, who may mean a terminal. */
static void sanitize(char *text)
{
	unsigned char *at = (unsigned char *)text;

	for (; *at; at++) {
		/* U+0080 to U+009F are control characters too. */
		if (*at == 0xc2 && (at[1] & 0xe0) == 0x80) {
			*at++ = '?';
			*at = '?';
		} else if (*at < ' ' || *at == 0x7f) {
			*at = '?';
		}
	}
}

static void print_error(const char *format, va_list arguments,
			const char *behind)
{
	char *text;

	/* What was printed before comes first, wherever both go. */
	fflush(stdout);
	fputs("user-events: ", stderr);
	if (vasprintf(&text, format, arguments) < 0) {
		fputs(format, stderr);
	} else {
		sanitize(text);
		fputs(text, stderr);
		free(text);
	}
	if (behind)
		fprintf(stderr, ": %s", behind);
	fputc('\n', stderr);
}

int tool_usage(const struct tool_command *command, const char *format, ...)
{
	va_list arguments;

	if (format) {
		va_start(arguments, format);
		print_error(format, arguments, NULL);
		va_end(arguments);
	}
	fprintf(stderr, "See \"user-events %s --help\".\n", command->name);

	return TOOL_USAGE;
}

void tool_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_error(format, arguments, NULL);
	va_end(arguments);
}

int tool_error_of(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_error(format, arguments, strerror(-error));
	va_end(arguments);

	return TOOL_FAILED;
}

static _Noreturn void end_without_memory(void)
{
	tool_error("there is not enough memory");
	exit(TOOL_FAILED);
}

void tool_need(int ret)
{
	if (ret == -ENOMEM)
		end_without_memory();
}

static void *there(void *memory)
{
	if (!memory)
		end_without_memory();

	return memory;
}

void *tool_alloc(size_t size)
{
	return there(calloc(1, size ? size : 1));
}

void *tool_grow(void *memory, size_t size)
{
	return there(realloc(memory, size ? size : 1));
}

char *tool_copy(const char *text)
{
	return there(strdup(text));
}

char *tool_vprint(const char *format, va_list arguments)
{
	char *text;

	return there(vasprintf(&text, format, arguments) < 0 ? NULL : text);
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

bool tool_number(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);

	return !errno && !*end && *number >= min && *number <= max;
}

bool tool_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*bytes = strtoull(text, &end, 10);
	if (errno || !*bytes)
		return false;
	for (unit = units; *end && *unit; unit++) {
		if (*bytes > UINT64_MAX >> 10)
			return false;
		*bytes <<= 10;
		if (*end == *unit)
			return !end[1];
	}

	return !*end;
}
