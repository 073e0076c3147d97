/* SPDX-License-Identifier: MIT */
/*
 * Texts of any encoding, character by character.
 */
#ifndef USEREVENTS_UTIL_CHARSET_H
#define USEREVENTS_UTIL_CHARSET_H

#include <userevents/decode.h>

#define UEV_UTF8_MAX 4 /* bytes of a character */

struct text_reader {
	const uint8_t *at;
	const uint8_t *end;
	enum uev_charset charset;
};

bool uev_charset_next(struct text_reader *reader, uint32_t *character);
size_t uev_charset_utf8(uint32_t character, char *utf8);
bool uev_charset_is_control(uint32_t character);

#endif
