/* SPDX-License-Identifier: MIT */
/* A tracepoint for tests of C and C++, with values of types that differ. */
#ifndef SAME_TYPES_H
#define SAME_TYPES_H

#define SAME_TYPES_COMMAND                                                  \
	"same_types s32 equal; s32 negated; s32 yes; s32 flag; s32 comma; " \
	"s32 letter; s16 sum; u8 byte"

#define SAME_TYPES_SIZE (6 * 4 + 2 + 1)

#define SAME_TYPES                                                           \
	static void trace_same_types(int a, int b)                           \
	{                                                                    \
		bool flag = a < b;                                           \
		char letter = 'x';                                           \
		short sum = (short)(a + b);                                  \
		unsigned char byte = (unsigned char)a;                       \
		UEV_TRACE(same_types, equal, a == b, negated, !a, yes, true, \
			  flag, flag, comma, ',', letter, letter, sum, sum,  \
			  byte, byte);                                       \
	}

#endif
