// SPDX-License-Identifier: MIT
#include "util/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *uev_malloc(size_t size)
{
	int before = errno;
	void *memory = malloc(size);

	errno = before;

	return memory;
}

void *uev_calloc(size_t count, size_t size)
{
	int before = errno;
	void *memory = calloc(count, size);

	errno = before;

	return memory;
}

void *uev_realloc(void *memory, size_t size)
{
	int before = errno;
	void *larger = realloc(memory, size);

	errno = before;

	return larger;
}

char *uev_strdup(const char *text)
{
	int before = errno;
	char *copy = strdup(text);

	errno = before;

	return copy;
}
