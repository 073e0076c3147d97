// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints results, one line each,
 *
 *   batch.operation <tab> subject <tab> operation <tab> what <tab> result
 *
 * without anything that varies between runs. The subject is "*" if the result
 * concerns all events.
 */
#include <stdarg.h>

#include "differential.h"

/* Number of bytes of a record that are printed in full. */
#define SHOWN_MAX 256

static unsigned long long batch;
static unsigned int operation;
static char *operation_text;
static int operation_subject;

void results_start(unsigned long long number)
{
	batch = number;
	operation = 0;
	operation_text = NULL;
}

static void escape(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '\n')
			fputs("\\n", out);
		else if (c < ' ' || c >= 0x7f || c == '\\' || c == '"')
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
}

char *quoted(const char *value)
{
	size_t size;
	char *out;
	FILE *stream = open_memstream(&out, &size);

	fputc('"', stream);
	escape(stream, value);
	fputc('"', stream);
	fclose(stream);

	return out;
}

void start_operation(int subject, const char *format, ...)
{
	va_list args;

	free(operation_text);
	va_start(args, format);
	if (vasprintf(&operation_text, format, args) < 0)
		abort();
	va_end(args);
	operation_subject = subject;
	operation++;
}

void line_of_subject(int subject, const char *what, const char *value)
{
	printf("%llu.%u\t", batch, operation);
	if (subject < 0)
		putchar('*');
	else
		printf("%d", subject);
	printf("\t%s\t%s\t", operation_text, what);
	escape(stdout, value);
	putchar('\n');
}

void result(const char *what, const char *value)
{
	line_of_subject(operation_subject, what, value);
}

void result_of(long done, int error)
{
	result("result", done < 0 ? harness_errno(error) : text("%ld", done));
}

void result_hex(const char *what, const unsigned char *bytes, size_t size,
		size_t written)
{
	size_t shown = size > SHOWN_MAX ? SHOWN_MAX : size, i;
	uint64_t sum = 0xcbf29ce484222325ULL;
	char out[2 * SHOWN_MAX + 100];
	char *at = out;

	*at = '\0';
	for (i = 0; i < shown; i++)
		at += sprintf(at, "%02x", bytes[i]);
	if (shown < size) {
		for (i = shown; i < size && i < written; i++)
			sum = (sum ^ bytes[i]) * 0x100000001b3ULL;
		at += sprintf(at, "...%016llx...", (unsigned long long)sum);
		for (; i < size && i < written + 16; i++)
			at += sprintf(at, "%02x", bytes[i]);
	}
	result(what, text("%zu: %s", size, out));
}
