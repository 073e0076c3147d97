/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_DECODE_SHAPE_H
#define USEREVENTS_DECODE_SHAPE_H

#include <userevents/decode.h>

/* Presentation of the bytes of a plain field or of its elements. */
enum uev_shape {
	UEV_SHAPE_DECIMAL,
	UEV_SHAPE_HEX,
	UEV_SHAPE_BOOL,
	UEV_SHAPE_TEXT, /* up to a NUL; all elements are one value */
	UEV_SHAPE_BYTES, /* all elements are one value */
};

/*
 * struct uev_schema_entry - A field and its presentation
 * @field: the public part
 * @name_size: bytes of its name
 * @shape: of enum uev_shape
 * @element: bytes of a number: 1, 2, 4 or 8; 0 if it is not one
 * @is_signed: numbers can be negative
 */
struct uev_schema_entry {
	struct uev_format_field field;
	size_t name_size;
	uint8_t shape;
	uint8_t element;
	bool is_signed;
};

void uev_shape_init(struct uev_schema_entry *field, uint8_t long_size);

#endif
