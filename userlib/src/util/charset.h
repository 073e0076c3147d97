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

/* Sets each byte of a word, and the highest bit of each. */
#define UEV_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))
#define UEV_HIGH_BITS UEV_EACH_BYTE(0x80)

/* Tests whether a byte of a word is less than @byte, at most 128. */
#define UEV_HAS_LESS(word, byte) \
	(((word)-UEV_EACH_BYTE(byte)) & ~(word)&UEV_HIGH_BITS)

/* Tests whether a byte of a word is @byte. */
#define UEV_HAS_BYTE(word, byte) UEV_HAS_LESS((word) ^ UEV_EACH_BYTE(byte), 1)

/* Tests whether eight bytes are ASCII without control characters. */
static inline bool uev_charset_are_printable(uint64_t word)
{
	return !((word & UEV_HIGH_BITS) | UEV_HAS_LESS(word, ' ') |
		 UEV_HAS_BYTE(word, 0x7f));
}

bool uev_charset_next(struct text_reader *reader, uint32_t *character);
size_t uev_charset_utf8(uint32_t character, char *utf8);
bool uev_charset_is_control(uint32_t character);

#endif
