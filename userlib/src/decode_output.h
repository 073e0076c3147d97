/* SPDX-License-Identifier: MIT */
/*
 * What the library appends to a text, beside bytes.
 */
#ifndef UEV_DECODE_OUTPUT_H
#define UEV_DECODE_OUTPUT_H

#include <userevents/decode.h>

int uev_output_printf(struct uev_output *string, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));
void uev_output_cut(struct uev_output *string, size_t size);

/* Appends a text that is a constant. */
#define uev_output_append_constant(string, text) \
	uev_output_append(string, text, sizeof(text) - 1)

#endif
