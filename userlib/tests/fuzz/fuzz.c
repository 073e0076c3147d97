// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
	abort();
}

/* Return: @size bytes, for free(). */
void *fuzz_alloc(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		fuzz_fail(__FILE__, __LINE__, "out of memory");

	return memory;
}

/* Return: bytes up to a NUL, or all, and a NUL; for free(). */
char *fuzz_text(const uint8_t *data, size_t size)
{
	size_t length = size ? strnlen((const char *)data, size) : 0;
	char *text = fuzz_alloc(length + 1);

	if (length)
		memcpy(text, data, length);
	text[length] = '\0';

	return text;
}
