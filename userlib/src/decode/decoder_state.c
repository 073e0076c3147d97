// SPDX-License-Identifier: MIT
#include "decode/decoder_state.h"

#include <errno.h>

int uev_decoder_fail(struct uev_decoder *decoder, int error, size_t offset,
		     const char *reason)
{
	decoder->error = error;
	decoder->error_offset = offset;
	decoder->reason = reason;

	return error;
}

/*
 * Fields of an EventHeader record are read again for each element of an array. A
 * byte can be the value of a member of nested structs, all with names of 255
 * bytes.
 */
#define NAME_SIZE 255
#define EVENTHEADER_WORK_PER_BYTE \
	((UEV_STRUCT_DEPTH_MAX + 1) * (NAME_SIZE + UEV_FIELD_WORK))

/* Those of a plain record are read once, and few bytes are in several fields. */
#define PLAIN_WORK_PER_BYTE (NAME_SIZE + UEV_FIELD_WORK + UEV_VALUE_WORK)
#define WORK_MIN 4096

int uev_decoder_charge(struct uev_decoder *decoder, uint64_t work,
		       size_t offset)
{
	uint64_t per_byte = decoder->state == UEV_DECODER_EVENTHEADER
				    ? EVENTHEADER_WORK_PER_BYTE
				    : PLAIN_WORK_PER_BYTE;

	decoder->work += work;
	if (decoder->work <= WORK_MIN + decoder->size * per_byte)
		return 0;

	return uev_decoder_fail(decoder, -E2BIG, offset,
				"too many fields for its size");
}
