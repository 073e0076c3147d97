/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_DECODE_TIME_H
#define USEREVENTS_DECODE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than the numbers require. */
#define UEV_TIME_TEXT_MAX 80

bool uev_time_text(int64_t seconds, char *text);

#endif
