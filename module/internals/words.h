/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_WORDS_H
#define USER_EVENTS_INTERNALS_WORDS_H

#include <linux/slab.h>
#include <linux/string.h>

/* Joins words with one space each; the result is freed with kfree(). */
static inline char *join_words(int argc, const char *const argv[])
{
	size_t size = 1;
	char *line;
	int i;

	for (i = 0; i < argc; i++)
		size += strlen(argv[i]) + 1;

	line = kzalloc(size, GFP_KERNEL);
	for (i = 0; line && i < argc; i++) {
		if (i)
			strcat(line, " ");
		strcat(line, argv[i]);
	}

	return line;
}

#endif /* USER_EVENTS_INTERNALS_WORDS_H */
