/* SPDX-License-Identifier: MIT */
/* Interpretation of bytes by encoding and format. */
#ifndef USEREVENTS_DECODE_VALUE_H
#define USEREVENTS_DECODE_VALUE_H

#include <userevents/decode.h>

/* Delimiters of the bytes of an encoding. */
enum uev_extent {
	UEV_EXTENT_NONE = 0, /* no value, or unknown */
	UEV_EXTENT_FIXED, /* .unit bytes */
	UEV_EXTENT_ZERO, /* units with a terminator of 0 */
	UEV_EXTENT_COUNTED, /* preceded by a 2-byte number of units */
};

/*
 * struct uev_encoding_row - Properties of an encoding
 * @extent: of enum uev_extent
 * @unit: bytes of a unit
 * @format: default of enum uev_format, if the format does not match
 * @is_nullable: supports any format, and a value of no bytes is missing
 */
struct uev_encoding_row {
	uint8_t extent;
	uint8_t unit;
	uint8_t format;
	bool is_nullable;
};

const struct uev_encoding_row *uev_encoding_row(uint8_t encoding);

void uev_decoded_init(struct uev_decoded_value *value, uint8_t encoding,
		      uint8_t format, const uint8_t *bytes, size_t size,
		      bool big);
uint64_t uev_decoded_number(const uint8_t *bytes, size_t size, bool big);

#endif
