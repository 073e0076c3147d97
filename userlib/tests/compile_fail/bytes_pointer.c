// SPDX-License-Identifier: MIT
/* refused: UEV_TRACE: user_events has no type for the value of digest */
#include <userevents/tracepoint.h>

static inline void trace(const unsigned char *digest)
{
	UEV_TRACE(refused, digest, digest);
}
