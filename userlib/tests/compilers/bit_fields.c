// SPDX-License-Identifier: MIT
/*
 * Bit-fields of all types that are not smaller than int. Objects of several
 * compilers, each with another FUNCTION, are one program.
 */
#include <userevents/tracepoint.h>

enum color {
	RED,
	BLUE
};

static struct {
	unsigned int u : 3;
	int i : 2;
	unsigned int whole : 32;
	unsigned long ul : 20;
	long l : 31;
	unsigned long long ull : 1;
	long long ll : 32;
	bool b : 1;
	enum color e : 2;
} bits;

void FUNCTION(void)
{
	UEV_TRACE(bits, u, bits.u, i, bits.i, whole, bits.whole, ul, bits.ul, l,
		  bits.l, ull, bits.ull, ll, bits.ll, e, bits.e, b, bits.b);
}
