// SPDX-License-Identifier: MIT
/* A program with slices and counters, whose definitions scripts/check/tool/viewer reads. */
#include <userevents/tracepoint.h>

int main(void)
{
	UEV_SLICE_BEGIN("slice");
	UEV_SLICE_END();
	UEV_COUNTER("counter", 1);

	return 0;
}
