/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_UTIL_NUMBER_H
#define USEREVENTS_UTIL_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* 18446744073709551615 */
#define UEV_NUMBER_MAX 20

size_t uev_number_text(uint64_t number, size_t digits, char *text);
size_t uev_number_text_signed(int64_t number, char *text);

#endif
