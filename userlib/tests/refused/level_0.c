// SPDX-License-Identifier: MIT
// refused: a level is 1 to 255
#include <userevents/eventheader.h>

#ifdef REFUSED
#define WHAT 0
#else
#define WHAT 1
#endif

UEV_PROVIDER(provider, "Prov");

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, WHAT, 1, "E");
}
