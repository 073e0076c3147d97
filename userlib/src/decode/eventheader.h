/* SPDX-License-Identifier: MIT */
/*
 * EventHeader records, which describe themselves.
 */
#ifndef USEREVENTS_DECODE_EVENTHEADER_H
#define USEREVENTS_DECODE_EVENTHEADER_H

#include "decode/decoder_state.h"

/*
 * uev_eventheader_start() - Reads a record up to its first field
 * @decoder: the decoder, with the record
 * @name: name of the tracepoint
 * @offset: offset of the header in the record
 *
 * Return: as uev_decoder_start().
 */
int uev_eventheader_start(struct uev_decoder *decoder, const char *name,
			  size_t offset);

/*
 * uev_eventheader_next() - Reads the next item of an EventHeader record
 * @decoder: the decoder
 *
 * Return: as uev_decoder_next().
 */
int uev_eventheader_next(struct uev_decoder *decoder);

#endif
