/* SPDX-License-Identifier: MIT */
/* Functions to append formatted text. */
#ifndef USEREVENTS_DECODE_OUTPUT_H
#define USEREVENTS_DECODE_OUTPUT_H

#include <string.h>

#include <userevents/decode.h>

/* As uev_output_append(), without a call if there is room. */
static inline int uev_output_put(struct uev_output *output, const char *bytes,
				 size_t size)
{
	if (size >= output->room || output->size >= output->room - size)
		return uev_output_append(output, bytes, size);
	memcpy(output->text + output->size, bytes, size);
	output->size += size;
	output->text[output->size] = '\0';

	return 0;
}

int uev_output_printf(struct uev_output *output, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));
int uev_output_append_unsigned(struct uev_output *output, uint64_t number,
			       size_t digits);
int uev_output_append_signed(struct uev_output *output, int64_t number);
void uev_output_cut(struct uev_output *output, size_t size);

/* Appends a text that is a constant. */
#define uev_output_append_constant(output, text) \
	uev_output_put(output, text, sizeof(text) - 1)

#endif
