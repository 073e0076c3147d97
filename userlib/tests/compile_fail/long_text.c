// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: names and types are too long for the kernel */
#include <userevents/tracepoint.h>

static inline void trace(const char *text)
{
	UEV_TRACE(
		refused, text_12345678901234567890_0, text,
		text_12345678901234567890_1, text, text_12345678901234567890_2,
		text, text_12345678901234567890_3, text,
		text_12345678901234567890_4, text, text_12345678901234567890_5,
		text, text_12345678901234567890_6, text,
		text_12345678901234567890_7, text, text_12345678901234567890_8,
		text, text_12345678901234567890_9, text,
		text_12345678901234567890_a, text);
}
