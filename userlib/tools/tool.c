// SPDX-License-Identifier: MIT
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <userevents/decode.h>
#include <userevents/userevents.h>

#include "terminal.h"

#define PREFIX "user-events: "

static void print_line(const char *prefix, const char *format,
		       va_list arguments, const char *suffix)
{
	_cleanup_free_ char *text = tool_vprint(format, arguments);
	/* It can have names of events, processes and files. */
	_cleanup_free_ char *escaped = terminal_text(text);

	/* Keeps the order if both streams go to the same file. */
	fflush(stdout);
	fprintf(stderr, "%s%s", prefix, escaped);
	if (suffix)
		fprintf(stderr, ": %s", suffix);
	fputc('\n', stderr);
}

int tool_usage(const struct tool_command *command, const char *format, ...)
{
	va_list arguments;

	if (format) {
		va_start(arguments, format);
		print_line(PREFIX, format, arguments, NULL);
		va_end(arguments);
	}
	tool_hint("see \"user-events %s --help\"", command->name);

	return TOOL_USAGE;
}

int tool_invalid(const struct tool_argument *argument, const char *format, ...)
{
	_cleanup_free_ char *needed = NULL;
	va_list arguments;

	va_start(arguments, format);
	needed = tool_vprint(format, arguments);
	va_end(arguments);

	return tool_usage(argument->command, "--%s: \"%s\" is not %s",
			  argument->option->name, argument->text, needed);
}

void tool_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line(PREFIX, format, arguments, NULL);
	va_end(arguments);
}

void tool_hint(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line("  ", format, arguments, NULL);
	va_end(arguments);
}

int tool_error_of(int error, const char *format, ...)
{
	va_list arguments;

	/* The reader has what it wants, as with "head". */
	if (error == -EPIPE)
		return TOOL_FAILED;
	va_start(arguments, format);
	print_line(PREFIX, format, arguments, strerror(-error));
	va_end(arguments);

	return TOOL_FAILED;
}

void tool_join(struct uev_output *list, const char *separator,
	       const char *format, ...)
{
	va_list arguments;
	_cleanup_free_ char *item = NULL;

	va_start(arguments, format);
	item = tool_vprint(format, arguments);
	va_end(arguments);
	if (list->size)
		tool_put(list, separator);
	tool_put(list, item);
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

bool tool_hex(const char *text, uint8_t *byte)
{
	char digits[3] = "";

	if (!isxdigit((unsigned char)text[0]) ||
	    !isxdigit((unsigned char)text[1]))
		return false;
	memcpy(digits, text, 2);
	*byte = (uint8_t)strtoul(digits, NULL, 16);

	return true;
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

/* Units of tool_time(), in milliseconds. */
static const struct {
	const char *name;
	double factor;
} times[] = {
	{ "ms", 1 },	    { "s", 1000 },	  { "", 1000 },
	{ "m", 60 * 1000 }, { "h", 3600 * 1000 }, { "d", 24 * 3600 * 1000 },
};

bool tool_time(const char *text, uint64_t *milliseconds)
{
	static const char digits[] = "0123456789";
	size_t length = strspn(text, digits), i;
	double value;

	if (!length)
		return false;
	value = strtod(text, NULL);
	if (text[length] == '.')
		length += 1 + strspn(text + length + 1, digits);
	for (i = 0; i < ARRAY_SIZE(times); i++) {
		if (strcmp(text + length, times[i].name) != 0)
			continue;
		value *= times[i].factor;
		*milliseconds = value <= TOOL_TIME_MAX ? (uint64_t)value : 0;
		return *milliseconds;
	}

	return false;
}

static uint64_t milliseconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);

	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t tool_now(void)
{
	return milliseconds_of(CLOCK_MONOTONIC);
}

uint64_t tool_cpu_time(void)
{
	return milliseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

bool tool_ignores_hangup(void)
{
	struct sigaction action;

	return sigaction(SIGHUP, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}
