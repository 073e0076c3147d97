// SPDX-License-Identifier: MIT
/* refused: COUNT */
#include <userevents/tracepoint.h>

#define COUNT (1)

static inline void trace(int value)
{
	UEV_TRACE(refused, COUNT, value);
}
