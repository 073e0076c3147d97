// SPDX-License-Identifier: MIT
// refused: a provider has a name
#include <userevents/eventheader.h>

#ifdef REFUSED
#define WHAT ""
#else
#define WHAT "P"
#endif

UEV_PROVIDER(provider, WHAT);

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
