/* SPDX-License-Identifier: MIT */
/* Text inside JSON strings. */
#ifndef USEREVENTS_DECODE_PRINT_H
#define USEREVENTS_DECODE_PRINT_H

#include <userevents/decode.h>

int uev_print_quoted(struct uev_output *output, const char *bytes, size_t size,
		     enum uev_charset charset);
int uev_print_uuid(struct uev_output *output, const uint8_t *bytes);

#endif
