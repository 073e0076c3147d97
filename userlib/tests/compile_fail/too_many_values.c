// SPDX-License-Identifier: MIT
/* refused: more than 32 fields */
#include <userevents/tracepoint.h>

int main(void)
{
	UEV_TRACE(refused, f1, 0, f2, 0, f3, 0, f4, 0, f5, 0, f6, 0, f7, 0, f8,
		  0, f9, 0, f10, 0, f11, 0, f12, 0, f13, 0, f14, 0, f15, 0, f16,
		  0, f17, 0, f18, 0, f19, 0, f20, 0, f21, 0, f22, 0, f23, 0,
		  f24, 0, f25, 0, f26, 0, f27, 0, f28, 0, f29, 0, f30, 0, f31,
		  0, f32, 0, f33, 0);

	return 0;
}
