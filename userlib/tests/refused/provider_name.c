// SPDX-License-Identifier: MIT
// refused: a provider has letters, digits and underscores only
// only at run time: clang, C
#include <userevents/eventheader.h>

#ifdef REFUSED
#define WHAT "My.Prov"
#else
#define WHAT "My_Prov"
#endif

UEV_PROVIDER(provider, WHAT);

int write_event(void);

int write_event(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E");
}
