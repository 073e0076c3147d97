/* SPDX-License-Identifier: MIT */
/*
 * Numbers in the bytes of files, in either byte order and at any address.
 */
#ifndef USEREVENTS_UTIL_BYTES_H
#define USEREVENTS_UTIL_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool uev_host_is_big(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static inline uint16_t uev_get16(const void *from, bool big)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));

	return big == uev_host_is_big() ? value : __builtin_bswap16(value);
}

static inline uint32_t uev_get32(const void *from, bool big)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));

	return big == uev_host_is_big() ? value : __builtin_bswap32(value);
}

static inline uint64_t uev_get64(const void *from, bool big)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));

	return big == uev_host_is_big() ? value : __builtin_bswap64(value);
}

#endif
