// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: user_events has no type for the value of ratio */
#include <userevents/tracepoint.h>

static inline void trace(long double ratio)
{
	UEV_TRACE(refused, count, 1, ratio, ratio);
}
