// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: user_events has no type for the value of pair */
#include <userevents/tracepoint.h>

#include <atomic>

struct two {
	short a;
	short b;
};

static inline void trace(const std::atomic<two> &pair)
{
	UEV_TRACE(refused, count, 1, pair, pair);
}
