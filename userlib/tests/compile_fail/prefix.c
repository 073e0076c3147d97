// SPDX-License-Identifier: MIT
/* refused: uev_prefix_of_events_ */
#define UEV_PREFIX "text"
#include <userevents/tracepoint.h>

static inline void trace(int value)
{
	UEV_TRACE(accepted, value, value);
}
