// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: user_events has no type for the value of pair */
#include <userevents/tracepoint.h>

struct pair {
	int a;
	int b;
};

static inline void trace(struct pair pair)
{
	UEV_TRACE(refused, count, 1, pair, pair);
}
