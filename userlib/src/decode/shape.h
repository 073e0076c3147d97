/* SPDX-License-Identifier: MIT */
#ifndef UEV_DECODE_SHAPE_H
#define UEV_DECODE_SHAPE_H

#include "decode/schema.h"

void uev_shape_init(struct uev_schema_entry *field, uint8_t long_size);

#endif
