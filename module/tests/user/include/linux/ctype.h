/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_CTYPE_H
#define USER_EVENTS_TESTS_LINUX_CTYPE_H

#include <linux/types.h>

/* The kernel's characters are Latin-1, where 0xa0 is a space, too. */
static inline bool is_latin1_space(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0;
}

/* A macro, since compilers know the function. */
#define isspace(c) is_latin1_space(c)

#define iscntrl(c) ((unsigned char)(c) < ' ' || (c) == 0x7f)
#define isdigit(c) ((c) >= '0' && (c) <= '9')

/* Latin-1, too. */
static inline bool is_latin1_printable(unsigned char c)
{
	return (c >= ' ' && c < 0x7f) || c >= 0xa0;
}

#define isprint(c) is_latin1_printable(c)

#endif /* USER_EVENTS_TESTS_LINUX_CTYPE_H */
