/* SPDX-License-Identifier: MIT */
/* A tracepoint for tests of C and C++, with values of types that differ. */
#ifndef SAME_TYPES_H
#define SAME_TYPES_H

#define SAME_TYPES_COMMAND                                                  \
	"same_types s32 equal; s32 negated; s32 yes; s32 flag; s32 comma; " \
	"s32 letter; s16 sum; u8 byte; __data_loc char[] ratio; "           \
	"__data_loc char[] single; " SAME_TYPES_POINTER                     \
	" numbers; " SAME_TYPES_POINTER " self"

/* Of the type of a pointer */
#if __SIZEOF_POINTER__ == 8
#define SAME_TYPES_POINTER "u64"
#else
#define SAME_TYPES_POINTER "u32"
#endif

/* The texts of @ratio and @single, at the end of the record */
#define SAME_TYPES_TEXTS "0.1\0-2.5e+20"

#define SAME_TYPES_SIZE \
	(6 * 4 + 2 + 1 + 2 * 4 + 2 * sizeof(void *) + sizeof(SAME_TYPES_TEXTS))

#define SAME_TYPES                                                           \
	static struct same_types_self {                                      \
		int member;                                                  \
	} same_types_self;                                                   \
	static void trace_same_types(int a, int b)                           \
	{                                                                    \
		const volatile int numbers[] = { 1, 2 };                     \
		bool flag = a < b;                                           \
		char letter = 'x';                                           \
		short sum = (short)(a + b);                                  \
		unsigned char byte = (unsigned char)a;                       \
		UEV_TRACE(same_types, equal, a == b, negated, !a, yes, true, \
			  flag, flag, comma, ',', letter, letter, sum, sum,  \
			  byte, byte, ratio, 0.1, single, -2.5e20f, numbers, \
			  numbers, self, &same_types_self);                  \
	}

#endif
