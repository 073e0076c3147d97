// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: user_events has no type for the value of numbers */
#include <userevents/tracepoint.h>

#include <vector>

static inline void trace(const std::vector<int> &numbers)
{
	UEV_TRACE(refused, count, 1, numbers, numbers);
}
