// SPDX-License-Identifier: MIT
#include "decode/decoder_state.h"

int uev_decoder_fail(struct uev_decoder *decoder, int error, size_t offset,
		     const char *reason)
{
	decoder->error = error;
	decoder->error_offset = offset;
	decoder->reason = reason;

	return error;
}
