/* SPDX-License-Identifier: MIT */
/*
 * What the library appends to a text, beside bytes.
 */
#ifndef UEV_DECODE_STRING_H
#define UEV_DECODE_STRING_H

#include <userevents/decode.h>

int uev_string_printf(struct uev_string *string, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));
void uev_string_cut(struct uev_string *string, size_t size);

/* Appends a text that is a constant. */
#define uev_string_append_constant(string, text) \
	uev_string_append(string, text, sizeof(text) - 1)

#endif
