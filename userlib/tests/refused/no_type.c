// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: user_events has no type for the value of ratio */
#include <userevents/tracepoint.h>

void trace(double ratio);
void trace(double ratio)
{
	UEV_TRACE(refused, count, 1, ratio, ratio);
}
