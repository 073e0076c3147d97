// SPDX-License-Identifier: MIT
/* Constant members of a class, which the program does not define. */
#include <userevents/eventheader.h>
#include <userevents/tracepoint.h>

UEV_PROVIDER(provider, "Constants");

enum class color : unsigned char {
	red
};

struct limits {
	static const int max = 5;
	static const bool strict = true;
	static const color first = color::red;
};

int main()
{
	UEV_TRACE(constants, max, limits::max, strict, limits::strict, first,
		  limits::first);
	UEV_COUNTER("max", limits::max);
	return UEV_EVENTHEADER(provider, limits::max, limits::max, "Constants",
			       UEV_EH_I32("max", limits::max),
			       UEV_EH_AUTO("first", limits::first));
}
