// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: every field needs a name and a value */
#include <userevents/tracepoint.h>

void trace(int value);
void trace(int value)
{
	UEV_TRACE(refused, count, value, more);
}
