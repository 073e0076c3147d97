/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * String literals that repeat another one, and offsets.
 */
#ifndef USER_EVENTS_TESTS_REPEAT_H
#define USER_EVENTS_TESTS_REPEAT_H

#define X2(s) s s
#define X4(s) X2(s) X2(s)
#define X8(s) X4(s) X4(s)
#define X16(s) X8(s) X8(s)
#define X32(s) X16(s) X16(s)
#define X62(s) X32(s) X16(s) X8(s) X4(s) X2(s)
#define X64(s) X32(s) X32(s)
#define X128(s) X64(s) X64(s)
#define X254(s) X128(s) X62(s) X64(s)
#define X256(s) X128(s) X128(s)

/* An offset, or a size that counts the header, which has 8 bytes in the rows. */
#define AT(n) ((n) + USER_EVENT_HEADER_SIZE - 8)

#endif /* USER_EVENTS_TESTS_REPEAT_H */
