/* SPDX-License-Identifier: MIT */
/*
 * Checks of JSON and UTF-8 according to RFC 8259 and RFC 3629, independent of
 * the library.
 */
#ifndef UEV_FUZZ_VALID_H
#define UEV_FUZZ_VALID_H

#include <stdbool.h>
#include <stddef.h>

bool is_utf8(const char *text, size_t size);
bool is_json(const char *text, size_t size);

#endif
