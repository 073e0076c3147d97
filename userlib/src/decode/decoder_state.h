/* SPDX-License-Identifier: MIT */
/* State of a decoder: the record and the position in it. */
#ifndef USEREVENTS_DECODE_DECODER_STATE_H
#define USEREVENTS_DECODE_DECODER_STATE_H

#include "decode/schema.h"

/* Number of cached ends of struct members. */
#define UEV_SKIPPED_MAX 16

/*
 * struct uev_frame - A struct that is being read, or the whole record
 * @members: position of its first member in the metadata
 * @payload: position of the bytes of this element in the record
 * @left: announced members that have not been read
 * @announced: number of announced members
 * @elements: number of elements, if it is an element of an array
 * @index: index of this element, or of the next one
 * @is_element: it is an element of an array
 * @tag: tag of the field
 * @name: name of the field
 * @name_size: bytes of @name
 */
struct uev_frame {
	size_t members;
	size_t payload;
	uint8_t left;
	uint8_t announced;
	uint16_t elements;
	uint16_t index;
	bool is_element;
	uint16_t tag;
	const char *name;
	size_t name_size;
};

/* Next step of uev_eventheader_next(). */
enum uev_step {
	UEV_STEP_FIELD, /* a member of the topmost frame, or its end */
	UEV_STEP_ELEMENT, /* an element of an array of values, or its end */
	UEV_STEP_STRUCT, /* an element of an array of structs, or its end */
};

/*
 * struct uev_eventheader_reader - Position in an EventHeader record
 * @meta: description of the next field
 * @meta_end: end of the metadata
 * @payload: the next value
 * @big: numbers are in big-endian byte order
 * @step: of enum uev_step
 * @depth: frames besides the first one, which is the record
 * @frames: frames
 * @empty: number of elements without bytes so far
 * @skipped: cache: positions of skipped members of structs in the metadata
 * @skipped_end: cache: ends of these members
 * @skipped_next: cache: the entry that is replaced next
 */
struct uev_eventheader_reader {
	size_t meta;
	size_t meta_end;
	size_t payload;
	bool big;
	uint8_t step;
	uint8_t depth;
	struct uev_frame frames[UEV_STRUCT_DEPTH_MAX + 1];
	uint32_t empty;
	size_t skipped[UEV_SKIPPED_MAX];
	size_t skipped_end[UEV_SKIPPED_MAX];
	uint8_t skipped_next;
};

/*
 * struct uev_plain_reader - Position in a plain record
 * @next: index of the next field
 * @end: index after the last field
 * @in_array: elements are being read
 * @at: position of the next element in the record
 */
struct uev_plain_reader {
	size_t next;
	size_t end;
	bool in_array;
	size_t at;
};

/* State of the record. */
enum uev_decoder_state {
	UEV_DECODER_IDLE = 0, /* not started */
	UEV_DECODER_RAW, /* a record without a schema */
	UEV_DECODER_PLAIN,
	UEV_DECODER_EVENTHEADER,
	UEV_DECODER_END,
};

struct uev_decoder {
	uint8_t state;
	bool has_moved; /* since it was started */
	const uint8_t *record;
	size_t size;
	uint64_t work; /* so far, see uev_decoder_charge() */
	int error; /* 0, or the result of all further calls */
	const char *reason;
	size_t error_offset;
	struct uev_record_info info;
	struct uev_item item;
	union {
		struct uev_plain_reader plain;
		struct uev_eventheader_reader eventheader;
	};
};

/*
 * uev_decoder_fail() - Records the error of the record
 * @error: a negative errno
 * @offset: offset in the record
 * @reason: static description
 *
 * Return: @error.
 */
int uev_decoder_fail(struct uev_decoder *decoder, int error, size_t offset,
		     const char *reason);

/*
 * Work of returning a field, besides the bytes of its name, and of each byte of
 * its value, if fields can overlap.
 */
#define UEV_FIELD_WORK 16
#define UEV_VALUE_WORK 16

/*
 * uev_decoder_charge() - Counts work, which is limited by the size of the record
 * @work: bytes of descriptions, and the constants above
 * @offset: offset in the record, for the error
 *
 * Return: 0; -E2BIG beyond the limit, and the record has failed.
 */
int uev_decoder_charge(struct uev_decoder *decoder, uint64_t work,
		       size_t offset);

#endif
