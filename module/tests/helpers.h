/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers of several tests: names of cases, copies of texts, descriptions.
 */
#ifndef USER_EVENTS_TESTS_HELPERS_H
#define USER_EVENTS_TESTS_HELPERS_H

#include <kunit/test.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "format/fields.h"
#include "format/parse.h"
#include "format/print_fmt.h"

/*
 * Formats a text as the name of a case: quoted, on one line, shortened if
 * needed, and without '#', which would end a name in TAP.
 */
static inline void case_name(char *name, const char *text)
{
	char *end = name + KUNIT_PARAM_DESC_SIZE - sizeof("\\xff...'");
	unsigned char c;

	*name++ = '\'';
	for (; *text && name < end; text++) {
		c = *text;
		if (c < ' ' || c > '~' || c == '#' || c == '\\')
			name += sprintf(name, "\\x%02x", c);
		else
			*name++ = c;
	}

	strcpy(name, *text ? "...'" : "'");
}

/*
 * Copies bytes to a block of exactly their size, so that an access outside is
 * detected. The copy is freed when the test ends.
 */
static inline void *copy_bytes(struct kunit *test, const void *bytes,
			       size_t size)
{
	void *copy = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	return memcpy(copy, bytes, size);
}

static inline char *copy_text(struct kunit *test, const char *text)
{
	return copy_bytes(test, text, strlen(text) + 1);
}

/* Returns the description of a command, or the error of either step. */
static inline struct event_desc *try_parse(struct kunit *test, const char *text)
{
	struct event_command command;
	int ret = ue_command_split(copy_text(test, text), &command);

	return ret ? ERR_PTR(ret) : ue_desc_parse(&command);
}

/* Returns the description of a valid command. The caller frees it. */
static inline struct event_desc *parse(struct kunit *test, const char *text)
{
	struct event_desc *desc = try_parse(test, text);

	KUNIT_ASSERT_FALSE(test, IS_ERR(desc));
	return desc;
}

/*
 * Returns the text that ue_desc_print_fmt() or ue_desc_text() formats, to be freed
 * with kfree(), in as many bytes as the function says, or NULL.
 */
static inline char *format_text(size_t (*format)(const struct event_desc *desc,
						 char *buf, size_t size),
				const struct event_desc *desc)
{
	size_t len = format(desc, NULL, 0);
	char *text = kmalloc(len + 1, GFP_KERNEL);

	bool is_bounded;

	if (!text)
		return NULL;

	/* A buffer of one byte less must do. */
	text[len] = 1;
	is_bounded = format(desc, text, len) == len && text[len] == 1;
	if (is_bounded && format(desc, text, len + 1) == len)
		return text;

	kfree(text);
	return NULL;
}

#endif /* USER_EVENTS_TESTS_HELPERS_H */
