// SPDX-License-Identifier: MIT
/* refused: count */
#include <userevents/tracepoint.h>

void trace(int value);
void trace(int value)
{
	UEV_TRACE(refused, count, value, count, value);
}
