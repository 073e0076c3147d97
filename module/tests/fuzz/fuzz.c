// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <linux/slab.h>
#include <linux/string.h>

/**
 * fuzz_run - Runs a target with one input
 * @target: the target
 * @data: the input
 * @size: its size
 *
 * All allocations of the module must be freed afterwards.
 */
void fuzz_run(const struct fuzz_target *target, const u8 *data, size_t size)
{
	unsigned long live = alloc_live();

	target->input(data, size);
	EXPECT(alloc_live() == live);
}

void fuzz_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: expectation failed: %s\n", file, line, what);
	abort();
}

void *fuzz_alloc(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		fuzz_fail(__FILE__, __LINE__, "memory allocated");

	return memory;
}

/**
 * fuzz_text - Copies bytes as a text
 * @data: the bytes; a NUL ends the text
 * @size: number of bytes
 *
 * Return: the text in a block of exactly its size, so that reads behind it are
 *	   detected; to be freed with free().
 */
char *fuzz_text(const u8 *data, size_t size)
{
	size_t len = size ? strnlen((const char *)data, size) : 0;
	char *text = fuzz_alloc(len + 1);

	if (len)
		memcpy(text, data, len);
	text[len] = '\0';

	return text;
}

void fuzz_add_text(fuzz_add_fn add, const char *text)
{
	add(text, strlen(text));
}
