/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_STRING_H
#define USER_EVENTS_TESTS_LINUX_STRING_H

#include_next <string.h>
#include <linux/types.h>

char *skip_spaces(const char *text);
size_t str_has_prefix(const char *text, const char *prefix);
ssize_t strscpy(char *to, const char *from, size_t size);
void *memchr_inv(const void *start, int c, size_t size);

#endif /* USER_EVENTS_TESTS_LINUX_STRING_H */
