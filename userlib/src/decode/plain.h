/* SPDX-License-Identifier: MIT */
/*
 * Records of plain fields, as a format file describes them.
 */
#ifndef USEREVENTS_DECODE_PLAIN_H
#define USEREVENTS_DECODE_PLAIN_H

#include "decode/decoder_state.h"

/*
 * uev_plain_next() - Reads the next item of a plain record
 * @decoder: the decoder
 *
 * Return: as uev_decoder_next().
 */
int uev_plain_next(struct uev_decoder *decoder);

#endif
