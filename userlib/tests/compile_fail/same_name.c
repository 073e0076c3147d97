// SPDX-License-Identifier: MIT
/* refused: count */
#include <userevents/tracepoint.h>

static inline void trace(int value)
{
	UEV_TRACE(refused, count, value, count, value);
}
