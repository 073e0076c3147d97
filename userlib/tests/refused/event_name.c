// SPDX-License-Identifier: MIT
// refused: a semicolon begins an attribute
#include <userevents/eventheader.h>

#ifdef REFUSED
#define WHAT "E;a"
#else
#define WHAT "E;a=b"
#endif

UEV_PROVIDER(provider, "Prov");

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, WHAT);
}
