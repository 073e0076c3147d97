/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_UTIL_FLOAT_H
#define USEREVENTS_UTIL_FLOAT_H

#include <stdbool.h>
#include <stddef.h>

/* More than the longest number, such as -2.2250738585072014e-308. */
#define UEV_FLOAT_TEXT_MAX 32

size_t uev_float_text(double value, bool single, char *text);

#endif
