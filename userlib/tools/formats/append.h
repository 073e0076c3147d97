/* SPDX-License-Identifier: MIT */
/* user-events: parts of the output of a record. */
#ifndef USER_EVENTS_FORMATS_APPEND_H
#define USER_EVENTS_FORMATS_APPEND_H

#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>
#include <userevents/session.h>

/* Appends "SYSTEM:NAME" of a tracepoint, or its name without a system. */
void format_append_source(struct uev_output *to,
			  const struct uev_source *source);

/* Appends bytes in hexadecimal, as an ID. */
void format_append_hex(struct uev_output *to, const uint8_t *bytes,
		       size_t size);

/* As printf(), at most 256 bytes. */
__attribute__((__format__(__printf__, 2, 3))) void
format_print(struct uev_output *to, const char *format, ...);

/* Appends a decimal number of at least @digits digits. */
void format_append_number(struct uev_output *to, uint64_t number,
			  size_t digits);

#endif
