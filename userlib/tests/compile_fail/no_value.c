// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: every field needs a name and a value */
#include <userevents/tracepoint.h>

static inline void trace(int value)
{
	UEV_TRACE(refused, count, value, more);
}
