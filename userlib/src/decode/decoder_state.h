/* SPDX-License-Identifier: MIT */
/*
 * A decoder: the record that it reads, and how far it has come.
 */
#ifndef USEREVENTS_DECODE_DECODER_STATE_H
#define USEREVENTS_DECODE_DECODER_STATE_H

#include "decode/schema.h"

/* Ends of struct members that are remembered, not to be looked for again. */
#define UEV_SKIPPED_MAX 16

/*
 * struct uev_frame - a struct that is being read, or all of the record
 * @members: where in the metadata its first member is
 * @payload: where in the record the bytes of this element begin
 * @left: members that were announced and have not been read
 * @announced: members that were announced
 * @elements: how many of it there are, if it is one of an array
 * @index: which of them this is, or is next
 * @is_element: it is one of an array
 * @tag: of the field
 * @name: of the field
 * @name_size: bytes of it
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

/* What uev_eventheader_next() goes on with. */
enum uev_step {
	UEV_STEP_FIELD, /* a member of the topmost frame, or its end */
	UEV_STEP_ELEMENT, /* an element of an array of values, or its end */
	UEV_STEP_STRUCT, /* an element of an array of structs, or its end */
};

/*
 * struct uev_eventheader_reader - where an EventHeader record is read
 * @meta: where in the record the next field is described
 * @meta_end: where its metadata ends
 * @payload: where in the record the next value is
 * @big: numbers are in big-endian byte order
 * @step: of enum uev_step
 * @depth: frames beside the first one, which is the record
 * @frames: frames
 * @empty: elements so far that had no bytes
 * @skipped: where in the metadata members of structs were skipped
 * @skipped_end: where these ended
 * @skipped_next: which one is forgotten next
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
 * struct uev_plain_reader - where a plain record is read
 * @next: number of the next field
 * @end: number behind that of the last field
 * @in_array: elements are being read
 * @at: where in the record the next element is
 */
struct uev_plain_reader {
	size_t next;
	size_t end;
	bool in_array;
	size_t at;
};

/* What a decoder is at. */
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
	int error; /* 0, or what uev_decoder_next() returns from now on */
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
 * uev_decoder_fail() - remembers what is wrong with the record
 * @error: a negative errno
 * @offset: where in the record
 * @reason: what, static
 *
 * Return: @error.
 */
int uev_decoder_fail(struct uev_decoder *decoder, int error, size_t offset,
		     const char *reason);

#endif
